#include <config.h>

#include "frame.h"

#include <string.h>

#include "unit.h"

#define TEXT(literal) ((struct slice){ literal, sizeof(literal) - 1 })

static struct template *
new_template(const char *text)
{
	struct complaint why;
	struct template *template = template_new(text, &why);

	ck_assert_msg(template, "'%s': %s", text, why.text);
	return template;
}

/* A batch of two records, with all facts. */
static struct batch
some_batch(void)
{
	return (struct batch){
		.index = 4,
		.count = 2,
		.bytes = 5,
		.reason = REASON_COUNT,
		.key = TEXT("k"),
		.fired = 30 * NSEC_PER_MS,
		.first = 10 * NSEC_PER_MS,
		.last = 20 * NSEC_PER_MS,
		.start = 0,
		.end = 60 * NSEC_PER_MS,
		.timing = TIMING_LATE,
		.pane = 7,
		.timestamp = 15 * NSEC_PER_MS,
		.has_timestamp = true,
		.held = TEXT("a\n"),
		.tail = TEXT("bb\n"),
	};
}

static const struct timeform in_ms = { .unit = TIME_MS };

static void
check_frame(const struct frame *frame, const struct batch *batch, struct slice expected)
{
	struct buf out = { 0 };

	ck_assert_int_eq(buf_append(&out, slice_of(">")), 0);
	ck_assert_int_eq(frame_append(frame, batch, &out), 0);
	ck_assert_msg(out.size == expected.size + 1 && out.data[0] == '>' &&
			      (expected.size == 0 ||
			       memcmp(out.data + 1, expected.data, expected.size) == 0),
		      "'%.*s', not '%s'", (int)out.size, out.data, expected.data);
	buf_release(&out);
}

START_TEST(text_is_records_and_the_batch_delimiter)
{
	struct frame frame = { .delimiter = '\n', .batch_delimiter = TEXT("--\n") };
	struct batch batch = some_batch();

	ck_assert(frame_is_bare(&frame));
	check_frame(&frame, &batch, slice_of("a\nbb\n--\n"));
	frame.batch_delimiter = TEXT("");
	check_frame(&frame, &batch, slice_of("a\nbb\n"));
}
END_TEST

START_TEST(header_and_footer_stand_around_the_records)
{
	struct template *header = new_template("<{count}\\n");
	struct template *footer = new_template("{reason}>\\n");
	struct frame frame = { .delimiter = '\n',
			       .batch_delimiter = TEXT("\n"),
			       .footer = footer,
			       .times = in_ms };
	struct batch batch = some_batch();

	ck_assert(!frame_is_bare(&frame));
	check_frame(&frame, &batch, slice_of("a\nbb\ncount>\n\n"));
	frame.header = header;
	ck_assert(!frame_is_bare(&frame));
	check_frame(&frame, &batch, slice_of("<2\na\nbb\ncount>\n\n"));
	frame.join = true;
	frame.joiner = TEXT(",");
	check_frame(&frame, &batch, slice_of("<2\na,bbcount>\n\n"));
	template_free(header);
	template_free(footer);
}
END_TEST

START_TEST(joined_records_have_the_joiner_between)
{
	const struct {
		struct slice held, tail, joined;
	} rows[] = {
		{ TEXT("a\nb\n"), TEXT("c\n"), TEXT("a, b, c\n") },
		{ TEXT("a\n"), TEXT(""), TEXT("a\n") },
		{ TEXT(""), TEXT("a\nb\n"), TEXT("a, b\n") },
		{ TEXT("\n\n"), TEXT("\n"), TEXT(", , \n") },
		{ TEXT("\n"), TEXT(""), TEXT("\n") },
		{ TEXT(""), TEXT(""), TEXT("\n") },
		{ TEXT("a, b\n"), TEXT("\xff\0\n"), TEXT("a, b, \xff\0\n") },
	};
	struct frame frame = { .delimiter = '\n',
			       .join = true,
			       .joiner = TEXT(", "),
			       .batch_delimiter = TEXT("\n") };
	struct batch batch = some_batch();

	ck_assert(!frame_is_bare(&frame));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		batch.held = rows[i].held;
		batch.tail = rows[i].tail;
		check_frame(&frame, &batch, rows[i].joined);
	}
}
END_TEST

