#include <config.h>

#include "datetime.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#define S NSEC_PER_S

START_TEST(time_is_read)
{
	static const struct {
		const char *text;
		nsec time;
	} rows[] = {
		{ "1970-01-01T00:00:00Z", 0 },
		{ "1970-01-01t00:00:00z", 0 },
		{ "1970-01-01 00:00:01Z", S },
		{ "1969-12-31T23:59:59Z", -S },
		{ "1969-12-31T23:59:59.5Z", -S / 2 },
		{ "2026-11-30T12:00:00Z", INT64_C(1796040000) * S },
		{ "2026-11-30T12:00:00.5+01:00", INT64_C(1796036400) * S + S / 2 },
		{ "2026-11-30T12:00:00-05:30", INT64_C(1796059800) * S },
		{ "1970-01-01T00:00:00+23:59", -86340 * S },
		{ "1970-01-01T00:00:00-00:00", 0 },
		{ "2000-02-29T00:00:00Z", INT64_C(951782400) * S },
		{ "2024-02-29T00:00:00Z", INT64_C(1709164800) * S },
		{ "1900-03-01T00:00:00Z", INT64_C(-2203891200) * S },
		{ "2016-12-31T23:59:60Z", INT64_C(1483228800) * S },
		{ "1970-01-01T00:00:00.123456789Z", 123456789 },
		{ "1970-01-01T00:00:00,25Z", S / 4 },
		{ "1970-01-01T00:00:00.0000000009Z", 0 },
		{ "1970-01-01T00:00:00.1234567899Z", 123456789 },
		{ "1677-09-21T00:12:45Z", INT64_C(-9223372035) * S },
		{ "2262-04-11T23:47:15.999999999Z", INT64_C(9223372035) * S + 999999999 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		nsec time = 1;

		ck_assert_msg(datetime_parse(rows[i].text, strlen(rows[i].text), &time) ==
				      0,
			      "'%s'", rows[i].text);
		ck_assert_msg(time == rows[i].time, "'%s': %" PRId64, rows[i].text, time);
	}
}
END_TEST

START_TEST(wrong_time_is_refused)
{
	static const char *const rows[] = {
		"",
		"1970",
		"1970-01-01",
		"1970-01-01T00:00",
		"1970-01-01T00:00Z",
		"1970-01-01T00:00:00",
		"1970-01-01T00:00:00.Z",
		"1970-01-01T00:00:00.5",
		"1970-01-01X00:00:00Z",
		"1970-01-01  00:00:00Z",
		" 1970-01-01T00:00:00Z",
		"1970-01-01T00:00:00Z ",
		"1970-01-01T00:00:00ZZ",
		"1970-1-01T00:00:00Z",
		"1970-01-1T00:00:00Z",
		"70-01-01T00:00:00Z",
		"+1970-01-01T00:00:00Z",
		"-1970-01-01T00:00:00Z",
		"1970-00-01T00:00:00Z",
		"1970-13-01T00:00:00Z",
		"1970-01-00T00:00:00Z",
		"1970-01-32T00:00:00Z",
		"1970-04-31T00:00:00Z",
		"1970-02-29T00:00:00Z",
		"1900-02-29T00:00:00Z",
		"2000-02-30T00:00:00Z",
		"1970-01-01T24:00:00Z",
		"1970-01-01T00:60:00Z",
		"1970-01-01T00:00:61Z",
		"1970-01-01T0:00:00Z",
		"1970-01-01T00:00:00+1:00",
		"1970-01-01T00:00:00+01",
		"1970-01-01T00:00:00+0100",
		"1970-01-01T00:00:00+24:00",
		"1970-01-01T00:00:00+01:60",
		"1970/01/01T00:00:00Z",
		"2262-04-11T23:47:17Z",
		"1677-09-21T00:12:43Z",
		"9999-12-31T23:59:59Z",
		"0000-01-01T00:00:00Z",
	};
	nsec time;

	for (size_t i = 0; i < LENGTH(rows); i++)
		ck_assert_msg(datetime_parse(rows[i], strlen(rows[i]), &time) == -1,
			      "'%s'", rows[i]);
	ck_assert_int_eq(datetime_parse("1970-01-01T00:00:00Z", 19, &time), -1);
	ck_assert_int_eq(datetime_parse("1970-01-01T00:00:00Zx", 20, &time), 0);
}
END_TEST

START_TEST(every_day_is_that_of_the_systems_calendar)
{
	/* From 1678 to 2261, all that there is. */
	for (time_t day = -106650; day < 106650; day++) {
		time_t seconds = day * 86400;
		struct tm utc;
		char text[40];
		nsec time;

		gmtime_r(&seconds, &utc);
		snprintf(text, sizeof text, "%04d-%02d-%02dT00:00:00Z",
			 utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday);
		DEMAND(datetime_parse(text, strlen(text), &time) == 0, "'%s'", text);
		DEMAND(time == (nsec)seconds * S, "'%s': %" PRId64, text, time);
	}
}
END_TEST

START_TEST(time_is_printed_with_the_digits_that_it_needs)
{
	static const struct {
		nsec time;
		const char *text;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ S / 2, "1970-01-01T00:00:00.500Z" },
		{ 1000, "1970-01-01T00:00:00.000001Z" },
		{ 1, "1970-01-01T00:00:00.000000001Z" },
		{ -1, "1969-12-31T23:59:59.999999999Z" },
		{ -S, "1969-12-31T23:59:59Z" },
		{ -S / 2, "1969-12-31T23:59:59.500Z" },
		{ NSEC_MAX, "2262-04-11T23:47:16.854775807Z" },
		{ NSEC_MIN, "1677-09-21T00:12:43.145224192Z" },
		{ INT64_C(951782400) * S, "2000-02-29T00:00:00Z" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[64];
		size_t size = datetime_print(text, sizeof text, rows[i].time);

		ck_assert_str_eq(text, rows[i].text);
		ck_assert_uint_eq(size, strlen(text));
		ck_assert_uint_lt(size, 40);
	}
}
END_TEST

/* But for the seconds at both ends, which are not read. */
START_TEST(printed_time_reads_back_to_the_same)
{
	struct dice dice = dice_of(8);

	for (size_t i = 0; i < 20000; i++) {
		nsec time = dice_between(&dice, 0, INT64_C(9223372034)) * S, parsed = 0;
		char text[64];
		size_t size;

		time += (nsec)dice_below(&dice, (uint64_t)S);
		if (dice_hits(&dice, 3))
			time = time / NSEC_PER_MS * NSEC_PER_MS;
		time = dice_hits(&dice, 2) ? -time : time;
		size = datetime_print(text, sizeof text, time);
		DEMAND(datetime_parse(text, size, &parsed) == 0, "'%s'", text);
		DEMAND(parsed == time, "'%s': %" PRId64 ", not %" PRId64, text, parsed,
		       time);
	}
}
END_TEST

START_TEST(time_of_day_has_hours_and_minutes)
{
	static const struct {
		const char *text;
		nsec time;
	} rows[] = {
		{ "00:00", 0 },
		{ "18:00", 64800 * S },
		{ "18:00:07", 64807 * S },
		{ "23:59:59", 86399 * S },
		{ "23:59:60", 0 },
	};
	static const char *const wrong[] = {
		"",           "1",     "18",     "18:",      "18:0",    "8:00",
		"24:00",      "18:60", "18:00:", "18:00:61", "18:00:0", "18:00 ",
		"18:00:00.5", "-1:00", "18-00",  "18:00Z",
	};
	nsec time;

	for (size_t i = 0; i < LENGTH(rows); i++) {
		ck_assert_msg(datetime_parse_time_of_day(
				      rows[i].text, strlen(rows[i].text), &time) == 0,
			      "'%s'", rows[i].text);
		ck_assert_int_eq(time, rows[i].time);
	}
	for (size_t i = 0; i < LENGTH(wrong); i++)
		ck_assert_msg(datetime_parse_time_of_day(wrong[i], strlen(wrong[i]),
							 &time) == -1,
			      "'%s'", wrong[i]);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("datetime", time_is_read, wrong_time_is_refused,
			every_day_is_that_of_the_systems_calendar,
			time_is_printed_with_the_digits_that_it_needs,
			printed_time_reads_back_to_the_same,
			time_of_day_has_hours_and_minutes);
}
