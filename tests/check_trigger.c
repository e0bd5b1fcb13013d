#include <config.h>

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

static enum verdict
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
static enum verdict
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

static enum verdict
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

static enum verdict
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

static void
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

static void
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
static void
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

/* Leaves */

START_TEST(count_is_ready_at_the_nth_record)
{
	CHECK(COUNT(1), ADMIT(0, 1, ENDS(COUNT)));
	CHECK(COUNT(3), ADMIT(0, 2, WAITS), ADMIT(9, 1, ENDS(COUNT)));
	CHECK(REPEAT(COUNT(3)), ADMIT(0, 3, FIRES(COUNT)), ADMIT(0, 3, FIRES(COUNT)));
	CHECK(COUNT(UINT64_MAX), ADMIT(0, 5, WAITS), NOT_DUE);
}
END_TEST

START_TEST(bytes_is_ready_at_its_size_or_beyond)
{
	CHECK(BYTES(10), ADMIT_SIZED(0, 9, 1, WAITS), ADMIT(0, 1, ENDS(BYTES)));
	CHECK(BYTES(10), ADMIT_SIZED(0, 1, 9, WAITS), ADMIT_SIZED(0, 1, 9, ENDS(BYTES)));
	CHECK(REPEAT(BYTES(10)), ADMIT_SIZED(0, 1, 25, FIRES(BYTES)),
	      ADMIT_SIZED(0, 3, 3, WAITS), ADMIT(0, 1, FIRES(BYTES)));
}
END_TEST

START_TEST(timeout_counts_from_first_record)
{
	CHECK(REPEAT(DELAY(10)), NOT_DUE, ADMIT(5, 1, WAITS), DUE(15), ADMIT(9, 3, WAITS),
	      DUE(15), EXPIRE(15, FIRES(TIMEOUT)), NOT_DUE, ADMIT(20, 1, WAITS), DUE(30),
	      EXPIRE(34, FIRES(TIMEOUT)));
}
END_TEST

START_TEST(record_at_the_deadline_fires)
{
	CHECK(DELAY(10), ADMIT(5, 1, WAITS), ADMIT(14, 1, WAITS),
	      ADMIT(15, 1, ENDS(TIMEOUT)));
}
END_TEST

START_TEST(timer_set_to_now_does_not_count_for_the_record_that_sets_it)
{
	CHECK(REPEAT(DELAY(0)), ADMIT(5, 1, WAITS), DUE(5), ADMIT(5, 1, FIRES(TIMEOUT)),
	      NOT_DUE, ADMIT(5, 1, WAITS), EXPIRE(5, FIRES(TIMEOUT)));
	CHECK(REPEAT(DELAY(-4)), ADMIT(5, 1, WAITS), DUE(1), ADMIT(5, 1, FIRES(TIMEOUT)));
	CHECK(DELAY_ALIGNED(0, 5, 0), ADMIT(5, 1, WAITS), ADMIT(5, 1, ENDS(TIMEOUT)));
}
END_TEST

START_TEST(aligned_timeout_is_rounded_up_to_a_boundary)
{
	CHECK(DELAY_ALIGNED(10, 60, 0), ADMIT(5, 1, WAITS), DUE(60),
	      EXPIRE(60, ENDS(TIMEOUT)));
	CHECK(DELAY_ALIGNED(10, 60, 0), ADMIT(50, 1, WAITS), DUE(60));
	CHECK(DELAY_ALIGNED(10, 60, 0), ADMIT(51, 1, WAITS), DUE(120));
	CHECK(DELAY_ALIGNED(10, 60, 15), ADMIT(5, 1, WAITS), DUE(15));
	CHECK(DELAY_ALIGNED(10, 60, 15), ADMIT(-90, 1, WAITS), DUE(-45));
}
END_TEST

START_TEST(aligned_timeout_keeps_its_wall_time)
{
	CHECK(DELAY_ALIGNED(10, 60, 0), CIVIL(3), ADMIT(5, 1, WAITS), DUE(57), CIVIL(20),
	      DUE(40), CIVIL(-100), DUE(160));
}
END_TEST

