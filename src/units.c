#include <config.h>

#include "units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct unit {
	const char *name;
	uint64_t value;
};

/* From short to long: units_print_duration() goes from the end. */
static const struct unit duration_units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "m", UINT64_C(60) * 1000000000 },
	{ "h", UINT64_C(3600) * 1000000000 },
	{ "d", UINT64_C(86400) * 1000000000 },
	{ NULL, 0 },
};

static const struct unit size_units[] = {
	{ "KiB", UINT64_C(1) << 10 },
	{ "MiB", UINT64_C(1) << 20 },
	{ "GiB", UINT64_C(1) << 30 },
	{ "TiB", UINT64_C(1) << 40 },
	{ "KB", 1000 },
	{ "MB", 1000000 },
	{ "GB", 1000000000 },
	{ "TB", UINT64_C(1000000000000) },
	{ "K", UINT64_C(1) << 10 },
	{ "M", UINT64_C(1) << 20 },
	{ "G", UINT64_C(1) << 30 },
	{ "T", UINT64_C(1) << 40 },
	{ NULL, 0 },
};

static const struct {
	enum time_format format;
	nsec unit;
} time_formats[] = {
	{ TIME_MS, NSEC_PER_MS },
	{ TIME_S, NSEC_PER_S },
	{ TIME_US, NSEC_PER_US },
	{ TIME_NS, 1 },
};

static bool
is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

/* Adds a digit to a number. False when that overflows. */
static bool
push_digit(uint64_t *number, char digit)
{
	uint64_t value = (uint64_t)(digit - '0');

	if (*number > (UINT64_MAX - value) / 10)
		return false;
	*number = *number * 10 + value;
	return true;
}

/* Reads digits at *text and moves it behind them. False on overflow. */
static bool
read_digits(const char **text, uint64_t *number)
{
	*number = 0;
	while (is_digit(**text))
		if (!push_digit(number, *(*text)++))
			return false;
	return true;
}

static int
complain_start(const char *text, const char *wanted, struct complaint *why)
{
	if (*text == '\0')
		return complain(why, "empty (use %s)", wanted);
	if (*text == '-' || *text == '+')
		return complain(why, "takes no sign (use %s)", wanted);
	return complain(why, "not a number (use %s)", wanted);
}

static bool
has_blank(const char *text)
{
	return text[strcspn(text, " \t")] != '\0';
}

/* The unit that the letters at text name; NULL when none does. */
static const struct unit *
find_unit(const struct unit *units, const char *text, size_t size)
{
	for (const struct unit *unit = units; unit->name; unit++)
		if (strlen(unit->name) == size && memcmp(unit->name, text, size) == 0)
			return unit;
	return NULL;
}

/* value times the fraction 0.DIGITS, which must come out whole: so must each digit from the
 * last on, with what the digits behind it carry. */
static int
read_fraction(const char **text, uint64_t value, uint64_t *result, struct complaint *why)
{
	size_t size = strspn(*text, "0123456789");

	*result = 0;
	if (size == 0)
		return complain(why, "no digit after the point");
	for (size_t i = size; i-- > 0;) {
		*result += (uint64_t)((*text)[i] - '0') * value;
		if (*result % 10 != 0)
			return complain(why, "finer than a nanosecond");
		*result /= 10;
	}
	*text += size;
	return 0;
}

#define DURATION_HINT "ns, us, ms, s, m, h or d"

/* Of the letters at text, which the number stands before; alone says that nothing stood before
 * that number, so that it may be bare. */
static const struct unit *
read_duration_unit(const char **text, const char *number, bool alone,
		   struct complaint *why)
{
	static const struct unit bare = { "", 1000000 };
	size_t size = strcspn(*text, ".0123456789");
	const struct unit *unit = find_unit(duration_units, *text, size);

	if (size == 0 && **text == '\0' && alone)
		return &bare;
	if (size == 0 && **text == '.')
		complain(why, "'%.40s' after '%.*s' (use one point, as in 1.5s)", *text,
			 (int)(*text - number), number);
	else if (size == 0)
		complain(why, "a number without a unit (use " DURATION_HINT ")");
	else if (**text == ',')
		complain(why, "a comma (use a point, as in 1.5s)");
	else if (!unit)
		complain(why, "unknown unit '%.*s' (use " DURATION_HINT ")",
			 size > 40 ? 40 : (int)size, *text);
	*text += size;
	return unit;
}

/* One number and its unit at *text, added to *sum. */
static int
read_duration_part(const char **text, bool alone, uint64_t *sum, struct complaint *why)
{
	const char *number = *text, *fraction = NULL;
	const struct unit *unit;
	uint64_t whole, part = 0;

	if (!is_digit(**text))
		return complain_start(*text, "a duration such as 500, 1.5s or 1m30s",
				      why);
	if (!read_digits(text, &whole))
		return complain(why, "too long");
	if (**text == '.') {
		fraction = ++*text;
		*text += strspn(*text, "0123456789");
	}
	unit = read_duration_unit(text, number, alone, why);
	if (!unit)
		return -1;
	if (fraction && read_fraction(&fraction, unit->value, &part, why) < 0)
		return -1;
	if (whole > ((uint64_t)NSEC_MAX - part) / unit->value ||
	    whole * unit->value + part > (uint64_t)NSEC_MAX - *sum)
		return complain(why, "too long (the longest is 106751d)");
	*sum += whole * unit->value + part;
	return 0;
}

