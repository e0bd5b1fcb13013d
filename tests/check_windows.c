#include <config.h>

#include "rig.h"

#define DAY (86400 * NSEC_PER_S)

#define WINDOWED(the_kind, the_size, ...)                                          \
	CONFIG(.event = true,                                                      \
	       .window = { .kind = WINDOW_##the_kind, (the_size), (the_size), 0 }, \
	       __VA_ARGS__)
#define TUMBLING(size, ...) WINDOWED(TUMBLING, size, __VA_ARGS__)
#define SESSION(gap, ...) WINDOWED(SESSION, gap, __VA_ARGS__)
#define SLIDING(the_size, the_slide, ...)                                               \
	CONFIG(.event = true, .window = { WINDOW_SLIDING, (the_size), (the_slide), 0 }, \
	       __VA_ARGS__)
#define PURGING .emitter = { .mode = MODE_FIRE_AND_PURGE }
#define KEPT .emitter = { .mode = MODE_FIRE }

/* The facts that a window gives to a batch. */
struct facts {
	nsec start, end;
	enum timing timing;
	uint64_t pane;
};

static void
check_facts(const struct rig *rig, const struct facts *facts, size_t count, int line)
{
	ck_assert_msg(rig->recorder.count == count, "line %d: %zu batches", line,
		      rig->recorder.count);
	for (size_t i = 0; i < count; i++) {
		const struct batch *batch = &rig->recorder.batch[i];

		ck_assert_msg(batch->start == facts[i].start &&
				      batch->end == facts[i].end,
			      "line %d, batch %zu: from %" PRId64 " to %" PRId64, line, i,
			      batch->start, batch->end);
		ck_assert_msg(batch->timing == facts[i].timing &&
				      batch->pane == facts[i].pane,
			      "line %d, batch %zu: '%s', pane %" PRIu64, line, i,
			      timing_name(batch->timing), batch->pane);
	}
}

#define FACTS(rig, ...)                                         \
	check_facts(rig, (const struct facts[]){ __VA_ARGS__ }, \
		    LENGTH(((const struct facts[]){ __VA_ARGS__ })), __LINE__)

/* Which windows */

START_TEST(window_ends_once_the_clock_reaches_its_end)
{
	CHECK(TUMBLING(10, PURGING), REPEAT(WATERMARK), TURN(0, "1:a 9:b", ""),
	      TURN(0, "10:c", "window@10[a b]"), TURN(0, "19: 20:", "window@20[c]"));
	CHECK(TUMBLING(10, .out_of_orderness = 3), REPEAT(WATERMARK),
	      TURN(0, "1:a 12:b 4:c", ""), TURN(0, "13:d", "window@10[a c]"),
	      TURN(0, "EOF", "window@20[b d]"));
}
END_TEST

START_TEST(windows_end_in_order_at_their_own_times)
{
	CHECK(TUMBLING(10, .out_of_orderness = 100), REPEAT(WATERMARK),
	      TURN(0, "25:c 1:a 11:b", ""),
	      TURN(0, "200:", "window@10[a] window@20[b] window@30[c]"));
	CHECK(TUMBLING(10, PURGING), REPEAT(WATERMARK), TURN(0, "-15:a", ""),
	      TURN(0, "-10:b", "window@-10[a]"), TURN(0, "99:", "window@0[b]"));
}
END_TEST

START_TEST(windows_begin_at_their_phase)
{
	struct rig rig;

	rig_up(&rig, CONFIG(.event = true, .window = { WINDOW_TUMBLING, 10, 10, 3 }),
	       REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "-8:a 2:b 3:c EOF", "window@-7[a] window@3[b] window@13[c]"));
	FACTS(&rig, { -17, -7, TIMING_ON_TIME, 0 }, { -7, 3, TIMING_ON_TIME, 0 },
	      { 3, 13, TIMING_ON_TIME, 0 });
	take_down(&rig);
}
END_TEST

START_TEST(record_enters_all_of_its_sliding_windows)
{
	struct rig rig;

	rig_up(&rig, SLIDING(10, 4, PURGING), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "1:a", ""), TURN(0, "5:b", "window@2[a]"),
	     TURN(0, "9:", "window@6[a b]"),
	     TURN(0, "EOF", "window@10[a b] window@14[b]"));
	FACTS(&rig, { -8, 2, TIMING_ON_TIME, 0 }, { -4, 6, TIMING_ON_TIME, 0 },
	      { 0, 10, TIMING_ON_TIME, 0 }, { 4, 14, TIMING_ON_TIME, 0 });
	take_down(&rig);
}
END_TEST