START_TEST(joining_knows_other_delimiters)
{
	struct frame frame = { .delimiter = '\0',
			       .join = true,
			       .joiner = TEXT(""),
			       .batch_delimiter = TEXT("\0") };
	struct batch batch = some_batch();

	batch.held = TEXT("a\n\0b\0");
	batch.tail = TEXT("");
	check_frame(&frame, &batch, TEXT("a\nb\0"));
}
END_TEST

START_TEST(empty_batch_is_what_stands_around_it)
{
	struct template *footer = new_template("{count}");
	struct frame frame = { .delimiter = '\n',
			       .batch_delimiter = TEXT("\n"),
			       .footer = footer,
			       .times = in_ms };
	struct batch batch = { .end = NSEC_MAX };

	check_frame(&frame, &batch, slice_of("0\n"));
	frame.join = true;
	check_frame(&frame, &batch, slice_of("0\n"));
	template_free(footer);
}
END_TEST

START_TEST(timings_have_names)
{
	ck_assert_str_eq(timing_name(TIMING_EARLY), "early");
	ck_assert_str_eq(timing_name(TIMING_ON_TIME), "on-time");
	ck_assert_str_eq(timing_name(TIMING_LATE), "late");
}
END_TEST

START_TEST(many_batches_are_as_one_after_the_other)
{
	static const char *const delimiters[] = { "", "\n", "--\n" };
	static const size_t sizes[] = { 2, 3, 1 };
	struct frame frame = { .delimiter = '\n' };
	struct template *footer = new_template("x");

	for (size_t i = 0; i < LENGTH(delimiters); i++) {
		struct buf many = { 0 }, single = { 0 };
		struct batch batch = some_batch();
		struct slice rest = TEXT("a\nbb\n\n");

		frame.batch_delimiter = slice_of(delimiters[i]);
		ck_assert(frame_is_bare(&frame));
		ck_assert_int_eq(frame_append_many(&frame, rest, sizes, 3, &many), 0);
		batch.held = TEXT("");
		for (size_t j = 0; j < LENGTH(sizes); j++) {
			batch.tail = (struct slice){ rest.data, sizes[j] };
			ck_assert_int_eq(frame_append(&frame, &batch, &single), 0);
			rest = slice_from(rest, sizes[j]);
		}
		ck_assert_uint_eq(many.size, single.size);
		ck_assert_mem_eq(many.data, single.data, many.size);
		buf_release(&many);
		buf_release(&single);
	}
	frame.footer = footer;
	ck_assert(!frame_is_bare(&frame));
	template_free(footer);
}
END_TEST

/* JSON */

static void
check_json(struct frame frame, const struct batch *batch, struct slice expected,
	   uint64_t replacements)
{
	uint64_t replaced = 0;

	frame.delimiter = frame.delimiter ? frame.delimiter : '\n';
	frame.batch_delimiter = TEXT("\n");
	frame.replaced = &replaced;
	ck_assert(!frame_is_bare(&frame));
	check_frame(&frame, batch, expected);
	ck_assert_uint_eq(replaced, replacements);
}

