#include <config.h>

#include "rig.h"

/* The key of a record is its first letter; a record that begins otherwise has none. */
struct keyed {
	struct rig rig;
	struct field *key;
};

static struct field *
new_key(void)
{
	struct complaint why;
	struct field *key = field_new("re:^[a-z]", (struct slice){ NULL, 0 }, &why);

	ck_assert_msg(key != NULL, "%s", why.text);
	return key;
}

static void
keyed_up(struct keyed *keyed, struct engine_config config, struct trigger *trigger)
{
	keyed->key = new_key();
	config.key = keyed->key;
	config.emitter.keyed = true;
	rig_up(&keyed->rig, config, trigger);
}

static void
keyed_down(struct keyed *keyed)
{
	take_down(&keyed->rig);
	field_free(keyed->key);
}

static void
check_keyed(struct engine_config config, struct trigger *trigger, const struct act *turns,
	    size_t count, int line)
{
	struct keyed keyed;

	keyed_up(&keyed, config, trigger);
	play_turns(&keyed.rig, turns, count, line);
	keyed_down(&keyed);
}

#define KEYED(config, trigger, ...)                                       \
	check_keyed(config, trigger, (const struct act[]){ __VA_ARGS__ }, \
		    LENGTH(((const struct act[]){ __VA_ARGS__ })), __LINE__)

/* Each scope has its own */

START_TEST(each_key_has_its_own_records_counts_and_timers)
{
	KEYED(PLAIN, REPEAT(COUNT(2)), TURN(0, "a1 b1 a2", "count@0[a1 a2]"),
	      TURN(1, "c1 b2", "count@1[b1 b2]"), TURN(2, "EOF", "eof@2[c1]"));
	KEYED(PLAIN, REPEAT(DELAY(10)), TURN(0, "a1", ""), TURN(3, "b1", ""),
	      TURN(5, "a2", ""), TURN(12, "", "timeout@12[a1 a2]"),
	      TURN(13, "", "timeout@13[b1]"));
	KEYED(CONFIG(.cuts = { .max_bytes = 9 }), REPEAT(COUNT(9)),
	      TURN(0, "a1 b1 a2 b2", ""), TURN(0, "a3", "limit@0[a1 a2 a3]"));
}
END_TEST

START_TEST(timers_of_keys_fire_in_order_of_time_then_of_setting)
{
	KEYED(PLAIN, REPEAT(IDLE(5)), TURN(0, "c1 a1 b1", ""), TURN(0, "a2", ""),
	      TURN(5, "", "idle@5[c1] idle@5[b1] idle@5[a1 a2]"));
	KEYED(EVENT, REPEAT(DELAY(5)), TURN(0, "3:a1 2:b1 1:c1", ""),
	      TURN(0, "99:d1", "timeout@6[c1] timeout@7[b1] timeout@8[a1]"));
}
END_TEST

START_TEST(record_without_the_key_has_the_empty_one)
{
	struct keyed keyed;

	keyed_up(&keyed, PLAIN, REPEAT(COUNT(2)));
	PLAY(&keyed.rig, TURN(0, "1 a1 2", "count@0[1 2]"));
	ck_assert_uint_eq(engine_counters(keyed.rig.engine)->keyless, 2);
	ck_assert_uint_eq(keyed.rig.recorder.batch[0].key.size, 0);
	ck_assert(keyed.rig.recorder.batch[0].has_key);
	keyed_down(&keyed);
}
END_TEST

START_TEST(end_emits_scopes_in_the_order_of_their_first_new_record)
{
	KEYED(PLAIN, REPEAT(COUNT(3)), TURN(0, "a1 b1 c1 a2", ""),
	      TURN(1, "a3", "count@1[a1 a2 a3]"), TURN(2, "a4 b2", ""),
	      TURN(3, "EOF", "eof@3[b1 b2] eof@3[c1] eof@3[a4]"));
	KEYED(PLAIN, REPEAT(COUNT(3)), TURN(0, "a1 b1", ""),
	      TURN(1, "FLUSH", "signal@1[a1] signal@1[b1]"),
	      TURN(2, "b2 a2 SIGNAL", "signal@2[b2] signal@2[a2]"));
	KEYED(EVENT, REPEAT(ANY(WATERMARK, DELAY(50))), TURN(0, "1:a1 3:b1 2:c1", ""),
	      TURN(0, "EOF", "timeout@51[a1] timeout@52[c1] timeout@53[b1]"));
	KEYED(EVENT, REPEAT(WATERMARK), TURN(0, "1:b1 3:a1 2:b2", ""),
	      TURN(0, "EOF", "window@3[b1 b2] window@3[a1]"));
}
END_TEST

