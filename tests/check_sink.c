#include <config.h>

#include "rig.h"

/* The sink */

START_TEST(sink_that_is_not_ready_stops_admission)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(2), DELAY(5))));
	set_clock(&rig, 0);
	ck_assert_uint_eq(admit(&rig, slice_of("a\n")), 2);
	rig.recorder.busy = true;
	ck_assert(!engine_ready(rig.engine));
	ck_assert_uint_eq(admit(&rig, slice_of("b\n")), 0);
	/* What is due fires all the same. */
	PLAY(&rig, TURN(5, "", "timeout@5[a]"));
	rig.recorder.busy = false;
	ck_assert(engine_ready(rig.engine));
	PLAY(&rig, TURN(6, "b c", "count@6[b c]"));
	take_down(&rig);
}
END_TEST

/* The sink has named the batch that is lost. */
START_TEST(error_of_the_sink_is_an_error_and_its_batch_is_not_tried_again)
{
	struct rig rig;
	size_t used;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(2), DELAY(5))));
	rig.recorder.fails = true;
	set_clock(&rig, 0);
	ck_assert_int_eq(engine_admit(rig.engine, slice_of("a\n"), &used), 0);
	set_clock(&rig, 5);
	ck_assert_int_eq(engine_expire(rig.engine), -1);
	ck_assert_int_eq(engine_flush(rig.engine, REASON_SIGNAL), 0);
	ck_assert_int_eq(engine_admit_one(rig.engine, slice_of("b\n"), 5), -1);
	rig.recorder.fails = false;
	ck_assert_int_eq(engine_end(rig.engine, REASON_EOF), 0);
	ck_assert(engine_done(rig.engine));
	ck_assert_uint_eq(rig.recorder.count, 0);
	take_down(&rig);
}
END_TEST

static void
check_bytes(bool takes)
{
	struct rig rig;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(3), DELAY(10))));
	rig.recorder.takes = takes;
	PLAY(&rig, TURN(0, "aa", ""), TURN(0, "bb cc dd", "count@0[aa bb cc]"),
	     TURN(1, "ee", ""), TURN(2, "", ""), TURN(12, "ff", "timeout@12[dd ee]"),
	     TURN(13, "gg hh ii", "count@13[ff gg hh]"),
	     TURN(14, "FLUSH", "signal@14[ii]"),
	     TURN(15, "jj kk ll", "count@15[jj kk ll]"), TURN(16, "EOF", ""));
	take_down(&rig);
}

START_TEST(batch_is_whole_when_the_sink_copies)
{
	check_bytes(false);
}
END_TEST

START_TEST(batch_is_whole_when_the_sink_takes_the_bytes)
{
	check_bytes(true);
}
END_TEST

START_TEST(bytes_of_a_kept_pane_cannot_be_taken)
{
	struct rig rig;

	rig_up(&rig, KEEPING, REPEAT(COUNT(2)));
	rig.recorder.takes = true;
	PLAY(&rig, TURN(0, "a b", "count@0[a b]"), TURN(0, "c d", "count@0[a b c d]"));
	ck_assert_ptr_null(rig.recorder.batch[0].holder);
	take_down(&rig);
}
END_TEST

/* Facts */

/* Times are the wall clock's. */
START_TEST(batches_have_their_facts)
{
	struct rig rig;
	const struct batch *batch = rig.recorder.batch;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(3), DELAY(10))));
	rig.offset = 1000;
	PLAY(&rig, TURN(1, "a", ""), TURN(2, "bb", ""),
	     TURN(4, "ccc", "count@1004[a bb ccc]"), TURN(5, "d", ""),
	     TURN(15, "", "timeout@1015[d]"), TURN(16, "EOF", ""));
	ck_assert_uint_eq(batch[0].index, 0);
	ck_assert_uint_eq(batch[0].count, 3);
	ck_assert_uint_eq(batch[0].bytes, 9);
	ck_assert_int_eq(batch[0].reason, REASON_COUNT);
	ck_assert_int_eq(batch[0].first, 1001);
	ck_assert_int_eq(batch[0].last, 1004);
	ck_assert_int_eq(batch[0].end, NSEC_MAX);
	ck_assert_int_eq(batch[0].timing, TIMING_EARLY);
	ck_assert_uint_eq(batch[0].pane, 0);
	ck_assert_int_eq(batch[0].timestamp, 1001);
	ck_assert_uint_eq(batch[0].key.size, 0);
	ck_assert_uint_eq(batch[1].index, 1);
	ck_assert_uint_eq(batch[1].count, 1);
	ck_assert_uint_eq(batch[1].bytes, 2);
	ck_assert_int_eq(batch[1].first, 1005);
	ck_assert_int_eq(batch[1].last, 1005);
	ck_assert_uint_eq(batch[1].pane, 1);
	take_down(&rig);
}
END_TEST

