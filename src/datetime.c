#include <config.h>

#include "datetime.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

/* What is left to read. */
struct cursor {
	const char *text;
	size_t size;
};

static bool
read_byte(struct cursor *cursor, const char *wanted)
{
	for (; *wanted && cursor->size > 0; wanted++)
		if (*cursor->text == *wanted) {
			cursor->text++;
			cursor->size--;
			return true;
		}
	return false;
}

/* A number of just so many digits, and at the most that. */
static bool
read_number(struct cursor *cursor, int digits, int most, int *number)
{
	*number = 0;
	for (; digits > 0; digits--) {
		if (cursor->size == 0 || *cursor->text < '0' || *cursor->text > '9')
			return false;
		*number = *number * 10 + (*cursor->text - '0');
		cursor->text++;
		cursor->size--;
	}
	return *number <= most;
}

/* Days from 1970-01-01 in the proleptic Gregorian calendar; years are counted from March, so
 * that a leap day is the last of its year. */
static nsec
days_of(int year, int month, int day)
{
	nsec shifted = month <= 2 ? year - 1 : year;
	nsec era = (shifted >= 0 ? shifted : shifted - 399) / 400;
	nsec of_era = shifted - era * 400;
	nsec of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int
length_of_month(int year, int month)
{
	static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);

	return month == 2 && leap ? 29 : lengths[month - 1];
}

static bool
read_date(struct cursor *cursor, nsec *days)
{
	int year, month, day;

	if (!read_number(cursor, 4, 9999, &year) || !read_byte(cursor, "-") ||
	    !read_number(cursor, 2, 12, &month) || !read_byte(cursor, "-") ||
	    !read_number(cursor, 2, 31, &day) || month == 0 || day == 0 ||
	    day > length_of_month(year, month))
		return false;
	*days = days_of(year, month, day);
	return true;
}

/* A leap second counts as the first of the next minute. */
static bool
read_clock(struct cursor *cursor, bool seconds_needed, int *seconds)
{
	int hour, minute, second = 0;

	if (!read_number(cursor, 2, 23, &hour) || !read_byte(cursor, ":") ||
	    !read_number(cursor, 2, 59, &minute))
		return false;
	if (read_byte(cursor, ":")) {
		if (!read_number(cursor, 2, 60, &second))
			return false;
	} else if (seconds_needed) {
		return false;
	}
	*seconds = (hour * 60 + minute) * 60 + second;
	return true;
}

/* Digits beyond nanoseconds are cut off. */
static bool
read_fraction(struct cursor *cursor, nsec *fraction)
{
	nsec scale = NSEC_PER_S / 10;
	int digit;

	*fraction = 0;
	if (!read_byte(cursor, ".,"))
		return true;
	if (!read_number(cursor, 1, 9, &digit))
		return false;
	do {
		*fraction += digit * scale;
		scale /= 10;
	} while (read_number(cursor, 1, 9, &digit));
	return true;
}

static bool
read_zone(struct cursor *cursor, int *seconds)
{
	bool west = cursor->size > 0 && *cursor->text == '-';
	int hour, minute;

	*seconds = 0;
	if (read_byte(cursor, "Zz"))
		return true;
	if (!read_byte(cursor, "+-") || !read_number(cursor, 2, 23, &hour) ||
	    !read_byte(cursor, ":") || !read_number(cursor, 2, 59, &minute))
		return false;
	*seconds = (hour * 60 + minute) * 60 * (west ? -1 : 1);
	return true;
}

int
datetime_parse(const char *text, size_t size, nsec *time)
{
	struct cursor cursor = { text, size };
	nsec days, fraction, whole;
	int seconds, zone;

	if (!read_date(&cursor, &days) || !read_byte(&cursor, "Tt ") ||
	    !read_clock(&cursor, true, &seconds) || !read_fraction(&cursor, &fraction) ||
	    !read_zone(&cursor, &zone) || cursor.size > 0)
		return -1;
	whole = days * 86400 + seconds - zone;
	if (whole > NSEC_MAX / NSEC_PER_S - 1 || whole < NSEC_MIN / NSEC_PER_S + 1)
		return -1;
	*time = whole * NSEC_PER_S + fraction;
	return 0;
}

size_t
datetime_print(char *text, size_t room, nsec time)
{
	nsec rest = time % NSEC_PER_S;
	time_t seconds = (time_t)(time / NSEC_PER_S - (rest < 0));
	int digits = 9, size;
	struct tm utc;

	gmtime_r(&seconds, &utc);
	rest += rest < 0 ? NSEC_PER_S : 0;
	for (; digits > 0 && rest % 1000 == 0; digits -= 3)
		rest /= 1000;
	size = (int)strftime(text, room, "%Y-%m-%dT%H:%M:%S", &utc);
	if (digits > 0)
		size += snprintf(text + size, room - (size_t)size, ".%0*" PRId64, digits,
				 rest);
	size += snprintf(text + size, room - (size_t)size, "Z");
	return (size_t)size;
}

int
datetime_parse_time_of_day(const char *text, size_t size, nsec *time_of_day)
{
	struct cursor cursor = { text, size };
	int seconds;

	if (!read_clock(&cursor, false, &seconds) || cursor.size > 0)
		return -1;
	/* The leap second at the end of a day is the first of the next. */
	*time_of_day = seconds % 86400 * NSEC_PER_S;
	return 0;
}
