/*
 * Times and durations in whole nanoseconds, and the one place that reads the machine's clocks.
 *
 * A time is an nsec since an epoch that its domain defines: boot for the monotonic clock,
 * 1970-01-01T00:00:00Z for the wall clock and for event times. A duration is an nsec too.
 * Arithmetic saturates at NSEC_MIN and NSEC_MAX and never overflows.
 *
 * Only the loop calls clock_read(); everything below it is handed a reading.
 */
#ifndef VOLLEY_CLOCK_H
#define VOLLEY_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef int64_t nsec;

#define NSEC_MIN INT64_MIN
#define NSEC_MAX INT64_MAX

#define NSEC_PER_US INT64_C(1000)
#define NSEC_PER_MS INT64_C(1000000)
#define NSEC_PER_S INT64_C(1000000000)

/* How far after its base a relative timer goes off: Beam's offset and alignment. */
struct delay {
	nsec offset; /* added to the base; may be negative */
	nsec period; /* then rounded up to a boundary, when above 0 */
	nsec phase;  /* a boundary is a time t with (t - phase) mod period = 0 */
};

/* Both clocks, read together. */
struct reading {
	nsec now;  /* the monotonic clock */
	nsec wall; /* the wall clock at the same moment */
};

static inline nsec
nsec_add(nsec a, nsec b)
{
	if (b > 0 && a > NSEC_MAX - b)
		return NSEC_MAX;
	if (b < 0 && a < NSEC_MIN - b)
		return NSEC_MIN;
	return a + b;
}

static inline nsec
nsec_sub(nsec a, nsec b)
{
	if (b < 0 && a > NSEC_MAX + b)
		return NSEC_MAX;
	if (b > 0 && a < NSEC_MIN + b)
		return NSEC_MIN;
	return a - b;
}

/* The least boundary >= time; NSEC_MAX when that is past every time. period > 0. */
nsec
nsec_align(nsec time, nsec period, nsec phase);

/* base + offset, rounded up to a boundary when there is a period (SEMANTICS 5). */
nsec
nsec_after(nsec base, const struct delay *delay);

/* 0, or -1 with errno. */
int
clock_read(struct reading *reading);

#endif