START_TEST(kept_pane_keeps_its_first_record)
{
	struct rig rig;
	const struct batch *batch = rig.recorder.batch;

	rig_up(&rig, KEEPING, REPEAT(COUNT(1)));
	PLAY(&rig, TURN(1, "a", "count@1[a]"), TURN(2, "b", "count@2[a b]"));
	ck_assert_int_eq(batch[1].first, 1);
	ck_assert_int_eq(batch[1].last, 2);
	ck_assert_uint_eq(batch[1].count, 2);
	ck_assert_uint_eq(batch[1].bytes, 4);
	take_down(&rig);
}
END_TEST

START_TEST(events_have_their_own_times)
{
	struct rig rig;
	const struct batch *batch = rig.recorder.batch;

	rig_up(&rig, EVENT, REPEAT(COUNT(3)));
	PLAY(&rig, TURN(0, "10:a 8:b 7:c", "count@10[a b c]"));
	ck_assert_int_eq(batch[0].first, 10);
	ck_assert_int_eq(batch[0].last, 7);
	take_down(&rig);
}
END_TEST

START_TEST(counters_tell_what_happened)
{
	struct rig rig;
	const struct counters *counters;

	rig_up(&rig, CONFIG(.cuts = { .max_bytes = 6 }),
	       REPEAT(ANY(COUNT(2), DELAY(10))));
	PLAY(&rig, TURN(0, "a b cccccc", "count@0[a b] limit@0[cccccc]"),
	     TURN(1, "d", ""), TURN(11, "e", "timeout@11[d]"),
	     TURN(12, "EOF", "eof@12[e]"));
	counters = engine_counters(rig.engine);
	ck_assert_uint_eq(counters->records, 5);
	ck_assert_uint_eq(counters->bytes, 15);
	ck_assert_uint_eq(counters->batches, 4);
	ck_assert_uint_eq(counters->by_reason[REASON_COUNT], 1);
	ck_assert_uint_eq(counters->by_reason[REASON_LIMIT], 1);
	ck_assert_uint_eq(counters->by_reason[REASON_TIMEOUT], 1);
	ck_assert_uint_eq(counters->by_reason[REASON_EOF], 1);
	ck_assert_uint_eq(counters->by_reason[REASON_SIGNAL], 0);
	take_down(&rig);
}
END_TEST

/* An incomplete record is nobody's yet. */
START_TEST(record_that_is_not_whole_is_not_admitted)
{
	struct rig rig;
	size_t used = 9;

	rig_up(&rig, PLAIN, REPEAT(COUNT(1)));
	set_clock(&rig, 0);
	ck_assert_int_eq(engine_admit(rig.engine, slice_of("abc"), &used), 0);
	ck_assert_uint_eq(used, 0);
	ck_assert_uint_eq(rig.recorder.count, 0);
	take_down(&rig);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("sink", sink_that_is_not_ready_stops_admission,
			error_of_the_sink_is_an_error_and_its_batch_is_not_tried_again,
			batch_is_whole_when_the_sink_copies,
			batch_is_whole_when_the_sink_takes_the_bytes,
			bytes_of_a_kept_pane_cannot_be_taken, batches_have_their_facts,
			kept_pane_keeps_its_first_record, events_have_their_own_times,
			counters_tell_what_happened,
			record_that_is_not_whole_is_not_admitted);
}