START_TEST(record_enters_its_sliding_windows_in_the_order_of_their_starts)
{
	struct rig rig;

	rig_up(&rig, SLIDING(10, 5, PURGING), REPEAT(COUNT(1)));
	PLAY(&rig, TURN(0, "7:a", "count@7[a] count@7[a]"));
	FACTS(&rig, { 0, 10, TIMING_EARLY, 0 }, { 5, 15, TIMING_EARLY, 0 });
	take_down(&rig);
}
END_TEST

START_TEST(windows_of_the_processing_domain_follow_the_wall_clock)
{
	struct rig rig;

	rig_up(&rig, CONFIG(.window = { WINDOW_TUMBLING, 10, 10, 0 }), REPEAT(WATERMARK));
	rig.offset = 3;
	PLAY(&rig, TURN(0, "a", ""), TURN(6, "b", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 7);
	PLAY(&rig, TURN(7, "c", "window@10[a b]"), TURN(9, "EOF", "eof@12[c]"));
	FACTS(&rig, { 0, 10, TIMING_ON_TIME, 0 }, { 10, 20, TIMING_EARLY, 0 });
	ck_assert_int_eq(rig.recorder.batch[0].first, 3);
	take_down(&rig);
}
END_TEST

START_TEST(ends_of_windows_follow_a_stepped_wall_clock)
{
	struct rig rig;

	rig_up(&rig, CONFIG(.window = { WINDOW_TUMBLING, DAY, DAY, 0 }),
	       REPEAT(WATERMARK));
	PLAY(&rig, TURN(5, "a", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), DAY);
	rig.offset = DAY - 50;
	PLAY(&rig, TURN(10, "", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), 50);
	rig.offset = 0;
	PLAY(&rig, TURN(60, "", ""));
	ck_assert_int_eq(engine_deadline(rig.engine), DAY);
	take_down(&rig);
}
END_TEST

/* Firings in windows */

START_TEST(trigger_timers_come_before_the_end_of_a_window)
{
	CHECK(TUMBLING(10, PURGING), REPEAT(ANY(WATERMARK, DELAY(5))),
	      TURN(0, "5:a 20:", "window@10[a]"));
	CHECK(TUMBLING(10, PURGING), REPEAT(ALL(COUNT(1), DELAY(5))),
	      TURN(0, "5:a 7:b 20:", "count@10[a b]"));
	CHECK(TUMBLING(10, PURGING), REPEAT(IDLE(4)),
	      TURN(0, "1:a 8:b 20:", "idle@5[a] window@10[b]"));
}
END_TEST

START_TEST(end_of_a_window_emits_whatever_the_trigger_says)
{
	CHECK(TUMBLING(10, PURGING), REPEAT(COUNT(2)),
	      TURN(0, "1:a 2:b 3:c 12:d", "count@2[a b] window@10[c]"),
	      TURN(0, "EOF", "window@20[d]"));
	CHECK(TUMBLING(10, PURGING), NEVER, TURN(0, "1:a 30:b", "window@10[a]"));
	CHECK(TUMBLING(10, .allowed_lateness = 20), NEVER, TURN(0, "1:a 29:b", ""),
	      TURN(0, "30:", "window@30[a]"));
}
END_TEST

START_TEST(each_window_has_a_trigger_of_its_own)
{
	CHECK(TUMBLING(10, .out_of_orderness = 50), REPEAT(COUNT(2)),
	      TURN(0, "1:a 11:b 2:c", "count@-39[a c]"),
	      TURN(0, "12:d", "count@-38[b d]"), TURN(0, "FLUSH", ""));
}
END_TEST

START_TEST(early_batches_come_before_the_one_on_time)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, KEPT, .allowed_lateness = 20),
	       EACH(UNTIL(REPEAT(COUNT(2)), WATERMARK), REPEAT(COUNT(1))));
	PLAY(&rig, TURN(0, "1:a 2:b", "count@2[a b]"),
	     TURN(0, "3:c 11:x", "window@10[a b c]"), TURN(0, "4:d", "count@11[a b c d]"),
	     TURN(0, "30:", "window@20[x]"));
	take_down(&rig);
}
END_TEST

START_TEST(batches_of_a_window_are_early_on_time_or_late)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .allowed_lateness = 20),
	       REPEAT(ANY(COUNT(2), WATERMARK)));
	PLAY(&rig, TURN(0, "1:a 2:b 3:c 10:", "count@2[a b] window@10[c]"),
	     TURN(0, "4:d 5:e", "window@10[d] window@10[e]"), TURN(0, "90:", ""));
	FACTS(&rig, { 0, 10, TIMING_EARLY, 0 }, { 0, 10, TIMING_ON_TIME, 1 },
	      { 0, 10, TIMING_LATE, 2 }, { 0, 10, TIMING_LATE, 3 });
	take_down(&rig);
}
END_TEST

