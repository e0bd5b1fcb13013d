#include <config.h>

#include "rig.h"

/* The order of work */

START_TEST(records_of_one_read_are_admitted_one_by_one)
{
	CHECK(PLAIN, REPEAT(COUNT(3)),
	      TURN(0, "a b c d e f g", "count@0[a b c] count@0[d e f]"), TURN(0, "h", ""),
	      TURN(1, "i j", "count@1[g h i]"), TURN(2, "EOF", "eof@2[j]"));
}
END_TEST

START_TEST(record_never_joins_a_batch_that_was_due_before_it)
{
	CHECK(PLAIN, REPEAT(DELAY(10)), TURN(0, "a", ""), TURN(9, "b", ""),
	      TURN(10, "c", "timeout@10[a b]"), TURN(19, "", ""),
	      TURN(25, "d", "timeout@25[c]"));
}
END_TEST

START_TEST(timer_set_to_now_takes_the_next_record_along)
{
	CHECK(PLAIN, REPEAT(DELAY(0)), TURN(0, "a b c", "timeout@0[a b]"),
	      TURN(5, "d", "timeout@5[c]"), TURN(5, "e", "timeout@5[d]"));
}
END_TEST

START_TEST(timer_that_fires_need_not_mean_a_batch)
{
	CHECK(PLAIN, REPEAT(ALL(COUNT(2), DELAY(5))), TURN(0, "a", ""), TURN(7, "", ""),
	      TURN(8, "b", "count@8[a b]"));
}
END_TEST

START_TEST(firing_resets_what_waited)
{
	CHECK(PLAIN, REPEAT(ANY(COUNT(2), DELAY(10))), TURN(0, "a", ""),
	      TURN(5, "b", "count@5[a b]"), TURN(10, "c", ""), TURN(15, "", ""),
	      TURN(20, "", "timeout@20[c]"), TURN(40, "", ""));
}
END_TEST

START_TEST(idle_waits_for_a_gap)
{
	CHECK(PLAIN, REPEAT(IDLE(5)), TURN(0, "a", ""), TURN(4, "b", ""),
	      TURN(8, "c", ""), TURN(12, "", ""), TURN(13, "d", "idle@13[a b c]"),
	      TURN(18, "", "idle@18[d]"));
}
END_TEST

START_TEST(idle_zero_fires_when_the_input_is_quiet)
{
	CHECK(PLAIN, REPEAT(ANY(COUNT(3), IDLE_QUIET)), TURN(0, "a b", ""),
	      TURN(0, "QUIET", "idle@0[a b]"), TURN(0, "QUIET", ""),
	      TURN(0, "a b c QUIET", "count@0[a b c]"), TURN(0, "d QUIET", "idle@0[d]"));
}
END_TEST

START_TEST(quiet_is_wanted_only_while_something_waits_for_it)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(IDLE_QUIET));
	ck_assert(!engine_wants_quiet(rig.engine));
	PLAY(&rig, TURN(0, "a", ""));
	ck_assert(engine_wants_quiet(rig.engine));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	PLAY(&rig, TURN(0, "QUIET", "idle@0[a]"));
	ck_assert(!engine_wants_quiet(rig.engine));
	PLAY(&rig, TURN(0, "b EOF", "eof@0[b]"));
	ck_assert(!engine_wants_quiet(rig.engine));
	take_down(&rig);
}
END_TEST

/* Modes */

START_TEST(fire_repeats_the_pane_and_adds_to_it)
{
	CHECK(KEEPING, REPEAT(COUNT(2)), TURN(0, "a b c", "count@0[a b]"),
	      TURN(1, "d e", "count@1[a b c d]"), TURN(2, "EOF", "eof@2[a b c d e]"));
}
END_TEST

START_TEST(nothing_new_is_not_emitted)
{
	CHECK(KEEPING, REPEAT(COUNT(2)), TURN(0, "a b", "count@0[a b]"),
	      TURN(1, "FLUSH", ""), TURN(1, "EOF", ""));
	CHECK(PLAIN, REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))),
	      TURN(0, "a b", "count@0[a b]"), TURN(10, "", ""), TURN(11, "EOF", ""));
	CHECK(KEEPING, REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))),
	      TURN(0, "a b", "count@0[a b]"), TURN(10, "", ""), TURN(11, "EOF", ""));
}
END_TEST

START_TEST(firing_with_nothing_new_still_resets)
{
	CHECK(PLAIN, REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))),
	      TURN(0, "a b", "count@0[a b]"), TURN(10, "", ""), TURN(12, "c", ""),
	      TURN(20, "", ""), TURN(22, "", "timeout@22[c]"));
}
END_TEST

START_TEST(emit_empty_emits_firings_with_nothing_new)
{
	CHECK(CONFIG(.emit_empty = true), REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))),
	      TURN(0, "a b", "count@0[a b]"), TURN(10, "", "timeout@10[]"),
	      TURN(30, "", ""));
	CHECK(CONFIG(.emit_empty = true, .emitter = { .mode = MODE_FIRE }),
	      REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))), TURN(0, "a b", "count@0[a b]"),
	      TURN(10, "", "timeout@10[a b]"));
}
END_TEST