START_TEST(plain_timeout_is_deaf_to_the_wall_clock)
{
	CHECK(ANY(DELAY(10), IDLE(20)), CIVIL(1000), ADMIT(5, 1, WAITS), DUE(15),
	      CIVIL(-1000), DUE(15), EXPIRE(15, ENDS(TIMEOUT)));
}
END_TEST

START_TEST(idle_counts_from_the_last_record)
{
	CHECK(REPEAT(IDLE(10)), NOT_DUE, ADMIT(0, 1, WAITS), DUE(10), ADMIT(9, 1, WAITS),
	      DUE(19), ADMIT(9, 3, WAITS), EXPIRE(19, FIRES(IDLE)), NOT_DUE,
	      ADMIT(20, 1, WAITS), DUE(30));
}
END_TEST

START_TEST(only_its_timer_makes_idle_ready)
{
	CHECK(IDLE(10), ADMIT(0, 1, WAITS), ADMIT(10, 1, WAITS), DUE(20),
	      ADMIT(35, 1, WAITS), DUE(45), EXPIRE(45, ENDS(IDLE)));
	CHECK(IDLE(0), ADMIT(5, 3, WAITS), DUE(5), EXPIRE(5, ENDS(IDLE)));
}
END_TEST

START_TEST(idle_follows_the_last_record_even_when_it_is_older)
{
	CHECK(IDLE(10), ADMIT(9, 1, WAITS), DUE(19), ADMIT(4, 1, WAITS), DUE(14));
}
END_TEST

START_TEST(idle_stays_ready_once_its_timer_went_off)
{
	CHECK(ALL(IDLE(5), COUNT(3)), ADMIT(0, 1, WAITS), EXPIRE(5, WAITS),
	      ADMIT(6, 1, WAITS), ADMIT(7, 1, ENDS(IDLE)), NOT_DUE);
}
END_TEST

START_TEST(idle_zero_waits_for_quiet_input)
{
	struct trigger *trigger = REPEAT(IDLE_QUIET);
	union trigger_word state[STATE_WORDS];

	trigger_init(trigger, state);
	ck_assert(!trigger_wants_quiet(trigger, state));
	trigger_free(trigger);
	CHECK(REPEAT(IDLE_QUIET), QUIET(0, WAITS), ADMIT(0, 3, WAITS), NOT_DUE,
	      QUIET(0, FIRES(IDLE)), QUIET(0, WAITS), ADMIT(9, 1, WAITS),
	      QUIET(9, FIRES(IDLE)));
	CHECK(REPEAT(ANY(COUNT(2), IDLE_QUIET)), ADMIT(0, 2, FIRES(COUNT)),
	      QUIET(0, WAITS));
}
END_TEST

START_TEST(every_is_due_at_the_first_boundary_after_the_first_record)
{
	CHECK(REPEAT(EVERY(10, 0)), NOT_DUE, ADMIT(3, 1, WAITS), DUE(10),
	      ADMIT(7, 1, WAITS), DUE(10), EXPIRE(10, FIRES(EVERY)), NOT_DUE,
	      ADMIT(10, 1, WAITS), DUE(20), ADMIT(20, 1, FIRES(EVERY)));
	CHECK(EVERY(10, 4), ADMIT(3, 1, WAITS), DUE(4));
	CHECK(EVERY(10, 4), ADMIT(4, 1, WAITS), DUE(14));
	CHECK(EVERY(10, 0), ADMIT(-10, 1, WAITS), DUE(0));
	CHECK(EVERY(10, 0), ADMIT(-13, 1, WAITS), DUE(-10));
}
END_TEST

#define HOUR (3600 * NSEC_PER_S)
#define DAY (24 * HOUR)

START_TEST(every_day_is_local_midnight)
{
	unit_set_zone("Europe/Berlin");
	/* 1970 has an offset of one hour. */
	CHECK(EVERY(DAY, 0), CIVIL(0), ADMIT(5 * HOUR, 1, WAITS), DUE(23 * HOUR));
	CHECK(EVERY(DAY, 6 * HOUR), CIVIL(0), ADMIT(5 * HOUR, 1, WAITS), DUE(29 * HOUR));
	CHECK(EVERY(DAY, 0), ADMIT(5 * HOUR, 1, WAITS), DUE(DAY));
}
END_TEST

