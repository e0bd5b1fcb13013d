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
check_template(const char *text, const struct batch *batch, const struct timeform *form,
	       struct slice expected)
{
	struct template *template = new_template(text);
	struct buf out = { 0 };

	ck_assert_int_eq(template_append(template, batch, form, &out), 0);
	ck_assert_msg(
		out.size == expected.size &&
			(out.size == 0 || memcmp(out.data, expected.data, out.size) == 0),
		"'%s': '%.*s', not '%s'", text, (int)out.size, out.data ? out.data : "",
		expected.data);
	buf_release(&out);
	template_free(template);
}

START_TEST(facts_stand_in_braces)
{
	struct batch batch = some_batch();

	check_template("{index} {count} {bytes} {reason} {key} {fired} {first} {last} "
		       "{start} {end} {timing} {pane} {timestamp}",
		       &batch, &in_ms, slice_of("4 2 5 count k 30 10 20 0 60 late 7 15"));
	check_template("{count}{count}", &batch, &in_ms, slice_of("22"));
	check_template("", &batch, &in_ms, slice_of(""));
	check_template("x", &batch, &in_ms, slice_of("x"));
}
END_TEST

START_TEST(fact_that_is_not_there_prints_as_nothing)
{
	struct batch batch = { .reason = REASON_TIMEOUT, .end = NSEC_MAX, .fired = 0 };

	check_template("[{first}{last}{start}{end}{key}{timestamp}] {count} {fired}",
		       &batch, &in_ms, slice_of("[] 0 0"));
}
END_TEST

START_TEST(doubled_braces_are_braces)
{
	struct batch batch = some_batch();

	check_template("{{{count}}}", &batch, &in_ms, slice_of("{2}"));
	check_template("{{count}}", &batch, &in_ms, slice_of("{count}"));
	check_template("{{}}", &batch, &in_ms, slice_of("{}"));
}
END_TEST

START_TEST(escapes_stand_for_bytes)
{
	struct batch batch = some_batch();

	check_template("a\\tb\\n\\x41\\\\{count}\\0z", &batch, &in_ms,
		       TEXT("a\tb\nA\\2\0z"));
	/* An escape makes no brace of a fact. */
	check_template("\\x7bcount\\x7d", &batch, &in_ms, slice_of("{count}"));
}
END_TEST

START_TEST(key_is_bytes)
{
	struct batch batch = some_batch();

	batch.key = TEXT("\xff\0{count}");
	check_template("{key}", &batch, &in_ms, TEXT("\xff\0{count}"));
}
END_TEST

START_TEST(event_times_are_in_the_format)
{
	struct batch batch = some_batch();

	check_template("{first}", &batch, &(struct timeform){ .unit = TIME_S },
		       slice_of("0.01"));
	check_template("{first}", &batch, &(struct timeform){ .unit = TIME_NS },
		       slice_of("10000000"));
}
END_TEST

START_TEST(processing_times_are_the_wall_clocks)
{
	struct batch batch = some_batch();

	unit_set_zone("UTC0");
	check_template("{first}", &batch, &(struct timeform){ .kind = TIMEFORM_WALL },
		       slice_of("1970-01-01T00:00:00.010+00:00"));
}
END_TEST

START_TEST(wrong_template_is_refused)
{
	static const struct {
		const char *text;
		const char *hint;
	} rows[] = {
		{ "{", "'{{'" },           { "a{count", "'{{'" },
		{ "}", "'}}'" },           { "{count}}", "'}}'" },
		{ "{}", "{count}" },       { "{cnt}", "'cnt'" },
		{ "{Count}", "{count}" },  { "{ count}", "{count}" },
		{ "{count }", "{count}" }, { "{counts}", "'counts'" },
		{ "\\q", "\\xHH" },        { "x\\", "\\xHH" },
		{ "\\x4", "\\xHH" },       { "\\x4{count}", "\\xHH" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };

		ck_assert_msg(!template_new(rows[i].text, &why), "'%s'", rows[i].text);
		ck_assert_msg(strstr(why.text, rows[i].hint) != NULL,
			      "'%s': '%s' without '%s'", rows[i].text, why.text,
			      rows[i].hint);
	}
	template_free(NULL);
}
END_TEST

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
	if (!frame_is_plain(frame))
		return;
	/* In two parts it is the same. */
	ck_assert_int_eq(buf_append(&out, batch->held), 0);
	ck_assert_int_eq(frame_append_rest(frame, batch, &out), 0);
	ck_assert_uint_eq(out.size, expected.size);
	if (out.size > 0)
		ck_assert_mem_eq(out.data, expected.data, out.size);
	buf_release(&out);
}

START_TEST(text_is_records_and_the_batch_delimiter)
{
	struct frame frame = { .delimiter = '\n', .batch_delimiter = TEXT("--\n") };
	struct batch batch = some_batch();

	ck_assert(frame_is_plain(&frame));
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

	ck_assert(frame_is_plain(&frame));
	check_frame(&frame, &batch, slice_of("a\nbb\ncount>\n\n"));
	frame.header = header;
	ck_assert(!frame_is_plain(&frame));
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

	ck_assert(!frame_is_plain(&frame));
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

int
main(void)
{
	return UNIT_RUN(
		"frame", facts_stand_in_braces, fact_that_is_not_there_prints_as_nothing,
		doubled_braces_are_braces, escapes_stand_for_bytes, key_is_bytes,
		event_times_are_in_the_format, processing_times_are_the_wall_clocks,
		wrong_template_is_refused, text_is_records_and_the_batch_delimiter,
		header_and_footer_stand_around_the_records,
		joined_records_have_the_joiner_between, joining_knows_other_delimiters,
		empty_batch_is_what_stands_around_it, timings_have_names);
}
