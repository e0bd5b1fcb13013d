#include <config.h>

#include "rig.h"

#define HOUR (3600 * NSEC_PER_S)
#define MINUTE (60 * NSEC_PER_S)

/* Deadlines */

START_TEST(deadline_is_that_of_the_next_timer)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(3), DELAY(100), IDLE(10))));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 10);
	PLAY(&rig, TURN(5, "b", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 15);
	PLAY(&rig, TURN(7, "c", "count@7[a b c]"));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	PLAY(&rig, TURN(8, "d", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 18);
	PLAY(&rig, TURN(18, "", "idle@18[d]"));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	take_down(&rig);
}
END_TEST

START_TEST(flush_takes_the_deadline_away)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(DELAY(100)));
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 100);
	PLAY(&rig, TURN(1, "FLUSH", "signal@1[a]"));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	PLAY(&rig, TURN(50, "b", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 150);
	PLAY(&rig, TURN(100, "", ""));
	take_down(&rig);
}
END_TEST

START_TEST(deadline_that_comes_nearer_is_noticed)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(EACH(DELAY(100), DELAY(10))));
	PLAY(&rig, TURN(0, "a", ""), TURN(100, "b", "timeout@100[a]"));
	ck_assert_int_eq(engine_deadline(rig.engine), 110);
	PLAY(&rig, TURN(105, "FLUSH", "signal@105[b]"), TURN(106, "c", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 206);
	take_down(&rig);
}
END_TEST

/* The wall clock */

START_TEST(every_follows_a_stepped_wall_clock)
{
	struct rig rig;

	unit_set_zone("UTC0");
	rig_up(&rig, PLAIN, REPEAT(EVERY(HOUR, 0)));
	rig.offset = 30 * MINUTE;
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 30 * MINUTE);
	rig.offset = 50 * MINUTE;
	PLAY(&rig, TURN(MINUTE, "b", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 10 * MINUTE);
	rig.offset = 20 * MINUTE;
	PLAY(&rig, TURN(10 * MINUTE, "c", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 40 * MINUTE);
	rig.offset = 3 * HOUR;
	set_clock(&rig, 11 * MINUTE);
	ck_assert_int_eq(engine_expire(rig.engine), 0);
	ck_assert_uint_eq(rig.recorder.count, 1);
	ck_assert_int_eq(rig.recorder.batch[0].reason, REASON_EVERY);
	ck_assert_uint_eq(rig.recorder.batch[0].count, 3);
	take_down(&rig);
}
END_TEST

START_TEST(at_follows_a_stepped_wall_clock)
{
	struct rig rig;

	unit_set_zone("UTC0");
	rig_up(&rig, PLAIN, REPEAT(AT_TIME_OF_DAY(9 * HOUR)));
	rig.offset = 8 * HOUR;
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), HOUR);
	rig.offset = 7 * HOUR;
	set_clock(&rig, HOUR);
	ck_assert_int_eq(engine_expire(rig.engine), 0);
	ck_assert_uint_eq(rig.recorder.count, 0);
	ck_assert_int_eq(engine_deadline(rig.engine), 2 * HOUR);
	take_down(&rig);
}
END_TEST

START_TEST(aligned_timeout_follows_a_stepped_wall_clock)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(DELAY_ALIGNED(MINUTE, HOUR, 0)));
	rig.offset = 30 * MINUTE;
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 30 * MINUTE);
	rig.offset = 45 * MINUTE;
	set_clock(&rig, MINUTE);
	ck_assert_int_eq(engine_deadline(rig.engine), 15 * MINUTE);
	take_down(&rig);
}
END_TEST

START_TEST(timeout_is_deaf_to_a_stepped_wall_clock)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(ANY(DELAY(HOUR), IDLE(2 * HOUR))));
	PLAY(&rig, TURN(0, "a", ""));
	rig.offset = 5 * HOUR;
	PLAY(&rig, TURN(MINUTE, "", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), HOUR);
	take_down(&rig);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"deadlines", deadline_is_that_of_the_next_timer,
		flush_takes_the_deadline_away, deadline_that_comes_nearer_is_noticed,
		every_follows_a_stepped_wall_clock, at_follows_a_stepped_wall_clock,
		aligned_timeout_follows_a_stepped_wall_clock,
		timeout_is_deaf_to_a_stepped_wall_clock);
}