START_TEST(every_counts_on_the_wall_clock)
{
	unit_set_zone("UTC0");
	CHECK(EVERY(HOUR, 0), CIVIL(HOUR / 2), ADMIT(HOUR, 1, WAITS), DUE(HOUR * 3 / 2),
	      CIVIL(HOUR / 4), DUE(HOUR * 7 / 4), CIVIL(5 * HOUR),
	      EXPIRE(HOUR, ENDS(EVERY)));
}
END_TEST

START_TEST(at_is_due_at_its_time)
{
	CHECK(AT_TIME(50), NOT_DUE, ADMIT(3, 1, WAITS), DUE(50), ADMIT(49, 1, WAITS),
	      ADMIT(50, 1, ENDS(AT)));
	CHECK(AT_TIME(50), ADMIT(3, 1, WAITS), EXPIRE(51, ENDS(AT)));
	CHECK(AT_TIME(50), CIVIL(40), ADMIT(3, 1, WAITS), DUE(10), CIVIL(20), DUE(30));
}
END_TEST

START_TEST(at_that_lies_before_the_first_record_is_never_ready)
{
	CHECK(REPEAT(AT_TIME(50)), ADMIT(51, 1, WAITS), NOT_DUE, EXPIRE(60, WAITS),
	      ADMIT(70, 5, WAITS));
	CHECK(REPEAT(AT_TIME(50)), ADMIT(50, 1, WAITS), DUE(50), ADMIT(50, 1, FIRES(AT)));
	CHECK(REPEAT(AT_TIME(50)), ADMIT(20, 1, WAITS), EXPIRE(50, FIRES(AT)),
	      ADMIT(51, 1, WAITS), NOT_DUE);
}
END_TEST

START_TEST(at_a_time_of_day_is_its_next_occurrence)
{
	unit_set_zone("Europe/Berlin");
	CHECK(REPEAT(AT_TIME_OF_DAY(9 * HOUR)), CIVIL(0), ADMIT(0, 1, WAITS),
	      DUE(8 * HOUR), EXPIRE(8 * HOUR, FIRES(AT)), ADMIT(8 * HOUR, 1, WAITS),
	      DUE(32 * HOUR));
	CHECK(AT_TIME_OF_DAY(HOUR / 2), CIVIL(DAY), ADMIT(0, 1, WAITS),
	      DUE(23 * HOUR + HOUR / 2));
}
END_TEST

START_TEST(match_is_ready_once_a_record_matched)
{
	CHECK(REPEAT(MATCH(0)), ADMIT(0, 5, WAITS), FOUND(0, 0, FIRES(MATCH)),
	      ADMIT(0, 5, WAITS));
	CHECK(ALL(MATCH(1), COUNT(3)), FOUND(0, 0, WAITS), ADMIT(0, 1, WAITS),
	      ADMIT(0, 1, ENDS(MATCH)));
}
END_TEST

START_TEST(delta_compares_with_the_number_at_the_last_reset)
{
	CHECK(REPEAT(DELTA(0, 3)), FOUND(0, 10, WAITS), FOUND(0, 13, WAITS),
	      FOUND(0, 7, WAITS), FOUND(0, 14, FIRES(DELTA)), FOUND(0, 11, WAITS),
	      FOUND(0, 17, WAITS), FOUND(0, 10.9, FIRES(DELTA)));
}
END_TEST

START_TEST(record_without_number_does_not_count_for_delta)
{
	CHECK(REPEAT(DELTA(1, 0)), ADMIT(0, 2, WAITS), FOUND(0, 5, WAITS),
	      ADMIT(0, 2, WAITS), FOUND(0, 5, WAITS), FOUND(0, 6, FIRES(DELTA)),
	      ADMIT(0, 2, WAITS), FOUND(0, 6, WAITS), FOUND(0, 5, FIRES(DELTA)));
}
END_TEST

START_TEST(delta_keeps_its_number_at_every_reset)
{
	CHECK(REPEAT(ANY(COUNT(3), DELTA(0, 3))), FOUND(0, 10, WAITS),
	      FOUND(0, 12, WAITS), FOUND(0, 13, FIRES(COUNT)), FOUND(0, 16, WAITS),
	      FOUND(0, 17, FIRES(DELTA)));
	CHECK(REPEAT(DELTA(0, 3)), FOUND(0, 10, WAITS), FOUND(0, 12, WAITS), RESET,
	      FOUND(0, 15, WAITS), FOUND(0, 16, FIRES(DELTA)));
}
END_TEST