START_TEST(first_batch_at_the_end_of_a_window_is_on_time_whatever_fired_it)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .allowed_lateness = 20),
	       REPEAT(ALL(COUNT(1), DELAY(5))));
	PLAY(&rig, TURN(0, "5:a 10:", "count@10[a]"));
	FACTS(&rig, { 0, 10, TIMING_ON_TIME, 0 });
	take_down(&rig);
}
END_TEST

START_TEST(first_batch_of_a_window_that_began_late_is_on_time)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .allowed_lateness = 20), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "15: 1:a 2:b", "window@15[a] window@15[b]"));
	FACTS(&rig, { 0, 10, TIMING_ON_TIME, 0 }, { 0, 10, TIMING_LATE, 1 });
	take_down(&rig);
}
END_TEST

START_TEST(emit_empty_asks_at_the_end_records_or_not)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .emit_empty = true), REPEAT(ANY(COUNT(2), WATERMARK)));
	PLAY(&rig, TURN(0, "1:a 2:b 10:", "count@2[a b] window@10[]"),
	     TURN(0, "50:", ""));
	FACTS(&rig, { 0, 10, TIMING_EARLY, 0 }, { 0, 10, TIMING_ON_TIME, 1 });
	take_down(&rig);
	CHECK(TUMBLING(10, KEPT, .emit_empty = true), REPEAT(ANY(COUNT(2), WATERMARK)),
	      TURN(0, "1:a 2:b 10:", "count@2[a b] window@10[a b]"));
	CHECK(TUMBLING(10, .emit_empty = true), REPEAT(COUNT(2)),
	      TURN(0, "1:a 2:b 10:", "count@2[a b]"), TURN(0, "50:", ""));
}
END_TEST

START_TEST(watermark_that_finished_drops_what_is_late)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .allowed_lateness = 20), WATERMARK);
	PLAY(&rig, TURN(0, "1:a 10: 2:b", "window@10[a]"), TURN(0, "EOF", ""));
	ck_assert_uint_eq(engine_counters(rig.engine)->finished, 1);
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 2);
	take_down(&rig);
}
END_TEST

/* Late records */

START_TEST(late_record_is_dropped_and_counted)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, PURGING), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "1:a 9:b 10:c", "window@10[a b]"), TURN(0, "9:d 3:e", ""),
	     TURN(0, "EOF", "window@20[c]"));
	ck_assert_uint_eq(engine_counters(rig.engine)->late, 2);
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 5);
	take_down(&rig);
}
END_TEST

START_TEST(late_record_is_emitted_by_itself)
{
	struct rig rig;
	const struct batch *batch = rig.recorder.batch;

	rig_up(&rig, TUMBLING(10, .late = LATE_EMIT), REPEAT(COUNT(2)));
	PLAY(&rig, TURN(0, "1:a 20:b", "window@10[a]"), TURN(0, "3:c", "late@20[c]"));
	FACTS(&rig, { 0, 10, TIMING_ON_TIME, 0 }, { 0, 10, TIMING_LATE, 0 });
	ck_assert_int_eq(batch[1].first, 3);
	ck_assert_int_eq(batch[1].last, 3);
	ck_assert_int_eq(batch[1].timestamp, 3);
	ck_assert_uint_eq(batch[1].index, 1);
	ck_assert_uint_eq(engine_counters(rig.engine)->late, 0);
	take_down(&rig);
}
END_TEST

START_TEST(late_record_can_be_an_error)
{
	struct rig rig;

	rig_up(&rig, TUMBLING(10, .late = LATE_FAIL), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "1:a 20:b", "window@10[a]"));
	ck_assert_int_eq(engine_admit_one(rig.engine, slice_of("c\n"), 3), -1);
	PLAY(&rig, TURN(0, "EOF", "window@30[b]"));
	take_down(&rig);
}
END_TEST

START_TEST(window_lives_until_its_lateness_is_over)
{
	CHECK(TUMBLING(10, .allowed_lateness = 5), REPEAT(WATERMARK),
	      TURN(0, "1:a 14:b", "window@10[a]"), TURN(0, "2:c", "window@14[c]"),
	      TURN(0, "15: 3:d", ""), TURN(0, "EOF", "window@20[b]"));
	CHECK(TUMBLING(10, KEPT, .allowed_lateness = 5), REPEAT(WATERMARK),
	      TURN(0, "1:a 14:b", "window@10[a]"), TURN(0, "2:c", "window@14[a c]"),
	      TURN(0, "15: 3:d", ""));
}
END_TEST

