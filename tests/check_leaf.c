#include <config.h>

#include "steps.h"

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

int
main(void)
{
	return UNIT_RUN(
		"leaf", count_is_ready_at_the_nth_record,
		bytes_is_ready_at_its_size_or_beyond, timeout_counts_from_first_record,
		record_at_the_deadline_fires,
		timer_set_to_now_does_not_count_for_the_record_that_sets_it,
		aligned_timeout_is_rounded_up_to_a_boundary,
		aligned_timeout_keeps_its_wall_time,
		plain_timeout_is_deaf_to_the_wall_clock, idle_counts_from_the_last_record,
		only_its_timer_makes_idle_ready,
		idle_follows_the_last_record_even_when_it_is_older,
		idle_stays_ready_once_its_timer_went_off, idle_zero_waits_for_quiet_input,
		every_is_due_at_the_first_boundary_after_the_first_record,
		every_day_is_local_midnight, every_counts_on_the_wall_clock,
		at_is_due_at_its_time,
		at_that_lies_before_the_first_record_is_never_ready,
		at_a_time_of_day_is_its_next_occurrence,
		match_is_ready_once_a_record_matched,
		delta_compares_with_the_number_at_the_last_reset,
		record_without_number_does_not_count_for_delta,
		delta_keeps_its_number_at_every_reset,
		watermark_is_ready_at_the_end_of_the_window, never_is_never_ready);
}
