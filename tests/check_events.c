#include <config.h>

#include "rig.h"

START_TEST(watermark_follows_the_greatest_timestamp)
{
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "1:a 5:b 10:c", ""),
	      TURN(0, "11:d", "timeout@11[a b c]"),
	      TURN(0, "20:e 21:f", "timeout@21[d e]"));
}
END_TEST

START_TEST(watermark_stays_behind_by_the_bound)
{
	CHECK(CONFIG(.event = true, .out_of_orderness = 5), REPEAT(DELAY(10)),
	      TURN(0, "1:a 11:b 15:c", ""), TURN(0, "16:d", "timeout@11[a b c]"));
}
END_TEST

START_TEST(watermark_never_goes_back)
{
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "8:a 2:b 17:c", ""),
	      TURN(0, "3:d 18:e", "timeout@18[a b c d]"));
}
END_TEST

START_TEST(timer_fires_at_its_own_time)
{
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "1:a", ""),
	      TURN(0, "99:b", "timeout@11[a]"));
	CHECK(EVENT, REPEAT(UNTIL(REPEAT(IDLE(5)), DELAY(20))), TURN(0, "0:a", ""),
	      TURN(0, "99:b", "idle@5[a]"), TURN(0, "EOF", "idle@104[b]"));
}
END_TEST

START_TEST(earlier_timer_of_an_event_gives_the_reason)
{
	CHECK(EVENT, REPEAT(ANY(DELAY(10), IDLE(5))), TURN(0, "0:a 99:b", "idle@5[a]"));
}
END_TEST

START_TEST(timer_in_the_past_fires_at_the_present_reading)
{
	CHECK(EVENT, REPEAT(DELAY(2)), TURN(0, "50:", ""), TURN(0, "10:a", ""),
	      TURN(0, "50:", ""), TURN(0, "60:b", "timeout@50[a]"));
}
END_TEST

START_TEST(timer_already_behind_takes_the_next_record_along)
{
	CHECK(EVENT, REPEAT(DELAY(2)), TURN(0, "50: 10:a 11:b 12:c", "timeout@50[a b]"),
	      TURN(0, "51:", "timeout@50[c]"));
}
END_TEST

START_TEST(time_alone_moves_the_clock)
{
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "1:a", ""), TURN(0, "10:", ""),
	      TURN(0, "11:", "timeout@11[a]"));
}
END_TEST

START_TEST(machine_clock_means_nothing_to_events)
{
	struct rig rig;

	rig_up(&rig, EVENT, REPEAT(DELAY(10)));
	PLAY(&rig, TURN(0, "1:a", ""), TURN(1000, "", ""));
	ck_assert_int_eq(engine_now(rig.engine), 1);
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	take_down(&rig);
}
END_TEST

START_TEST(end_of_events_fires_timers_at_their_times)
{
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "1:a", ""),
	      TURN(0, "EOF", "timeout@11[a]"));
	CHECK(EVENT, REPEAT(ANY(COUNT(9), ALL(DELAY(10), COUNT(3)))), TURN(0, "1:a", ""),
	      TURN(0, "EOF", "eof@11[a]"));
	CHECK(EVENT, REPEAT(COUNT(2)), TURN(0, "1:a 2:b 3:c", "count@2[a b]"),
	      TURN(0, "EOF", "eof@3[c]"));
}
END_TEST

START_TEST(watermark_fires_at_the_end_of_events)
{
	CHECK(EVENT, REPEAT(WATERMARK), TURN(0, "1:a 50:b", ""),
	      TURN(0, "EOF", "window@50[a b]"));
	CHECK(EVENT, REPEAT(ANY(DELAY(10), WATERMARK)), TURN(0, "1:a", ""),
	      TURN(0, "EOF", "timeout@11[a]"));
}
END_TEST

START_TEST(only_the_batch_of_the_end_is_on_time)
{
	struct rig rig;

	rig_up(&rig, EVENT, REPEAT(ANY(COUNT(2), ALL(DELAY(5), COUNT(1)))));
	PLAY(&rig, TURN(0, "1:a 2:b 3:c EOF", "count@2[a b] timeout@8[c]"));
	ck_assert_int_eq(rig.recorder.batch[0].timing, TIMING_EARLY);
	ck_assert_int_eq(rig.recorder.batch[1].timing, TIMING_EARLY);
	take_down(&rig);

	rig_up(&rig, PLAIN, REPEAT(COUNT(2)));
	PLAY(&rig, TURN(0, "a b c EOF", "count@0[a b] eof@0[c]"));
	ck_assert_int_eq(rig.recorder.batch[0].timing, TIMING_EARLY);
	ck_assert_int_eq(rig.recorder.batch[1].timing, TIMING_ON_TIME);
	take_down(&rig);
}
END_TEST

START_TEST(every_counts_from_the_epoch_for_events)
{
	unit_set_zone("Europe/Berlin");
	CHECK(EVENT, REPEAT(EVERY(10, 0)), TURN(0, "3:a 9:b", ""),
	      TURN(0, "10:c", "every@10[a b]"), TURN(0, "35:d", "every@20[c]"));
}
END_TEST

int
main(void)
{
	return UNIT_RUN("events", watermark_follows_the_greatest_timestamp,
			watermark_stays_behind_by_the_bound, watermark_never_goes_back,
			timer_fires_at_its_own_time,
			earlier_timer_of_an_event_gives_the_reason,
			timer_in_the_past_fires_at_the_present_reading,
			timer_already_behind_takes_the_next_record_along,
			time_alone_moves_the_clock, machine_clock_means_nothing_to_events,
			end_of_events_fires_timers_at_their_times,
			watermark_fires_at_the_end_of_events,
			only_the_batch_of_the_end_is_on_time,
			every_counts_from_the_epoch_for_events);
}
