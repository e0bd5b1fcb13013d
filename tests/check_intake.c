#include <config.h>

#include "intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "trees.h"
#include "unit.h"

#define TEXT(literal) ((struct slice){ literal, sizeof(literal) - 1 })

/* An intake with all behind it; each record is a batch of its own unless told otherwise. */
struct rig {
	struct recorder recorder;
	struct engine *engine;
	struct intake intake;
	struct trigger *trigger;
};

static void
rig_up(struct rig *rig, struct intake_config config, struct trigger *trigger)
{
	struct engine_config engine = { .trigger = trigger,
					.event = config.event,
					.max_keys = UINT64_MAX,
					.emitter = { .delimiter = config.delimiter },
					.cuts = { .max_bytes = UINT64_MAX } };

	ck_assert_ptr_nonnull(trigger);
	recorder_init(&rig->recorder, config.delimiter);
	rig->trigger = trigger;
	rig->engine = engine_new(&engine, &rig->recorder.sink);
	ck_assert_ptr_nonnull(rig->engine);
	engine_set_clock(rig->engine, &(struct reading){ 0, 0 });
	intake_init(&rig->intake, &config, rig->engine);
}

static void
take_down(struct rig *rig)
{
	engine_free(rig->engine);
	recorder_release(&rig->recorder);
	trigger_free(rig->trigger);
}

/* Feeds the input, so many bytes more at a time. Returns what the last call did; *taken is set to
 * the bytes that were taken in all. */
static int
feed(struct rig *rig, struct slice input, size_t piece, size_t *taken)
{
	size_t shown = 0;
	int result = 0;

	*taken = 0;
	while (shown < input.size && result == 0) {
		size_t used;

		shown = input.size - shown < piece ? input.size : shown + piece;
		result = intake_feed(
			&rig->intake,
			(struct slice){ input.data + *taken, shown - *taken }, &used);
		ck_assert_uint_le(used, shown - *taken);
		*taken += used;
	}
	return result;
}

/* What comes of an input, however it is cut into pieces. */
struct outcome {
	const char *batches; /* as the recorder writes them */
	int result;
	size_t taken; /* SIZE_MAX: whatever */
	uint64_t skipped;
	uint64_t truncated;
};

static void
check_pieces(const struct intake_config *config, struct slice input, size_t piece,
	     const struct outcome *outcome, int line)
{
	struct rig rig;
	size_t taken;
	int result;

	rig_up(&rig, *config, REPEAT(COUNT(1)));
	result = feed(&rig, input, piece, &taken);
	ck_assert_msg(result == outcome->result, "line %d, pieces of %zu: result %d",
		      line, piece, result);
	ck_assert_msg(strcmp(recorder_text(&rig.recorder, 0), outcome->batches) == 0,
		      "line %d, pieces of %zu: '%s', not '%s'", line, piece,
		      recorder_text(&rig.recorder, 0), outcome->batches);
	ck_assert_msg(outcome->taken == SIZE_MAX || taken == outcome->taken,
		      "line %d, pieces of %zu: took %zu", line, piece, taken);
	ck_assert_msg(rig.intake.losses.skipped == outcome->skipped &&
			      rig.intake.losses.truncated == outcome->truncated,
		      "line %d, pieces of %zu: lost %" PRIu64 " and %" PRIu64, line,
		      piece, rig.intake.losses.skipped, rig.intake.losses.truncated);
	take_down(&rig);
}

static void
check_input(struct intake_config config, struct slice input, struct outcome outcome,
	    int line)
{
	if (config.max_record == 0)
		config.max_record = UINT64_MAX;
	for (size_t piece = 1; piece <= input.size; piece++)
		check_pieces(&config, input, piece, &outcome, line);
}

