#include <config.h>

#include "jsontext.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define TEXT(literal)                        \
	{                                    \
		literal, sizeof(literal) - 1 \
	}
#define REPLACEMENT "\xef\xbf\xbd"

/* The text as JSON, with how often it was replaced. */
static void
check_text(struct slice text, struct slice wanted, uint64_t replacements)
{
	struct buf out = { 0 };
	uint64_t replaced = 0;

	ck_assert_int_eq(jsontext_append(text, &out, &replaced), 0);
	ck_assert_msg(out.size == wanted.size + 2 && out.data[0] == '"' &&
			      out.data[out.size - 1] == '"' &&
			      (wanted.size == 0 ||
			       memcmp(out.data + 1, wanted.data, wanted.size) == 0),
		      "'%.*s': %.*s", (int)text.size, text.data, (int)out.size, out.data);
	ck_assert_msg(replaced == replacements, "'%.*s': %" PRIu64 " replaced",
		      (int)text.size, text.data, replaced);
	buf_release(&out);
}

START_TEST(text_that_is_plain_stands_as_it_is)
{
	check_text(slice_of(""), slice_of(""), 0);
	check_text((struct slice){ NULL, 0 }, slice_of(""), 0);
	check_text(slice_of("plain / text ~"), slice_of("plain / text ~"), 0);
	check_text(slice_of("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"),
		   slice_of("\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"), 0);
	check_text(slice_of("\x7f"), slice_of("\x7f"), 0);
}
END_TEST

/* The escape of each byte below 128 that has one. */
static const char *
escape_of(unsigned byte, char room[8])
{
	switch (byte) {
	case '"':
		return "\\\"";
	case '\\':
		return "\\\\";
	case '\b':
		return "\\b";
	case '\f':
		return "\\f";
	case '\n':
		return "\\n";
	case '\r':
		return "\\r";
	case '\t':
		return "\\t";
	default:
		snprintf(room, 8, byte < ' ' ? "\\u%04x" : "%c", byte);
		return room;
	}
}

START_TEST(every_byte_has_its_form)
{
	for (unsigned byte = 0; byte < 256; byte++) {
		char text = (char)byte, room[8];
		struct slice wanted =
			slice_of(byte < 128 ? escape_of(byte, room) : REPLACEMENT);

		check_text((struct slice){ &text, 1 }, wanted, byte >= 128);
	}
}
END_TEST

START_TEST(short_escapes_stand_among_text)
{
	check_text((struct slice)TEXT("a\"b\\c\nd\0e"),
		   slice_of("a\\\"b\\\\c\\nd\\u0000e"), 0);
}
END_TEST

