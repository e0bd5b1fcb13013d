#include <config.h>

#include "field.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}
#define NONE NULL

/* A record, and what a key finds in it; NONE for nothing. */
struct row {
	const char *key;
	struct slice record;
	const char *value;
};

static struct field *
new_field(const char *key, struct slice separator)
{
	struct complaint why = { "" };
	struct field *field = field_new(key, separator, &why);

	ck_assert_msg(field != NULL, "'%s': %s", key, why.text);
	return field;
}

static void
check_row(const struct row *row, struct slice separator)
{
	struct field *field = new_field(row->key, separator);
	struct slice value = { NULL, 0 };
	bool found = field_find(field, row->record, &value);

	ck_assert_msg(found == (row->value != NONE), "%s of '%.*s': %d", row->key,
		      (int)row->record.size, row->record.data, found);
	if (found)
		ck_assert_msg(value.size == strlen(row->value) &&
				      (value.size == 0 ||
				       memcmp(value.data, row->value, value.size) == 0),
			      "%s of '%.*s': '%.*s', not '%s'", row->key,
			      (int)row->record.size, row->record.data, (int)value.size,
			      value.data ? value.data : "", row->value);
	field_free(field);
}

static void
check_rows(const struct row *rows, size_t count, const char *separator)
{
	for (size_t i = 0; i < count; i++)
		check_row(&rows[i], slice_of(separator));
}

START_TEST(fields_stand_between_blanks)
{
	static const struct row rows[] = {
		{ "1", TEXT("a b c"), "a" },
		{ "3", TEXT("a b c"), "c" },
		{ "4", TEXT("a b c"), NONE },
		{ "1", TEXT("  a\t\tb"), "a" },
		{ "2", TEXT("  a\t \tb  "), "b" },
		{ "3", TEXT("  a\t \tb  "), NONE },
		{ "1", TEXT(""), NONE },
		{ "1", TEXT(" \t "), NONE },
		{ "2", TEXT("a\rb\vc d"), "d" },
		{ "01", TEXT("a b"), "a" },
		{ "18446744073709551615", TEXT("a b"), NONE },
		{ "1", TEXT("a,b"), "a,b" },
		{ "1", TEXT("\xff\xfe x"), "\xff\xfe" },
	};

	check_rows(rows, LENGTH(rows), "");
}
END_TEST

START_TEST(fields_may_hold_nuls)
{
	struct field *field = new_field("2", (struct slice)TEXT("\0"));
	struct slice value;

	ck_assert(field_find(field, (struct slice)TEXT("a\0b c\0d"), &value));
	ck_assert_uint_eq(value.size, 3);
	ck_assert_mem_eq(value.data, "b c", 3);
	field_free(field);
	field = new_field("1", slice_of(""));
	ck_assert(field_find(field, (struct slice)TEXT("a\0b c"), &value));
	ck_assert_uint_eq(value.size, 3);
	field_free(field);
}
END_TEST

START_TEST(fields_stand_between_separators)
{
	static const struct row commas[] = {
		{ "1", TEXT("a,b,c"), "a" },  { "3", TEXT("a,b,c"), "c" },
		{ "4", TEXT("a,b,c"), NONE }, { "2", TEXT("a,,c"), "" },
		{ "1", TEXT(",b"), "" },      { "3", TEXT("a,b,"), "" },
		{ "4", TEXT("a,b,"), NONE },  { "1", TEXT(""), "" },
		{ "2", TEXT(""), NONE },      { "2", TEXT("a, b ,c"), " b " },
	};
	static const struct row colons[] = {
		{ "1", TEXT("a::b::c"), "a" },     { "2", TEXT("a::b::c"), "b" },
		{ "2", TEXT("a:b::c"), "c" },      { "1", TEXT("a:b::c"), "a:b" },
		{ "2", TEXT("a:::b"), ":b" },      { "2", TEXT("a::::b"), "" },
		{ "3", TEXT("a::::b"), "b" },      { "1", TEXT(":"), ":" },
		{ "2", TEXT("a:"), NONE },         { "2", TEXT("a::"), "" },
		{ "2", TEXT("::"), "" },           { "3", TEXT("::"), NONE },
		{ "1", TEXT("a:b:c:"), "a:b:c:" },
	};
	static const struct row repeated[] = {
		{ "1", TEXT("aab"), "" },    { "2", TEXT("aab"), "b" },
		{ "2", TEXT("abaab"), "b" }, { "1", TEXT("abaab"), "ab" },
		{ "1", TEXT("a"), "a" },
	};

	check_rows(commas, LENGTH(commas), ",");
	check_rows(colons, LENGTH(colons), "::");
	check_rows(repeated, LENGTH(repeated), "aa");
}
END_TEST