#define CONFIG(...) ((struct intake_config){ __VA_ARGS__ })
#define LINES CONFIG(.delimiter = '\n')
#define AT_MOST(size, what) \
	CONFIG(.delimiter = '\n', .max_record = (size), .oversize = OVERSIZE_##what)
#define EVENTS                                   \
	CONFIG(.delimiter = '\n', .event = true, \
	       .timestamp = { .form = { .unit = TIME_NS } })

#define GIVES(batches) ((struct outcome){ batches, 0, SIZE_MAX, 0, 0 })
#define FAILS(batches) ((struct outcome){ batches, -1, SIZE_MAX, 0, 0 })
#define LOSES(batches, skipped, truncated) \
	((struct outcome){ batches, 0, SIZE_MAX, skipped, truncated })
#define CHECK(config, input, outcome) check_input(config, TEXT(input), outcome, __LINE__)

START_TEST(records_are_the_same_however_they_are_cut)
{
	CHECK(LINES, "a\nbb\nccc\n", GIVES("count@0[a] count@0[bb] count@0[ccc]"));
	CHECK(LINES, "a\nbb", ((struct outcome){ "count@0[a]", 0, 2, 0, 0 }));
	CHECK(LINES, "abc", ((struct outcome){ "", 0, 0, 0, 0 }));
}
END_TEST

START_TEST(empty_record_is_a_record)
{
	CHECK(LINES, "\n", GIVES("count@0[]"));
	CHECK(LINES, "\n\na\n\n", GIVES("count@0[] count@0[] count@0[a] count@0[]"));
}
END_TEST

START_TEST(bytes_pass_unchanged)
{
	struct slice input = TEXT("a\0b\r\n\0\n\xff\xfe\n\n\t \n");

	for (size_t piece = 1; piece <= input.size; piece++) {
		struct rig rig;
		size_t taken;

		rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = 100),
		       REPEAT(COUNT(2)));
		ck_assert_int_eq(feed(&rig, input, piece, &taken), 0);
		ck_assert_int_eq(engine_end(rig.engine, REASON_EOF), 0);
		ck_assert_uint_eq(taken, input.size);
		ck_assert_uint_eq(rig.recorder.records.size, input.size);
		ck_assert_mem_eq(rig.recorder.records.data, input.data, input.size);
		take_down(&rig);
	}
}
END_TEST

START_TEST(delimiter_may_be_any_byte)
{
	CHECK(CONFIG(.delimiter = ';'), "a;b\n;;",
	      GIVES("count@0[a] count@0[b\n] count@0[]"));
	CHECK(CONFIG(.delimiter = '\0'), "a\0b\nc\0", GIVES("count@0[a] count@0[b\nc]"));
	CHECK(CONFIG(.delimiter = '\xff'), "a\xff\xff", GIVES("count@0[a] count@0[]"));
}
END_TEST

START_TEST(record_of_just_the_limit_is_not_too_long)
{
	CHECK(AT_MOST(3, FAIL), "abc\nabc\n", GIVES("count@0[abc] count@0[abc]"));
	CHECK(AT_MOST(3, SKIP), "abc\na\n", GIVES("count@0[abc] count@0[a]"));
	CHECK(AT_MOST(3, TRUNCATE), "abc\na\n", GIVES("count@0[abc] count@0[a]"));
	CHECK(AT_MOST(3, FAIL), "abc", GIVES(""));
	CHECK(AT_MOST(1, FAIL), "\na\n\n", GIVES("count@0[] count@0[a] count@0[]"));
}
END_TEST

START_TEST(record_that_is_too_long_is_an_error)
{
	CHECK(AT_MOST(3, FAIL), "a\nabcd\nb\n", FAILS("count@0[a]"));
	CHECK(AT_MOST(3, FAIL), "abcdefgh\n", FAILS(""));
}
END_TEST

START_TEST(record_without_an_end_is_too_long_as_soon_as_it_is)
{
	CHECK(AT_MOST(3, FAIL), "a\nabcd", FAILS("count@0[a]"));
	CHECK(AT_MOST(3, SKIP), "a\nabcd",
	      ((struct outcome){ "count@0[a]", 0, 6, 1, 0 }));
	CHECK(AT_MOST(3, TRUNCATE), "a\nabcd",
	      ((struct outcome){ "count@0[a] count@0[abc]", 0, 6, 0, 1 }));
}
END_TEST

START_TEST(record_that_is_too_long_is_skipped)
{
	CHECK(AT_MOST(3, SKIP), "a\nabcd\nb\n", LOSES("count@0[a] count@0[b]", 1, 0));
	CHECK(AT_MOST(3, SKIP), "abcdefghijkl\nb\n", LOSES("count@0[b]", 1, 0));
	CHECK(AT_MOST(3, SKIP), "abcd\nabcde\n\nb\n",
	      LOSES("count@0[] count@0[b]", 2, 0));
}
END_TEST