START_TEST(sliding_record_is_late_when_all_windows_are_over)
{
	struct rig rig;

	rig_up(&rig, SLIDING(10, 5, .late = LATE_EMIT), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "12: 7:a", ""), TURN(0, "15:", "window@15[a]"),
	     TURN(0, "7:b", "late@15[b]"));
	ck_assert_int_eq(rig.recorder.batch[1].start, 5);
	take_down(&rig);
}
END_TEST

/* Sessions */

START_TEST(session_ends_after_a_gap)
{
	struct rig rig;

	rig_up(&rig, SESSION(10, PURGING), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "1:a 5:b 12:c", ""), TURN(0, "22:d", "window@22[a b c]"),
	     TURN(0, "EOF", "window@32[d]"));
	FACTS(&rig, { 1, 22, TIMING_ON_TIME, 0 }, { 22, 32, TIMING_ON_TIME, 0 });
	take_down(&rig);
}
END_TEST

START_TEST(sessions_that_only_touch_stay_apart)
{
	CHECK(SESSION(10, .out_of_orderness = 50), REPEAT(WATERMARK),
	      TURN(0, "0:a 10:b EOF", "window@10[a] window@20[b]"));
	CHECK(SESSION(10, .out_of_orderness = 50), REPEAT(WATERMARK),
	      TURN(0, "0:a 9:b EOF", "window@19[a b]"));
}
END_TEST

START_TEST(sessions_merge_in_input_order)
{
	struct rig rig;

	rig_up(&rig, SESSION(10, .out_of_orderness = 50), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "0:a 15:b 1:c 16:d", ""),
	     TURN(0, "8:e EOF", "window@26[a b c d e]"));
	FACTS(&rig, { 0, 26, TIMING_ON_TIME, 0 });
	ck_assert_int_eq(rig.recorder.batch[0].first, 0);
	ck_assert_int_eq(rig.recorder.batch[0].last, 8);
	take_down(&rig);
}
END_TEST

START_TEST(counts_of_merged_sessions_add_up_before_the_record)
{
	CHECK(SESSION(10, .out_of_orderness = 50), REPEAT(COUNT(3)),
	      TURN(0, "0:a 15:b", ""), TURN(0, "8:c", "count@-35[a b c]"));
	CHECK(SESSION(10, .out_of_orderness = 50), REPEAT(COUNT(4)),
	      TURN(0, "0:a 15:b 16:c 1:d", ""), TURN(0, "8:e", "count@-34[a b c d e]"));
}
END_TEST

START_TEST(timers_of_merged_sessions_count_from_the_first_and_the_last)
{
	CHECK(SESSION(10, .out_of_orderness = 20), REPEAT(DELAY(12)),
	      TURN(0, "30:a 15:b 22:c", ""), TURN(0, "46:", ""),
	      TURN(0, "47:", "timeout@27[a b c]"));
	CHECK(SESSION(10, .out_of_orderness = 20), REPEAT(IDLE(9)),
	      TURN(0, "0:a 15:b 8:c", ""), TURN(0, "36:", ""),
	      TURN(0, "37:", "idle@17[a b c]"));
}
END_TEST

START_TEST(session_that_still_lives_takes_a_late_record)
{
	CHECK(SESSION(10, PURGING), REPEAT(WATERMARK), TURN(0, "0:a 5:b 14:", ""),
	      TURN(0, "-4:c", ""), TURN(0, "15:", "window@15[a b c]"));
	CHECK(SESSION(10, .late = LATE_EMIT), REPEAT(WATERMARK),
	      TURN(0, "0:a 9:b 14:", ""), TURN(0, "-11:c", "late@14[c]"));
}
END_TEST

START_TEST(merged_session_that_has_finished_does_not_fire)
{
	struct rig rig;

	rig_up(&rig, SESSION(10, .allowed_lateness = 20), DELAY(5));
	PLAY(&rig, TURN(0, "0:a 6:", "timeout@5[a]"), TURN(0, "12:b 5:c", ""),
	     TURN(0, "30:", ""), TURN(0, "42:", "window@42[b]"));
	ck_assert_uint_eq(engine_counters(rig.engine)->finished, 1);
	take_down(&rig);
}
END_TEST

START_TEST(session_that_grows_late_is_on_time_again)
{
	struct rig rig;

	rig_up(&rig, SESSION(10, .allowed_lateness = 30), REPEAT(WATERMARK));
	PLAY(&rig, TURN(0, "0:a 10:", "window@10[a]"), TURN(0, "25: 5:b", "window@25[b]"),
	     TURN(0, "4:c", "window@25[c]"));
	FACTS(&rig, { 0, 10, TIMING_ON_TIME, 0 }, { 0, 15, TIMING_ON_TIME, 1 },
	      { 0, 15, TIMING_LATE, 2 });
	take_down(&rig);
}
END_TEST

