#include <config.h>

#include "template.h"

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
		{ "\\q", "\\xHH" },        { "x\\", "at the end" },
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

START_TEST(index_is_one_of_the_facts_or_not)
{
	static const struct {
		const char *text;
		bool has;
	} rows[] = {
		{ "{index}", true },    { "a{count}-{index}b", true },
		{ "", false },          { "index", false },
		{ "{{index}}", false }, { "{key}{pane}", false },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct complaint why = { "" };
		struct template *template = template_new(rows[i].text, &why);

		ck_assert_ptr_nonnull(template);
		ck_assert_msg(template_has_index(template) == rows[i].has, "'%s'",
			      rows[i].text);
		template_free(template);
	}
}
END_TEST

/* The template as a file's name, with this key. */
static void
name_of(const char *text, struct slice key, struct buf *out)
{
	struct template *template = new_template(text);
	struct batch batch = some_batch();

	batch.key = key;
	out->size = 0;
	ck_assert_int_eq(template_append_name(template, &batch, &in_ms, out), 0);
	ck_assert_int_eq(buf_append_byte(out, '\0'), 0);
	out->size--;
	template_free(template);
}

START_TEST(facts_are_escaped_in_a_name)
{
	const struct {
		const char *text;
		struct slice key;
		const char *name;
	} rows[] = {
		{ "{key}", TEXT("abcXYZ019"), "abcXYZ019" },
		{ "{key}", TEXT("a-_+:,=@.b"), "a-_+:,=@.b" },
		{ "{key}", TEXT("a/b"), "a%2Fb" },
		{ "{key}", TEXT("."), "%2E" },
		{ "{key}", TEXT(".."), "%2E." },
		{ "{key}", TEXT("../../etc"), "%2E.%2F..%2Fetc" },
		{ "{key}", TEXT("a\0b"), "a%00b" },
		{ "{key}", TEXT("a b%c"), "a%20b%25c" },
		{ "{key}", TEXT("\xff\n"), "%FF%0A" },
		{ "{key}", TEXT(""), "%" },
		{ "d/{key}.txt", TEXT("../x"), "d/%2E.%2Fx.txt" },
		{ "{index}-{reason}-{first}", TEXT(""), "4-count-10" },
		{ "../{count}", TEXT(""), "../2" },
	};
	struct buf out = { 0 };

	for (size_t i = 0; i < LENGTH(rows); i++) {
		name_of(rows[i].text, rows[i].key, &out);
		ck_assert_str_eq(out.data, rows[i].name);
	}
	buf_release(&out);
}
END_TEST

START_TEST(long_fact_ends_with_a_number)
{
	char key[1000];
	struct buf out = { 0 }, other = { 0 };

	memset(key, 'a', sizeof key);
	name_of("{key}", (struct slice){ key, 180 }, &out);
	ck_assert_uint_eq(out.size, 180);
	name_of("{key}", (struct slice){ key, 181 }, &out);
	ck_assert_ptr_nonnull(strchr(out.data, '%'));
	name_of("{key}", (struct slice){ key, sizeof key }, &out);
	ck_assert_uint_lt(out.size, 255);
	key[sizeof key - 1] = 'b';
	name_of("{key}", (struct slice){ key, sizeof key }, &other);
	ck_assert_str_ne(out.data, other.data);
	name_of("{key}", (struct slice){ key, sizeof key - 1 }, &other);
	ck_assert_str_ne(out.data, other.data);
	/* It is the same again. */
	key[sizeof key - 1] = 'a';
	name_of("{key}", (struct slice){ key, sizeof key }, &other);
	ck_assert_str_eq(out.data, other.data);
	memset(key, '/', sizeof key);
	name_of("{key}", (struct slice){ key, sizeof key }, &out);
	ck_assert_uint_lt(out.size, 255);
	buf_release(&out);
	buf_release(&other);
}
END_TEST

#define NAMES 10000

/* A key, and the name that it leads to. */
struct named {
	char key[400];
	size_t size;
	char name[256];
};

/* Much alike, so that it would show if two led to one name. */
static void
roll_key(struct dice *dice, struct named *named)
{
	static const char bytes[] = { '.', '/', '%', '2', 'E', 'a', '\0', ' ', '\xff' };
	size_t most = dice_hits(dice, 4) ? sizeof named->key : 6;

	named->size = dice_below(dice, most);
	for (size_t i = 0; i < named->size; i++)
		named->key[i] = bytes[dice_below(dice, sizeof bytes)];
}

static int
by_name(const void *a, const void *b)
{
	const struct named *first = a, *second = b;

	return strcmp(first->name, second->name);
}

static void
check_name(const struct buf *name)
{
	DEMAND(name->size < 255, "%zu bytes", name->size);
	DEMAND(strlen(name->data) == name->size, "a NUL");
	DEMAND(!strchr(name->data, '/'), "'%s'", name->data);
	DEMAND(strcmp(name->data, ".") != 0 && strcmp(name->data, "..") != 0, "'%s'",
	       name->data);
}

START_TEST(no_two_keys_lead_to_one_name)
{
	struct named *list = calloc(NAMES, sizeof *list);
	struct dice dice = dice_of(11);
	struct buf out = { 0 };

	ck_assert_ptr_nonnull(list);
	for (size_t i = 0; i < NAMES; i++) {
		roll_key(&dice, &list[i]);
		name_of("{key}", (struct slice){ list[i].key, list[i].size }, &out);
		check_name(&out);
		strcpy(list[i].name, out.data);
	}
	qsort(list, NAMES, sizeof *list, by_name);
	for (size_t i = 1; i < NAMES; i++)
		if (by_name(&list[i - 1], &list[i]) == 0)
			DEMAND(list[i].size == list[i - 1].size &&
				       memcmp(list[i].key, list[i - 1].key,
					      list[i].size) == 0,
			       "two keys for '%s'", list[i].name);
	buf_release(&out);
	free(list);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("template", facts_stand_in_braces,
			fact_that_is_not_there_prints_as_nothing,
			doubled_braces_are_braces, escapes_stand_for_bytes, key_is_bytes,
			event_times_are_in_the_format,
			processing_times_are_the_wall_clocks, wrong_template_is_refused,
			index_is_one_of_the_facts_or_not, facts_are_escaped_in_a_name,
			long_fact_ends_with_a_number, no_two_keys_lead_to_one_name);
}