START_TEST(quiet_input_fires_in_the_order_of_the_last_records)
{
	KEYED(PLAIN, REPEAT(IDLE_QUIET), TURN(0, "a1 b1 c1 a2", ""),
	      TURN(0, "QUIET", "idle@0[b1] idle@0[c1] idle@0[a1 a2]"),
	      TURN(0, "QUIET", ""));
}
END_TEST

START_TEST(pane_number_counts_within_a_scope)
{
	struct keyed keyed;
	const struct batch *batch = keyed.rig.recorder.batch;

	keyed_up(&keyed, KEEPING, REPEAT(COUNT(1)));
	PLAY(&keyed.rig, TURN(0, "a1 b1 a2", "count@0[a1] count@0[b1] count@0[a1 a2]"));
	ck_assert_uint_eq(batch[0].pane, 0);
	ck_assert_uint_eq(batch[1].pane, 0);
	ck_assert_uint_eq(batch[2].pane, 1);
	ck_assert_uint_eq(batch[2].index, 2);
	keyed_down(&keyed);
}
END_TEST

/* Scopes that are forgotten */

START_TEST(scope_that_is_as_at_the_start_is_forgotten)
{
	struct keyed keyed;
	const struct batch *batch = keyed.rig.recorder.batch;

	keyed_up(&keyed, PLAIN, REPEAT(COUNT(1)));
	PLAY(&keyed.rig, TURN(0, "a1 a2", "count@0[a1] count@0[a2]"));
	ck_assert_uint_eq(batch[1].pane, 0);
	keyed_down(&keyed);

	/* A timer that is set keeps it. */
	keyed_up(&keyed, PLAIN, REPEAT(UNTIL(REPEAT(COUNT(1)), DELAY(9))));
	PLAY(&keyed.rig, TURN(0, "a1 a2", "count@0[a1] count@0[a2]"), TURN(9, "", ""),
	     TURN(10, "a3", "count@10[a3]"));
	ck_assert_uint_eq(batch[1].pane, 1);
	ck_assert_uint_eq(batch[2].pane, 0);
	keyed_down(&keyed);

	/* And so does the place in each(). */
	keyed_up(&keyed, PLAIN, REPEAT(EACH(COUNT(1), COUNT(2))));
	PLAY(&keyed.rig,
	     TURN(0, "a1 a2 a3 a4", "count@0[a1] count@0[a2 a3] count@0[a4]"));
	ck_assert_uint_eq(batch[1].pane, 1);
	ck_assert_uint_eq(batch[2].pane, 0);
	keyed_down(&keyed);
}
END_TEST

START_TEST(forgotten_scopes_do_not_count_as_keys)
{
	KEYED(CONFIG(.max_keys = 2), REPEAT(COUNT(2)),
	      TURN(0, "a1 b1 b2", "count@0[b1 b2]"), TURN(0, "c1", ""),
	      TURN(0, "d1", "evicted@0[a1]"));
}
END_TEST

START_TEST(scope_that_has_finished_drops_its_records)
{
	struct keyed keyed;
	const struct counters *counters;

	keyed_up(&keyed, PLAIN, COUNT(2));
	PLAY(&keyed.rig, TURN(0, "a1 a2 a3 b1 a4", "count@0[a1 a2]"),
	     TURN(1, "b2 b3", "count@1[b1 b2]"), TURN(2, "EOF", ""));
	counters = engine_counters(keyed.rig.engine);
	ck_assert_uint_eq(counters->finished, 3);
	ck_assert_uint_eq(counters->records, 7);
	keyed_down(&keyed);
}
END_TEST

START_TEST(once_is_once_for_each_key)
{
	struct keyed keyed;

	keyed_up(&keyed, CONFIG(.once = true, .cuts = { .max_bytes = 6 }), COUNT(9));
	PLAY(&keyed.rig, TURN(0, "a1 a2 a3", "limit@0[a1 a2]"), TURN(0, "a4 b1", ""),
	     TURN(1, "EOF", "eof@1[b1]"));
	ck_assert_uint_eq(engine_counters(keyed.rig.engine)->finished, 2);
	keyed_down(&keyed);
}
END_TEST

START_TEST(finished_scope_holds_no_watermark)
{
	KEYED(CONFIG(.event = true, .once = true, .emit_watermarks = true,
		     .cuts = { .max_bytes = 7 }),
	      COUNT(9), TURN(0, "1:a1 2:a2", "~1"), TURN(0, "3:a3", "limit@3[a1 a2] ~3"),
	      TURN(0, "4:a4", "~4"));
}
END_TEST