START_TEST(ends_of_the_ranges_are_characters)
{
	static const char *const rows[] = {
		"\xc2\x80",     "\xdf\xbf",     "\xe0\xa0\x80",     "\xed\x9f\xbf",
		"\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf",
		"\xe1\x80\x80", "\xec\xbf\xbf", "\xf1\x80\x80\x80", "\xf3\xbf\xbf\xbf",
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		check_text(slice_of(rows[i]), slice_of(rows[i]), 0);
}
END_TEST

/* The longest beginning of a character becomes one U+FFFD, any other byte one of its own. */
START_TEST(what_is_not_a_character_is_replaced)
{
	static const struct {
		struct slice text;
		const char *form; /* with ? for each replacement */
	} rows[] = {
		{ TEXT("\x80"), "?" },
		{ TEXT("\xbf\xbf"), "??" },
		{ TEXT("\xff\xfe"), "??" },
		{ TEXT("a\xff"
		       "b"),
		  "a?b" },
		/* overlong */
		{ TEXT("\xc0\x80"), "??" },
		{ TEXT("\xc1\xbf"), "??" },
		{ TEXT("\xe0\x80\x80"), "???" },
		{ TEXT("\xe0\x9f\xbf"), "???" },
		{ TEXT("\xf0\x80\x80\x80"), "????" },
		{ TEXT("\xf0\x8f\xbf\xbf"), "????" },
		/* surrogates */
		{ TEXT("\xed\xa0\x80"), "???" },
		{ TEXT("\xed\xbf\xbf"), "???" },
		/* beyond U+10FFFF */
		{ TEXT("\xf4\x90\x80\x80"), "????" },
		{ TEXT("\xf5\x80\x80\x80"), "????" },
		{ TEXT("\xf8\x88\x80\x80\x80"), "?????" },
		/* cut off */
		{ TEXT("\xc3"), "?" },
		{ TEXT("\xe2\x82"), "?" },
		{ TEXT("\xe2"), "?" },
		{ TEXT("\xf0\x9f\x98"), "?" },
		{ TEXT("\xf0\x9f"), "?" },
		{ TEXT("\xf0"), "?" },
		{ TEXT("\xe2\x82x"), "?x" },
		{ TEXT("\xe2x\x82"), "?x?" },
		{ TEXT("\xf0\x9f\x98\"\n"), "?\\\"\\n" },
		{ TEXT("\xc3\xc3\xa4"), "?\xc3\xa4" },
		{ TEXT("\xe2\x82\xe2\x82\xac"), "?\xe2\x82\xac" },
		{ TEXT("\xf4\x8f\xbf\xf4\x8f\xbf\xbf"), "?\xf4\x8f\xbf\xbf" },
		/* one too many */
		{ TEXT("\xc3\xa4\xa4"), "\xc3\xa4?" },
		{ TEXT("\xe2\x82\xac\xac"), "\xe2\x82\xac?" },
		/* the example of the Unicode standard, table 3-8 */
		{ TEXT("\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64"),
		  "a???b?c??d" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct buf wanted = { 0 };
		uint64_t count = 0;

		for (const char *at = rows[i].form; *at; at++) {
			count += *at == '?';
			if (*at == '?')
				buf_append(&wanted, slice_of(REPLACEMENT));
			else
				buf_append_byte(&wanted, *at);
		}
		check_text(rows[i].text, buf_slice(&wanted), count);
		buf_release(&wanted);
	}
}
END_TEST

START_TEST(count_of_replacements_goes_on)
{
	struct buf out = { 0 };
	uint64_t replaced = 5;

	ck_assert_int_eq(jsontext_append(slice_of("\xff"), &out, &replaced), 0);
	ck_assert_int_eq(jsontext_append(slice_of("\xff\xff"), &out, &replaced), 0);
	ck_assert_uint_eq(replaced, 8);
	ck_assert_uint_eq(out.size, 5 + 8);
	buf_release(&out);
}
END_TEST

/* A character, or what may look like one. */
static size_t
roll_piece(struct dice *dice, char *text)
{
	static const char *const pieces[] = {
		"a",           "\"", "\n", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80",
		"\xed\x9f\xbf"
	};
	const char *piece = pieces[dice_below(dice, LENGTH(pieces))];
	size_t size = strlen(piece);

	if (dice_hits(dice, 3)) {
		text[0] = (char)dice_below(dice, 256);
		return 1;
	}
	if (dice_hits(dice, 5))
		size = 1 + dice_below(dice, size);
	memcpy(text, piece, size);
	return size;
}

/* Another reader of JSON takes it, and what was well-formed comes back as it was. */
START_TEST(result_is_json_whatever_the_text)
{
	struct dice dice = dice_of(4);

	for (size_t i = 0; i < 20000; i++) {
		char text[64];
		size_t size = 0, flags = JSON_DECODE_ANY | JSON_ALLOW_NUL;
		struct buf out = { 0 };
		uint64_t replaced = 0;
		json_t *value;

		for (size_t left = dice_below(&dice, 10); left > 0; left--)
			size += roll_piece(&dice, text + size);
		DEMAND(jsontext_append((struct slice){ text, size }, &out, &replaced) ==
			       0,
		       "no memory");
		value = json_loadb(out.data, out.size, flags, NULL);
		DEMAND(json_is_string(value), "'%.*s'", (int)out.size, out.data);
		if (replaced == 0)
			DEMAND(json_string_length(value) == size &&
				       memcmp(json_string_value(value), text, size) == 0,
			       "'%.*s'", (int)out.size, out.data);
		json_decref(value);
		buf_release(&out);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("jsontext", text_that_is_plain_stands_as_it_is,
			every_byte_has_its_form, short_escapes_stand_among_text,
			ends_of_the_ranges_are_characters,
			what_is_not_a_character_is_replaced,
			count_of_replacements_goes_on, result_is_json_whatever_the_text);
}