/* The watermark is passed on */

#define PASSING(...) CONFIG(.event = true, .emit_watermarks = true, __VA_ARGS__)

START_TEST(watermark_is_held_by_what_is_not_emitted)
{
	CHECK(PASSING(PURGING), REPEAT(COUNT(2)), TURN(0, "1:a", "~1"), TURN(0, "5:", ""),
	      TURN(0, "7:b", "count@7[a b] ~7"), TURN(0, "3:", ""),
	      TURN(0, "8:c 9:d", "~8 count@9[c d] ~9"),
	      TURN(0, "10:e EOF", "~10 eof@10[e]"));
	CHECK(PASSING(.emitter = { .output_timestamp = OUTPUT_LAST }), REPEAT(COUNT(3)),
	      TURN(0, "1:a", "~1"), TURN(0, "5:b", "~5"), TURN(0, "7:", ""));
	CHECK(PASSING(.emitter = { .output_timestamp = OUTPUT_FIRED }), REPEAT(COUNT(3)),
	      TURN(0, "1:a", "~1"), TURN(0, "5:b", "~5"), TURN(0, "7:", "~7"));
}
END_TEST

START_TEST(watermark_is_held_by_every_window)
{
	CHECK(PASSING(.window = { WINDOW_TUMBLING, 10, 10, 0 }), REPEAT(WATERMARK),
	      TURN(0, "1:a", "~1"), TURN(0, "12:b", "window@10[a] ~12"),
	      TURN(0, "15:", ""), TURN(0, "20:", "window@20[b] ~20"));
	CHECK(PASSING(.window = { WINDOW_TUMBLING, 10, 10, 0 },
		      .emitter = { .output_timestamp = OUTPUT_END }),
	      REPEAT(WATERMARK), TURN(0, "1:a", "~1"), TURN(0, "8:", "~8"),
	      TURN(0, "10:", "window@10[a] ~10"));
	CHECK(PASSING(.out_of_orderness = 5), REPEAT(COUNT(2)), TURN(0, "9:a", "~4"),
	      TURN(0, "10:b", "count@5[a b] ~5"));
}
END_TEST

/* What it holds still goes out, at the end of its window. */
START_TEST(watermark_is_held_by_a_merged_session_that_has_finished)
{
	CHECK(PASSING(.window = { WINDOW_SESSION, 10, 10, 0 }, .allowed_lateness = 20),
	      DELAY(5), TURN(0, "0:a 6:", "~0 timeout@5[a] ~6"),
	      TURN(0, "12:b 5:c", "~12"), TURN(0, "20:", ""),
	      TURN(0, "42:", "window@42[b] ~42"));
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"windows", window_ends_once_the_clock_reaches_its_end,
		windows_end_in_order_at_their_own_times, windows_begin_at_their_phase,
		record_enters_all_of_its_sliding_windows,
		record_enters_its_sliding_windows_in_the_order_of_their_starts,
		windows_of_the_processing_domain_follow_the_wall_clock,
		ends_of_windows_follow_a_stepped_wall_clock,
		trigger_timers_come_before_the_end_of_a_window,
		end_of_a_window_emits_whatever_the_trigger_says,
		each_window_has_a_trigger_of_its_own,
		early_batches_come_before_the_one_on_time,
		batches_of_a_window_are_early_on_time_or_late,
		first_batch_at_the_end_of_a_window_is_on_time_whatever_fired_it,
		first_batch_of_a_window_that_began_late_is_on_time,
		emit_empty_asks_at_the_end_records_or_not,
		watermark_that_finished_drops_what_is_late,
		late_record_is_dropped_and_counted, late_record_is_emitted_by_itself,
		late_record_can_be_an_error, window_lives_until_its_lateness_is_over,
		sliding_record_is_late_when_all_windows_are_over,
		session_ends_after_a_gap, sessions_that_only_touch_stay_apart,
		sessions_merge_in_input_order,
		counts_of_merged_sessions_add_up_before_the_record,
		timers_of_merged_sessions_count_from_the_first_and_the_last,
		session_that_still_lives_takes_a_late_record,
		merged_session_that_has_finished_does_not_fire,
		session_that_grows_late_is_on_time_again,
		watermark_is_held_by_what_is_not_emitted,
		watermark_is_held_by_every_window,
		watermark_is_held_by_a_merged_session_that_has_finished);
}
