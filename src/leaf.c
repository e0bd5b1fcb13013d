#include <config.h>

#include "leaf.h"

#include <math.h>

#include "civil.h"

/* Words of a leaf with a timer: the time, then the marks with the place among equals. */
enum { TIMER_TIME, TIMER_MARKS, TIMER_WORDS };

#define TIMER_SET UINT64_C(1)   /* waits for its time */
#define TIMER_READY UINT64_C(2) /* went off since the reset */
#define TIMER_SPENT UINT64_C(4) /* its time had passed before it was set; never ready */
#define TIMER_MARK_BITS 3

/* Words of delta(): the number at the last reset, the last one, and which of them there are. */
enum { DELTA_BASE, DELTA_LAST, DELTA_MARKS, DELTA_WORDS };

#define DELTA_HAS_BASE UINT64_C(1)
#define DELTA_HAS_LAST UINT64_C(2)
#define DELTA_READY UINT64_C(4)

const char *
reason_name(enum reason reason)
{
	static const char *const names[REASONS] = {
		[REASON_NONE] = "",           [REASON_COUNT] = "count",
		[REASON_BYTES] = "bytes",     [REASON_TIMEOUT] = "timeout",
		[REASON_IDLE] = "idle",       [REASON_EVERY] = "every",
		[REASON_AT] = "at",           [REASON_MATCH] = "match",
		[REASON_DELTA] = "delta",     [REASON_WINDOW] = "window",
		[REASON_LIMIT] = "limit",     [REASON_BREAK] = "break",
		[REASON_EOF] = "eof",         [REASON_SIGNAL] = "signal",
		[REASON_EVICTED] = "evicted", [REASON_LATE] = "late",
	};

	return names[reason];
}

size_t
leaf_words(const struct leaf *leaf)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
	case LEAF_BYTES:
	case LEAF_MATCH:
		return 1;
	case LEAF_DELAY:
	case LEAF_IDLE:
	case LEAF_EVERY:
	case LEAF_AT:
		return TIMER_WORDS;
	case LEAF_DELTA:
		return DELTA_WORDS;
	case LEAF_WATERMARK:
	case LEAF_NEVER:
		return 0;
	}
	return 0;
}

static bool
has_timer(const struct leaf *leaf)
{
	return leaf_words(leaf) == TIMER_WORDS;
}

bool
leaf_follows_calendar(const struct leaf *leaf)
{
	return leaf->kind == LEAF_EVERY || leaf->kind == LEAF_AT ||
	       leaf->delay.period > 0;
}

void
leaf_init(const struct leaf *leaf, union trigger_word *state)
{
	for (size_t i = 0; i < leaf_words(leaf); i++)
		state[i].number = 0;
}

/* The base of the next comparison is the last number that was seen. */
static void
reset_delta(union trigger_word *state)
{
	uint64_t marks = state[DELTA_MARKS].number & ~DELTA_READY;

	if (marks & DELTA_HAS_LAST) {
		state[DELTA_BASE] = state[DELTA_LAST];
		marks |= DELTA_HAS_BASE;
	}
	state[DELTA_MARKS].number = marks;
}

void
leaf_reset(const struct leaf *leaf, union trigger_word *state)
{
	if (leaf->kind == LEAF_DELTA)
		reset_delta(state);
	else
		leaf_init(leaf, state);
}

static void
lower(uint64_t *value, uint64_t limit)
{
	if (*value > limit)
		*value = limit;
}

static void
wait_until(struct quota *quota, nsec time)
{
	if (quota->deadline > time)
		quota->deadline = time;
}

/* Whether a timer may be set to a time that the clock has reached already. */
static bool
may_be_set_to_now(const struct leaf *leaf)
{
	return (leaf->kind == LEAF_DELAY && leaf->delay.offset <= 0) ||
	       leaf->kind == LEAF_AT;
}

static void
timer_quota(const struct leaf *leaf, const union trigger_word *state,
	    const struct moment *moment, struct quota *quota)
{
	struct deadline deadline = leaf_deadline(leaf, state, moment);

	if (leaf->kind == LEAF_IDLE)
		return;
	if (deadline.set)
		wait_until(quota, deadline.when);
	else if (state[TIMER_MARKS].number == 0 && may_be_set_to_now(leaf))
		quota->records = 1;
}