START_TEST(watermark_is_ready_at_the_end_of_the_window)
{
	CHECK(REPEAT(WATERMARK), WINDOW(50), ADMIT(0, 5, WAITS), EXPIRE(49, WAITS),
	      EXPIRE(50, FIRES(WINDOW)));
	CHECK(WATERMARK, ADMIT(0, 5, WAITS), EXPIRE(NSEC_MAX - 1, WAITS),
	      EXPIRE(NSEC_MAX, ENDS(WINDOW)));
	CHECK(REPEAT(WATERMARK), WINDOW(50), ADMIT(50, 1, FIRES(WINDOW)),
	      ADMIT(60, 1, FIRES(WINDOW)));
}
END_TEST

START_TEST(never_is_never_ready)
{
	CHECK(NEVER, WINDOW(50), NOT_DUE, ADMIT(0, 9, WAITS), FOUND(60, 5, WAITS),
	      EXPIRE(NSEC_MAX, WAITS), QUIET(NSEC_MAX, WAITS));
}
END_TEST

/* Combinators */

START_TEST(any_fires_with_the_first_child_that_is_ready)
{
	CHECK(ANY(COUNT(3), BYTES(10)), ADMIT(0, 2, WAITS), ADMIT(0, 1, ENDS(COUNT)));
	CHECK(ANY(COUNT(3), BYTES(10)), ADMIT_SIZED(0, 1, 5, WAITS),
	      ADMIT_SIZED(0, 1, 5, ENDS(BYTES)));
	CHECK(ANY(COUNT(9), DELAY(10)), ADMIT(0, 1, WAITS), EXPIRE(10, ENDS(TIMEOUT)));
}
END_TEST

START_TEST(of_several_reasons_the_first_in_the_text_counts)
{
	CHECK(ANY(COUNT(3), BYTES(3)), ADMIT(0, 3, ENDS(COUNT)));
	CHECK(ANY(BYTES(3), COUNT(3)), ADMIT(0, 3, ENDS(BYTES)));
	CHECK(ALL(DELAY(5), COUNT(2)), ADMIT(0, 2, WAITS), EXPIRE(5, ENDS(TIMEOUT)));
	CHECK(ALL(COUNT(2), DELAY(5)), ADMIT(0, 2, WAITS), EXPIRE(5, ENDS(COUNT)));
	CHECK(ANY(ALL(NEVER, COUNT(1)), ALL(BYTES(2), COUNT(1))),
	      ADMIT_SIZED(0, 1, 2, ENDS(BYTES)));
}
END_TEST

START_TEST(any_resets_the_children_that_were_not_ready)
{
	CHECK(REPEAT(ANY(COUNT(3), BYTES(10), DELAY(10))),
	      ADMIT_SIZED(0, 3, 3, FIRES(COUNT)), NOT_DUE, ADMIT_SIZED(4, 1, 9, WAITS),
	      DUE(14), ADMIT_SIZED(4, 1, 1, FIRES(BYTES)), NOT_DUE, ADMIT(6, 2, WAITS),
	      ADMIT(16, 1, FIRES(COUNT)));
}
END_TEST

START_TEST(all_waits_for_every_child)
{
	CHECK(ALL(COUNT(2), BYTES(10)), ADMIT(0, 5, WAITS),
	      ADMIT_SIZED(0, 1, 5, ENDS(COUNT)));
	CHECK(ALL(COUNT(2), DELAY(10)), ADMIT(0, 1, WAITS), EXPIRE(10, WAITS), NOT_DUE,
	      ADMIT(12, 1, ENDS(COUNT)));
	CHECK(REPEAT(ALL(COUNT(2), MATCH(0))), FOUND(0, 0, WAITS),
	      ADMIT(0, 1, FIRES(COUNT)), ADMIT(0, 4, WAITS), FOUND(0, 0, FIRES(COUNT)));
	CHECK(ALL(NEVER, COUNT(1)), ADMIT(0, 9, WAITS));
}
END_TEST

