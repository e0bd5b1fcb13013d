#include <config.h>

#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "trees.h"
#include "unit.h"

#define HOUR (3600 * NSEC_PER_S)
#define MINUTE (60 * NSEC_PER_S)

/*
 * A turn of the loop, and the batches that it must give, as the recorder writes them. The input
 * is records of one line each, with a blank between, in the event domain TIME:RECORD; a word of
 * capital letters is what the loop does besides:
 *
 *     QUIET   the input has nothing more for now
 *     FLUSH   what is held goes out
 *     EOF     the input has ended
 *     SIGNAL  a signal ended the run
 */
struct act {
	nsec now;
	const char *input;
	const char *output;
};

/* An engine with its sink. */
struct rig {
	struct recorder recorder;
	struct engine *engine;
	struct trigger *trigger;
	bool event;
	nsec offset; /* of the wall clock */
};

static void
rig_up(struct rig *rig, struct engine_config config, struct trigger *trigger)
{
	ck_assert_ptr_nonnull(trigger);
	config.trigger = trigger;
	config.emitter.delimiter = '\n';
	config.max_keys = UINT64_MAX;
	if (config.cuts.max_bytes == 0)
		config.cuts.max_bytes = UINT64_MAX;
	recorder_init(&rig->recorder, '\n');
	rig->trigger = trigger;
	rig->event = config.event;
	rig->offset = 0;
	rig->engine = engine_new(&config, &rig->recorder.sink);
	ck_assert_ptr_nonnull(rig->engine);
}

static void
take_down(struct rig *rig)
{
	engine_free(rig->engine);
	recorder_release(&rig->recorder);
	trigger_free(rig->trigger);
}

static void
set_clock(struct rig *rig, nsec now)
{
	engine_set_clock(rig->engine, &(struct reading){ now, now + rig->offset });
}

/* As many records as go at once, or one; false when the engine takes none. */
static bool
admit_some(struct rig *rig, struct slice in, size_t *used)
{
	const char *end = memchr(in.data, '\n', in.size);
	size_t size = (size_t)(end - in.data) + 1;
	int taken;

	ck_assert_int_eq(engine_admit(rig->engine, in, used), 0);
	if (*used > 0)
		return true;
	taken = engine_admit_one(rig->engine, (struct slice){ in.data, size },
				 engine_now(rig->engine));
	ck_assert_int_ge(taken, 0);
	*used = taken > 0 ? size : 0;
	return taken > 0;
}

/* Returns how many bytes were taken. */
static size_t
admit(struct rig *rig, struct slice in)
{
	size_t taken = 0, used;

	while (taken < in.size && engine_ready(rig->engine) &&
	       admit_some(rig, slice_from(in, taken), &used))
		taken += used;
	return taken;
}

/* TIME:RECORD, or TIME: for a line that has none. */
static void
admit_event(struct rig *rig, const char *word)
{
	char *record, line[64];
	nsec time = strtoll(word, &record, 10);

	ck_assert_msg(*record == ':', "%s", word);
	ck_assert_int_eq(engine_see_time(rig->engine, time), 0);
	if (record[1] == '\0' || engine_done(rig->engine))
		return;
	snprintf(line, sizeof line, "%s\n", record + 1);
	ck_assert_int_ge(engine_admit_one(rig->engine, slice_of(line), time), 0);
}

static bool
do_command(struct rig *rig, const char *word)
{
	int result;

	if (strcmp(word, "QUIET") == 0)
		result = engine_quiet(rig->engine);
	else if (strcmp(word, "FLUSH") == 0)
		result = engine_flush(rig->engine, REASON_SIGNAL);
	else if (strcmp(word, "EOF") == 0)
		result = engine_end(rig->engine, REASON_EOF);
	else if (strcmp(word, "SIGNAL") == 0)
		result = engine_end(rig->engine, REASON_SIGNAL);
	else
		return false;
	ck_assert_int_eq(result, 0);
	return true;
}

/* Neighbouring records go in together. */
static void
take_input(struct rig *rig, const char *input)
{
	struct buf records = { 0 };
	char word[64];
	int size;

	for (; sscanf(input, "%63s%n", word, &size) == 1; input += size) {
		bool command = word[0] >= 'A' && word[0] <= 'Z';

		if (command) {
			admit(rig, buf_slice(&records));
			buf_clear(&records, 0);
			ck_assert_msg(do_command(rig, word), "%s", word);
		} else if (rig->event) {
			admit_event(rig, word);
		} else {
			ck_assert_int_eq(buf_append(&records, slice_of(word)), 0);
			ck_assert_int_eq(buf_append_byte(&records, '\n'), 0);
		}
	}
	if (records.size > 0)
		admit(rig, buf_slice(&records));
	buf_release(&records);
}

