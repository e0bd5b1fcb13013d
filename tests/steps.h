/*
 * The life of a trigger as a table of steps: what happens to it, and what it must say to that.
 * Each is played with single records and with runs as long as the quota allows.
 */
#ifndef VOLLEY_STEPS_H
#define VOLLEY_STEPS_H

#include "trigger.h"

#include <inttypes.h>
#include <stdio.h>

#include "trees.h"
#include "unit.h"

#define PROBES 2
#define STATE_WORDS 64

enum action { ADMIT_RECORDS, TIMER_GOES_OFF, INPUT_QUIET, CUT, SET_END, SET_CIVIL, LOOK };

/* What happens to a trigger, and what it must say to that. */
struct step {
	enum action action;
	nsec time;              /* the clock; the end, the offset, the deadline */
	uint64_t records;       /* none but the last of them may make it fire */
	uint64_t bytes;         /* of each */
	struct finding finding; /* of each, for all probes */
	enum reason reason;     /* REASON_NONE: it does not fire */
	bool finished;
};

/* What it says. */
#define WAITS REASON_NONE, false
#define FIRES(reason) REASON_##reason, false
#define ENDS(reason) REASON_##reason, true

/* Records: so many of a size; of one byte; one that matches and has a number. */
#define STEP(action, time, records, bytes, ...)           \
	(struct step)                                     \
	{                                                 \
		action, time, records, bytes, __VA_ARGS__ \
	}
#define ADMIT_SIZED(time, records, bytes, ...) \
	STEP(ADMIT_RECORDS, time, records, bytes, { false, 0 }, __VA_ARGS__)
#define ADMIT(time, records, ...) ADMIT_SIZED(time, records, 1, __VA_ARGS__)
#define FOUND(time, number, ...) \
	STEP(ADMIT_RECORDS, time, 1, 1, { true, number }, __VA_ARGS__)
/* The earliest timer goes off; the input has nothing more for now; a cut. */
#define EXPIRE(time, ...) STEP(TIMER_GOES_OFF, time, 0, 0, { false, 0 }, __VA_ARGS__)
#define QUIET(time, ...) STEP(INPUT_QUIET, time, 0, 0, { false, 0 }, __VA_ARGS__)
#define RESET STEP(CUT, 0, 0, 0, { false, 0 }, WAITS)
/* The window's end from now on; the calendar counts, with the wall clock ahead by offset. */
#define WINDOW(end) STEP(SET_END, end, 0, 0, { false, 0 }, WAITS)
#define CIVIL(offset) STEP(SET_CIVIL, offset, 0, 0, { false, 0 }, WAITS)
/* When the earliest timer is due. */
#define DUE(time) STEP(LOOK, time, 0, 0, { false, 0 }, WAITS)
#define NOT_DUE DUE(NSEC_MAX)

/* A trigger in use. */
struct player {
	const struct trigger *trigger;
	union trigger_word state[STATE_WORDS];
	struct moment moment;
	uint64_t order;
	bool finished;
};

static inline enum verdict
admit_one(struct player *player, const struct step *step)
{
	struct finding findings[PROBES];
	struct run run = { .records = 1,
			   .bytes = step->bytes,
			   .first = step->time,
			   .last = step->time,
			   .order = player->order++,
			   .findings = findings };

	for (size_t i = 0; i < PROBES; i++)
		findings[i] = step->finding;
	return trigger_advance(player->trigger, player->state, &player->moment, &run);
}

/* As many records at once as the trigger allows. */
static inline enum verdict
admit_run(struct player *player, const struct step *step, uint64_t *left)
{
	struct quota quota = QUOTA_UNLIMITED;
	struct run run = { .first = step->time,
			   .last = step->time,
			   .order = player->order };

	trigger_quota(player->trigger, player->state, &player->moment, &quota);
	ck_assert_uint_ge(quota.records, 1);
	ck_assert_uint_ge(quota.bytes, 1);
	if (quota.inspect || player->moment.now >= quota.deadline) {
		--*left;
		return admit_one(player, step);
	}
	do {
		run.records++;
		run.bytes += step->bytes;
		--*left;
	} while (*left > 0 && run.records < quota.records && run.bytes < quota.bytes);
	player->order += run.records;
	return trigger_advance(player->trigger, player->state, &player->moment, &run);
}

