#include <config.h>

#include "timeform.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"

#define S NSEC_PER_S

static struct timeform
choose(const char *text)
{
	struct complaint why = { "" };
	struct timeform form;

	ck_assert_msg(timeform_choose(&form, text, &why) == 0, "'%s': %s", text,
		      why.text);
	return form;
}

START_TEST(form_has_a_name)
{
	static const char *const names[] = {
		"ms", "s", "us", "ns", "rfc3339", "%Y-%m-%d"
	};
	struct timeform wall = { .kind = TIMEFORM_WALL };
	struct complaint why = { "" };

	for (size_t i = 0; i < LENGTH(names); i++) {
		struct timeform form = choose(names[i]);

		ck_assert_str_eq(timeform_name(&form), names[i]);
		ck_assert_int_eq(timeform_is_number(&form), i < 4);
	}
	ck_assert_str_eq(timeform_name(&wall), "rfc3339");
	ck_assert_int_eq(timeform_choose(&wall, "min", &why), -1);
	ck_assert_ptr_nonnull(strstr(why.text, "rfc3339 or a strptime format"));
	ck_assert_int_eq(timeform_choose(&wall, "", &why), -1);
	ck_assert_int_eq(timeform_choose(&wall, "MS", &why), -1);
}
END_TEST

/* A text, the form to read it with, and the time that it is; the rest says that it is none. */
struct row {
	const char *form;
	const char *text;
	nsec time;
};

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct timeform form = choose(rows[i].form);
		nsec time = 1;

		ck_assert_msg(timeform_parse(&form, slice_of(rows[i].text), &time) == 0,
			      "%s: '%s'", rows[i].form, rows[i].text);
		ck_assert_msg(time == rows[i].time, "%s: '%s': %" PRId64, rows[i].form,
			      rows[i].text, time);
	}
}

START_TEST(all_of_a_text_is_the_time)
{
	static const struct row rows[] = {
		{ "ms", "12", 12 * NSEC_PER_MS },
		{ "s", "-1.5", -3 * S / 2 },
		{ "us", "7", 7000 },
		{ "ns", "7", 7 },
		{ "rfc3339", "1970-01-01T01:00:00.5+01:00", S / 2 },
		{ "%s", "77", 77 * S },
		{ "%Y-%m-%d", "1970-01-03", 2 * 86400 * S },
		{ "%Y-%m-%d", "1972-02-29", (2 * 365 + 59) * INT64_C(86400) * S },
		{ "%Y-%m-%dT%H:%M:%S%z", "1970-01-01T02:00:00+0200", 0 },
		{ "%Y-%m-%d %H:%M", "1970-01-01 00:01", 60 * S },
		{ "[%d/%b/%Y:%H:%M:%S %z]", "[01/Jan/1970:00:00:05 +0000]", 5 * S },
	};

	unit_set_zone("UTC0");
	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(pattern_without_a_zone_is_local_time)
{
	static const struct row rows[] = {
		{ "%Y-%m-%d %H:%M:%S", "2026-07-01 12:00:00", INT64_C(1782900000) * S },
		{ "%Y-%m-%d %H:%M:%S", "2026-01-01 12:00:00", INT64_C(1767265200) * S },
		{ "%Y-%m-%d %H:%M:%S %z", "2026-07-01 12:00:00 +0000",
		  INT64_C(1782907200) * S },
		{ "%Y-%m-%d %H:%M:%S %z", "2026-01-01 12:00:00 -0130",
		  INT64_C(1767274200) * S },
	};

	unit_set_zone("Europe/Berlin");
	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(wrong_time_is_refused)
{
	static const struct {
		const char *form;
		const char *text;
	} rows[] = {
		{ "ms", "" },
		{ "ms", "12 " },
		{ "ms", "1.5" },
		{ "s", "x" },
		{ "rfc3339", "1970-01-01" },
		{ "%Y-%m-%d", "" },
		{ "%Y-%m-%d", "2026-02-29" },
		{ "%Y-%j", "2023-366" },
		{ "%Y-%m-%d", "2026-02-31" },
		{ "%Y-%m-%d %H:%M", "2026-04-31 12:00" },
		{ "%Y-%m-%d %z", "1900-02-29 +0000" },
		{ "%Y-%m-%d", "1970-01" },
		{ "%Y-%m-%d", "1970-01-01x" },
		{ "%Y-%m-%d", "1970-13-01" },
		{ "%Y-%m-%d", "9999-01-01" },
		{ "%Y-%m-%d", "0001-01-01" },
	};

	unit_set_zone("UTC0");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct timeform form = choose(rows[i].form);
		nsec time;

		ck_assert_msg(timeform_parse(&form, slice_of(rows[i].text), &time) == -1,
			      "%s: '%s'", rows[i].form, rows[i].text);
	}
}
END_TEST

START_TEST(line_begins_with_its_time)
{
	static const struct {
		const char *form;
		const char *line;
		size_t size; /* 0: it does not */
		nsec time;
	} rows[] = {
		{ "ns", "5 a b", 1, 5 },
		{ "ns", "5\ta", 1, 5 },
		{ "ns", "5", 1, 5 },
		{ "ns", "55 ", 2, 55 },
		{ "ns", "", 0, 0 },
		{ "ns", " 5", 0, 0 },
		{ "ns", "5x a", 0, 0 },
		{ "rfc3339", "1970-01-01T00:00:01Z a", 20, S },
		{ "rfc3339", "1970-01-01 00:00:01Z a", 0, 0 },
		{ "%Y-%m-%d %H:%M:%S", "1970-01-01 00:00:09 a", 19, 9 * S },
		{ "%Y-%m-%d %H:%M:%S", "1970-01-01 00:00:09", 19, 9 * S },
		{ "%Y-%m-%d %H:%M:%S", "1970-01-01 00:00:09\ta", 19, 9 * S },
		{ "%Y-%m-%d %H:%M:%S", "1970-01-01 00:00:09,a", 0, 0 },
		{ "%Y-%m-%d", "yesterday", 0, 0 },
	};

	unit_set_zone("UTC0");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct timeform form = choose(rows[i].form);
		size_t size = 99;
		nsec time = 0;
		int result = timeform_read(&form, slice_of(rows[i].line), &size, &time);

		ck_assert_msg(result == (rows[i].size > 0 ? 0 : -1), "%s: '%s': %d",
			      rows[i].form, rows[i].line, result);
		if (result < 0)
			continue;
		ck_assert_uint_eq(size, rows[i].size);
		ck_assert_int_eq(time, rows[i].time);
	}
}
END_TEST