void
leaf_quota(const struct leaf *leaf, const union trigger_word *state,
	   const struct moment *moment, struct quota *quota)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
		if (state->number < leaf->least)
			lower(&quota->records, leaf->least - state->number);
		break;
	case LEAF_BYTES:
		if (state->number < leaf->least)
			lower(&quota->bytes, leaf->least - state->number);
		break;
	case LEAF_DELAY:
	case LEAF_IDLE:
	case LEAF_EVERY:
	case LEAF_AT:
		timer_quota(leaf, state, moment, quota);
		break;
	case LEAF_MATCH:
		quota->inspect = quota->inspect || state->number == 0;
		break;
	case LEAF_DELTA:
		quota->inspect = true;
		break;
	case LEAF_WATERMARK:
		wait_until(quota, moment->end);
		break;
	case LEAF_NEVER:
		break;
	}
}

static uint64_t
add_saturating(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* The time that a record sets the timer to; false when that time has passed for good. */
static bool
target_of(const struct leaf *leaf, nsec base, const struct moment *moment, nsec *target)
{
	nsec wall = nsec_add(base, moment->offset);

	switch (leaf->kind) {
	case LEAF_EVERY:
		*target = moment->civil
				  ? civil_boundary_after(wall, leaf->delay.period,
							 leaf->delay.phase)
				  : nsec_align(nsec_add(wall, 1), leaf->delay.period,
					       leaf->delay.phase);
		return true;
	case LEAF_AT:
		*target = leaf->time_of_day ? civil_time_of_day_after(wall, leaf->at)
					    : leaf->at;
		return *target >= wall;
	default:
		if (moment->civil && leaf->delay.period > 0) {
			/* Rounded up: to the first boundary after the moment before it. */
			wall = nsec_sub(nsec_add(wall, leaf->delay.offset), 1);
			*target = civil_boundary_after(wall, leaf->delay.period,
						       leaf->delay.phase);
			return true;
		}
		*target = nsec_after(leaf_follows_calendar(leaf) ? wall : base,
				     &leaf->delay);
		return true;
	}
}

static void
set_timer(const struct leaf *leaf, union trigger_word *state, const struct moment *moment,
	  nsec base, uint64_t order)
{
	uint64_t kept = state[TIMER_MARKS].number & TIMER_READY;
	nsec target = 0;
	uint64_t mark = target_of(leaf, base, moment, &target) ? TIMER_SET : TIMER_SPENT;

	state[TIMER_TIME].time = target;
	state[TIMER_MARKS].number = order << TIMER_MARK_BITS | kept | mark;
}

static void
admit_delta(const struct leaf *leaf, union trigger_word *state,
	    const struct finding *finding)
{
	uint64_t *marks = &state[DELTA_MARKS].number;

	if (!finding->found)
		return;
	state[DELTA_LAST].real = finding->number;
	*marks |= DELTA_HAS_LAST;
	if (!(*marks & DELTA_HAS_BASE)) {
		state[DELTA_BASE].real = finding->number;
		*marks |= DELTA_HAS_BASE;
	} else if (fabs(finding->number - state[DELTA_BASE].real) > leaf->distance) {
		*marks |= DELTA_READY;
	}
}

/* A timer that this very record sets does not count, be it due already. */
static bool
admit_to_timer(const struct leaf *leaf, union trigger_word *state,
	       const struct moment *moment, const struct run *run)
{
	uint64_t marks = state[TIMER_MARKS].number;

	if (marks == 0) {
		set_timer(leaf, state, moment, run->first, run->order);
		return false;
	}
	if (!(marks & TIMER_SET))
		return false;
	leaf_notice(leaf, state, moment);
	return state[TIMER_MARKS].number & TIMER_READY;
}

bool
leaf_admit(const struct leaf *leaf, union trigger_word *state,
	   const struct moment *moment, const struct run *run)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
		state->number = add_saturating(state->number, run->records);
		return state->number >= leaf->least;
	case LEAF_BYTES:
		state->number = add_saturating(state->number, run->bytes);
		return state->number >= leaf->least;
	case LEAF_DELAY:
	case LEAF_EVERY:
	case LEAF_AT:
		return admit_to_timer(leaf, state, moment, run);
	case LEAF_IDLE:
		set_timer(leaf, state, moment, run->last, run->order + run->records - 1);
		return false;
	case LEAF_MATCH:
		if (run->findings && run->findings[leaf->probe].found)
			state->number = 1;
		return state->number > 0;
	case LEAF_DELTA:
		if (run->findings)
			admit_delta(leaf, state, &run->findings[leaf->probe]);
		return state[DELTA_MARKS].number & DELTA_READY;
	case LEAF_WATERMARK:
		return moment->now >= moment->end;
	case LEAF_NEVER:
		return false;
	}
	return false;
}