START_TEST(record_that_is_too_long_is_truncated)
{
	CHECK(AT_MOST(3, TRUNCATE), "a\nabcd\nb\n",
	      LOSES("count@0[a] count@0[abc] count@0[b]", 0, 1));
	CHECK(AT_MOST(3, TRUNCATE), "abcdefghijkl\nb\n",
	      LOSES("count@0[abc] count@0[b]", 0, 1));
	CHECK(AT_MOST(3, TRUNCATE), "abcd\nefghi\n\n",
	      LOSES("count@0[abc] count@0[efg] count@0[]", 0, 2));
}
END_TEST

/* What was searched is not looked at again: a delimiter that is put there later goes unseen. */
START_TEST(long_record_is_searched_once)
{
	struct rig rig;
	size_t used;

	rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = 100), REPEAT(COUNT(1)));
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("abcd"), &used), 0);
	ck_assert_uint_eq(used, 0);
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("abcdefgh"), &used), 0);
	ck_assert_uint_eq(used, 0);
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("ab\nde\ngh\ni\n"), &used), 0);
	ck_assert_uint_eq(used, 11);
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 2);
	ck_assert_uint_eq(rig.recorder.batch[0].bytes, 9);
	take_down(&rig);
}
END_TEST

START_TEST(lines_are_counted)
{
	struct rig rig;
	size_t taken;

	rig_up(&rig,
	       CONFIG(.delimiter = '\n', .max_record = 3, .oversize = OVERSIZE_SKIP),
	       REPEAT(COUNT(2)));
	ck_assert_int_eq(feed(&rig, TEXT("a\nb\nabcd\nc\nd"), 2, &taken), 0);
	ck_assert_uint_eq(engine_counters(rig.engine)->lines, 4);
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 3);
	take_down(&rig);
}
END_TEST

START_TEST(nothing_is_taken_while_the_sink_is_not_ready)
{
	struct rig rig;
	size_t used;

	rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = 100), REPEAT(COUNT(1)));
	rig.recorder.busy = true;
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("a\nb\n"), &used), 0);
	ck_assert_uint_eq(used, 0);
	rig.recorder.busy = false;
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("a\nb\n"), &used), 0);
	ck_assert_uint_eq(used, 4);
	ck_assert_str_eq(recorder_text(&rig.recorder, 0), "count@0[a] count@0[b]");
	take_down(&rig);
}
END_TEST

START_TEST(run_that_is_over_takes_no_more)
{
	struct slice input = TEXT("a\nb\nc\nd\n");

	for (size_t piece = 1; piece <= input.size; piece++) {
		struct rig rig;
		size_t taken;

		rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = 100), COUNT(2));
		ck_assert_int_eq(feed(&rig, input, piece, &taken), 0);
		ck_assert_uint_eq(taken, 4);
		ck_assert_str_eq(recorder_text(&rig.recorder, 0), "count@0[a b]");
		take_down(&rig);
	}
}
END_TEST

START_TEST(error_of_the_sink_is_an_error)
{
	struct rig rig;
	size_t used;

	rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = 100), REPEAT(COUNT(1)));
	rig.recorder.fails = true;
	ck_assert_int_eq(intake_feed(&rig.intake, TEXT("a\n"), &used), -1);
	take_down(&rig);
}
END_TEST

START_TEST(line_of_an_event_begins_with_its_time)
{
	CHECK(EVENTS, "5 a\n7\tb b\n-3 c\n", GIVES("count@5[a] count@7[b b] count@7[c]"));
	CHECK(EVENTS, "5 \n6  a\n", GIVES("count@5[] count@6[ a]"));
	CHECK(CONFIG(.delimiter = '\n', .event = true,
		     .timestamp = { .form = { .unit = TIME_S } }),
	      "0.000000005 a\n1 b\n", GIVES("count@5[a] count@1000000000[b]"));
}
END_TEST

START_TEST(line_with_a_time_alone_moves_the_clock)
{
	struct slice input = TEXT("1 a\n9\n11\n12 b\n");

	for (size_t piece = 1; piece <= input.size; piece++) {
		struct rig rig;
		size_t taken;

		rig_up(&rig,
		       CONFIG(.delimiter = '\n', .max_record = 100, .event = true,
			      .timestamp = { .form = { .unit = TIME_NS } }),
		       REPEAT(DELAY(10)));
		ck_assert_int_eq(feed(&rig, input, piece, &taken), 0);
		ck_assert_uint_eq(taken, input.size);
		ck_assert_str_eq(recorder_text(&rig.recorder, 0), "timeout@11[a]");
		ck_assert_uint_eq(engine_counters(rig.engine)->records, 2);
		ck_assert_int_eq(engine_now(rig.engine), 12);
		take_down(&rig);
	}
}
END_TEST