static void
play_turn(struct rig *rig, const struct act *turn, int line)
{
	size_t since = rig->recorder.text.size;
	const char *output;

	set_clock(rig, turn->now);
	ck_assert_int_eq(engine_expire(rig->engine), 0);
	take_input(rig, turn->input);
	output = recorder_text(&rig->recorder, since);
	ck_assert_msg(strcmp(output, turn->output) == 0,
		      "line %d, at %" PRId64 ", '%s': '%s', not '%s'", line, turn->now,
		      turn->input, output, turn->output);
}

static void
play_turns(struct rig *rig, const struct act *turns, size_t count, int line)
{
	for (size_t i = 0; i < count; i++)
		play_turn(rig, &turns[i], line);
}

static void
check_turns(struct engine_config config, struct trigger *trigger, const struct act *turns,
	    size_t count, int line)
{
	struct rig rig;

	rig_up(&rig, config, trigger);
	play_turns(&rig, turns, count, line);
	take_down(&rig);
}

#define CONFIG(...) ((struct engine_config){ __VA_ARGS__ })
#define PLAIN ((struct engine_config){ .once = false })
#define KEEPING CONFIG(.emitter = { .mode = MODE_FIRE })
#define EVENT CONFIG(.event = true)

#define TURN(now, input, output)   \
	(struct act)               \
	{                          \
		now, input, output \
	}
#define CHECK(config, trigger, ...)                                       \
	check_turns(config, trigger, (const struct act[]){ __VA_ARGS__ }, \
		    LENGTH(((const struct act[]){ __VA_ARGS__ })), __LINE__)
#define PLAY(rig, ...)                                       \
	play_turns(rig, (const struct act[]){ __VA_ARGS__ }, \
		   LENGTH(((const struct act[]){ __VA_ARGS__ })), __LINE__)

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

/* The event domain */

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

START_TEST(error_of_the_sink_is_an_error_of_the_engine)
{
	struct rig rig;
	size_t used;

	rig_up(&rig, PLAIN, REPEAT(ANY(COUNT(2), DELAY(5))));
	rig.recorder.fails = true;
	set_clock(&rig, 0);
	ck_assert_int_eq(engine_admit(rig.engine, slice_of("a\n"), &used), 0);
	set_clock(&rig, 5);
	ck_assert_int_eq(engine_expire(rig.engine), -1);
	ck_assert_int_eq(engine_flush(rig.engine, REASON_SIGNAL), -1);
	ck_assert_int_eq(engine_admit_one(rig.engine, slice_of("b\n"), 5), -1);
	ck_assert_uint_eq(engine_counters(rig.engine)->batches, 0);
	ck_assert_int_eq(engine_end(rig.engine, REASON_EOF), -1);
	ck_assert(engine_done(rig.engine));
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

	rig_up(&rig, LIMIT(6), REPEAT(ANY(COUNT(2), DELAY(10))));
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
		limit_resets_the_trigger, limit_bounds_what_is_new_when_the_pane_is_kept,
		watermark_follows_the_greatest_timestamp,
		watermark_stays_behind_by_the_bound, watermark_never_goes_back,
		timer_fires_at_its_own_time, earlier_timer_of_an_event_gives_the_reason,
		timer_in_the_past_fires_at_the_present_reading,
		timer_already_behind_takes_the_next_record_along,
		time_alone_moves_the_clock, machine_clock_means_nothing_to_events,
		end_of_events_fires_timers_at_their_times,
		watermark_fires_at_the_end_of_events,
		only_the_batch_of_the_end_is_on_time,
		every_counts_from_the_epoch_for_events,
		deadline_is_that_of_the_next_timer, flush_takes_the_deadline_away,
		deadline_that_comes_nearer_is_noticed, every_follows_a_stepped_wall_clock,
		at_follows_a_stepped_wall_clock,
		aligned_timeout_follows_a_stepped_wall_clock,
		timeout_is_deaf_to_a_stepped_wall_clock,
		sink_that_is_not_ready_stops_admission,
		error_of_the_sink_is_an_error_of_the_engine,
		batch_is_whole_when_the_sink_copies,
		batch_is_whole_when_the_sink_takes_the_bytes,
		bytes_of_a_kept_pane_cannot_be_taken, batches_have_their_facts,
		kept_pane_keeps_its_first_record, events_have_their_own_times,
		counters_tell_what_happened, record_that_is_not_whole_is_not_admitted);
}