START_TEST(regex_finds_its_first_group_or_all)
{
	static const struct row rows[] = {
		{ "re:[0-9]+", TEXT("ab 12 34"), "12" },
		{ "re:([a-z])=([0-9])", TEXT("x=1"), "x" },
		{ "re:id=(\\w+)", TEXT("a id=b7 c"), "b7" },
		{ "re:id=(\\w*)", TEXT("id="), "" },
		{ "re:x", TEXT("abc"), NONE },
		{ "re:", TEXT("abc"), "" },
		{ "re:(?:a|b)c", TEXT("xbc"), "bc" },
		{ "re:a(b)?", TEXT("ac"), NONE },
		{ "re:(a)|b", TEXT("b"), NONE },
		{ "re:^$", TEXT(""), "" },
	};

	check_rows(rows, LENGTH(rows), "");
}
END_TEST

START_TEST(pointer_leads_to_a_json_value)
{
	static const struct row rows[] = {
		{ "json:/a", TEXT("{\"a\":\"x\"}"), "x" },
		{ "json:/a/b", TEXT("{\"a\":{\"b\":\"x\"}}"), "x" },
		{ "json:/a/1", TEXT("{\"a\":[1,2,3]}"), "2" },
		{ "json:/0", TEXT("[\"x\"]"), "x" },
		{ "json:/00", TEXT("[\"x\"]"), NONE },
		{ "json:/1", TEXT("[\"x\"]"), NONE },
		{ "json:/-", TEXT("[\"x\"]"), NONE },
		{ "json:/-1", TEXT("[\"x\"]"), NONE },
		{ "json:/99999999999999999999", TEXT("[\"x\"]"), NONE },
		{ "json:/18446744073709551615", TEXT("[\"x\"]"), NONE },
		{ "json:/0", TEXT("{\"0\":\"x\"}"), "x" },
		{ "json:/b", TEXT("{\"a\":1}"), NONE },
		{ "json:/a/b", TEXT("{\"a\":1}"), NONE },
		{ "json:", TEXT("\"x\""), "x" },
		{ "json:", TEXT("5"), "5" },
		{ "json:", TEXT("[1, {\"a\": null}]"), "[1,{\"a\":null}]" },
		{ "json:/", TEXT("{\"\":\"x\"}"), "x" },
		{ "json://", TEXT("{\"\":{\"\":\"x\"}}"), "x" },
		{ "json:/a~1b", TEXT("{\"a/b\":\"x\"}"), "x" },
		{ "json:/a~0b", TEXT("{\"a~b\":\"x\"}"), "x" },
		{ "json:/~01", TEXT("{\"~1\":\"x\"}"), "x" },
		{ "json:/a~0~1/b", TEXT("{\"a~/\":{\"b\":\"x\"}}"), "x" },
		{ "json:/a", TEXT("{\"a\":12}"), "12" },
		{ "json:/a", TEXT("{\"a\":1.5}"), "1.5" },
		{ "json:/a", TEXT("{\"a\":18446744073709551615}"),
		  "18446744073709551615" },
		{ "json:/a", TEXT("{\"a\":1,\"b\":1e999}"), "1" },
		{ "json:/a", TEXT("{\"a\":1700000000.123456789}"),
		  "1700000000.123456789" },
		{ "json:/a", TEXT("{\"a\":true}"), "true" },
		{ "json:/a", TEXT("{\"a\":null}"), "null" },
		{ "json:/a", TEXT("{\"a\":[1, 2]}"), "[1,2]" },
		{ "json:/a", TEXT("{\"a\":\"\"}"), "" },
		{ "json:/a", TEXT("{\"a\":\"\\u00e4\\n\"}"), "\xc3\xa4\n" },
		{ "json:/\xc3\xa4", TEXT("{\"\xc3\xa4\":\"x\"}"), "x" },
	};

	check_rows(rows, LENGTH(rows), "");
}
END_TEST

START_TEST(record_that_is_not_json_has_no_value)
{
	static const char *const records[] = { "",         "{",
					       "{\"a\":1", "a",
					       "{'a':1}",  "{\"a\":1} x",
					       "{\"a\":}", "[1,]",
					       "\xff",     "{\"a\":\"\xff\"}" };

	for (size_t i = 0; i < LENGTH(records); i++)
		check_row(&(struct row){ "json:/a", slice_of(records[i]), NONE },
			  slice_of(""));
	check_row(&(struct row){ "json:", { NULL, 0 }, NONE }, slice_of(""));
}
END_TEST

START_TEST(string_with_a_nul_is_found_whole)
{
	struct field *field = new_field("json:/a", slice_of(""));
	struct slice value;

	ck_assert(field_find(field, slice_of("{\"a\":\"x\\u0000y\"}"), &value));
	ck_assert_uint_eq(value.size, 3);
	ck_assert_mem_eq(value.data, "x\0y", 3);
	field_free(field);
}
END_TEST

START_TEST(field_is_looked_up_again_and_again)
{
	struct field *field = new_field("json:/a", slice_of(""));
	struct slice value;

	ck_assert(field_find(field, slice_of("{\"a\":\"long enough\"}"), &value));
	ck_assert(!field_find(field, slice_of("{\"b\":1}"), &value));
	ck_assert(field_find(field, slice_of("{\"a\":7}"), &value));
	ck_assert_uint_eq(value.size, 1);
	ck_assert_int_eq(value.data[0], '7');
	field_free(field);
}
END_TEST