static inline enum verdict
admit(struct player *player, const struct step *step, bool in_runs, const char *what)
{
	enum verdict verdict = CONTINUE;

	for (uint64_t left = step->records; left > 0;) {
		ck_assert_msg(verdict == CONTINUE, "%s: fires %" PRIu64 " too early",
			      what, left);
		if (in_runs) {
			verdict = admit_run(player, step, &left);
		} else {
			verdict = admit_one(player, step);
			left--;
		}
	}
	return verdict;
}

static inline enum verdict
do_step(struct player *player, const struct step *step, bool in_runs, const char *what)
{
	const struct trigger *trigger = player->trigger;
	struct deadline deadline =
		trigger_deadline(trigger, player->state, &player->moment);

	switch (step->action) {
	case ADMIT_RECORDS:
		player->moment.now = step->time;
		return admit(player, step, in_runs, what);
	case TIMER_GOES_OFF:
		player->moment.now = step->time;
		ck_assert_msg(!deadline.set || deadline.when <= step->time,
			      "%s: not due before %" PRId64, what, deadline.when);
		return trigger_expire(trigger, player->state, &player->moment);
	case INPUT_QUIET:
		player->moment.now = step->time;
		return trigger_quiet(trigger, player->state, &player->moment);
	case CUT:
		trigger_reset(trigger, player->state);
		break;
	case SET_END:
		player->moment.end = step->time;
		break;
	case SET_CIVIL:
		player->moment.civil = true;
		player->moment.offset = step->time;
		break;
	case LOOK:
		ck_assert_msg(deadline.set == (step->time != NSEC_MAX) &&
				      (!deadline.set || deadline.when == step->time),
			      "%s: due at %" PRId64 ", not %" PRId64, what, deadline.when,
			      step->time);
		break;
	}
	return CONTINUE;
}

static inline void
check_verdict(struct player *player, const struct step *step, enum verdict verdict,
	      const char *what)
{
	enum reason reason = REASON_NONE;

	if (verdict == FIRE) {
		reason = trigger_reason(player->trigger, player->state, &player->moment);
		player->finished =
			trigger_fire(player->trigger, player->state, &player->moment);
	}
	ck_assert_msg((verdict == FIRE) == (step->reason != REASON_NONE),
		      "%s: fires %d, for '%s'", what, verdict == FIRE,
		      reason_name(reason));
	ck_assert_msg(reason == step->reason, "%s: '%s', not '%s'", what,
		      reason_name(reason), reason_name(step->reason));
	ck_assert_msg(player->finished == step->finished, "%s: finished %d", what,
		      player->finished);
}

static inline void
play(const struct trigger *trigger, const struct step *steps, size_t count, bool in_runs,
     int line)
{
	struct player player = { .trigger = trigger, .moment = { .end = NSEC_MAX } };

	ck_assert_uint_le(trigger->words, STATE_WORDS);
	trigger_init(trigger, player.state);
	for (size_t i = 0; i < count; i++) {
		char what[64];
		enum verdict verdict;

		snprintf(what, sizeof what, "line %d, step %zu%s", line, i + 1,
			 in_runs ? " (runs)" : "");
		verdict = do_step(&player, &steps[i], in_runs, what);
		if (steps[i].action != LOOK)
			check_verdict(&player, &steps[i], verdict, what);
	}
}

/* Plays the steps, with single records and with runs. Frees the trigger. */
static inline void
check_steps(struct trigger *trigger, const struct step *steps, size_t count, int line)
{
	ck_assert_ptr_nonnull(trigger);
	play(trigger, steps, count, false, line);
	play(trigger, steps, count, true, line);
	trigger_free(trigger);
}

#define CHECK(trigger, ...)                                        \
	check_steps(trigger, (const struct step[]){ __VA_ARGS__ }, \
		    LENGTH(((const struct step[]){ __VA_ARGS__ })), __LINE__)

#endif