int
units_parse_duration(const char *text, nsec *duration, struct complaint *why)
{
	uint64_t sum = 0;
	bool alone = true;

	if (has_blank(text))
		return complain(why, "no blanks in a duration (use 1.5s or 1m30s)");
	do {
		if (read_duration_part(&text, alone, &sum, why) < 0)
			return -1;
		alone = false;
	} while (*text != '\0');
	*duration = (nsec)sum;
	return 0;
}

int
units_parse_pair(const char *text, char separator, const char *example, nsec *first,
		 nsec *second, struct complaint *why)
{
	const char *between = strchr(text, separator);
	char *copy;
	int result;

	if (!between)
		return units_parse_duration(text, first, why);
	if (between == text || between[1] == '\0')
		return complain(why, "nothing %s '%c' (use %s)",
				between == text ? "before" : "behind", separator,
				example);
	copy = strndup(text, (size_t)(between - text));
	if (!copy)
		return complain(why, "%s", strerror(errno));
	result = units_parse_duration(copy, first, why);
	free(copy);
	return result < 0 ? -1 : units_parse_duration(between + 1, second, why);
}

int
units_parse_size(const char *text, uint64_t *size, struct complaint *why)
{
	const struct unit *unit;

	if (has_blank(text))
		return complain(why, "no blanks in a size (use 64K)");
	if (!is_digit(*text))
		return complain_start(text, "a size such as 500, 64K or 1MB", why);
	if (!read_digits(&text, size))
		return complain(why, "too large");
	if (*text == '\0')
		return 0;
	if (*text == '.' || *text == ',')
		return complain(why, "a size has no fraction (use a smaller unit, "
				     "such as 1536K for 1.5M)");
	unit = find_unit(size_units, text, strlen(text));
	if (!unit)
		return complain(why, "unknown unit '%.40s' (use K, M, G, T, KiB or KB)",
				text);
	if (*size > UINT64_MAX / unit->value)
		return complain(why, "too large");
	*size *= unit->value;
	return 0;
}

int
units_parse_count(const char *text, uint64_t least, uint64_t *count,
		  struct complaint *why)
{
	const char *start = text;

	if (!is_digit(*text))
		return complain_start(text, "a whole number", why);
	if (!read_digits(&text, count))
		return complain(why, "too large (the largest is %" PRIu64 ")",
				UINT64_MAX);
	if (*text != '\0')
		return complain(why, "'%.40s' after '%.*s' (use a whole number)", text,
				(int)(text - start), start);
	if (*count < least)
		return complain(why, "too small (the least is %" PRIu64 ")", least);
	return 0;
}

static int
hex_digit(char byte)
{
	if (is_digit(byte))
		return byte - '0';
	if (byte >= 'a' && byte <= 'f')
		return byte - 'a' + 10;
	if (byte >= 'A' && byte <= 'F')
		return byte - 'A' + 10;
	return -1;
}

/* The escape behind a backslash at text. Returns its length, or -1. */
static int
read_escape(const char *text, size_t size, char *byte, struct complaint *why)
{
	static const char names[] = "ntr0\\", bytes[] = "\n\t\r\0\\";
	const char *found = size > 0 ? memchr(names, text[0], strlen(names)) : NULL;

	if (found) {
		*byte = bytes[found - names];
		return 1;
	}
	if (size >= 3 && text[0] == 'x' && hex_digit(text[1]) >= 0 &&
	    hex_digit(text[2]) >= 0) {
		*byte = (char)(hex_digit(text[1]) * 16 + hex_digit(text[2]));
		return 3;
	}
	if (size == 0)
		return complain(why, "a backslash at the end (use \\\\ for one)");
	if (text[0] == 'x')
		return complain(why, "'\\x' needs two hexadecimal digits (use \\xHH)");
	return complain(why,
			"unknown escape '\\%c' (use \\n, \\t, \\r, \\0, \\\\ or \\xHH)",
			text[0]);
}

long
units_unescape(char *text, size_t size, struct complaint *why)
{
	size_t from = 0, to = 0;

	while (from < size) {
		int length;

		if (text[from] != '\\') {
			text[to++] = text[from++];
			continue;
		}
		from++;
		length = read_escape(text + from, size - from, &text[to], why);
		if (length < 0)
			return -1;
		to++;
		from += (size_t)length;
	}
	return (long)to;
}