START_TEST(each_goes_through_its_children)
{
	CHECK(EACH(COUNT(2), COUNT(3), DELAY(5)), ADMIT(0, 2, FIRES(COUNT)),
	      ADMIT(0, 3, FIRES(COUNT)), NOT_DUE, ADMIT(7, 1, WAITS), DUE(12),
	      EXPIRE(12, ENDS(TIMEOUT)));
	CHECK(REPEAT(EACH(COUNT(1), COUNT(2))), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)));
}
END_TEST

START_TEST(only_the_current_child_of_each_sees_records_and_timers)
{
	CHECK(EACH(COUNT(4), BYTES(4)), ADMIT(0, 4, FIRES(COUNT)), ADMIT(0, 3, WAITS),
	      ADMIT(0, 1, ENDS(BYTES)));
	CHECK(EACH(COUNT(2), DELAY(5)), ADMIT(0, 1, WAITS), NOT_DUE, EXPIRE(99, WAITS));
	CHECK(EACH(COUNT(1), MATCH(0)), FOUND(0, 0, FIRES(COUNT)), ADMIT(0, 2, WAITS));
	CHECK(EACH(COUNT(1), IDLE_QUIET), ADMIT(0, 1, FIRES(COUNT)), QUIET(0, WAITS));
}
END_TEST

START_TEST(each_stays_with_a_child_that_never_finishes)
{
	CHECK(EACH(COUNT(1), REPEAT(COUNT(2)), COUNT(1)), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 2, FIRES(COUNT)));
}
END_TEST

START_TEST(repeat_resets_all_when_its_child_finishes)
{
	CHECK(REPEAT(ANY(EACH(COUNT(1), COUNT(4)), COUNT(2))), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 1, FIRES(COUNT)));
	CHECK(REPEAT(UNTIL(COUNT(2), COUNT(3))), ADMIT(0, 2, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 2, FIRES(COUNT)));
}
END_TEST

START_TEST(repeat_keeps_its_child_while_that_goes_on)
{
	CHECK(REPEAT(UNTIL(REPEAT(COUNT(2)), BYTES(5))), ADMIT(0, 2, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 1, FIRES(BYTES)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 2, FIRES(COUNT)),
	      ADMIT(0, 1, FIRES(BYTES)));
}
END_TEST

START_TEST(until_keeps_the_state_of_its_end)
{
	CHECK(UNTIL(REPEAT(COUNT(2)), COUNT(5)), ADMIT(0, 2, FIRES(COUNT)),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 1, ENDS(COUNT)));
	CHECK(UNTIL(REPEAT(COUNT(2)), DELAY(10)), ADMIT(0, 2, FIRES(COUNT)), DUE(10),
	      ADMIT(8, 2, FIRES(COUNT)), DUE(10), EXPIRE(10, ENDS(TIMEOUT)), NOT_DUE);
	CHECK(UNTIL(REPEAT(COUNT(2)), MATCH(0)), ADMIT(0, 1, WAITS),
	      FOUND(0, 0, ENDS(MATCH)));
}
END_TEST

START_TEST(until_asks_its_end_first)
{
	CHECK(UNTIL(COUNT(3), BYTES(3)), ADMIT(0, 3, ENDS(BYTES)));
	CHECK(UNTIL(REPEAT(COUNT(3)), REPEAT(BYTES(3))), ADMIT(0, 3, FIRES(BYTES)),
	      ADMIT(0, 3, FIRES(BYTES)));
	CHECK(UNTIL(REPEAT(COUNT(4)), REPEAT(BYTES(3))), ADMIT(0, 3, FIRES(BYTES)),
	      ADMIT(0, 3, FIRES(BYTES)));
}
END_TEST

START_TEST(until_finishes_with_either_part)
{
	CHECK(UNTIL(COUNT(2), DELAY(10)), ADMIT(0, 2, ENDS(COUNT)), NOT_DUE);
	CHECK(UNTIL(COUNT(2), DELAY(10)), ADMIT(0, 1, WAITS), EXPIRE(10, ENDS(TIMEOUT)));
	CHECK(UNTIL(EACH(COUNT(1), COUNT(2)), NEVER), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 2, ENDS(COUNT)));
}
END_TEST

