#include <config.h>

#include "field.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jsonload.h"
#include "units.h"

enum kind { NUMBERED, REGEX, JSON };

struct field {
	enum kind kind;
	uint64_t number;         /* numbered; else 0 */
	struct buf separator;    /* numbered; empty: blanks */
	struct pattern *pattern; /* regex */
	char *pointer;           /* json; its parts separated by NULs, escapes decoded */
	size_t parts;            /* of the pointer */
	struct buf found;        /* json: the value found last */
};

/* ~1 is a slash and ~0 a tilde. Decodes in place; false for any other tilde. */
static bool
decode_part(char *part)
{
	char *to = part;

	for (const char *from = part; *from; from++) {
		if (*from != '~')
			*to++ = *from;
		else if (*++from == '0' || *from == '1')
			*to++ = *from == '0' ? '~' : '/';
		else
			return false;
	}
	*to = '\0';
	return true;
}

/* Cuts the pointer behind its first slash into parts, each ended by a NUL. */
static int
parse_pointer(struct field *field, const char *text, struct complaint *why)
{
	char *from, *to;

	if (*text != '\0' && *text != '/')
		return complain(why, "a JSON pointer begins with '/' (use json:/NAME)");
	field->pointer = strdup(text);
	if (!field->pointer)
		return complain(why, "%s", strerror(errno));
	from = to = field->pointer;
	while (*from == '/') {
		char *end = from + 1 + strcspn(from + 1, "/");
		size_t size = (size_t)(end - from) - 1;

		memmove(to, from + 1, size);
		to[size] = '\0';
		if (!decode_part(to))
			return complain(
				why, "'~' in a JSON pointer is written ~0, and '/' ~1");
		to += strlen(to) + 1;
		from = end;
		field->parts++;
	}
	return 0;
}

static int
parse_key(struct field *field, const char *key, struct slice separator,
	  struct complaint *why)
{
	if (strncmp(key, "re:", 3) == 0) {
		field->kind = REGEX;
		field->pattern = pattern_new_behind(key, 3, why);
		return field->pattern ? 0 : -1;
	}
	if (strncmp(key, "json:", 5) == 0) {
		field->kind = JSON;
		return parse_pointer(field, key + 5, why);
	}
	field->kind = NUMBERED;
	if (units_parse_count(key, 1, &field->number, why) < 0)
		return complain(why, "no key (use a field's number from 1, re:REGEX or "
				     "json:/POINTER)");
	if (buf_append(&field->separator, separator) < 0)
		return complain(why, "%s", strerror(errno));
	return 0;
}

struct field *
field_new(const char *key, struct slice separator, struct complaint *why)
{
	struct field *field = calloc(1, sizeof *field);

	if (!field)
		complain(why, "%s", strerror(errno));
	else if (parse_key(field, key, separator, why) == 0)
		return field;
	field_free(field);
	return NULL;
}

void
field_free(struct field *field)
{
	if (!field)
		return;
	buf_release(&field->separator);
	buf_release(&field->found);
	pattern_free(field->pattern);
	free(field->pointer);
	free(field);
}

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

static bool
find_between_blanks(struct slice record, uint64_t number, struct slice *value)
{
	size_t at = 0, start = 0;

	for (; number > 0; number--) {
		while (at < record.size && is_blank(record.data[at]))
			at++;
		start = at;
		while (at < record.size && !is_blank(record.data[at]))
			at++;
		if (start == at)
			return false;
	}
	*value = (struct slice){ record.data + start, at - start };
	return true;
}

/* Where the separator begins; the record's size when it does not occur. */
static size_t
find_separator(struct slice record, struct slice separator)
{
	size_t at = 0;

	while (record.size - at >= separator.size) {
		const char *found = memchr(record.data + at, separator.data[0],
					   record.size - at - separator.size + 1);

		if (!found)
			break;
		at = (size_t)(found - record.data);
		if (memcmp(found, separator.data, separator.size) == 0)
			return at;
		at++;
	}
	return record.size;
}

static bool
find_between_separators(struct slice record, struct slice separator, uint64_t number,
			struct slice *value)
{
	size_t end = find_separator(record, separator);

	while (--number > 0) {
		if (end == record.size)
			return false;
		record = slice_from(record, end + separator.size);
		end = find_separator(record, separator);
	}
	*value = (struct slice){ record.data, end };
	return true;
}

static const json_t *
follow_pointer(const struct field *field, const json_t *value)
{
	const char *part = field->pointer;

	for (size_t i = 0; i < field->parts && value; i++, part += strlen(part) + 1) {
		struct complaint why;
		uint64_t index;

		if (json_is_object(value))
			value = json_object_get(value, part);
		else if (json_is_array(value) && (part[0] != '0' || part[1] == '\0') &&
			 units_parse_count(part, 0, &index, &why) == 0)
			value = json_array_get(value, (size_t)index);
		else
			value = NULL;
	}
	return value;
}

static int
keep_dump(const char *data, size_t size, void *found)
{
	return buf_append(found, (struct slice){ data, size });
}

/* With as few digits as say it exactly. */
static int
keep_real(double real, struct buf *found)
{
	char text[40];
	int digits = 15;

	do
		snprintf(text, sizeof text, "%.*g", digits, real);
	while (strtod(text, NULL) != real && digits++ < 17);
	return buf_append(found, slice_of(text));
}

static bool
find_in_json(struct field *field, struct slice record, struct slice *value)
{
	json_error_t error;
	json_t *whole = jsonload(record, &error);
	const json_t *part = whole ? follow_pointer(field, whole) : NULL;
	int result = part ? 0 : -1;

	field->found.size = 0;
	if (part && json_is_string(part))
		result = keep_dump(json_string_value(part), json_string_length(part),
				   &field->found);
	else if (part && json_is_real(part))
		result = keep_real(json_real_value(part), &field->found);
	else if (part)
		result = json_dump_callback(part, keep_dump, &field->found,
					    JSON_COMPACT | JSON_ENCODE_ANY);
	json_decref(whole);
	*value = buf_slice(&field->found);
	return result == 0;
}

bool
field_find(struct field *field, struct slice record, struct slice *value)
{
	switch (field->kind) {
	case NUMBERED:
		if (field->separator.size > 0)
			return find_between_separators(record,
						       buf_slice(&field->separator),
						       field->number, value);
		return find_between_blanks(record, field->number, value);
	case REGEX:
		return pattern_find(field->pattern, record, value);
	case JSON:
		return find_in_json(field, record, value);
	}
	return false;
}

bool
field_uses_separator(const struct field *field)
{
	return field->kind == NUMBERED;
}

uint64_t
field_index(const struct field *field)
{
	return field->number;
}

bool
field_borrows_record(const struct field *field)
{
	return field->kind != JSON;
}

bool
field_number(struct field *field, struct slice record, double *number)
{
	struct slice value;
	char text[64], *end;

	if (!field_find(field, record, &value) || value.size == 0 ||
	    value.size >= sizeof text)
		return false;
	memcpy(text, value.data, value.size);
	text[value.size] = '\0';
	/* Only decimal numbers: no "nan", "inf" or hexadecimal, and no blanks before them. */
	if (strspn(text, "0123456789+-.eE") != value.size)
		return false;
	*number = strtod(text, &end);
	return *end == '\0' && isfinite(*number);
}

uint64_t
field_given_up(const struct field *field)
{
	return field->pattern ? pattern_given_up(field->pattern) : 0;
}