bool
leaf_ready(const struct leaf *leaf, const union trigger_word *state,
	   const struct moment *moment)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
	case LEAF_BYTES:
		return state->number >= leaf->least;
	case LEAF_DELAY:
	case LEAF_IDLE:
	case LEAF_EVERY:
	case LEAF_AT:
		return state[TIMER_MARKS].number & TIMER_READY;
	case LEAF_MATCH:
		return state->number > 0;
	case LEAF_DELTA:
		return state[DELTA_MARKS].number & DELTA_READY;
	case LEAF_WATERMARK:
		return moment->now >= moment->end;
	case LEAF_NEVER:
		return false;
	}
	return false;
}

struct deadline
leaf_deadline(const struct leaf *leaf, const union trigger_word *state,
	      const struct moment *moment)
{
	struct deadline deadline = { false, NSEC_MAX, 0 };
	uint64_t marks;

	if (!has_timer(leaf) || leaf->on_quiet)
		return deadline;
	marks = state[TIMER_MARKS].number;
	if (!(marks & TIMER_SET))
		return deadline;
	deadline.set = true;
	deadline.order = marks >> TIMER_MARK_BITS;
	deadline.when = state[TIMER_TIME].time;
	if (leaf_follows_calendar(leaf))
		deadline.when = nsec_sub(deadline.when, moment->offset);
	return deadline;
}

void
leaf_expire(const struct leaf *leaf, union trigger_word *state)
{
	if (has_timer(leaf))
		state[TIMER_MARKS].number = TIMER_READY;
}

void
leaf_notice(const struct leaf *leaf, union trigger_word *state,
	    const struct moment *moment)
{
	struct deadline deadline = leaf_deadline(leaf, state, moment);

	if (leaf->kind != LEAF_IDLE && deadline.set && deadline.when <= moment->now)
		leaf_expire(leaf, state);
}

/* The earlier or, of idle(), the later of two times, and what either has gone through. */
static void
merge_timers(const struct leaf *leaf, union trigger_word *state,
	     const union trigger_word *other)
{
	uint64_t marks = state[TIMER_MARKS].number, others = other[TIMER_MARKS].number;
	bool earlier = other[TIMER_TIME].time < state[TIMER_TIME].time;

	if (others & TIMER_SET &&
	    (!(marks & TIMER_SET) || earlier == (leaf->kind != LEAF_IDLE))) {
		state[TIMER_TIME] = other[TIMER_TIME];
		marks = (marks & TIMER_READY) | others;
	}
	state[TIMER_MARKS].number = marks | (others & TIMER_READY);
	/* What waits for its first record's time is ready but once. */
	if (leaf->kind != LEAF_IDLE && state[TIMER_MARKS].number & TIMER_READY)
		state[TIMER_MARKS].number = TIMER_READY;
}

void
leaf_merge(const struct leaf *leaf, union trigger_word *state,
	   const union trigger_word *other)
{
	if (has_timer(leaf))
		merge_timers(leaf, state, other);
	else if (leaf->kind == LEAF_COUNT || leaf->kind == LEAF_BYTES)
		state->number = add_saturating(state->number, other->number);
}

void
leaf_renew(const struct leaf *leaf, union trigger_word *state, uint64_t order)
{
	uint64_t flags = (UINT64_C(1) << TIMER_MARK_BITS) - 1;

	if (has_timer(leaf) && state[TIMER_MARKS].number & TIMER_SET)
		state[TIMER_MARKS].number =
			order << TIMER_MARK_BITS | (state[TIMER_MARKS].number & flags);
}

bool
leaf_wants_quiet(const struct leaf *leaf, const union trigger_word *state)
{
	return leaf->on_quiet && state[TIMER_MARKS].number & TIMER_SET;
}
