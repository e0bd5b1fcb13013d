/*
 * Clocks on order, for tests/clocks.test.py: a library to be preloaded. The environment's
 * VOLLEY_CLOCKS names a file that holds a struct clocks, which the test may change at any time.
 *
 * What waits for the wall clock to be set (timerfd_create()) waits for the pipe by the name of
 * that file with ".set" behind it instead: the test writes eight bytes there.
 *
 * The time for which something waits is the machine's own.
 */
#define _GNU_SOURCE
/* With 32 bits these have names of their own, which volley calls. */
#if __SIZEOF_POINTER__ == 4
#define _FILE_OFFSET_BITS 64
#define _TIME_BITS 64
#endif

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* With 64 bits there is but one such call. */
#ifndef SYS_clock_gettime64
#define SYS_clock_gettime64 SYS_clock_gettime
#define SYS_timerfd_settime64 SYS_timerfd_settime
#endif

#define SECOND INT64_C(1000000000)

/* In nanoseconds. */
struct clocks {
	volatile int64_t ahead; /* so far is the wall clock ahead of the machine's */
	volatile int64_t stood; /* so long the monotonic clock has stood still before */
	volatile int64_t still; /* where it stands now; 0: it goes */
};

static struct clocks *clocks;
static char set[512];

__attribute__((constructor)) static void
open_clocks(void)
{
	const char *path = getenv("VOLLEY_CLOCKS");
	int fd;

	if (!path)
		return;
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		_exit(99);
	clocks = mmap(NULL, sizeof *clocks, PROT_READ, MAP_SHARED, fd, 0);
	close(fd);
	if (clocks == MAP_FAILED)
		_exit(99);
	snprintf(set, sizeof set, "%s.set", path);
	unsetenv("LD_PRELOAD");
	unsetenv("VOLLEY_CLOCKS");
}

static void
put_time(struct timespec *time, int64_t value)
{
	time->tv_sec = (time_t)(value / SECOND);
	time->tv_nsec = (long)(value % SECOND);
}

int
clock_gettime(clockid_t id, struct timespec *time)
{
	int result = (int)syscall(SYS_clock_gettime64, id, time);
	int64_t value = (int64_t)time->tv_sec * SECOND + time->tv_nsec;

	if (result < 0 || !clocks)
		return result;
	if (id == CLOCK_REALTIME)
		put_time(time, value + clocks->ahead);
	else if (id == CLOCK_MONOTONIC)
		put_time(time, clocks->still ? clocks->still : value - clocks->stood);
	return 0;
}

int
timerfd_create(int id, int flags)
{
	if (!clocks)
		return (int)syscall(SYS_timerfd_create, id, flags);
	return open(set, O_RDWR | O_NONBLOCK | O_CLOEXEC);
}

int
timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old)
{
	return clocks ? 0 : (int)syscall(SYS_timerfd_settime64, fd, flags, new, old);
}
