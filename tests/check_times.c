#include <config.h>

#include "units.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"

#define S NSEC_PER_S

START_TEST(time_is_a_number_of_its_unit)
{
	static const struct {
		const char *text;
		enum time_format format;
		nsec time;
	} rows[] = {
		{ "0", TIME_MS, 0 },
		{ "12", TIME_MS, 12000000 },
		{ "-12", TIME_MS, -12000000 },
		{ "12", TIME_S, 12 * S },
		{ "12", TIME_US, 12000 },
		{ "12", TIME_NS, 12 },
		{ "1.5", TIME_S, 3 * S / 2 },
		{ "-1.5", TIME_S, -3 * S / 2 },
		{ "-0.5", TIME_S, -S / 2 },
		{ "1.000000001", TIME_S, S + 1 },
		{ "1.5000000000000", TIME_S, 3 * S / 2 },
		{ "0007", TIME_NS, 7 },
		{ "9223372036854775807", TIME_NS, NSEC_MAX },
		{ "-9223372036854775807", TIME_NS, -NSEC_MAX },
		{ "9223372036854", TIME_MS, INT64_C(9223372036854) * NSEC_PER_MS },
		{ "9223372036.854775807", TIME_S, NSEC_MAX },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		nsec time = 1;

		ck_assert_msg(units_parse_time(rows[i].text, strlen(rows[i].text),
					       rows[i].format, &time) == 0,
			      "'%s'", rows[i].text);
		ck_assert_msg(time == rows[i].time, "'%s': %" PRId64, rows[i].text, time);
	}
}
END_TEST

START_TEST(wrong_time_is_refused)
{
	static const struct {
		const char *text;
		enum time_format format;
	} rows[] = {
		{ "", TIME_MS },
		{ "-", TIME_MS },
		{ "+1", TIME_MS },
		{ "--1", TIME_MS },
		{ " 1", TIME_MS },
		{ "1 ", TIME_MS },
		{ "1x", TIME_MS },
		{ "1.5", TIME_MS },
		{ "1.5", TIME_NS },
		{ ".5", TIME_S },
		{ "1.", TIME_S },
		{ "1.5.5", TIME_S },
		{ "1.x", TIME_S },
		{ "1.0000000001", TIME_S },
		{ "9223372036854775808", TIME_NS },
		{ "9223372036855", TIME_MS },
		{ "9223372036.854775808", TIME_S },
		{ "9223372037", TIME_S },
		{ "99999999999999999999999999", TIME_NS },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		nsec time;

		ck_assert_msg(units_parse_time(rows[i].text, strlen(rows[i].text),
					       rows[i].format, &time) == -1,
			      "'%s'", rows[i].text);
	}
}
END_TEST

START_TEST(time_ends_where_its_size_says)
{
	nsec time;

	ck_assert_int_eq(units_parse_time("123456", 3, TIME_NS, &time), 0);
	ck_assert_int_eq(time, 123);
	ck_assert_int_eq(units_parse_time("1\0002", 3, TIME_NS, &time), -1);
}
END_TEST

START_TEST(time_is_printed_in_its_unit)
{
	static const struct {
		nsec time;
		enum time_format format;
		const char *text;
	} rows[] = {
		{ 0, TIME_MS, "0" },
		{ 12999999, TIME_MS, "12" },
		{ -1, TIME_MS, "-1" },
		{ -12000000, TIME_MS, "-12" },
		{ -12000001, TIME_MS, "-13" },
		{ 1999, TIME_US, "1" },
		{ 7, TIME_NS, "7" },
		{ NSEC_MAX, TIME_NS, "9223372036854775807" },
		{ NSEC_MIN, TIME_NS, "-9223372036854775808" },
		{ 2 * S, TIME_S, "2" },
		{ -2 * S, TIME_S, "-2" },
		{ 3 * S / 2, TIME_S, "1.5" },
		{ -3 * S / 2, TIME_S, "-1.5" },
		{ -S / 2, TIME_S, "-0.5" },
		{ S + 1, TIME_S, "1.000000001" },
		{ NSEC_MAX, TIME_S, "9223372036.854775807" },
		{ NSEC_MIN, TIME_S, "-9223372036.854775808" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[UNITS_TEXT_MAX];
		size_t size = units_print_time(text, rows[i].time, rows[i].format);

		ck_assert_str_eq(text, rows[i].text);
		ck_assert_uint_eq(size, strlen(text));
	}
}
END_TEST

START_TEST(wall_time_is_local_with_its_offset)
{
	char text[UNITS_TEXT_MAX];

	unit_set_zone("UTC0");
	ck_assert_uint_eq(units_print_wall(text, 0), 29);
	ck_assert_str_eq(text, "1970-01-01T00:00:00.000+00:00");
	units_print_wall(text, 12345678999);
	ck_assert_str_eq(text, "1970-01-01T00:00:12.345+00:00");
	units_print_wall(text, -1);
	ck_assert_str_eq(text, "1969-12-31T23:59:59.999+00:00");
	units_print_wall(text, -S);
	ck_assert_str_eq(text, "1969-12-31T23:59:59.000+00:00");
	unit_set_zone("Europe/Berlin");
	units_print_wall(text, INT64_C(1720000000) * S);
	ck_assert_str_eq(text, "2024-07-03T11:46:40.000+02:00");
	unit_set_zone("America/St_Johns");
	units_print_wall(text, INT64_C(1720000000) * S);
	ck_assert_str_eq(text, "2024-07-03T07:16:40.000-02:30");
}
END_TEST

int
main(void)
{
	return UNIT_RUN("times", time_is_a_number_of_its_unit, wrong_time_is_refused,
			time_ends_where_its_size_says, time_is_printed_in_its_unit,
			wall_time_is_local_with_its_offset);
}
