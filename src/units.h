/*
 * The values that a user writes: durations, sizes, counts, characters, times. Parsed and
 * printed here, independent of the locale, so that they look the same everywhere.
 *
 *   duration  digits with an optional fraction and a unit (ns us ms s m h d), or several of
 *             these (1m30s); a bare number is milliseconds
 *   size      digits, alone (bytes) or with K M G T or KiB MiB GiB TiB (powers of 1024) or
 *             KB MB GB TB (powers of 1000)
 *   count     digits
 *
 * None takes a sign or blanks, and what overflows is an error. A parser returns 0, or -1 with
 * the reason in the complaint: what is wrong and, in brackets, what would be right.
 */
#ifndef VOLLEY_UNITS_H
#define VOLLEY_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "clock.h"
#include "diag.h"

/* How event times are written. */
enum time_format { TIME_MS, TIME_S, TIME_US, TIME_NS };

/* Room for any printed value and its NUL. */
#define UNITS_TEXT_MAX 64

int
units_parse_duration(const char *text, nsec *duration, struct complaint *why);

/* A duration, or two of them with the separator between them; the second is left alone when
 * there is one only. The example is what would be right when one is missing. */
int
units_parse_pair(const char *text, char separator, const char *example, nsec *first,
		 nsec *second, struct complaint *why);

int
units_parse_size(const char *text, uint64_t *size, struct complaint *why);

/* At least `least`. */
int
units_parse_count(const char *text, uint64_t least, uint64_t *count,
		  struct complaint *why);

/* One byte, or one of the escapes \n \t \r \0 \\ \xHH for it. */
int
units_parse_char(const char *text, char *byte, struct complaint *why);

/* Decodes the escapes above in place of size bytes at text. Returns the new size, or -1. */
long
units_unescape(char *text, size_t size, struct complaint *why);

/* A number of the format's unit since 1970, with a sign if it is negative; a fraction only in
 * seconds. 0, or -1 when it is none, is out of range, or is finer than a nanosecond. */
int
units_parse_time(const char *text, size_t size, enum time_format format, nsec *time);

/* Rounded down to the unit, but for seconds, which have the fraction that they need.
 * Returns the length. */
size_t
units_print_time(char text[UNITS_TEXT_MAX], nsec time, enum time_format format);

/* The wall clock's time as RFC 3339 with milliseconds and the local offset. */
size_t
units_print_wall(char text[UNITS_TEXT_MAX], nsec wall);

/* In the largest units that say it exactly (1m30s); "0" for none. Parses back to the same. */
size_t
units_print_duration(char text[UNITS_TEXT_MAX], nsec duration);

/* With K, M, G or T where that says it exactly. Parses back to the same. */
size_t
units_print_size(char text[UNITS_TEXT_MAX], uint64_t size);

#endif
