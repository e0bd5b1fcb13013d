/*
 * Dates and times of day as people write them.
 */
#ifndef VOLLEY_DATETIME_H
#define VOLLEY_DATETIME_H

#include <stddef.h>

#include "clock.h"

/* An RFC 3339 time, such as 2026-11-30T12:00:00.5+01:00, as ns since 1970. A blank may stand
 * for the T; a time without a zone is none. 0, or -1 when it is none, or out of range. */
int
datetime_parse(const char *text, size_t size, nsec *time);

/* Prints the time in UTC, with as many digits of a second as it needs: 3, 6, 9 or none. Returns
 * the length, which is below 40. */
size_t
datetime_print(char *text, size_t room, nsec time);

/* HH:MM or HH:MM:SS, as ns since midnight. 0, or -1. */
int
datetime_parse_time_of_day(const char *text, size_t size, nsec *time_of_day);

#endif
