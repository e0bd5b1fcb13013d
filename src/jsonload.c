#include <config.h>

#include "jsonload.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* So many characters are a number that a double holds, and gives back, digit by digit. */
#define HELD 15

/* How many characters of the text, from a place on, are in the set. */
static size_t
span_of(struct slice text, size_t place, const char *set)
{
	size_t at = place;

	while (at < text.size && text.data[at] != '\0' && strchr(set, text.data[at]))
		at++;
	return at - place;
}

#define DIGITS "0123456789"

static bool
has(struct slice text, size_t place, const char *set)
{
	return place < text.size && text.data[place] != '\0' &&
	       strchr(set, text.data[place]);
}

/* Whether all of it is a number as JSON writes them. */
static bool
is_number(struct slice text)
{
	size_t at = has(text, 0, "-"), digits = span_of(text, at, DIGITS);

	if (digits == 0 || (digits > 1 && text.data[at] == '0'))
		return false;
	at += digits;
	if (has(text, at, ".")) {
		digits = span_of(text, at + 1, DIGITS);
		at += digits > 0 ? digits + 1 : 0;
	}
	if (has(text, at, "eE")) {
		size_t sign = has(text, at + 1, "+-");

		digits = span_of(text, at + 1 + sign, DIGITS);
		at += digits > 0 ? 1 + sign + digits : 0;
	}
	return at == text.size;
}

/* The length of the string that begins at the place, both quotes included. */
static size_t
string_size(struct slice text, size_t place)
{
	size_t at = place + 1;

	while (at < text.size && text.data[at] != '"')
		at += text.data[at] == '\\' ? 2 : 1;
	return (at < text.size ? at + 1 : text.size) - place;
}

/* Whether it would come back with an exponent. */
static bool
is_tiny(struct slice number)
{
	static const char beginning[] = "0.0000";
	struct slice digits = slice_from(number, has(number, 0, "-"));

	return digits.size >= sizeof beginning &&
	       memcmp(digits.data, beginning, sizeof beginning - 1) == 0;
}

/* Whether a double may not hold it, or not give all of its digits back. */
static bool
is_too_much(struct slice number)
{
	bool exponent = memchr(number.data, 'e', number.size) ||
			memchr(number.data, 'E', number.size);

	return number.size > HELD || is_tiny(number) ||
	       (exponent && number.size > 3 &&
		span_of(number, number.size - 3, DIGITS) == 3);
}

/* Whether what stands there becomes a string. A name has to be one from the first. */
static bool
is_to_quote(struct slice text, size_t place, size_t size)
{
	struct slice number = { text.data + place, size };
	size_t behind = place + size;

	behind += span_of(text, behind, " \t\r\n");
	return is_too_much(number) && is_number(number) && !has(text, behind, ":");
}

/* The next number to be quoted, from a place on that is in no string; the end of the text when
 * there is none. */
static size_t
find_number(struct slice text, size_t at, size_t *size)
{
	for (; at < text.size; at += *size) {
		*size = 1;
		if (text.data[at] == '"') {
			*size = string_size(text, at);
		} else if (has(text, at, DIGITS "-")) {
			*size = span_of(text, at, DIGITS "+-.eE");
			if (is_to_quote(text, at, *size))
				break;
		}
	}
	return at;
}

/* Copies the text, such numbers in quotes. 0, or -1 with errno ENOMEM. */
static int
quote_numbers(struct slice text, struct buf *quoted)
{
	size_t from = 0, size = 0;

	while (from < text.size) {
		size_t at = find_number(text, from, &size);

		if (buf_append(quoted, (struct slice){ text.data + from, at - from }) < 0)
			return -1;
		if (at == text.size)
			break;
		if (buf_append_byte(quoted, '"') < 0 ||
		    buf_append(quoted, (struct slice){ text.data + at, size }) < 0 ||
		    buf_append_byte(quoted, '"') < 0)
			return -1;
		from = at + size;
	}
	return 0;
}

json_t *
jsonload(struct slice text, json_error_t *error)
{
	size_t flags = JSON_DECODE_ANY | JSON_ALLOW_NUL, size;
	struct buf quoted = { 0 };
	json_t *value = NULL;

	/* jansson takes it for the end. */
	if (text.size > 0 && memchr(text.data, '\0', text.size)) {
		snprintf(error->text, sizeof error->text, "a NUL byte");
		return NULL;
	}
	if (text.size == 0 || find_number(text, 0, &size) == text.size)
		return json_loadb(text.size ? text.data : "", text.size, flags, error);
	if (quote_numbers(text, &quoted) == 0)
		value = json_loadb(quoted.data, quoted.size, flags, error);
	else
		snprintf(error->text, sizeof error->text, "out of memory");
	buf_release(&quoted);
	return value;
}
