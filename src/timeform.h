/*
 * The form in which times are written in the input and the output: --time-format.
 *
 *     ms s us ns    a number of that unit since 1970; seconds may have a fraction
 *     rfc3339       2026-11-30T12:00:00.5+01:00; printed as UTC
 *     a pattern     of strptime; without a zone in it, local time
 *
 * and, for output only, the wall clock's form: RFC 3339 with the local offset.
 */
#ifndef VOLLEY_TIMEFORM_H
#define VOLLEY_TIMEFORM_H

#include <stdbool.h>

#include "buf.h"
#include "units.h"

enum timeform_kind { TIMEFORM_UNIT, TIMEFORM_RFC3339, TIMEFORM_PATTERN, TIMEFORM_WALL };

struct timeform {
	enum timeform_kind kind;
	enum time_format unit; /* of TIMEFORM_UNIT */
	const char *pattern;   /* of TIMEFORM_PATTERN; borrowed */
};

/* A time as text is never longer; so much of a line decides whether it begins with one. */
#define TIMEFORM_MAX 128

/* Borrows the text. 0, or -1 with the complaint. */
int
timeform_choose(struct timeform *form, const char *text, struct complaint *why);

/* What the user called it. */
const char *
timeform_name(const struct timeform *form);

/* Whether times are numbers, not text. */
bool
timeform_is_number(const struct timeform *form);

/* The time that the whole text is. 0, or -1 when it is none or out of range. */
int
timeform_parse(const struct timeform *form, struct slice text, nsec *time);

/* The time that the line begins with, up to a blank, a tab or the line's end, and its size. */
int
timeform_read(const struct timeform *form, struct slice line, size_t *size, nsec *time);

/* Appends the time. 0, or -1 with errno. */
int
timeform_print(const struct timeform *form, nsec time, struct buf *out);

#endif