START_TEST(line_without_a_time_is_an_error)
{
	CHECK(EVENTS, "5 a\nb\n6 c\n", FAILS("count@5[a]"));
	CHECK(EVENTS, "\n", FAILS(""));
	CHECK(EVENTS, " 5 a\n", FAILS(""));
	CHECK(EVENTS, "5x a\n", FAILS(""));
	CHECK(EVENTS, "5.5 a\n", FAILS(""));
	CHECK(EVENTS, "9223372036854775808 a\n", FAILS(""));
	CHECK(CONFIG(.delimiter = '\n', .event = true,
		     .timestamp = { .form = { .unit = TIME_NS } },
		     .skip_bad_times = true),
	      "5 a\nb\n6 c\n", GIVES("count@5[a] count@6[c]"));
}
END_TEST

#define EVENTS_AT_MOST(size, what)                                                 \
	CONFIG(.delimiter = '\n', .event = true,                                   \
	       .timestamp = { .form = { .unit = TIME_NS } }, .max_record = (size), \
	       .oversize = OVERSIZE_##what)
#define ALPHABET "abcdefghijklmnopqrstuvwxyz"
#define LONG ALPHABET ALPHABET ALPHABET ALPHABET ALPHABET ALPHABET

START_TEST(time_does_not_count_for_the_length_of_a_record)
{
	CHECK(EVENTS_AT_MOST(3, FAIL), "1000000 abc\n", GIVES("count@1000000[abc]"));
	CHECK(EVENTS_AT_MOST(3, FAIL), "10 a\n11 abcd\n", FAILS("count@10[a]"));
	CHECK(EVENTS_AT_MOST(3, SKIP), "10 abcd\n11 a\n", LOSES("count@11[a]", 1, 0));
	CHECK(EVENTS_AT_MOST(3, TRUNCATE), "10 abcd\n11 a\n",
	      LOSES("count@10[abc] count@11[a]", 0, 1));
}
END_TEST

START_TEST(long_event_without_an_end_is_too_long)
{
	CHECK(EVENTS_AT_MOST(3, FAIL), "10 " LONG, FAILS(""));
	CHECK(EVENTS_AT_MOST(3, SKIP), "10 " LONG "\n11 a\n", LOSES("count@11[a]", 1, 0));
	CHECK(EVENTS_AT_MOST(3, TRUNCATE), "10 " LONG LONG "\n11 a\n",
	      LOSES("count@10[abc] count@11[a]", 0, 1));
	CHECK(EVENTS_AT_MOST(3, SKIP), LONG, FAILS(""));
}
END_TEST

/* Runs as long as the input, in one call, with limits that fall into them. */
START_TEST(many_records_go_at_once)
{
	struct buf input = { 0 };
	struct rig rig;
	size_t used;

	for (size_t i = 0; i < 1000; i++) {
		ck_assert_int_eq(buf_append(&input, slice_of(LONG)), 0);
		input.size -= i % sizeof LONG;
		ck_assert_int_eq(buf_append_byte(&input, '\n'), 0);
	}
	rig_up(&rig, CONFIG(.delimiter = '\n', .max_record = sizeof LONG - 1),
	       REPEAT(COUNT(7)));
	ck_assert_int_eq(intake_feed(&rig.intake, buf_slice(&input), &used), 0);
	ck_assert_uint_eq(used, input.size);
	ck_assert_uint_eq(engine_counters(rig.engine)->records, 1000);
	ck_assert_uint_eq(engine_counters(rig.engine)->batches, 142);
	take_down(&rig);
	buf_release(&input);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"intake", records_are_the_same_however_they_are_cut,
		empty_record_is_a_record, bytes_pass_unchanged, delimiter_may_be_any_byte,
		record_of_just_the_limit_is_not_too_long,
		record_that_is_too_long_is_an_error,
		record_without_an_end_is_too_long_as_soon_as_it_is,
		record_that_is_too_long_is_skipped, record_that_is_too_long_is_truncated,
		long_record_is_searched_once, lines_are_counted,
		nothing_is_taken_while_the_sink_is_not_ready,
		run_that_is_over_takes_no_more, error_of_the_sink_is_an_error,
		line_of_an_event_begins_with_its_time,
		line_with_a_time_alone_moves_the_clock, line_without_a_time_is_an_error,
		time_does_not_count_for_the_length_of_a_record,
		long_event_without_an_end_is_too_long, many_records_go_at_once);
}
