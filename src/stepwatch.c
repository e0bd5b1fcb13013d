#include <config.h>

#include "stepwatch.h"

#include <unistd.h>

#ifdef HAVE_SYS_TIMERFD_H
#include <limits.h>
#include <stdint.h>
#include <sys/timerfd.h>

int
stepwatch_open(void)
{
	int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);

	if (fd >= 0)
		stepwatch_rearm(fd);
	return fd;
}

/* The timer itself never goes off; setting the clock cancels it, which can be read. */
void
stepwatch_rearm(int fd)
{
	struct itimerspec never = { .it_value.tv_sec = LONG_MAX };
	uint64_t expirations;

	while (read(fd, &expirations, sizeof expirations) > 0)
		continue;
	timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL);
}

#else

int
stepwatch_open(void)
{
	return -1;
}

void
stepwatch_rearm(int fd)
{
	(void)fd;
}

#endif
