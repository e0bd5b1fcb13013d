#include <config.h>

#include "jsonload.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* A text that ends with its memory, so that reading on is noticed. */
static json_t *
load(const char *text)
{
	json_error_t error = { .text = "" };
	size_t size = strlen(text);
	char *copy = malloc(size > 0 ? size : 1);
	json_t *value;

	ck_assert(copy != NULL);
	memcpy(copy, text, size);
	value = jsonload((struct slice){ copy, size }, &error);
	free(copy);
	ck_assert_msg(value || error.text[0] != '\0', "no error for '%s'", text);
	return value;
}

START_TEST(long_numbers_are_strings_of_the_same_characters)
{
	static const char *const numbers[] = {
		"18446744073709551615",
		"-9223372036854775809",
		"1700000000.123456789",
		"1234567890123456",
		"-12345678901234.5",
		"0.00001",
		"-0.0000123",
		"1e400",
		"-1.5E-999",
		"1e+308",
		"12345678901234567890123456789012345678901234567890.5e1000000000",
	};

	for (size_t i = 0; i < LENGTH(numbers); i++) {
		json_t *value = load(numbers[i]);

		ck_assert_msg(json_is_string(value) &&
				      strcmp(json_string_value(value), numbers[i]) == 0,
			      "%s", numbers[i]);
		json_decref(value);
	}
}
END_TEST

START_TEST(others_are_numbers)
{
	json_t *value =
		load("[0, -1, 123456789012345, 1.5, 1e5, 0.0001, 0.0000, 5e-99, -0]");

	ck_assert(json_is_array(value));
	for (size_t i = 0; i < json_array_size(value); i++)
		ck_assert_msg(json_is_number(json_array_get(value, i)), "%zu", i);
	ck_assert_int_eq(json_integer_value(json_array_get(value, 2)),
			 INT64_C(123456789012345));
	json_decref(value);
}
END_TEST

START_TEST(strings_and_names_are_left_alone)
{
	json_t *value = load("{\"\\\"12345678901234567890\":\"x\\\\\","
			     "\"b\": 12345678901234567890 ,"
			     "\"c\":[\"1e999\",1e999,\"\\\\\\\"1e999\"]}");
	const json_t *list = json_object_get(value, "c");

	ck_assert_str_eq(
		json_string_value(json_object_get(value, "\"12345678901234567890")),
		"x\\");
	ck_assert_str_eq(json_string_value(json_object_get(value, "b")),
			 "12345678901234567890");
	ck_assert_str_eq(json_string_value(json_array_get(list, 0)), "1e999");
	ck_assert_str_eq(json_string_value(json_array_get(list, 1)), "1e999");
	ck_assert_str_eq(json_string_value(json_array_get(list, 2)), "\\\"1e999");
	json_decref(value);
}
END_TEST

START_TEST(what_is_not_json_does_not_become_it)
{
	static const char *const texts[] = {
		"",
		"{12345678901234567890:1}",
		"{1e999 :1}",
		"{\"a\":{12345678901234567890\n\t :1}}",
		"012345678901234567890",
		"-",
		"--12345678901234567890",
		"+12345678901234567890",
		"12345678901234567890.",
		"12345678901234567890.5.5",
		"12345678901234567890e",
		"12345678901234567890e+",
		".12345678901234567890",
		"1234567890-1234567890",
		"12345678901234567890 12345678901234567890",
		"\"a\"12345678901234567890",
		"12345678901234567890\"a\"",
		"a12345678901234567890",
		"12345678901234567890a",
		"[12345678901234567890",
		"\"12345678901234567890",
		"\"12345678901234567890\\",
		"\"12345678901234567890\\\"",
	};

	for (size_t i = 0; i < LENGTH(texts); i++)
		ck_assert_msg(load(texts[i]) == NULL, "'%s'", texts[i]);
}
END_TEST

START_TEST(nul_ends_nothing)
{
	json_error_t error;

	ck_assert(!jsonload((struct slice){ "1\0", 2 }, &error));
	ck_assert(!jsonload((struct slice){ "12345678901234567890\0", 21 }, &error));
}
END_TEST

int
main(void)
{
	return UNIT_RUN("jsonload", long_numbers_are_strings_of_the_same_characters,
			others_are_numbers, strings_and_names_are_left_alone,
			what_is_not_json_does_not_become_it, nul_ends_nothing);
}
