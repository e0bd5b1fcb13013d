#include <config.h>

#include "pattern.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static struct pattern *
new_pattern(const char *text)
{
	struct complaint why = { "" };
	struct pattern *pattern = pattern_new(text, &why);

	ck_assert_msg(pattern != NULL, "'%s': %s", text, why.text);
	return pattern;
}

START_TEST(pattern_matches_anywhere)
{
	struct pattern *pattern = new_pattern("b+");

	ck_assert(pattern_matches(pattern, slice_of("abbc")));
	ck_assert(pattern_matches(pattern, slice_of("b")));
	ck_assert(!pattern_matches(pattern, slice_of("ac")));
	ck_assert(!pattern_matches(pattern, slice_of("")));
	ck_assert(!pattern_matches(pattern, (struct slice){ NULL, 0 }));
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	pattern_free(pattern);
}
END_TEST

START_TEST(subject_is_bytes)
{
	struct pattern *pattern = new_pattern("^a.b$");

	ck_assert(pattern_matches(pattern, (struct slice){ "a\0b", 3 }));
	ck_assert(pattern_matches(pattern, (struct slice){ "a\xff"
							   "b",
							   3 }));
	ck_assert(!pattern_matches(pattern, slice_of("a\xc3\xa4"
						     "b")));
	pattern_free(pattern);
	pattern = new_pattern("^\\xff$");
	ck_assert(pattern_matches(pattern, slice_of("\xff")));
	ck_assert(!pattern_matches(pattern, slice_of("\xc3\xbf")));
	pattern_free(pattern);
}
END_TEST

START_TEST(empty_pattern_matches_everything)
{
	struct pattern *pattern = new_pattern("");
	struct slice found = { NULL, 9 };

	ck_assert(pattern_matches(pattern, slice_of("")));
	ck_assert(pattern_matches(pattern, slice_of("x")));
	ck_assert(pattern_find(pattern, slice_of("x"), &found));
	ck_assert_uint_eq(found.size, 0);
	pattern_free(pattern);
}
END_TEST

static void
check_find(const char *text, const char *subject, const char *wanted)
{
	struct pattern *pattern = new_pattern(text);
	struct slice found = { NULL, 0 };
	bool good = pattern_find(pattern, slice_of(subject), &found);

	ck_assert_msg(good == (wanted != NULL), "'%s' in '%s'", text, subject);
	if (good)
		ck_assert_msg(found.size == strlen(wanted) &&
				      memcmp(found.data, wanted, found.size) == 0,
			      "'%s' in '%s': '%.*s'", text, subject, (int)found.size,
			      found.data);
	pattern_free(pattern);
}

START_TEST(find_takes_the_first_group_or_all)
{
	check_find("[0-9]+", "a12b3", "12");
	check_find("a([0-9])([0-9])", "a12", "1");
	check_find("(?:a)([0-9])", "a1", "1");
	check_find("(?<name>b)", "abc", "b");
	check_find("x(y)?z", "xyz", "y");
	check_find("x(y)?z", "xz", NULL);
	check_find("(a)|(b)", "b", NULL);
	check_find("(a)|(b)", "a", "a");
	check_find("(x*)y", "y", "");
	check_find("q", "abc", NULL);
}
END_TEST

START_TEST(steps_at_all_places_are_counted)
{
	static const char *const texts[] = { "x.*[bc]", "x(?=.*[bc])", "(?<=x)[^ ]*[bc]",
					     "(?<=x)x.*x.*[bc]", "(*NO_JIT)x.*[bc]" };
	size_t size = 100000;
	char *subject = malloc(size);

	ck_assert(subject != NULL);
	memset(subject, 'x', size);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct pattern *pattern = new_pattern(texts[i]);

		ck_assert_msg(
			!pattern_matches(pattern, (struct slice){ subject, size }) &&
				pattern_given_up(pattern) == 1,
			"'%s'", texts[i]);
		subject[size - 1] = 'b';
		ck_assert_msg(pattern_matches(pattern, (struct slice){ subject, size }),
			      "'%s'", texts[i]);
		subject[size - 1] = 'x';
		pattern_free(pattern);
	}
	free(subject);
}
END_TEST

START_TEST(long_subject_that_is_easy_is_not_given_up)
{
	struct pattern *pattern = new_pattern("([a-z]+)@([a-z]+)|end$");
	size_t size = 4000000;
	char *subject = malloc(size);
	struct slice found;

	ck_assert(subject != NULL);
	for (size_t i = 0; i < size; i++)
		subject[i] = "some words, then a few more. "[i % 29];
	ck_assert(!pattern_matches(pattern, (struct slice){ subject, size }));
	memcpy(subject + size - 8, " ab@cd..", 8);
	ck_assert(pattern_find(pattern, (struct slice){ subject, size }, &found));
	ck_assert_uint_eq(found.size, 2);
	ck_assert_ptr_eq(found.data, subject + size - 7);
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	free(subject);
	pattern_free(pattern);
}
END_TEST