/* Too many keys */

START_TEST(key_used_longest_ago_is_evicted)
{
	KEYED(CONFIG(.max_keys = 2), REPEAT(COUNT(3)), TURN(0, "a1 b1 a2", ""),
	      TURN(1, "c1", "evicted@1[b1]"), TURN(2, "a3", "count@2[a1 a2 a3]"),
	      TURN(3, "b2", ""), TURN(4, "d1", "evicted@4[c1]"));
	KEYED(CONFIG(.max_keys = 1), REPEAT(COUNT(2)), TURN(0, "a1 a2", "count@0[a1 a2]"),
	      TURN(0, "b1 c1 b2", "evicted@0[b1] evicted@0[c1]"));
}
END_TEST

START_TEST(eviction_takes_all_windows_of_the_key_in_their_order)
{
	KEYED(CONFIG(.event = true, .max_keys = 1,
		     .window = { WINDOW_TUMBLING, 10, 10, 0 }, .out_of_orderness = 100),
	      REPEAT(WATERMARK), TURN(0, "15:a1 1:a2 16:a3", ""),
	      TURN(0, "2:b1", "evicted@-84[a2] evicted@-84[a1 a3]"),
	      TURN(0, "EOF", "window@10[b1]"));
}
END_TEST

START_TEST(eviction_with_nothing_new_writes_nothing)
{
	KEYED(CONFIG(.max_keys = 1, .emitter = { .mode = MODE_FIRE }, .emit_empty = true),
	      REPEAT(COUNT(1)), TURN(0, "a1", "count@0[a1]"),
	      TURN(0, "b1", "count@0[b1]"), TURN(0, "a2", "count@0[a2]"));
}
END_TEST

START_TEST(late_record_is_no_use_of_its_key)
{
	KEYED(CONFIG(.event = true, .max_keys = 1,
		     .window = { WINDOW_TUMBLING, 10, 10, 0 }, .late = LATE_EMIT),
	      REPEAT(WATERMARK), TURN(0, "21:a1 1:b1", "late@21[b1]"),
	      TURN(0, "22:a2 EOF", "window@30[a1 a2]"));
}
END_TEST

/* Records that are evicted */

#define KEEP(...) CONFIG(.emitter = { .mode = MODE_FIRE, .evicts = true, __VA_ARGS__ })

START_TEST(keep_last_keeps_the_newest_records)
{
	CHECK(KEEP(.eviction = { .keep_last = 2 }), REPEAT(COUNT(3)),
	      TURN(0, "a b c", "count@0[b c]"), TURN(1, "d e f", "count@1[e f]"),
	      TURN(2, "g EOF", "eof@2[f g]"));
	CHECK(KEEP(.eviction = { .keep_last = 2, .after = true }), REPEAT(COUNT(3)),
	      TURN(0, "a b c", "count@0[a b c]"), TURN(1, "d e f", "count@1[b c d e f]"),
	      TURN(2, "g EOF", "eof@2[e f g]"));
	CHECK(KEEP(.eviction = { .keep_last = 9 }), REPEAT(COUNT(2)),
	      TURN(0, "a b", "count@0[a b]"), TURN(1, "c d", "count@1[a b c d]"));
}
END_TEST

START_TEST(keep_for_keeps_what_is_younger_than_that)
{
	CHECK(KEEP(.eviction = { .keep_for = 5 }), REPEAT(COUNT(2)), TURN(0, "a", ""),
	      TURN(4, "b", "count@4[a b]"), TURN(5, "c", ""),
	      TURN(9, "d", "count@9[c d]"));
	CHECK(KEEP(.eviction = { .keep_for = 5, .after = true }), REPEAT(COUNT(2)),
	      TURN(0, "a", ""), TURN(5, "b", "count@5[a b]"), TURN(6, "c", ""),
	      TURN(30, "d", "count@30[b c d]"), TURN(31, "e f", "count@31[d e f]"));
	CHECK(CONFIG(.event = true, .emitter = { .mode = MODE_FIRE,
						 .evicts = true,
						 .eviction = { .keep_for = 5 } }),
	      REPEAT(COUNT(3)), TURN(0, "9:a 4:b 5:c", "count@9[a c]"));
}
END_TEST

START_TEST(both_limits_count)
{
	CHECK(KEEP(.eviction = { .keep_last = 2, .keep_for = 5 }), REPEAT(COUNT(3)),
	      TURN(0, "a", ""), TURN(9, "b c", "count@9[b c]"), TURN(20, "d", ""),
	      TURN(21, "e f", "count@21[e f]"));
}
END_TEST

