/*
 * Faults on order, for tests/faults.test.py: a library to be preloaded. The environment's
 * VOLLEY_FAULT says which call fails, and how:
 *
 *     CALL[@WHERE]:NTH[+]:HOW     write@1:2:ENOSPC
 *
 * CALL is the function's name; malloc stands for all that allocate. WHERE is a descriptor, or
 * "+" for any beyond the standard ones, or the end of the name of what is open there. Of the calls
 * that this names the NTH, from 1, fails; with "+" all from there on. HOW is the name of an error,
 * or "short": one byte is read or written; "TERM": that signal comes first; "late": it takes a
 * second; "full": before it is written another has filled the pipe, and USR2 has come. The file
 * named by VOLLEY_FAULT_LOG is made when that happens for the first time.
 *
 * Only the process that it was preloaded into is hit, not those that it starts.
 */
#define _GNU_SOURCE
/* With 32 bits these have names of their own, which volley calls. */
#if __SIZEOF_POINTER__ == 4
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64
#endif

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

/* With 64 bits there is but one such call. */
#ifndef SYS_clock_gettime64
#define SYS_clock_gettime64 SYS_clock_gettime
#endif

/* What the C library has beneath the names that are taken here. */
extern void *
__libc_malloc(size_t size);
extern void *
__libc_calloc(size_t count, size_t size);
extern void *
__libc_realloc(void *old, size_t size);

static struct {
	bool armed;
	bool ends_with_main;
	char call[32];
	char where[16];
	unsigned long nth;
	bool onwards;
	int error; /* -1: short; -2: TERM; -3: full; -4: late */
	unsigned long seen;
	bool reached;
	char log[512];
} fault;

static const struct {
	const char *name;
	int number;
} errors[] = {
	{ "EINTR", EINTR },   { "EAGAIN", EAGAIN }, { "EIO", EIO },
	{ "ENOSPC", ENOSPC }, { "EPIPE", EPIPE },   { "EMFILE", EMFILE },
	{ "ENOMEM", ENOMEM }, { "EACCES", EACCES }, { "EINVAL", EINVAL },
	{ "EEXIST", EEXIST }, { "EPERM", EPERM },   { "ENOSYS", ENOSYS },
	{ "short", -1 },      { "TERM", -2 },       { "full", -3 },
	{ "late", -4 },
};

static int
number_of(const char *name)
{
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (strcmp(errors[i].name, name) == 0)
			return errors[i].number;
	fprintf(stderr, "faults: '%s': unknown error\n", name);
	_exit(99);
}

__attribute__((constructor)) static void
arm(void)
{
	const char *text = getenv("VOLLEY_FAULT"), *log = getenv("VOLLEY_FAULT_LOG");
	char how[16], target[32], *where;

	if (!text || !log)
		return;
	if (sscanf(text, "%31[^:]:%lu%*1[+]:%15s", target, &fault.nth, how) == 3)
		fault.onwards = true;
	else if (sscanf(text, "%31[^:]:%lu:%15s", target, &fault.nth, how) != 3)
		_exit(99);
	where = strchr(target, '@');
	if (where)
		*where++ = '\0';
	snprintf(fault.call, sizeof fault.call, "%s", target);
	snprintf(fault.where, sizeof fault.where, "%s", where ? where : "");
	snprintf(fault.log, sizeof fault.log, "%s", log);
	fault.error = number_of(how);
	unsetenv("LD_PRELOAD");
	unsetenv("VOLLEY_FAULT");
	unsetenv("VOLLEY_FAULT_LOG");
	fault.armed = true;
}

static bool
is_open_as(int fd, const char *end)
{
	char path[64], name[512];
	ssize_t size;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	size = readlink(path, name, sizeof name);
	return size > (ssize_t)strlen(end) &&
	       memcmp(name + size - strlen(end), end, strlen(end)) == 0;
}

static bool
is_where(int fd)
{
	if (fault.where[0] == '\0')
		return true;
	if (fault.where[0] == '+')
		return fd > STDERR_FILENO;
	if (fault.where[0] < '0' || fault.where[0] > '9')
		return is_open_as(fd, fault.where);
	return fd == atoi(fault.where);
}

static void
note(void)
{
	int saved = errno;
	long fd;

	if (fault.reached)
		return;
	fault.reached = true;
	fd = syscall(SYS_openat, AT_FDCWD, fault.log, O_WRONLY | O_CREAT, 0666);
	if (fd >= 0)
		syscall(SYS_close, fd);
	errno = saved;
}

static void
disarm(void)
{
	fault.armed = false;
}

/* What is done after main, such as counting for gcov, is not the program's. Handlers that the
 * constructor here set would be called after that, so this is left to the first call. */
static void
end_with_main(void)
{
	if (fault.ends_with_main)
		return;
	fault.ends_with_main = true;
	atexit(disarm);
}

/* What the call is to end with: an error, -1 to be short, 0 for nothing. */
static int
wanted(const char *call, int fd)
{
	if (!fault.armed || strcmp(call, fault.call) != 0 || !is_where(fd))
		return 0;
	end_with_main();
	fault.seen++;
	if (fault.onwards ? fault.seen < fault.nth : fault.seen != fault.nth)
		return 0;
	note();
	if (fault.error == -4)
		usleep(1000000);
	return fault.error;
}