/* What PCRE2 finds fast, since it does not go back where that is useless. */
START_TEST(word_of_5000_letters_is_not_given_up)
{
	struct pattern *pattern = new_pattern("\\w+@\\w+");
	char subject[5009];
	struct slice found;

	memset(subject, 'x', 5001);
	memcpy(subject + 5000, " me@home", 9);
	ck_assert(pattern_find(pattern, slice_of(subject), &found));
	ck_assert_uint_eq(found.size, 7);
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	pattern_free(pattern);
}
END_TEST

START_TEST(list_of_a_thousand_words_is_not_too_large)
{
	struct buf text = { 0 };
	struct pattern *pattern;
	char word[16], subject[2000];

	for (int i = 0; i < 1000; i++) {
		snprintf(word, sizeof word, "%sw%07d", i > 0 ? "|" : "", i * 7919);
		ck_assert_int_eq(buf_append(&text, slice_of(word)), 0);
	}
	ck_assert_int_eq(buf_append_byte(&text, '\0'), 0);
	pattern = new_pattern(text.data);
	buf_release(&text);
	memset(subject, ' ', sizeof subject);
	ck_assert(!pattern_matches(pattern, (struct slice){ subject, sizeof subject }));
	memcpy(subject + 1900, "w0791900", 8);
	ck_assert(pattern_matches(pattern, (struct slice){ subject, sizeof subject }));
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	pattern_free(pattern);
}
END_TEST

START_TEST(what_is_no_character_does_not_match_characters)
{
	struct pattern *pattern = new_pattern("(*UTF)^.$");

	ck_assert(pattern_matches(pattern, slice_of("\xc3\xa4")));
	ck_assert(!pattern_matches(pattern, slice_of("\xff")));
	pattern_free(pattern);
	pattern = new_pattern("(*UTF)b.c");
	ck_assert(pattern_matches(pattern, slice_of("\xff"
						    "b\xc3\xa4"
						    "c\xff")));
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	pattern_free(pattern);
}
END_TEST

START_TEST(match_that_takes_too_long_is_given_up_and_counted)
{
	struct pattern *pattern = new_pattern("^(a+)+$");
	struct slice found;
	char subject[64];

	memset(subject, 'a', sizeof subject);
	ck_assert(pattern_matches(pattern, (struct slice){ subject, sizeof subject }));
	ck_assert_uint_eq(pattern_given_up(pattern), 0);
	subject[sizeof subject - 1] = 'b';
	ck_assert(!pattern_matches(pattern, (struct slice){ subject, sizeof subject }));
	ck_assert_uint_eq(pattern_given_up(pattern), 1);
	ck_assert(!pattern_find(pattern, (struct slice){ subject, sizeof subject },
				&found));
	ck_assert_uint_eq(pattern_given_up(pattern), 2);
	/* It goes on with the next. */
	ck_assert(pattern_matches(pattern, slice_of("aaa")));
	ck_assert_uint_eq(pattern_given_up(pattern), 2);
	pattern_free(pattern);
}
END_TEST

START_TEST(wrong_expression_is_refused_with_its_place)
{
	static const struct {
		const char *text;
		const char *hint;
	} rows[] = {
		{ "(", "at character 2" },      { "a)", "at character 2" },
		{ "[a", "at character 3" },     { "*", "at character 1" },
		{ "a{2,1}", "at character 6" }, { "\\", "at character 2" },
		{ "(?<n", "character" },        { "(?P<1>a)", "character" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };

		ck_assert_msg(!pattern_new(rows[i].text, &why), "'%s'", rows[i].text);
		ck_assert_msg(strstr(why.text, rows[i].hint) &&
				      strstr(why.text, "Perl-compatible"),
			      "'%s': '%s' without '%s'", rows[i].text, why.text,
			      rows[i].hint);
	}
	pattern_free(NULL);
}
END_TEST

START_TEST(place_is_counted_from_the_beginning_of_a_prefix)
{
	struct complaint why = { "" };
	struct pattern *pattern = pattern_new_behind("re:b", 3, &why);

	ck_assert_ptr_nonnull(pattern);
	ck_assert(pattern_matches(pattern, slice_of("abc")));
	pattern_free(pattern);
	ck_assert_ptr_null(pattern_new_behind("re:a(", 3, &why));
	ck_assert_ptr_nonnull(strstr(why.text, "at character 6"));
}
END_TEST

int
main(void)
{
	return UNIT_RUN("pattern", pattern_matches_anywhere, subject_is_bytes,
			empty_pattern_matches_everything,
			find_takes_the_first_group_or_all,
			steps_at_all_places_are_counted,
			long_subject_that_is_easy_is_not_given_up,
			word_of_5000_letters_is_not_given_up,
			list_of_a_thousand_words_is_not_too_large,
			what_is_no_character_does_not_match_characters,
			match_that_takes_too_long_is_given_up_and_counted,
			wrong_expression_is_refused_with_its_place,
			place_is_counted_from_the_beginning_of_a_prefix);
}