START_TEST(combinators_nest)
{
	CHECK(REPEAT(ALL(ANY(COUNT(5), MATCH(0)), ANY(BYTES(20), DELAY(10)))),
	      FOUND(0, 0, WAITS), DUE(10), EXPIRE(10, FIRES(MATCH)), NOT_DUE,
	      ADMIT_SIZED(11, 4, 5, WAITS), DUE(21), ADMIT(12, 1, FIRES(COUNT)));
	CHECK(EACH(UNTIL(REPEAT(COUNT(1)), COUNT(3)), ALL(COUNT(1), DELAY(4))),
	      ADMIT(0, 1, FIRES(COUNT)), ADMIT(0, 1, FIRES(COUNT)),
	      ADMIT(0, 1, FIRES(COUNT)), ADMIT(2, 1, WAITS), DUE(6),
	      EXPIRE(6, ENDS(COUNT)));
	CHECK(ANY(EACH(COUNT(1), NEVER), COUNT(2)), ADMIT(0, 1, ENDS(COUNT)));
}
END_TEST

START_TEST(early_and_late_firings_stand_around_the_end_of_the_window)
{
	/* watermark(early=count(2), late=count(1)) */
	CHECK(EACH(UNTIL(REPEAT(COUNT(2)), WATERMARK), REPEAT(COUNT(1))), WINDOW(50),
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 1, WAITS), EXPIRE(50, FIRES(WINDOW)),
	      ADMIT(51, 1, FIRES(COUNT)), ADMIT(52, 1, FIRES(COUNT)));
}
END_TEST

/* Resets */

START_TEST(cut_resets_the_whole_trigger)
{
	CHECK(REPEAT(COUNT(3)), ADMIT(0, 2, WAITS), RESET, ADMIT(0, 2, WAITS),
	      ADMIT(0, 1, FIRES(COUNT)));
	CHECK(DELAY(10), ADMIT(0, 1, WAITS), RESET, NOT_DUE, ADMIT(3, 1, WAITS), DUE(13));
	CHECK(EACH(COUNT(1), COUNT(3)), ADMIT(0, 1, FIRES(COUNT)), RESET,
	      ADMIT(0, 1, FIRES(COUNT)));
	CHECK(UNTIL(REPEAT(COUNT(2)), COUNT(3)), ADMIT(0, 2, FIRES(COUNT)), RESET,
	      ADMIT(0, 2, FIRES(COUNT)), ADMIT(0, 1, ENDS(COUNT)));
	CHECK(ALL(MATCH(0), COUNT(3)), FOUND(0, 0, WAITS), RESET, ADMIT(0, 3, WAITS));
	CHECK(AT_TIME(50), ADMIT(60, 1, WAITS), RESET, ADMIT(40, 1, WAITS), DUE(50));
	CHECK(ANY(IDLE_QUIET, NEVER), ADMIT(0, 1, WAITS), RESET, QUIET(0, WAITS));
}
END_TEST

/* Deadlines */

START_TEST(deadline_is_the_earliest_timer)
{
	CHECK(ANY(DELAY(10), IDLE(5), EVERY(4, 0)), ADMIT(1, 1, WAITS), DUE(4));
	CHECK(ANY(DELAY(10), IDLE(5)), ADMIT(0, 1, WAITS), DUE(5), ADMIT(4, 1, WAITS),
	      DUE(9), ADMIT(8, 1, WAITS), DUE(10));
	CHECK(ANY(COUNT(3), BYTES(5), MATCH(0), DELTA(1, 1), NEVER), ADMIT(0, 1, WAITS),
	      NOT_DUE);
}
END_TEST

START_TEST(timers_go_off_one_after_the_other)
{
	CHECK(ALL(DELAY(10), IDLE(4), EVERY(7, 0)), ADMIT(0, 1, WAITS), DUE(4),
	      EXPIRE(4, WAITS), DUE(7), EXPIRE(7, WAITS), DUE(10),
	      EXPIRE(10, ENDS(TIMEOUT)));
	CHECK(REPEAT(ANY(DELAY(10), IDLE(4))), ADMIT(0, 1, WAITS), EXPIRE(4, FIRES(IDLE)),
	      NOT_DUE);
}
END_TEST

