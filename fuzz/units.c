/*
 * Values: what is read prints as what is read as the same. The first byte chooses the kind; of a
 * pattern for times the first line is the pattern.
 */
#include "fuzz.h"

#include <inttypes.h>

#include "civil.h"
#include "datetime.h"
#include "timeform.h"
#include "units.h"

static void
check_duration(const char *text)
{
	char printed[UNITS_TEXT_MAX];
	struct complaint why;
	nsec duration, again;

	if (units_parse_duration(text, &duration, &why) < 0)
		return;
	MUST(duration >= 0, "%" PRId64, duration);
	units_print_duration(printed, duration);
	MUST(units_parse_duration(printed, &again, &why) == 0, "'%s'", printed);
	MUST(again == duration, "'%s' and '%s'", text, printed);
}

static void
check_size(const char *text)
{
	char printed[UNITS_TEXT_MAX];
	struct complaint why;
	uint64_t size, again, count;

	if (units_parse_count(text, 1, &count, &why) == 0)
		MUST(count >= 1, "%s", text);
	if (units_parse_size(text, &size, &why) < 0)
		return;
	units_print_size(printed, size);
	MUST(units_parse_size(printed, &again, &why) == 0, "'%s'", printed);
	MUST(again == size, "'%s' and '%s'", text, printed);
}

static void
check_escapes(struct slice slice)
{
	struct slice copy = fuzz_copy(slice);
	struct complaint why;
	char *text = fuzz_string(slice), byte;
	long size = units_unescape((char *)(uintptr_t)copy.data, copy.size, &why);

	MUST(size <= (long)copy.size, "%ld", size);
	units_parse_char(text, &byte, &why);
	free((void *)(uintptr_t)copy.data);
	free(text);
}

/* Prints the time in the form, and reads that. */
static void
check_again(const struct timeform *form, nsec time)
{
	struct buf text = { 0 };
	nsec again;

	MUST(timeform_print(form, time, &text) == 0, "%" PRId64, time);
	if (form->kind != TIMEFORM_UNIT || form->unit == TIME_S || form->unit == TIME_NS)
		MUST(timeform_parse(form, buf_slice(&text), &again) == 0 && again == time,
		     "%" PRId64 " is '%.*s'", time, (int)text.size, text.data);
	buf_release(&text);
}

static void
check_time(const struct timeform *form, struct slice slice)
{
	struct slice copy = fuzz_copy(slice);
	struct buf text = { 0 };
	size_t size;
	nsec time, whole;

	if (timeform_read(form, copy, &size, &time) == 0)
		MUST(size <= copy.size, "%zu", size);
	if (timeform_parse(form, copy, &whole) == 0) {
		if (form->kind == TIMEFORM_PATTERN)
			MUST(timeform_print(form, whole, &text) == 0, "%" PRId64, whole);
		else
			check_again(form, whole);
	}
	buf_release(&text);
	free((void *)(uintptr_t)copy.data);
}

static void
check_pattern(struct slice rest)
{
	char *pattern = fuzz_string(fuzz_cut(&rest, '\n'));
	struct timeform form;
	struct complaint why;

	if (timeform_choose(&form, pattern, &why) == 0)
		check_time(&form, rest);
	free(pattern);
}

static void
check_calendar(struct slice rest)
{
	int64_t values[3] = { 0 };
	char printed[UNITS_TEXT_MAX];
	nsec day = 86400 * NSEC_PER_S, period, next;

	memcpy(values, rest.data, rest.size < sizeof values ? rest.size : sizeof values);
	/* Clocks of this millennium, and periods from 1 s to many days. */
	values[0] = (nsec)((uint64_t)values[0] % (60ull * 365 * 86400)) * NSEC_PER_S;
	period = NSEC_PER_S * (1 + (nsec)((uint64_t)values[1] % (86400 * 40)));
	next = civil_boundary_after(values[0], period, values[2] % day);
	MUST(next > values[0], "%" PRId64, next);
	/* A change of the offset is at most a day. */
	MUST(next - values[0] <= period + day, "%" PRId64 " after %" PRId64, next,
	     values[0]);
	next = civil_time_of_day_after(values[0],
				       (nsec)((uint64_t)values[2] % (uint64_t)day));
	MUST(next > values[0] && next - values[0] <= 2 * day,
	     "%" PRId64 " after %" PRId64, next, values[0]);
	units_print_wall(printed, values[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "ms", "s", "us", "ns", "rfc3339" };
	struct slice rest = { (const char *)data + 1, size - 1 };
	struct timeform form;
	struct complaint why;
	nsec time;
	char *text;

	if (size == 0)
		return 0;
	text = fuzz_string(rest);
	if (data[0] < '5') {
		MUST(timeform_choose(&form, forms[data[0] % 5], &why) == 0, "%s",
		     why.text);
		check_time(&form, rest);
	} else if (data[0] == '5') {
		check_duration(text);
	} else if (data[0] == '6') {
		check_size(text);
	} else if (data[0] == '7') {
		check_escapes(rest);
	} else if (data[0] == '8') {
		check_calendar(rest);
	} else if (data[0] == '9') {
		if (datetime_parse_time_of_day(rest.data, rest.size, &time) == 0)
			MUST(time >= 0 && time <= 86400 * NSEC_PER_S, "%" PRId64, time);
	} else {
		check_pattern(rest);
	}
	free(text);
	return 0;
}