START_TEST(json_is_an_array_of_strings)
{
	const struct {
		struct slice held, tail, json;
		uint64_t replaced;
	} rows[] = {
		{ TEXT("a\n"), TEXT("bb\n"), TEXT("[\"a\",\"bb\"]\n"), 0 },
		{ TEXT(""), TEXT("a\n"), TEXT("[\"a\"]\n"), 0 },
		{ TEXT("a\n"), TEXT(""), TEXT("[\"a\"]\n"), 0 },
		{ TEXT(""), TEXT(""), TEXT("[]\n"), 0 },
		{ TEXT("\n\n"), TEXT(""), TEXT("[\"\",\"\"]\n"), 0 },
		{ TEXT("a\"b\\\t\r\0\n"), TEXT(""),
		  TEXT("[\"a\\\"b\\\\\\t\\r\\u0000\"]\n"), 0 },
		{ TEXT("\xff\n\xc3\xa4\n"), TEXT("\xc3\n"),
		  TEXT("[\"\xef\xbf\xbd\",\"\xc3\xa4\",\"\xef\xbf\xbd\"]\n"), 2 },
	};
	struct batch batch = some_batch();

	for (size_t i = 0; i < LENGTH(rows); i++) {
		batch.held = rows[i].held;
		batch.tail = rows[i].tail;
		check_json((struct frame){ .format = FORMAT_JSON }, &batch, rows[i].json,
			   rows[i].replaced);
	}
}
END_TEST

START_TEST(records_that_are_json_stand_as_they_are)
{
	struct batch batch = some_batch();

	batch.held = TEXT("{\"a\":1}\n[2]\n");
	batch.tail = TEXT("\"x\"\n");
	check_json((struct frame){ .format = FORMAT_JSON, .json_records = true }, &batch,
		   slice_of("[{\"a\":1},[2],\"x\"]\n"), 0);
	batch.held = TEXT("\n[\n1\n];\n\n2;");
	batch.tail = (struct slice){ NULL, 0 };
	check_json((struct frame){ .format = FORMAT_JSON,
				   .json_records = true,
				   .delimiter = ';' },
		   &batch, slice_of("[ [ 1 ],  2]\n"), 0);
}
END_TEST

#define NDJSON(...) ((struct frame){ .format = FORMAT_NDJSON, __VA_ARGS__ })

START_TEST(ndjson_is_an_object_with_the_facts_in_their_order)
{
	struct batch batch = some_batch();

	batch.has_key = true;
	check_json(NDJSON(.times = { .unit = TIME_MS }), &batch,
		   slice_of("{\"index\":4,\"count\":2,\"bytes\":5,\"reason\":\"count\","
			    "\"key\":\"k\",\"fired\":30,\"first\":10,\"last\":20,"
			    "\"start\":0,\"end\":60,\"timing\":\"late\",\"pane\":7,"
			    "\"timestamp\":15,\"records\":[\"a\",\"bb\"]}\n"),
		   0);
	batch.key = TEXT("\xff\"");
	batch.held = batch.tail = TEXT("");
	check_json(NDJSON(.times = { .unit = TIME_S }), &batch,
		   slice_of("{\"index\":4,\"count\":2,\"bytes\":5,\"reason\":\"count\","
			    "\"key\":\"\xef\xbf\xbd\\\"\",\"fired\":0.03,\"first\":0.01,"
			    "\"last\":0.02,\"start\":0,\"end\":0.06,\"timing\":\"late\","
			    "\"pane\":7,\"timestamp\":0.015,\"records\":[]}\n"),
		   1);
}
END_TEST

START_TEST(ndjson_says_null_where_there_is_none)
{
	struct batch batch = { .reason = REASON_TIMEOUT, .end = NSEC_MAX };

	check_json(NDJSON(.times = { .unit = TIME_NS }), &batch,
		   slice_of("{\"index\":0,\"count\":0,\"bytes\":0,\"reason\":\"timeout\","
			    "\"key\":null,\"fired\":0,\"first\":null,\"last\":null,"
			    "\"start\":null,\"end\":null,\"timing\":\"early\",\"pane\":0,"
			    "\"timestamp\":null,\"records\":[]}\n"),
		   0);
	/* A record may have had no key, where keys are asked for. */
	batch.has_key = true;
	check_json(NDJSON(.times = { .unit = TIME_NS }), &batch,
		   slice_of("{\"index\":0,\"count\":0,\"bytes\":0,\"reason\":\"timeout\","
			    "\"key\":\"\",\"fired\":0,\"first\":null,\"last\":null,"
			    "\"start\":null,\"end\":null,\"timing\":\"early\",\"pane\":0,"
			    "\"timestamp\":null,\"records\":[]}\n"),
		   0);
}
END_TEST

