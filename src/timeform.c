#include <config.h>

#include "timeform.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "datetime.h"

static const struct {
	const char *name;
	enum time_format unit;
} unit_names[] = {
	{ "ms", TIME_MS },
	{ "s", TIME_S },
	{ "us", TIME_US },
	{ "ns", TIME_NS },
};

#define UNITS (sizeof unit_names / sizeof *unit_names)

/* What strptime knows behind a percent sign; and with a modifier in between. */
static const char conversions[] = "%aAbBcCdDeFgGhHIjklmMnprRsStTuUVwWxXyYzZ";
static const char of_e[] = "cCxXyY", of_o[] = "bBdehHImMSUVwWy";

static int
check_pattern(const char *pattern, struct complaint *why)
{
	const char *at = pattern;

	while ((at = strchr(at, '%'))) {
		const char *known = conversions;
		/* These are for strftime, and passed over. */
		size_t size = 1 + strspn(at + 1, "-_0^#");

		if (at[size] == 'E' || at[size] == 'O')
			known = at[size++] == 'E' ? of_e : of_o;
		if (at[size] == '\0' || !strchr(known, at[size]))
			return complain(
				why,
				"unknown conversion '%.*s' (use those of strptime, "
				"such as %%Y-%%m-%%d)",
				(int)size + 1, at);
		at += size + 1;
	}
	return 0;
}

int
timeform_choose(struct timeform *form, const char *text, struct complaint *why)
{
	*form = (struct timeform){ .kind = TIMEFORM_UNIT };
	for (size_t i = 0; i < UNITS; i++)
		if (strcmp(text, unit_names[i].name) == 0) {
			form->unit = unit_names[i].unit;
			return 0;
		}
	if (strcmp(text, "rfc3339") == 0) {
		form->kind = TIMEFORM_RFC3339;
		return 0;
	}
	if (!strchr(text, '%'))
		return complain(why,
				"unknown time format (use ms, s, us, ns, rfc3339 or a "
				"strptime format)");
	form->kind = TIMEFORM_PATTERN;
	form->pattern = text;
	return check_pattern(text, why);
}

const char *
timeform_name(const struct timeform *form)
{
	switch (form->kind) {
	case TIMEFORM_UNIT:
		for (size_t i = 0; i < UNITS; i++)
			if (unit_names[i].unit == form->unit)
				return unit_names[i].name;
		break;
	case TIMEFORM_PATTERN:
		return form->pattern;
	case TIMEFORM_RFC3339:
	case TIMEFORM_WALL:
		break;
	}
	return "rfc3339";
}

bool
timeform_is_number(const struct timeform *form)
{
	return form->kind == TIMEFORM_UNIT;
}

/* Whether there is such a day: of others mktime would make one of the next month. */
static bool
is_day(const struct tm *civil)
{
	struct tm day = { .tm_year = civil->tm_year,
			  .tm_mon = civil->tm_mon,
			  .tm_mday = civil->tm_mday };

	return timegm(&day) != -1 && day.tm_mday == civil->tm_mday &&
	       day.tm_mon == civil->tm_mon;
}

/* The time that a strptime pattern finds at the front of the text, and its size. */
static int
read_pattern(const char *pattern, struct slice text, size_t *size, nsec *time)
{
	struct tm civil = { .tm_mday = 1, .tm_isdst = -1 };
	char copy[TIMEFORM_MAX + 1];
	const char *end;
	long zone;
	time_t seconds;

	if (text.size > TIMEFORM_MAX)
		text.size = TIMEFORM_MAX;
	memcpy(copy, text.data ? text.data : "", text.size);
	copy[text.size] = '\0';
	/* What strptime leaves alone when the text has no zone. */
	civil.tm_gmtoff = LONG_MAX;
	end = strptime(copy, pattern, &civil);
	if (!end || !is_day(&civil))
		return -1;
	zone = civil.tm_gmtoff;
	seconds = zone == LONG_MAX ? mktime(&civil) : timegm(&civil) - zone;
	if (seconds > NSEC_MAX / NSEC_PER_S - 1 || seconds < NSEC_MIN / NSEC_PER_S + 1)
		return -1;
	*size = (size_t)(end - copy);
	*time = (nsec)seconds * NSEC_PER_S;
	return 0;
}

int
timeform_parse(const struct timeform *form, struct slice text, nsec *time)
{
	size_t size;

	switch (form->kind) {
	case TIMEFORM_UNIT:
		return units_parse_time(text.data, text.size, form->unit, time);
	case TIMEFORM_RFC3339:
	case TIMEFORM_WALL:
		return datetime_parse(text.data, text.size, time);
	case TIMEFORM_PATTERN:
		if (read_pattern(form->pattern, text, &size, time) < 0)
			return -1;
		return size == text.size ? 0 : -1;
	}
	return -1;
}

static bool
is_blank(char byte)
{
	return byte == ' ' || byte == '\t';
}

int
timeform_read(const struct timeform *form, struct slice line, size_t *size, nsec *time)
{
	size_t end = 0;

	*size = 0;
	if (form->kind == TIMEFORM_PATTERN) {
		if (read_pattern(form->pattern, line, size, time) < 0)
			return -1;
		return *size == line.size || is_blank(line.data[*size]) ? 0 : -1;
	}
	while (end < line.size && end < TIMEFORM_MAX && !is_blank(line.data[end]))
		end++;
	*size = end;
	if (end < line.size && !is_blank(line.data[end]))
		return -1;
	return timeform_parse(form, (struct slice){ line.data, *size }, time);
}

/* The pattern is the user's. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* strftime says 0 for what has no room, and for what is empty. */
static int
print_pattern(const char *pattern, nsec time, struct buf *out)
{
	nsec rest = time % NSEC_PER_S;
	time_t seconds = (time_t)(time / NSEC_PER_S - (rest < 0));
	struct tm civil;
	char text[4 * TIMEFORM_MAX];
	size_t size;

	if (!localtime_r(&seconds, &civil))
		return -1;
	size = strftime(text, sizeof text, pattern, &civil);
	return buf_append(out, (struct slice){ text, size });
}

int
timeform_print(const struct timeform *form, nsec time, struct buf *out)
{
	char text[UNITS_TEXT_MAX];

	switch (form->kind) {
	case TIMEFORM_UNIT:
		return buf_append(
			out,
			(struct slice){ text, units_print_time(text, time, form->unit) });
	case TIMEFORM_RFC3339:
		return buf_append(
			out,
			(struct slice){ text, datetime_print(text, sizeof text, time) });
	case TIMEFORM_PATTERN:
		return print_pattern(form->pattern, time, out);
	case TIMEFORM_WALL:
		return buf_append(out,
				  (struct slice){ text, units_print_wall(text, time) });
	}
	errno = EINVAL;
	return -1;
}