START_TEST(long_line_costs_no_more_than_a_short_one)
{
	static char line[1 << 16];
	struct timeform number = choose("ns"), pattern = choose("%Y");
	size_t size;
	nsec time;

	memset(line, '1', sizeof line);
	ck_assert_int_eq(
		timeform_read(&number, (struct slice){ line, sizeof line }, &size, &time),
		-1);
	ck_assert_uint_le(size, TIMEFORM_MAX);
	memset(line + 4, 'x', sizeof line - 4);
	line[4] = ' ';
	ck_assert_int_eq(
		timeform_read(&number, (struct slice){ line, sizeof line }, &size, &time),
		0);
	memcpy(line, "1980", 4);
	ck_assert_int_eq(timeform_read(&pattern, (struct slice){ line, sizeof line },
				       &size, &time),
			 0);
	ck_assert_uint_eq(size, 4);
	/* More than can be looked at is no time. */
	memset(line, '0', TIMEFORM_MAX + 1);
	line[TIMEFORM_MAX + 1] = ' ';
	ck_assert_int_eq(
		timeform_read(&number, (struct slice){ line, sizeof line }, &size, &time),
		-1);
	line[TIMEFORM_MAX] = ' ';
	ck_assert_int_eq(
		timeform_read(&number, (struct slice){ line, sizeof line }, &size, &time),
		0);
}
END_TEST

static void
check_print(const struct timeform *form, nsec time, const char *text)
{
	struct buf out = { 0 };

	ck_assert_int_eq(timeform_print(form, time, &out), 0);
	ck_assert_int_eq(buf_append_byte(&out, '\0'), 0);
	ck_assert_str_eq(out.data, text);
	buf_release(&out);
}

START_TEST(time_is_printed_in_its_form)
{
	struct timeform wall = { .kind = TIMEFORM_WALL }, form;

	unit_set_zone("Europe/Berlin");
	form = choose("ms");
	check_print(&form, 5 * NSEC_PER_MS, "5");
	form = choose("s");
	check_print(&form, 3 * S / 2, "1.5");
	form = choose("rfc3339");
	check_print(&form, S / 2, "1970-01-01T00:00:00.500Z");
	form = choose("%H:%M:%S");
	check_print(&form, 0, "01:00:00");
	check_print(&form, -1, "00:59:59");
	check_print(&form, -S, "00:59:59");
	form = choose("%%");
	check_print(&form, 0, "%");
	check_print(&wall, S / 2, "1970-01-01T01:00:00.500+01:00");
}
END_TEST