static bool
fails(const char *call, int fd)
{
	int error = wanted(call, fd);

	if (error > 0)
		errno = error;
	return error > 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

void *
malloc(size_t size)
{
	return fails("malloc", -1) ? NULL : __libc_malloc(size);
}

void *
calloc(size_t count, size_t size)
{
	return fails("malloc", -1) ? NULL : __libc_calloc(count, size);
}

void *
realloc(void *old, size_t size)
{
	return fails("malloc", -1) ? NULL : __libc_realloc(old, size);
}

ssize_t
read(int fd, void *data, size_t size)
{
	int error = wanted("read", fd);

	if (error > 0) {
		errno = error;
		return -1;
	}
	if (error == -2)
		raise(SIGTERM);
	return syscall(SYS_read, fd, data, error == -1 && size > 1 ? 1 : size);
}

ssize_t
pread(int fd, void *data, size_t size, off_t offset)
{
	int error = wanted("pread", fd);

	if (error > 0) {
		errno = error;
		return -1;
	}
	return syscall(SYS_pread64, fd, data, error < 0 && size > 1 ? 1 : size, offset);
}

/* What a fortified build calls for them. */
ssize_t
__read_chk(int fd, void *data, size_t size, size_t room);
ssize_t
__pread_chk(int fd, void *data, size_t size, off_t offset, size_t room);

ssize_t
__read_chk(int fd, void *data, size_t size, size_t room)
{
	return size > room ? (abort(), -1) : read(fd, data, size);
}

ssize_t
__pread_chk(int fd, void *data, size_t size, off_t offset, size_t room)
{
	return size > room ? (abort(), -1) : pread(fd, data, size, offset);
}

/* The pipe takes no more than is in there; a signal has come just before. */
static void
fill(int fd)
{
	static const char bytes[4096];
	long flags = syscall(SYS_fcntl, fd, F_GETFL, 0L);

	syscall(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
	while (syscall(SYS_write, fd, bytes, sizeof bytes) > 0)
		continue;
	syscall(SYS_fcntl, fd, F_SETFL, flags);
	raise(SIGUSR2);
}

ssize_t
write(int fd, const void *data, size_t size)
{
	int error = wanted("write", fd);

	if (error == -3)
		fill(fd);
	if (error > 0) {
		if (error == EPIPE)
			raise(SIGPIPE);
		errno = error;
		return -1;
	}
	return syscall(SYS_write, fd, data, error == -1 && size > 1 ? 1 : size);
}

ssize_t
writev(int fd, const struct iovec *parts, int count)
{
	int error = wanted("writev", fd);

	if (error > 0) {
		errno = error;
		return -1;
	}
	if (error < 0)
		return syscall(SYS_write, fd, parts->iov_base, parts->iov_len > 0);
	return syscall(SYS_writev, fd, parts, count);
}

int
close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	return fails("close", fd) ? -1 : result;
}

int
ppoll(struct pollfd *fds, nfds_t count, const struct timespec *timeout,
      const sigset_t *mask)
{
	if (fails("ppoll", -1))
		return -1;
	return REAL(ppoll)(fds, count, timeout, mask);
}

int
poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return fails("poll", -1) ? -1 : REAL(poll)(fds, count, timeout);
}

/* What a fortified build calls for it. */
int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);

int
__poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
	return count * sizeof *fds > room ? (abort(), -1) : poll(fds, count, timeout);
}

int
pipe(int fds[2])
{
	return fails("pipe", -1) ? -1 : REAL(pipe)(fds);
}

int
posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
	     const posix_spawnattr_t *attributes, char *const *arguments,
	     char *const *environment)
{
	int error = wanted("posix_spawnp", -1);

	if (error > 0)
		return error;
	return REAL(posix_spawnp)(pid, file, actions, attributes, arguments, environment);
}

pid_t
waitpid(pid_t pid, int *status, int options)
{
	return fails("waitpid", -1) ? -1 : REAL(waitpid)(pid, status, options);
}

static int
open_as(const char *path, int flags, mode_t mode)
{
	if (fails("open", -1))
		return -1;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int
open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode = 0;

	va_start(arguments, flags);
	if (flags & O_CREAT)
		mode = va_arg(arguments, mode_t);
	va_end(arguments);
	return open_as(path, flags, mode);
}

/* What a fortified build calls for it. */
int
__open_2(const char *path, int flags);

int
__open_2(const char *path, int flags)
{
	return open_as(path, flags, 0);
}

int
rename(const char *from, const char *to)
{
	return fails("rename", -1) ? -1 : REAL(rename)(from, to);
}

int
link(const char *from, const char *to)
{
	return fails("link", -1) ? -1 : REAL(link)(from, to);
}

int
unlink(const char *path)
{
	return fails("unlink", -1) ? -1 : REAL(unlink)(path);
}

int
fcntl(int fd, int command, ...)
{
	va_list arguments;
	long argument;

	va_start(arguments, command);
	argument = va_arg(arguments, long);
	va_end(arguments);
	if (fails("fcntl", fd))
		return -1;
	return (int)syscall(SYS_fcntl, fd, command, argument);
}

unsigned
alarm(unsigned seconds)
{
	if (wanted("alarm", -1) == -2)
		raise(SIGTERM);
	return REAL(alarm)(seconds);
}

int
clock_gettime(clockid_t id, struct timespec *time)
{
	return fails("clock_gettime", -1) ? -1
					  : (int)syscall(SYS_clock_gettime64, id, time);
}

int
timerfd_create(int id, int flags)
{
	return fails("timerfd_create", -1) ? -1
					   : (int)syscall(SYS_timerfd_create, id, flags);
}

int
getentropy(void *data, size_t size)
{
	return fails("getentropy", -1) ? -1 : REAL(getentropy)(data, size);
}

int
memfd_create(const char *name, unsigned flags)
{
	return fails("memfd_create", -1) ? -1 : REAL(memfd_create)(name, flags);
}
