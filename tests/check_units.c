#include <config.h>

#include "units.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"

#define S NSEC_PER_S

/* A value that is wrong, and a part of the complaint: what would be right. */
struct refusal {
	const char *text;
	const char *hint;
};

static void
check_complaint(const struct refusal *refusal, int result, const struct complaint *why)
{
	ck_assert_msg(result == -1, "'%s' is taken", refusal->text);
	ck_assert_msg(strstr(why->text, refusal->hint) != NULL, "'%s': '%s' without '%s'",
		      refusal->text, why->text, refusal->hint);
}

START_TEST(duration_has_units)
{
	static const struct {
		const char *text;
		nsec duration;
	} rows[] = {
		{ "0", 0 },
		{ "500", S / 2 },
		{ "1.5", 1500000 },
		{ "7ns", 7 },
		{ "7us", 7000 },
		{ "7ms", 7000000 },
		{ "7s", 7 * S },
		{ "7m", 420 * S },
		{ "7h", 25200 * S },
		{ "7d", 604800 * S },
		{ "1m30s", 90 * S },
		{ "1h1m1s1ms1us1ns", 3661 * S + 1001001 },
		{ "30s1m", 90 * S },
		{ "0.5s", S / 2 },
		{ "1.5m", 90 * S },
		{ "1.5h30.25s", 5430 * S + S / 4 },
		{ "0.000000001s", 1 },
		{ "0.001us", 1 },
		{ "1.0ns", 1 },
		{ "2.000000000000000000000000s", 2 * S },
		{ "007s", 7 * S },
		{ "0.0000000000025d", 216 },
		{ "9223372036854775807ns", NSEC_MAX },
		{ "106751d", 106751 * (86400 * S) },
		{ "9223372036.854775807s", NSEC_MAX },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why;
		nsec duration = -1;

		ck_assert_msg(units_parse_duration(rows[i].text, &duration, &why) == 0,
			      "'%s': %s", rows[i].text, why.text);
		ck_assert_msg(duration == rows[i].duration, "'%s': %" PRId64,
			      rows[i].text, duration);
	}
}
END_TEST

