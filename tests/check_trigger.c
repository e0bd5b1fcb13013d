#include <config.h>

#include "steps.h"

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

int
main(void)
{
	return UNIT_RUN("trigger", any_fires_with_the_first_child_that_is_ready,
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
			quota_asks_for_findings_while_they_matter);
}