START_TEST(record_can_be_evicted_that_was_never_emitted)
{
	struct rig rig;
	const struct batch *batch = rig.recorder.batch;

	rig_up(&rig, KEEP(.eviction = { .keep_last = 1 }), REPEAT(COUNT(3)));
	PLAY(&rig, TURN(0, "a", ""), TURN(1, "b", ""), TURN(2, "c", "count@2[c]"),
	     TURN(3, "EOF", ""));
	ck_assert_uint_eq(batch[0].count, 1);
	ck_assert_uint_eq(batch[0].bytes, 2);
	ck_assert_int_eq(batch[0].first, 2);
	take_down(&rig);
}
END_TEST

/* Cuts of one scope */

START_TEST(break_on_compares_within_a_scope)
{
	struct keyed keyed;
	struct complaint why;
	struct field *digit = field_new("re:[0-9]", (struct slice){ NULL, 0 }, &why);

	keyed_up(&keyed, CONFIG(.cuts = { .break_on = digit }), REPEAT(COUNT(3)));
	PLAY(&keyed.rig, TURN(0, "a1 b2 a1 b2", ""), TURN(0, "a2", "break@0[a1 a1]"),
	     TURN(0, "b2", "count@0[b2 b2 b2]"), TURN(0, "b3", ""),
	     TURN(0, "EOF", "eof@0[a2] eof@0[b3]"));
	keyed_down(&keyed);
	field_free(digit);
}
END_TEST

/* The record before it is the one that came last, in whichever of them. */
START_TEST(break_on_compares_with_the_last_record_of_merged_sessions)
{
	struct complaint why;
	struct field *digit = field_new("re:[0-9]", (struct slice){ NULL, 0 }, &why);
	struct engine_config config = { .event = true,
					.window = { WINDOW_SESSION, 10, 10, 0 },
					.out_of_orderness = 50,
					.cuts = { .break_on = digit } };

	CHECK(config, REPEAT(WATERMARK), TURN(0, "0:a1 15:b2", ""), TURN(0, "8:c2", ""),
	      TURN(0, "7:d1", "break@-35[a1 b2 c2]"));
	CHECK(config, REPEAT(WATERMARK), TURN(0, "15:a1 0:b2", ""), TURN(0, "8:c2", ""),
	      TURN(0, "7:d1", "break@-35[a1 b2 c2]"));
	field_free(digit);
}
END_TEST

START_TEST(limit_comes_before_break_before)
{
	struct complaint why;
	struct pattern *pattern = pattern_new("^x", &why);

	CHECK(CONFIG(.cuts = { .break_before = pattern, .max_bytes = 5 }),
	      REPEAT(COUNT(9)), TURN(0, "x y x", "limit@0[x y]"),
	      TURN(0, "xyz", "limit@0[x]"), TURN(0, "x", "limit@0[xyz]"),
	      TURN(0, "EOF", "eof@0[x]"));
	CHECK(CONFIG(.cuts = { .break_before = pattern, .max_bytes = 9 }),
	      REPEAT(COUNT(9)), TURN(0, "x y x", "break@0[x y]"),
	      TURN(0, "y EOF", "eof@0[x y]"));
	CHECK(CONFIG(.cuts = { .break_before = pattern }), REPEAT(COUNT(2)),
	      TURN(0, "a b x", "count@0[a b]"), TURN(0, "EOF", "eof@0[x]"));
	pattern_free(pattern);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"keyed", each_key_has_its_own_records_counts_and_timers,
		timers_of_keys_fire_in_order_of_time_then_of_setting,
		record_without_the_key_has_the_empty_one,
		end_emits_scopes_in_the_order_of_their_first_new_record,
		quiet_input_fires_in_the_order_of_the_last_records,
		pane_number_counts_within_a_scope,
		scope_that_is_as_at_the_start_is_forgotten,
		forgotten_scopes_do_not_count_as_keys,
		scope_that_has_finished_drops_its_records, once_is_once_for_each_key,
		finished_scope_holds_no_watermark, key_used_longest_ago_is_evicted,
		eviction_takes_all_windows_of_the_key_in_their_order,
		eviction_with_nothing_new_writes_nothing,
		late_record_is_no_use_of_its_key, keep_last_keeps_the_newest_records,
		keep_for_keeps_what_is_younger_than_that, both_limits_count,
		record_can_be_evicted_that_was_never_emitted,
		break_on_compares_within_a_scope,
		break_on_compares_with_the_last_record_of_merged_sessions,
		limit_comes_before_break_before);
}