START_TEST(time_that_was_reached_counts_before_its_timer_had_its_turn)
{
	CHECK(ANY(DELAY(10), IDLE(5)), ADMIT(0, 1, WAITS), EXPIRE(9, ENDS(IDLE)));
	CHECK(ANY(DELAY(10), IDLE(5)), ADMIT(0, 1, WAITS), EXPIRE(10, ENDS(TIMEOUT)));
	CHECK(ANY(IDLE(10), DELAY(5)), ADMIT(0, 1, WAITS), EXPIRE(10, ENDS(TIMEOUT)));
	CHECK(ALL(IDLE(5), EVERY(7, 0), AT_TIME(8)), ADMIT(0, 1, WAITS),
	      EXPIRE(8, ENDS(IDLE)));
}
END_TEST

START_TEST(timer_asks_again_and_need_not_fire)
{
	CHECK(ALL(COUNT(2), DELAY(5)), EXPIRE(3, WAITS), ADMIT(4, 1, WAITS),
	      EXPIRE(9, WAITS), NOT_DUE);
}
END_TEST

START_TEST(timers_of_a_run_are_set_by_its_first_or_its_last_record)
{
	struct trigger *trigger = UNTIL(IDLE(10), DELAY(10));
	union trigger_word state[STATE_WORDS];
	struct moment moment = { .now = 4, .end = NSEC_MAX };
	struct run run = { .records = 3, .bytes = 3, .first = 1, .last = 4, .order = 20 };
	struct deadline deadline;

	trigger_init(trigger, state);
	trigger_advance(trigger, state, &moment, &run);
	deadline = trigger_deadline(trigger, state, &moment);
	ck_assert_int_eq(deadline.when, 11);
	ck_assert_uint_eq(deadline.order, 20);
	trigger_free(trigger);

	trigger = IDLE(10);
	trigger_init(trigger, state);
	trigger_advance(trigger, state, &moment, &run);
	deadline = trigger_deadline(trigger, state, &moment);
	ck_assert_int_eq(deadline.when, 14);
	ck_assert_uint_eq(deadline.order, 22);
	trigger_free(trigger);
}
END_TEST

START_TEST(of_equal_timers_the_one_set_first_comes_first)
{
	struct trigger *trigger = ANY(IDLE(5), DELAY(10));
	union trigger_word state[STATE_WORDS];
	struct moment moment = { .end = NSEC_MAX };
	struct run run = { .records = 1, .bytes = 1, .order = 7 };
	struct deadline deadline;

	trigger_init(trigger, state);
	trigger_advance(trigger, state, &moment, &run);
	moment.now = run.first = run.last = 5;
	run.order = 8;
	trigger_advance(trigger, state, &moment, &run);
	deadline = trigger_deadline(trigger, state, &moment);
	ck_assert_int_eq(deadline.when, 10);
	ck_assert_uint_eq(deadline.order, 7);
	trigger_free(trigger);
}
END_TEST

START_TEST(far_times_saturate)
{
	CHECK(DELAY(NSEC_MAX - 1), ADMIT(5, 1, WAITS), EXPIRE(NSEC_MAX, ENDS(TIMEOUT)));
	CHECK(DELAY(-9), ADMIT(NSEC_MIN + 5, 1, WAITS), DUE(NSEC_MIN),
	      EXPIRE(NSEC_MIN, ENDS(TIMEOUT)));
	CHECK(EVERY(10, 0), ADMIT(NSEC_MAX - 2, 1, WAITS), EXPIRE(NSEC_MAX, ENDS(EVERY)));
}
END_TEST

/* Quotas */