START_TEST(printed_time_reads_back_to_the_same)
{
	static const struct {
		const char *form;
		nsec unit;
	} rows[] = {
		{ "ms", NSEC_PER_MS }, { "s", 1 },       { "us", NSEC_PER_US },
		{ "ns", 1 },           { "rfc3339", 1 }, { "%Y-%m-%dT%H:%M:%S%z", S },
		{ "%s", S },
	};
	struct dice dice = dice_of(9);

	unit_set_zone("America/New_York");
	for (size_t i = 0; i < 7000; i++) {
		nsec unit = rows[i % LENGTH(rows)].unit;
		struct timeform form = choose(rows[i % LENGTH(rows)].form);
		nsec time = dice_between(&dice, -8000000000, 8000000000) * S, parsed;
		struct buf out = { 0 };

		/* strptime takes no years before 1900, and no negative seconds. */
		if (form.kind == TIMEFORM_PATTERN)
			time = time < 0 ? -time : time;
		time += dice_between(&dice, 0, S - 1) / unit * unit;
		DEMAND(timeform_print(&form, time, &out) == 0, "no memory");
		DEMAND(timeform_parse(&form, buf_slice(&out), &parsed) == 0, "%s: '%.*s'",
		       rows[i % LENGTH(rows)].form, (int)out.size, out.data);
		DEMAND(parsed == time, "%s: '%.*s': %" PRId64 ", not %" PRId64,
		       rows[i % LENGTH(rows)].form, (int)out.size, out.data, parsed,
		       time);
		buf_release(&out);
	}
}
END_TEST

START_TEST(pattern_has_conversions_that_there_are)
{
	static const struct {
		const char *pattern;
		const char *named; /* NULL: it is taken */
	} rows[] = {
		{ "%a%A%b%B%c%C%d%D%e%F%g%G%h%H%I%j%k%l%m%M%n%p", NULL },
		{ "%r%R%s%S%t%T%u%U%V%w%W%x%X%y%Y%z%Z%%", NULL },
		{ "%Ec%EC%Ex%EX%Ey%EY", NULL },
		{ "%Ob%OB%Od%Oe%Oh%OH%OI%Om%OM%OS%OU%OV%Ow%OW%Oy", NULL },
		{ "%-d %_H %0M %^a %#Z %-Od %%Q", NULL },
		{ "%Q", "'%Q'" },
		{ "%Y-%f-%d", "'%f'" },
		{ "%s %L", "'%L'" },
		{ "%", "'%'" },
		{ "%Y%", "'%'" },
		{ "%%%", "'%'" },
		{ "%Ed", "'%Ed'" },
		{ "%OY", "'%OY'" },
		{ "%E", "'%E'" },
		{ "%-", "'%-'" },
		{ "%-Q", "'%-Q'" },
		{ "%5Y", "'%5'" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		struct timeform form;
		int result = timeform_choose(&form, rows[i].pattern, &why);

		ck_assert_msg(result == (rows[i].named ? -1 : 0), "'%s': %d, %s",
			      rows[i].pattern, result, why.text);
		ck_assert_msg(!rows[i].named || strstr(why.text, rows[i].named),
			      "'%s': '%s' without %s", rows[i].pattern, why.text,
			      rows[i].named);
	}
}
END_TEST

/* What is printed as strftime has it is read as strptime has it, for each that is taken. */
START_TEST(each_conversion_is_known_to_the_system)
{
	static const char all[] = "aAbBcCdDeFgGhHIjklmMnprRsStTuUVwWxXyYz";

	for (size_t i = 0; i < strlen(all); i++) {
		char pattern[] = { '%', all[i], '\0' };
		struct timeform form = choose(pattern);
		struct buf out = { 0 };
		nsec time;

		ck_assert_int_eq(timeform_print(&form, 86400 * S, &out), 0);
		ck_assert_msg(timeform_parse(&form, buf_slice(&out), &time) == 0,
			      "%s: '%.*s'", pattern, (int)out.size,
			      out.data ? out.data : "");
		buf_release(&out);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"timeform", form_has_a_name, all_of_a_text_is_the_time,
		pattern_without_a_zone_is_local_time, wrong_time_is_refused,
		line_begins_with_its_time, long_line_costs_no_more_than_a_short_one,
		time_is_printed_in_its_form, pattern_has_conversions_that_there_are,
		each_conversion_is_known_to_the_system,
		printed_time_reads_back_to_the_same);
}