START_TEST(end_and_flush_never_write_an_empty_batch)
{
	CHECK(CONFIG(.emit_empty = true), REPEAT(COUNT(2)), TURN(0, "FLUSH", ""),
	      TURN(0, "a b", "count@0[a b]"), TURN(0, "FLUSH", ""), TURN(0, "EOF", ""));
	CHECK(CONFIG(.emit_empty = true, .emitter = { .mode = MODE_FIRE }),
	      REPEAT(COUNT(2)), TURN(0, "a b", "count@0[a b]"), TURN(0, "FLUSH", ""),
	      TURN(0, "SIGNAL", ""));
	CHECK(CONFIG(.emit_empty = true, .event = true), REPEAT(WATERMARK),
	      TURN(0, "EOF", ""));
}
END_TEST

START_TEST(empty_batch_has_no_times_but_its_own)
{
	struct rig rig;

	rig_up(&rig, CONFIG(.emit_empty = true),
	       REPEAT(UNTIL(REPEAT(COUNT(1)), DELAY(9))));
	PLAY(&rig, TURN(3, "a", "count@3[a]"), TURN(12, "", "timeout@12[]"));
	ck_assert_uint_eq(rig.recorder.batch[1].count, 0);
	ck_assert_uint_eq(rig.recorder.batch[1].bytes, 0);
	ck_assert(rig.recorder.batch[0].has_timestamp);
	ck_assert(!rig.recorder.batch[1].has_timestamp);
	take_down(&rig);
}
END_TEST

/* The end of a run */

START_TEST(trigger_that_finishes_ends_the_run)
{
	CHECK(PLAIN, COUNT(2), TURN(0, "a b c d", "count@0[a b]"), TURN(1, "e", ""),
	      TURN(2, "EOF", ""));
	CHECK(PLAIN, EACH(COUNT(1), DELAY(5)), TURN(0, "a b", "count@0[a]"),
	      TURN(5, "c", "timeout@5[b]"), TURN(6, "EOF", ""));
}
END_TEST

START_TEST(records_behind_the_end_of_the_run_are_not_taken)
{
	struct rig rig;

	rig_up(&rig, PLAIN, COUNT(2));
	set_clock(&rig, 0);
	ck_assert_uint_eq(admit(&rig, slice_of("a\nb\nc\n")), 4);
	ck_assert(engine_done(rig.engine));
	ck_assert(!engine_ready(rig.engine));
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 2);
	take_down(&rig);
}
END_TEST

START_TEST(once_ends_with_any_batch)
{
	CHECK(CONFIG(.once = true), ANY(COUNT(2), DELAY(5)), TURN(0, "a", ""),
	      TURN(5, "b", "timeout@5[a]"), TURN(6, "EOF", ""));
	CHECK(CONFIG(.once = true), REPEAT(COUNT(9)), TURN(0, "a FLUSH b", "signal@0[a]"),
	      TURN(6, "EOF", ""));
}
END_TEST

START_TEST(once_ends_with_a_cut_before_the_record)
{
	struct rig rig;

	rig_up(&rig, CONFIG(.once = true, .cuts = { .max_bytes = 5 }), COUNT(9));
	set_clock(&rig, 0);
	ck_assert_uint_eq(admit(&rig, slice_of("a\nb\nc\n")), 4);
	ck_assert_str_eq(recorder_text(&rig.recorder, 0), "limit@0[a b]");
	ck_assert(engine_done(rig.engine));
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 2);
	take_down(&rig);
}
END_TEST

START_TEST(end_of_input_emits_what_is_left)
{
	CHECK(PLAIN, REPEAT(ANY(COUNT(3), DELAY(10))), TURN(0, "a b", ""),
	      TURN(4, "EOF", "eof@4[a b]"), TURN(20, "", ""), TURN(20, "EOF", ""));
	CHECK(PLAIN, REPEAT(WATERMARK), TURN(0, "a b", ""), TURN(4, "EOF", "eof@4[a b]"));
	CHECK(PLAIN, REPEAT(COUNT(3)), TURN(0, "EOF", ""));
}
END_TEST

START_TEST(signal_ends_the_run_with_what_is_held)
{
	CHECK(PLAIN, REPEAT(COUNT(3)), TURN(0, "a b", ""),
	      TURN(4, "SIGNAL", "signal@4[a b]"), TURN(5, "c", ""));
	CHECK(EVENT, REPEAT(DELAY(10)), TURN(0, "1:a SIGNAL", "signal@1[a]"));
}
END_TEST

START_TEST(flush_emits_and_goes_on)
{
	CHECK(PLAIN, REPEAT(ANY(COUNT(3), DELAY(10))), TURN(0, "a b", ""),
	      TURN(4, "FLUSH", "signal@4[a b]"), TURN(10, "c", ""),
	      TURN(12, "d e", "count@12[c d e]"), TURN(15, "FLUSH", ""));
	CHECK(PLAIN, REPEAT(EACH(COUNT(1), COUNT(3))), TURN(0, "a b", "count@0[a]"),
	      TURN(0, "FLUSH", "signal@0[b]"), TURN(0, "c", "count@0[c]"));
}
END_TEST

