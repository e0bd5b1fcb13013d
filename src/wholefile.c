#include <config.h>

#include "wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* So many files of others may be in the way. */
#define TRIES 1000

/* A name beside the path that no other file of this process has now. Others may have it: those
 * of the same number in another name space, and those that were killed. */
static char *
temporary_name(const char *path, int try)
{
	const char *slash = strrchr(path, '/');
	int directory = slash ? (int)(slash - path) + 1 : 0;
	size_t room = (size_t)directory + 64;
	char *name = malloc(room);

	if (name)
		snprintf(name, room, "%.*s.volley-%ld-%d.tmp", directory, path,
			 (long)getpid(), try);
	return name;
}

static int
write_all(int fd, struct slice data)
{
	while (data.size > 0) {
		ssize_t size = write(fd, data.data, data.size);

		if (size < 0 && errno != EINTR)
			return -1;
		if (size > 0)
			data = slice_from(data, (size_t)size);
	}
	return 0;
}

/* Opens a new file beside the path. The descriptor, and its name; or -1 with errno. */
static int
open_beside(const char *path, char **name)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;

	for (int try = 0; try < TRIES; try++) {
		int fd, saved;

		*name = temporary_name(path, try);
		if (!*name)
			return -1;
		fd = open(*name, flags, 0666);
		if (fd >= 0)
			return fd;
		saved = errno;
		free(*name);
		errno = saved;
		if (errno != EEXIST)
			return -1;
	}
	return -1;
}

/* Removes the file and frees its name; errno stays. 0, or -1 when it could not be removed. */
static int
discard(char *name)
{
	int saved = errno, result = unlink(name);

	if (result == 0)
		errno = saved;
	free(name);
	return result;
}

/* A new file beside the path with that data. Its name, or NULL with errno and nothing left. */
static char *
write_beside(const char *path, struct slice data)
{
	char *name;
	int fd = open_beside(path, &name), result;

	if (fd < 0)
		return NULL;
	result = write_all(fd, data);
	if (close(fd) < 0)
		result = -1;
	if (result == 0)
		return name;
	result = errno;
	discard(name);
	errno = result;
	return NULL;
}

/* What is there may be replaced if it is a regular file. A device or a pipe is not, nor a link
 * that leads to such: that was meant to be written to. */
static int
check_replaced(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0 || S_ISREG(status.st_mode))
		return 0;
	errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
	return -1;
}

/* Gives the file its name. Linking fails where there is a file; not every file system can. */
static int
give_name(const char *temporary, const char *path, bool replace)
{
	if (!replace) {
		if (link(temporary, path) == 0)
			return unlink(temporary);
		if (errno != EPERM && errno != ENOSYS && errno != EOPNOTSUPP)
			return -1;
		if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
			errno = EEXIST;
			return -1;
		}
	}
	return rename(temporary, path);
}

int
wholefile_try(const char *path, bool replace)
{
	char *name;

	if (replace && check_replaced(path) < 0)
		return -1;
	name = write_beside(path, (struct slice){ NULL, 0 });
	return name ? discard(name) : -1;
}

int
wholefile_write(const char *path, struct slice data, bool replace)
{
	char *name;
	int saved;

	if (replace && check_replaced(path) < 0)
		return -1;
	name = write_beside(path, data);
	if (!name)
		return -1;
	if (give_name(name, path, replace) == 0) {
		free(name);
		return 0;
	}
	saved = errno;
	discard(name);
	errno = saved;
	return -1;
}

const char *
wholefile_hint(int error)
{
	return error == ENOTSUP ? " (it is not a regular file)" : "";
}