START_TEST(wrong_duration_is_refused)
{
	static const struct refusal rows[] = {
		{ "", "1m30s" },
		{ "-1s", "no sign" },
		{ "+1s", "no sign" },
		{ " 1s", "no blanks" },
		{ "1s\t", "no blanks" },
		{ "s", "1.5s" },
		{ ".5s", "not a number" },
		{ "1 s", "no blanks" },
		{ "1s ", "no blanks" },
		{ "1m 30s", "no blanks in a duration (use" },
		{ "1sec", "'sec'" },
		{ "1S", "'S'" },
		{ "1M", "'M'" },
		{ "1w", "ns, us, ms, s, m, h or d" },
		{ "1m30", "without a unit" },
		{ "1..5s", "'.5s' after '1.'" },
		{ "1.s", "digit after the point" },
		{ "1.5.5s", "'.5s' after '1.5'" },
		{ "1s1.5.5s", "'.5s' after '1.5'" },
		{ "0.5ns", "finer than a nanosecond" },
		{ "1.0000000001s", "finer than a nanosecond" },
		{ "1,5s", "a comma (use a point" },
		{ "0x10", "" },
		{ "1e3s", "" },
		{ "9223372036854775808ns", "too long" },
		{ "106752d", "106751d" },
		{ "9223372036.854775808s", "too long" },
		{ "99999999999999999999999s", "too long" },
		{ "106751d106751d", "too long" },
		{ "9223372036854775807ns1ns", "too long" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		nsec duration;

		check_complaint(&rows[i],
				units_parse_duration(rows[i].text, &duration, &why),
				&why);
	}
}
END_TEST

START_TEST(pair_is_one_duration_or_two)
{
	struct complaint why;
	nsec first = 0, second = 7;

	ck_assert_int_eq(units_parse_pair("1m", '+', "1m+5s", &first, &second, &why), 0);
	ck_assert_int_eq(first, 60 * S);
	ck_assert_int_eq(second, 7);
	ck_assert_int_eq(units_parse_pair("2+1m5s", '+', "1m+5s", &first, &second, &why),
			 0);
	ck_assert_int_eq(first, 2 * NSEC_PER_MS);
	ck_assert_int_eq(second, 65 * S);
	ck_assert_int_eq(units_parse_pair("0,0", ',', "1s,1m", &first, &second, &why), 0);
	ck_assert_int_eq(first, 0);
	ck_assert_int_eq(second, 0);
}
END_TEST

START_TEST(wrong_pair_is_refused)
{
	static const struct refusal rows[] = {
		{ "", "empty" },
		{ "1m+", "nothing behind '+' (use 1m+5s)" },
		{ "+1m", "nothing before '+' (use 1m+5s)" },
		{ "+", "nothing before '+'" },
		{ "1x+1s", "unknown unit 'x'" },
		{ "1s+1x", "unknown unit 'x'" },
		{ "1s+-1s", "no sign" },
		{ "1s++1s", "no sign" },
		{ "1s,1s", "unknown unit 's,'" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		nsec first, second;

		check_complaint(&rows[i],
				units_parse_pair(rows[i].text, '+', "1m+5s", &first,
						 &second, &why),
				&why);
	}
}
END_TEST

START_TEST(size_has_units_of_1024_and_1000)
{
	static const struct {
		const char *text;
		uint64_t size;
	} rows[] = {
		{ "0", 0 },
		{ "500", 500 },
		{ "1K", 1024 },
		{ "1KiB", 1024 },
		{ "1KB", 1000 },
		{ "3M", 3 << 20 },
		{ "3MiB", 3 << 20 },
		{ "3MB", 3000000 },
		{ "2G", UINT64_C(2) << 30 },
		{ "2GiB", UINT64_C(2) << 30 },
		{ "2GB", UINT64_C(2000000000) },
		{ "2T", UINT64_C(2) << 40 },
		{ "2TiB", UINT64_C(2) << 40 },
		{ "2TB", UINT64_C(2000000000000) },
		{ "18446744073709551615", UINT64_MAX },
		{ "16777215T", UINT64_C(16777215) << 40 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why;
		uint64_t size = 1;

		ck_assert_msg(units_parse_size(rows[i].text, &size, &why) == 0, "'%s'",
			      rows[i].text);
		ck_assert_msg(size == rows[i].size, "'%s': %" PRIu64, rows[i].text, size);
	}
}
END_TEST

START_TEST(wrong_size_is_refused)
{
	static const struct refusal rows[] = {
		{ "", "64K" },
		{ "-1", "no sign" },
		{ "K", "not a number" },
		{ "1 K", "no blanks in a size" },
		{ " 1K", "no blanks in a size" },
		{ "1k", "use K, M, G, T" },
		{ "1kB", "'kB'" },
		{ "1B", "'B'" },
		{ "1KK", "'KK'" },
		{ "1.5K", "a size has no fraction (use a smaller unit" },
		{ "1,5K", "a size has no fraction" },
		{ "18446744073709551616", "too large" },
		{ "16777216T", "too large" },
		{ "18446744073709552KB", "too large" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		uint64_t size;

		check_complaint(&rows[i], units_parse_size(rows[i].text, &size, &why),
				&why);
	}
}
END_TEST

START_TEST(count_is_a_whole_number_of_at_least)
{
	struct complaint why;
	uint64_t count;

	ck_assert_int_eq(units_parse_count("0", 0, &count, &why), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(units_parse_count("0012", 1, &count, &why), 0);
	ck_assert_uint_eq(count, 12);
	ck_assert_int_eq(units_parse_count("3", 3, &count, &why), 0);
	ck_assert_int_eq(units_parse_count("18446744073709551615", 1, &count, &why), 0);
	ck_assert_uint_eq(count, UINT64_MAX);
}
END_TEST

START_TEST(wrong_count_is_refused)
{
	static const struct refusal rows[] = {
		{ "", "whole number" },
		{ "-1", "no sign" },
		{ "+5", "no sign" },
		{ " 5", "whole number" },
		{ "5 ", "whole number" },
		{ "5.0", "whole number" },
		{ "1K", "'K' after '1'" },
		{ "2", "least is 3" },
		{ "0", "least is 3" },
		{ "18446744073709551616", "18446744073709551615" },
		{ "99999999999999999999999999", "too large" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		uint64_t count;

		check_complaint(&rows[i],
				units_parse_count(rows[i].text, 3, &count, &why), &why);
	}
}
END_TEST

START_TEST(char_is_one_byte_or_an_escape)
{
	static const struct {
		const char *text;
		char byte;
	} rows[] = {
		{ ";", ';' },      { " ", ' ' },        { "\xff", '\xff' },
		{ "x", 'x' },      { "\\n", '\n' },     { "\\t", '\t' },
		{ "\\r", '\r' },   { "\\0", '\0' },     { "\\\\", '\\' },
		{ "\\x00", '\0' }, { "\\x7f", '\x7f' }, { "\\xFf", '\xff' },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why;
		char byte = '?';

		ck_assert_msg(units_parse_char(rows[i].text, &byte, &why) == 0, "'%s'",
			      rows[i].text);
		ck_assert_msg(byte == rows[i].byte, "'%s': %d", rows[i].text, byte);
	}
}
END_TEST

START_TEST(wrong_char_is_refused)
{
	static const struct refusal rows[] = {
		{ "", "one byte" },       { "ab", "one byte" },
		{ "\\na", "one byte" },   { "\xc3\xa4", "one byte" },
		{ "abcdef", "one byte" }, { "\\", "a backslash at the end (use \\\\" },
		{ "\\q", "'\\q'" },       { "\\x", "'\\x' needs two" },
		{ "\\x4", "\\xHH" },      { "\\x4g", "'\\x' needs two" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		char byte;

		check_complaint(&rows[i], units_parse_char(rows[i].text, &byte, &why),
				&why);
	}
}
END_TEST

START_TEST(unescaping_is_in_place)
{
	char text[] = "a\\tb\\\\n\\x41\\0z";
	struct complaint why;

	ck_assert_int_eq(units_unescape(text, sizeof text - 1, &why), 8);
	ck_assert_mem_eq(text, "a\tb\\nA\0z", 8);
	ck_assert_int_eq(units_unescape(text, 0, &why), 0);
	memcpy(text, "ab\\q", 4);
	ck_assert_int_eq(units_unescape(text, 4, &why), -1);
	memcpy(text, "ab\\", 3);
	ck_assert_int_eq(units_unescape(text, 3, &why), -1);
}
END_TEST

START_TEST(duration_is_printed_in_its_largest_units)
{
	static const struct {
		nsec duration;
		const char *text;
	} rows[] = {
		{ 0, "0" },          { 1, "1ns" },
		{ S, "1s" },         { 90 * S, "1m30s" },
		{ 86400 * S, "1d" }, { 1500 * NSEC_PER_MS, "1s500ms" },
		{ 60 * S, "1m" },    { NSEC_MAX, "106751d23h47m16s854ms775us807ns" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[UNITS_TEXT_MAX];
		size_t size = units_print_duration(text, rows[i].duration);

		ck_assert_str_eq(text, rows[i].text);
		ck_assert_uint_eq(size, strlen(text));
	}
}
END_TEST

START_TEST(size_is_printed_in_its_largest_unit)
{
	static const struct {
		uint64_t size;
		const char *text;
	} rows[] = {
		{ 0, "0" },
		{ 1, "1" },
		{ 1023, "1023" },
		{ 1024, "1K" },
		{ 1536, "1536" },
		{ 5 << 20, "5M" },
		{ UINT64_C(3) << 30, "3G" },
		{ UINT64_C(2048) << 40, "2048T" },
		{ UINT64_MAX, "18446744073709551615" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[UNITS_TEXT_MAX];
		size_t size = units_print_size(text, rows[i].size);

		ck_assert_str_eq(text, rows[i].text);
		ck_assert_uint_eq(size, strlen(text));
	}
}
END_TEST

/* Of any magnitude. */
static uint64_t
roll_number(struct dice *dice)
{
	uint64_t number = dice_roll(dice) << 16 ^ dice_roll(dice);

	number >>= dice_below(dice, 64);
	return dice_hits(dice, 2) ? number : number / 1000 * 1000;
}

START_TEST(printed_values_parse_back_to_the_same)
{
	struct dice dice = dice_of(3);

	for (size_t i = 0; i < 20000; i++) {
		uint64_t number = roll_number(&dice), size;
		nsec time = (nsec)(number >> 1), parsed;
		char text[UNITS_TEXT_MAX];
		struct complaint why;

		units_print_duration(text, time);
		ck_assert_int_eq(units_parse_duration(text, &parsed, &why), 0);
		ck_assert_int_eq(parsed, time);
		units_print_size(text, number);
		ck_assert_int_eq(units_parse_size(text, &size, &why), 0);
		ck_assert_uint_eq(size, number);
		time = number & 1 ? -time : time;
		units_print_time(text, time, TIME_S);
		ck_assert_int_eq(units_parse_time(text, strlen(text), TIME_S, &parsed),
				 0);
		ck_assert_int_eq(parsed, time);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("units", duration_has_units, wrong_duration_is_refused,
			pair_is_one_duration_or_two, wrong_pair_is_refused,
			size_has_units_of_1024_and_1000, wrong_size_is_refused,
			count_is_a_whole_number_of_at_least, wrong_count_is_refused,
			char_is_one_byte_or_an_escape, wrong_char_is_refused,
			unescaping_is_in_place, duration_is_printed_in_its_largest_units,
			size_is_printed_in_its_largest_unit,
			printed_values_parse_back_to_the_same);
}
