#include <config.h>

#include "clock.h"

#include <time.h>

/* In [0, period), for a negative dividend too. */
static nsec
remainder_of(nsec dividend, nsec period)
{
	nsec rest = dividend % period;

	return rest < 0 ? rest + period : rest;
}

nsec
nsec_align(nsec time, nsec period, nsec phase)
{
	/* The difference of the remainders cannot overflow; that of time and phase can. */
	nsec past = remainder_of(time, period) - remainder_of(phase, period);

	if (past < 0)
		past += period;
	return past == 0 ? time : nsec_add(time, period - past);
}

nsec
nsec_after(nsec base, const struct delay *delay)
{
	nsec time = nsec_add(base, delay->offset);

	return delay->period > 0 ? nsec_align(time, delay->period, delay->phase) : time;
}

static int
read_one(clockid_t id, nsec *time)
{
	struct timespec spec;

	if (clock_gettime(id, &spec) < 0)
		return -1;
	*time = nsec_add((nsec)spec.tv_sec * NSEC_PER_S, spec.tv_nsec);
	return 0;
}

int
clock_read(struct reading *reading)
{
	if (read_one(CLOCK_MONOTONIC, &reading->now) < 0)
		return -1;
	return read_one(CLOCK_REALTIME, &reading->wall);
}
