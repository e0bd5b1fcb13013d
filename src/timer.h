/*
 * Beam's Timer, and the queue of the timers that are set.
 *
 * A timer is unset, or set to one time; it is embedded in what it belongs to and zeroed at
 * first (unset). The queue borrows it while it is set, so a timer is cleared before it is
 * freed, and the queue stays where it is. Setting never allocates: timerq_reserve() makes room for all timers that there are.
 *
 * Timers pop in the order of their times, equal times in the order in which they were set
 * (SEMANTICS 3); setting anew, even to the same time, takes a new place among equals. A timer
 * leaves the queue before whatever it stands for is done, so that may set it again.
 *
 * Equal timeouts are due in the order in which they are set: such timers stand in a row, where
 * setting and clearing cost the same however many there are. One that is set to an earlier time
 * than the last of the row goes into a heap.
 */
#ifndef VOLLEY_TIMER_H
#define VOLLEY_TIMER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"

struct timer {
	nsec when;
	nsec output;    /* the output timestamp: what the batch will carry */
	uint64_t order; /* place among equal times */
	struct timer
		*previous; /* in the row; NULL: unset; the queue's mark: in the heap */
	union {
		struct timer *next; /* in the row */
		size_t position;    /* in the heap */
	} at;
};

struct timerq {
	struct timer row;    /* stands before the first and behind the last of the row */
	struct timer mark;   /* of those in the heap; for its address */
	struct timer **heap; /* 4-ary, least first */
	size_t size;
	size_t capacity;
	uint64_t order; /* given out last */
};

void
timerq_release(struct timerq *queue);

/* Room for count timers in all. 0, or -1 with errno. */
int
timerq_reserve(struct timerq *queue, size_t count);

bool
timer_is_set(const struct timer *timer);

/* To an absolute time, which may have passed: it is due at once then. The output timestamp is
 * the time itself. */
void
timer_set(struct timerq *queue, struct timer *timer, nsec when);

/* As timer_set(), with a place among equals of the caller's own numbering. */
void
timer_set_ordered(struct timerq *queue, struct timer *timer, nsec when, uint64_t order);

/* To nsec_after(now, delay). */
void
timer_set_relative(struct timerq *queue, struct timer *timer, nsec now,
		   const struct delay *delay);

/* Beam's withOutputTimestamp, for a timer that is set; setting it anew forgets it. */
void
timer_set_output(struct timer *timer, nsec output);

/* An unset timer may be cleared. */
void
timer_clear(struct timerq *queue, struct timer *timer);

/* The first timer; NULL when none is set. It stays set. */
struct timer *
timerq_first(const struct timerq *queue);

/* When the first timer is due; NSEC_MAX when none is set. */
nsec
timerq_next(const struct timerq *queue);

/* Unsets and returns the first timer that is due at now (when <= now); NULL when none is. */
struct timer *
timerq_pop(struct timerq *queue, nsec now);

#endif
