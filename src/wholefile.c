#include <config.h>

#include "wholefile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name beside the path that no other process and no other file of this one has now. */
static char *
temporary_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	int directory = slash ? (int)(slash - path) + 1 : 0;
	size_t room = (size_t)directory + 64;
	char *name = malloc(room);

	if (name)
		snprintf(name, room, "%.*s.volley-%ld.tmp", directory, path,
			 (long)getpid());
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

static int
write_new(const char *path, struct slice data)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	int fd = open(path, flags, 0666), result;

	/* Left behind by a process of the same number that was killed. */
	if (fd < 0 && errno == EEXIST && unlink(path) == 0)
		fd = open(path, flags, 0666);
	if (fd < 0)
		return -1;
	result = write_all(fd, data);
	if (close(fd) < 0)
		result = -1;
	return result;
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
	char *temporary;
	int result, saved;

	if (replace && check_replaced(path) < 0)
		return -1;
	temporary = temporary_name(path);
	if (!temporary)
		return -1;
	result = write_new(temporary, (struct slice){ NULL, 0 });
	saved = errno;
	if (unlink(temporary) < 0 && result == 0) {
		result = -1;
		saved = errno;
	}
	free(temporary);
	errno = saved;
	return result;
}

int
wholefile_write(const char *path, struct slice data, bool replace)
{
	char *temporary;
	int result, saved;

	if (replace && check_replaced(path) < 0)
		return -1;
	temporary = temporary_name(path);
	if (!temporary)
		return -1;
	result = write_new(temporary, data);
	if (result == 0)
		result = give_name(temporary, path, replace);
	saved = errno;
	if (result < 0)
		unlink(temporary);
	free(temporary);
	errno = saved;
	return result;
}

const char *
wholefile_hint(int error)
{
	return error == ENOTSUP ? " (it is not a regular file)" : "";
}