/* The part of an object that has the time of its firing. */
static void
check_fired(struct timeform times, const char *wanted)
{
	struct frame frame = NDJSON(.times = times, .delimiter = '\n');
	struct batch batch = some_batch();
	struct buf out = { 0 };

	batch.fired = INT64_C(1796040000) * NSEC_PER_S + 5 * NSEC_PER_MS;
	ck_assert_int_eq(frame_append(&frame, &batch, &out), 0);
	ck_assert_int_eq(buf_append_byte(&out, '\0'), 0);
	ck_assert_msg(strstr(out.data, wanted) != NULL, "'%s' without '%s'", out.data,
		      wanted);
	buf_release(&out);
}

START_TEST(ndjson_has_strings_for_times_that_are_not_numbers)
{
	unit_set_zone("UTC0");
	check_fired((struct timeform){ .kind = TIMEFORM_RFC3339 },
		    "\"fired\":\"2026-11-30T12:00:00.005Z\",");
	check_fired((struct timeform){ .kind = TIMEFORM_PATTERN, .pattern = "%H:%M" },
		    "\"fired\":\"12:00\",");
	check_fired((struct timeform){ .kind = TIMEFORM_WALL },
		    "\"fired\":1796040000005,");
	check_fired((struct timeform){ .unit = TIME_US }, "\"fired\":1796040000005000,");
}
END_TEST

START_TEST(netstring_has_its_length)
{
	struct frame frame = { .format = FORMAT_NETSTRING,
			       .delimiter = '\n',
			       .batch_delimiter = TEXT("--"),
			       .times = in_ms };
	struct template *header = new_template("<{count}>");
	struct batch batch = some_batch();

	check_frame(&frame, &batch, slice_of("5:a\nbb\n,"));
	frame.join = true;
	frame.joiner = TEXT(", ");
	check_frame(&frame, &batch, slice_of("5:a, bb,"));
	frame.header = header;
	check_frame(&frame, &batch, slice_of("8:<2>a, bb,"));
	frame.header = NULL;
	batch.held = batch.tail = TEXT("");
	check_frame(&frame, &batch, slice_of("0:,"));
	frame.join = false;
	check_frame(&frame, &batch, slice_of("0:,"));
	batch.held = TEXT("\0\xff,\n");
	check_frame(&frame, &batch, TEXT("4:\0\xff,\n,"));
	template_free(header);
}
END_TEST

START_TEST(watermark_is_a_line_with_a_time)
{
	struct frame frame = { .delimiter = '\n', .times = in_ms };
	struct buf out = { 0 };

	ck_assert_int_eq(frame_append_watermark(&frame, 7 * NSEC_PER_MS, &out), 0);
	frame.delimiter = '\0';
	ck_assert_int_eq(frame_append_watermark(&frame, -NSEC_PER_MS, &out), 0);
	ck_assert_uint_eq(out.size, 5);
	ck_assert_mem_eq(out.data, "7\n-1\0", 5);
	buf_release(&out);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"frame", text_is_records_and_the_batch_delimiter,
		header_and_footer_stand_around_the_records,
		joined_records_have_the_joiner_between, joining_knows_other_delimiters,
		empty_batch_is_what_stands_around_it, timings_have_names,
		many_batches_are_as_one_after_the_other, json_is_an_array_of_strings,
		records_that_are_json_stand_as_they_are,
		ndjson_is_an_object_with_the_facts_in_their_order,
		ndjson_says_null_where_there_is_none,
		ndjson_has_strings_for_times_that_are_not_numbers,
		netstring_has_its_length, watermark_is_a_line_with_a_time);
}
