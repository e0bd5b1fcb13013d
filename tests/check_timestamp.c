#include <config.h>

#include "timestamp.h"

#include <string.h>

#include "unit.h"

static const struct timestamp_source in_ms = { .form = { .unit = TIME_MS } };

/* One digit short of the longest time. */
#define ZEROS                                                             \
	"000000000000000000000000000000000000000000000000000000000000000" \
	"0000000000000000000000000000000000000000000000000000000000000000"

START_TEST(line_is_a_time_and_a_record)
{
	static const struct {
		const char *line;
		nsec time;
		const char *record; /* NULL: none */
	} rows[] = {
		{ "12 abc", 12 * NSEC_PER_MS, "abc" },
		{ "12\tabc", 12 * NSEC_PER_MS, "abc" },
		{ "12 \tabc ", 12 * NSEC_PER_MS, "\tabc " },
		{ "12  abc", 12 * NSEC_PER_MS, " abc" },
		{ "12 ", 12 * NSEC_PER_MS, "" },
		{ "12\t", 12 * NSEC_PER_MS, "" },
		{ "12", 12 * NSEC_PER_MS, NULL },
		{ "-12 abc", -12 * NSEC_PER_MS, "abc" },
		{ "0 13 abc", 0, "13 abc" },
		{ ZEROS "7 x", 7 * NSEC_PER_MS, "x" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct timestamped result;

		ck_assert_msg(timestamp_find(&in_ms, slice_of(rows[i].line), &result) ==
				      0,
			      "'%s'", rows[i].line);
		ck_assert_int_eq(result.time, rows[i].time);
		ck_assert_msg(result.has_record == (rows[i].record != NULL), "'%s'",
			      rows[i].line);
		if (!rows[i].record)
			continue;
		ck_assert_uint_eq(result.record.size, strlen(rows[i].record));
		ck_assert_mem_eq(result.record.data, rows[i].record, result.record.size);
	}
}
END_TEST

START_TEST(line_without_a_time_is_none)
{
	static const char *const lines[] = {
		"",        " ",       " 12 abc", "abc",        "12x abc",
		"12, abc", "-",       "+12 abc", "1.5 abc",    "- 12",
		"\t12",    "12\rabc", "12\vabc", ZEROS "07 x", "9223372036855 a",
	};

	for (size_t i = 0; i < LENGTH(lines); i++) {
		struct timestamped result;

		ck_assert_msg(timestamp_find(&in_ms, slice_of(lines[i]), &result) == -1,
			      "'%s'", lines[i]);
	}
}
END_TEST

START_TEST(format_says_what_the_number_is)
{
	struct timestamped result;

	ck_assert_int_eq(
		timestamp_find(&(struct timestamp_source){ .form = { .unit = TIME_S } },
			       slice_of("1.5 a"), &result),
		0);
	ck_assert_int_eq(result.time, 1500 * NSEC_PER_MS);
	ck_assert_int_eq(
		timestamp_find(&(struct timestamp_source){ .form = { .unit = TIME_US } },
			       slice_of("15 a"), &result),
		0);
	ck_assert_int_eq(result.time, 15 * NSEC_PER_US);
	ck_assert_int_eq(
		timestamp_find(&(struct timestamp_source){ .form = { .unit = TIME_NS } },
			       slice_of("15 a"), &result),
		0);
	ck_assert_int_eq(result.time, 15);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("timestamp", line_is_a_time_and_a_record,
			line_without_a_time_is_none, format_says_what_the_number_is);
}