START_TEST(wrong_key_is_refused)
{
	static const struct {
		const char *key;
		const char *hint;
	} rows[] = {
		{ "", "a field's number from 1" },
		{ "0", "a field's number from 1" },
		{ "-1", "a field's number from 1" },
		{ "a", "re:REGEX" },
		{ "1x", "json:/POINTER" },
		{ "18446744073709551616", "a field's number from 1" },
		{ "re:(", "at character 5" },
		{ "re:[a", "at character 6" },
		{ "json:a", "begins with '/'" },
		{ "json:/a~", "~0" },
		{ "json:/a~2", "~0" },
		{ "json:/~x/b", "~1" },
		{ "json:/b/~~0", "~0" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };

		ck_assert_msg(!field_new(rows[i].key, slice_of(""), &why), "'%s'",
			      rows[i].key);
		ck_assert_msg(strstr(why.text, rows[i].hint) != NULL,
			      "'%s': '%s' without '%s'", rows[i].key, why.text,
			      rows[i].hint);
	}
	field_free(NULL);
}
END_TEST

START_TEST(field_that_is_numbered_has_its_number)
{
	static const struct {
		const char *key;
		uint64_t index;
	} rows[] = { { "1", 1 }, { "042", 42 }, { "re:1", 0 }, { "json:/1", 0 } };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		struct field *field = field_new(rows[i].key, slice_of(""), &why);

		ck_assert_ptr_nonnull(field);
		ck_assert_uint_eq(field_index(field), rows[i].index);
		field_free(field);
	}
}
END_TEST

START_TEST(number_is_decimal)
{
	static const struct {
		const char *record;
		double number;
	} rows[] = {
		{ "0", 0 },
		{ "12", 12 },
		{ "-12", -12 },
		{ "+3", 3 },
		{ "1.5", 1.5 },
		{ ".5", .5 },
		{ "5.", 5 },
		{ "1e3", 1000 },
		{ "1E-2", 0.01 },
		{ "-0", 0 },
		{ "007", 7 },
		{ "1e-400", 0 },
		{ "9007199254740993", 9007199254740992.0 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct field *field = new_field("1", slice_of(""));
		double number;

		ck_assert_msg(field_number(field, slice_of(rows[i].record), &number),
			      "'%s'", rows[i].record);
		ck_assert_msg(!(number < rows[i].number) && !(number > rows[i].number),
			      "'%s': %g", rows[i].record, number);
		field_free(field);
	}
}
END_TEST

START_TEST(what_is_not_a_number_is_none)
{
	static const char *const records[] = {
		"",
		"x",
		"nan",
		"inf",
		"-inf",
		"0x10",
		"1x",
		"1,5",
		"--1",
		"1e999",
		"-1e999",
		"infinity",
		"e5",
		".",
		"+",
		"1e",
		"1.5.5",
		"0000000000000000000000000000000000000000000000000000000000000000000000001",
	};

	for (size_t i = 0; i < LENGTH(records); i++) {
		struct field *field = new_field("1", slice_of(""));
		double number;

		ck_assert_msg(!field_number(field, slice_of(records[i]), &number), "'%s'",
			      records[i]);
		field_free(field);
	}
}
END_TEST

START_TEST(number_can_stand_in_json)
{
	struct field *field = new_field("json:/a", slice_of(""));
	double number;

	ck_assert(field_number(field, slice_of("{\"a\":2.5}"), &number));
	ck_assert(number > 2.4 && number < 2.6);
	ck_assert(field_number(field, slice_of("{\"a\":\"3\"}"), &number));
	ck_assert(number > 2.9 && number < 3.1);
	ck_assert(!field_number(field, slice_of("{\"a\":true}"), &number));
	ck_assert(!field_number(field, slice_of("{\"a\":[3]}"), &number));
	field_free(field);
}
END_TEST

START_TEST(look_ups_that_are_given_up_are_counted)
{
	struct field *field = new_field("re:^(a+)+$", slice_of(""));
	struct slice value;
	char record[64];

	memset(record, 'a', sizeof record);
	record[sizeof record - 1] = 'b';
	ck_assert_uint_eq(field_given_up(field), 0);
	ck_assert(!field_find(field, (struct slice){ record, sizeof record }, &value));
	ck_assert_uint_eq(field_given_up(field), 1);
	field_free(field);
	field = new_field("1", slice_of(""));
	ck_assert_uint_eq(field_given_up(field), 0);
	field_free(field);
}
END_TEST

int
main(void)
{
	return UNIT_RUN(
		"field", fields_stand_between_blanks, fields_may_hold_nuls,
		fields_stand_between_separators, regex_finds_its_first_group_or_all,
		pointer_leads_to_a_json_value, record_that_is_not_json_has_no_value,
		string_with_a_nul_is_found_whole, field_is_looked_up_again_and_again,
		wrong_key_is_refused, field_that_is_numbered_has_its_number,
		number_is_decimal, what_is_not_a_number_is_none, number_can_stand_in_json,
		look_ups_that_are_given_up_are_counted);
}