START_TEST(quota_is_the_least_of_the_parts)
{
	struct trigger *trigger =
		REPEAT(ANY(COUNT(10), ALL(COUNT(7), BYTES(20)), DELAY(30), EVERY(40, 0)));
	union trigger_word state[STATE_WORDS];
	struct moment moment = { .end = 90 };
	struct run run = { .records = 4, .bytes = 8 };
	struct quota quota = QUOTA_UNLIMITED;

	trigger_init(trigger, state);
	trigger_quota(trigger, state, &moment, &quota);
	ck_assert_uint_eq(quota.records, 7);
	ck_assert_uint_eq(quota.bytes, 20);
	ck_assert_int_eq(quota.deadline, NSEC_MAX);
	ck_assert(!quota.inspect);
	ck_assert_int_eq(trigger_advance(trigger, state, &moment, &run), CONTINUE);
	quota = QUOTA_UNLIMITED;
	trigger_quota(trigger, state, &moment, &quota);
	ck_assert_uint_eq(quota.records, 3);
	ck_assert_uint_eq(quota.bytes, 12);
	ck_assert_int_eq(quota.deadline, 30);
	trigger_free(trigger);
}
END_TEST

START_TEST(quota_asks_for_findings_while_they_matter)
{
	struct trigger *trigger = ALL(MATCH(0), COUNT(5));
	union trigger_word state[STATE_WORDS];
	struct moment moment = { .end = NSEC_MAX };
	struct finding finding = { .found = true };
	struct run run = { .records = 1, .bytes = 1, .findings = &finding };
	struct quota quota = QUOTA_UNLIMITED;

	trigger_init(trigger, state);
	trigger_quota(trigger, state, &moment, &quota);
	ck_assert(quota.inspect);
	trigger_advance(trigger, state, &moment, &run);
	quota = QUOTA_UNLIMITED;
	trigger_quota(trigger, state, &moment, &quota);
	ck_assert(!quota.inspect);
	ck_assert_uint_eq(quota.records, 4);
	trigger_free(trigger);
}
END_TEST

START_TEST(tree_that_lacks_a_part_is_none)
{
	ck_assert_ptr_null(ANY(COUNT(1), NULL, DELAY(5)));
	ck_assert_ptr_null(REPEAT(NULL));
}
END_TEST

int
main(void)
{
	return UNIT_RUN("trigger", count_is_ready_at_the_nth_record,
			bytes_is_ready_at_its_size_or_beyond,
			timeout_counts_from_first_record, record_at_the_deadline_fires,
			timer_set_to_now_does_not_count_for_the_record_that_sets_it,
			aligned_timeout_is_rounded_up_to_a_boundary,
			aligned_timeout_keeps_its_wall_time,
			plain_timeout_is_deaf_to_the_wall_clock,
			idle_counts_from_the_last_record, only_its_timer_makes_idle_ready,
			idle_follows_the_last_record_even_when_it_is_older,
			idle_stays_ready_once_its_timer_went_off,
			idle_zero_waits_for_quiet_input,
			every_is_due_at_the_first_boundary_after_the_first_record,
			every_day_is_local_midnight, every_counts_on_the_wall_clock,
			at_is_due_at_its_time,
			at_that_lies_before_the_first_record_is_never_ready,
			at_a_time_of_day_is_its_next_occurrence,
			match_is_ready_once_a_record_matched,
			delta_compares_with_the_number_at_the_last_reset,
			record_without_number_does_not_count_for_delta,
			delta_keeps_its_number_at_every_reset,
			watermark_is_ready_at_the_end_of_the_window, never_is_never_ready,
			any_fires_with_the_first_child_that_is_ready,
			of_several_reasons_the_first_in_the_text_counts,
			any_resets_the_children_that_were_not_ready,
			all_waits_for_every_child, each_goes_through_its_children,
			only_the_current_child_of_each_sees_records_and_timers,
			each_stays_with_a_child_that_never_finishes,
			repeat_resets_all_when_its_child_finishes,
			repeat_keeps_its_child_while_that_goes_on,
			until_keeps_the_state_of_its_end, until_asks_its_end_first,
			until_finishes_with_either_part, combinators_nest,
			early_and_late_firings_stand_around_the_end_of_the_window,
			cut_resets_the_whole_trigger, deadline_is_the_earliest_timer,
			timers_go_off_one_after_the_other,
			time_that_was_reached_counts_before_its_timer_had_its_turn,
			timer_asks_again_and_need_not_fire,
			timers_of_a_run_are_set_by_its_first_or_its_last_record,
			of_equal_timers_the_one_set_first_comes_first, far_times_saturate,
			quota_is_the_least_of_the_parts,
			quota_asks_for_findings_while_they_matter,
			tree_that_lacks_a_part_is_none);
}