START_TEST(flush_with_nothing_new_leaves_the_trigger_alone)
{
	CHECK(CONFIG(.emit_empty = true), REPEAT(UNTIL(REPEAT(COUNT(2)), DELAY(10))),
	      TURN(0, "a b", "count@0[a b]"), TURN(5, "FLUSH", ""),
	      TURN(10, "", "timeout@10[]"));
}
END_TEST

START_TEST(nothing_happens_after_the_end)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(3), DELAY(10), IDLE_QUIET)));
	PLAY(&rig, TURN(0, "a EOF", "eof@0[a]"));
	ck_assert(engine_done(rig.engine));
	ck_assert(!engine_ready(rig.engine));
	ck_assert_int_eq(engine_deadline(rig.engine), NSEC_MAX);
	PLAY(&rig, TURN(20, "FLUSH EOF SIGNAL", ""));
	take_down(&rig);
}
END_TEST

/* Limits */

#define LIMIT(size) CONFIG(.cuts = { .max_bytes = (size) })

START_TEST(record_that_would_not_fit_starts_a_new_batch)
{
	CHECK(LIMIT(7), REPEAT(COUNT(9)), TURN(0, "a bb ccc", "limit@0[a bb]"),
	      TURN(1, "d", ""), TURN(2, "EOF", "eof@2[ccc d]"));
}
END_TEST

START_TEST(pane_that_reached_the_limit_is_emitted_at_once)
{
	CHECK(LIMIT(6), REPEAT(COUNT(9)), TURN(0, "a b c", "limit@0[a b c]"),
	      TURN(1, "EOF", ""));
	CHECK(LIMIT(6), REPEAT(COUNT(9)),
	      TURN(0, "a b c d e f g", "limit@0[a b c] limit@0[d e f]"));
}
END_TEST

START_TEST(larger_record_makes_a_batch_of_its_own)
{
	CHECK(LIMIT(4), REPEAT(COUNT(9)),
	      TURN(0, "a bbbbbbb c", "limit@0[a] limit@0[bbbbbbb]"),
	      TURN(1, "EOF", "eof@1[c]"));
}
END_TEST

START_TEST(trigger_is_asked_before_the_limit)
{
	CHECK(LIMIT(4), REPEAT(COUNT(2)), TURN(0, "a b c", "count@0[a b]"));
	CHECK(LIMIT(4), REPEAT(COUNT(1)), TURN(0, "aaaaaa", "count@0[aaaaaa]"));
}
END_TEST

START_TEST(limit_resets_the_trigger)
{
	CHECK(LIMIT(4), REPEAT(ANY(COUNT(3), DELAY(10))), TURN(0, "a", ""),
	      TURN(3, "bbb", "limit@3[a] limit@3[bbb]"), TURN(10, "c", ""),
	      TURN(15, "", ""), TURN(20, "", "timeout@20[c]"));
	CHECK(LIMIT(5), REPEAT(EACH(COUNT(1), COUNT(3))),
	      TURN(0, "a b ccc", "count@0[a] limit@0[b] count@0[ccc]"));
}
END_TEST

START_TEST(limit_bounds_what_is_new_when_the_pane_is_kept)
{
	CHECK(CONFIG(.emitter = { .mode = MODE_FIRE }, .cuts = { .max_bytes = 5 }),
	      REPEAT(COUNT(3)), TURN(0, "a b c", "limit@0[a b]"), TURN(0, "d", ""),
	      TURN(1, "eee", "limit@1[a b c d]"), TURN(2, "EOF", "eof@2[a b c d eee]"));
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"engine", records_of_one_read_are_admitted_one_by_one,
		record_never_joins_a_batch_that_was_due_before_it,
		timer_set_to_now_takes_the_next_record_along,
		timer_that_fires_need_not_mean_a_batch, firing_resets_what_waited,
		idle_waits_for_a_gap, idle_zero_fires_when_the_input_is_quiet,
		quiet_is_wanted_only_while_something_waits_for_it,
		fire_repeats_the_pane_and_adds_to_it, nothing_new_is_not_emitted,
		firing_with_nothing_new_still_resets,
		emit_empty_emits_firings_with_nothing_new,
		end_and_flush_never_write_an_empty_batch,
		empty_batch_has_no_times_but_its_own, trigger_that_finishes_ends_the_run,
		records_behind_the_end_of_the_run_are_not_taken, once_ends_with_any_batch,
		once_ends_with_a_cut_before_the_record, end_of_input_emits_what_is_left,
		signal_ends_the_run_with_what_is_held, flush_emits_and_goes_on,
		flush_with_nothing_new_leaves_the_trigger_alone,
		nothing_happens_after_the_end,
		record_that_would_not_fit_starts_a_new_batch,
		pane_that_reached_the_limit_is_emitted_at_once,
		larger_record_makes_a_batch_of_its_own, trigger_is_asked_before_the_limit,
		limit_resets_the_trigger, limit_bounds_what_is_new_when_the_pane_is_kept);
}