int
units_parse_char(const char *text, char *byte, struct complaint *why)
{
	char copy[5];
	size_t size = strlen(text);
	long unescaped = -1;

	if (size > 0 && size < sizeof copy) {
		memcpy(copy, text, size + 1);
		unescaped = units_unescape(copy, size, why);
		if (unescaped < 0)
			return -1;
	}
	if (unescaped != 1)
		return complain(
			why,
			"not one byte (use one, or \\n, \\t, \\r, \\0, \\\\ or \\xHH)");
	*byte = copy[0];
	return 0;
}

static nsec
unit_of(enum time_format format)
{
	for (size_t i = 0; i < sizeof time_formats / sizeof *time_formats; i++)
		if (time_formats[i].format == format)
			return time_formats[i].unit;
	return 1;
}

/* The fraction of a second behind a point, in ns. Returns -1 when it is none or too fine. */
static nsec
fraction_of_second(const char *text, size_t size)
{
	nsec value = 0, scale = NSEC_PER_S / 10;

	if (size == 0)
		return -1;
	for (size_t i = 0; i < size; i++, scale /= 10) {
		if (!is_digit(text[i]) || (text[i] != '0' && scale == 0))
			return -1;
		value += (text[i] - '0') * scale;
	}
	return value;
}

int
units_parse_time(const char *text, size_t size, enum time_format format, nsec *time)
{
	bool negative = size > 0 && text[0] == '-';
	nsec unit = unit_of(format), fraction = 0;
	size_t at = negative, start = at;
	uint64_t number = 0;

	/* So many digits always fit. */
	for (; at < size && at - start < 19 && is_digit(text[at]); at++)
		number = number * 10 + (uint64_t)(text[at] - '0');
	for (; at < size && is_digit(text[at]); at++)
		if (!push_digit(&number, text[at]))
			return -1;
	if (at == start)
		return -1;
	if (format == TIME_S && at < size && text[at] == '.') {
		fraction = fraction_of_second(text + at + 1, size - at - 1);
		at = size;
	}
	if (at < size || fraction < 0 ||
	    number > (uint64_t)(NSEC_MAX - fraction) / (uint64_t)unit)
		return -1;
	*time = (nsec)number * unit + fraction;
	if (negative)
		*time = -*time;
	return 0;
}

size_t
units_print_time(char text[UNITS_TEXT_MAX], nsec time, enum time_format format)
{
	nsec unit = unit_of(format), rest = time % unit;
	const char *sign = format == TIME_S && time < 0 ? "-" : "";
	int size;

	if (format != TIME_S || rest == 0)
		return (size_t)snprintf(text, UNITS_TEXT_MAX, "%" PRId64,
					time / unit - (rest < 0));
	size = snprintf(text, UNITS_TEXT_MAX, "%s%" PRIu64 ".%09" PRIu64, sign,
			(uint64_t)(time < 0 ? -(time / unit) : time / unit),
			(uint64_t)(rest < 0 ? -rest : rest));
	while (text[size - 1] == '0')
		text[--size] = '\0';
	return (size_t)size;
}

size_t
units_print_wall(char text[UNITS_TEXT_MAX], nsec wall)
{
	nsec rest = wall % NSEC_PER_S;
	time_t seconds = (time_t)(wall / NSEC_PER_S - (rest < 0));
	struct tm local;
	char date[40], zone[8];

	if (rest < 0)
		rest += NSEC_PER_S;
	if (!localtime_r(&seconds, &local) ||
	    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &local) == 0 ||
	    strftime(zone, sizeof zone, "%z", &local) != 5)
		return units_print_time(text, wall, TIME_S);
	return (size_t)snprintf(text, UNITS_TEXT_MAX, "%s.%03d%.3s:%s", date,
				(int)(rest / NSEC_PER_MS), zone, zone + 3);
}

size_t
units_print_duration(char text[UNITS_TEXT_MAX], nsec duration)
{
	size_t count = sizeof duration_units / sizeof *duration_units - 1, size = 0;
	uint64_t rest = (uint64_t)duration;

	if (duration <= 0)
		return (size_t)snprintf(text, UNITS_TEXT_MAX, "0");
	while (count-- > 0) {
		const struct unit *unit = &duration_units[count];

		if (rest >= unit->value)
			size += (size_t)snprintf(text + size, UNITS_TEXT_MAX - size,
						 "%" PRIu64 "%s", rest / unit->value,
						 unit->name);
		rest %= unit->value;
	}
	return size;
}

size_t
units_print_size(char text[UNITS_TEXT_MAX], uint64_t size)
{
	static const char letters[] = "KMGT";
	size_t power = 0;

	while (power < strlen(letters) && size > 0 && size % 1024 == 0) {
		size /= 1024;
		power++;
	}
	if (power == 0)
		return (size_t)snprintf(text, UNITS_TEXT_MAX, "%" PRIu64, size);
	return (size_t)snprintf(text, UNITS_TEXT_MAX, "%" PRIu64 "%c", size,
				letters[power - 1]);
}
