#include <config.h>

#include "intake.h"

#include <inttypes.h>
#include <stdio.h>

#include "diag.h"
#include "jsonload.h"
#include "record.h"

void
intake_init(struct intake *intake, const struct intake_config *config,
	    struct engine *engine)
{
	*intake = (struct intake){ .config = *config, .engine = engine };
}

/* Of the line at hand. */
static uint64_t
line_number(const struct intake *intake)
{
	return engine_counters(intake->engine)->lines + 1;
}

/*
 * The functions that admit a record, and the steps, return 1 when they took something, 0 when
 * they need more input or the run is over, -1 on errors.
 */

static int
admit_truncated(struct intake *intake, struct slice record, nsec time)
{
	struct buf copy = { 0 };
	int result = -1;

	record.size = (size_t)intake->config.max_record;
	if (buf_append(&copy, record) < 0 ||
	    buf_append_byte(&copy, intake->config.delimiter) < 0)
		diag_errno("cannot take record %" PRIu64, line_number(intake));
	else
		result = engine_admit_one(intake->engine, buf_slice(&copy), time);
	buf_release(&copy);
	intake->losses.truncated += result > 0;
	return result;
}

/* What the size lacks behind it as units_print_size() has it, which needs no unit from 1K on. */
static const char *
unit_of(uint64_t size)
{
	if (size % 1024 == 0)
		return "";
	return size == 1 ? " byte" : " bytes";
}

/* A record that is longer than allowed; its beginning is enough. */
static int
admit_oversize(struct intake *intake, struct slice record, nsec time)
{
	uint64_t longest = intake->config.max_record;
	char limit[UNITS_TEXT_MAX];

	switch (intake->config.oversize) {
	case OVERSIZE_FAIL:
		break;
	case OVERSIZE_SKIP:
		intake->losses.skipped++;
		return 1;
	case OVERSIZE_TRUNCATE:
		return admit_truncated(intake, record, time);
	}
	units_print_size(limit, longest);
	diag_say("record %" PRIu64
		 " is longer than %s%s (see --max-record and --oversize)",
		 line_number(intake), limit, unit_of(longest));
	return -1;
}

/* Whether the record is what is asked for; if not, that is reported. */
static bool
is_json(const struct intake *intake, struct slice record)
{
	json_error_t error;
	json_t *value = jsonload(record, &error);

	if (!value)
		diag_say("record %" PRIu64 " is not JSON: %s (see --json-records)",
			 line_number(intake), error.text);
	json_decref(value);
	return value != NULL;
}

/* A record without its delimiter, which stands behind it unless the record is too long. */
static int
admit_record(struct intake *intake, struct slice record, nsec time)
{
	if (record.size > intake->config.max_record)
		return admit_oversize(intake, record, time);
	if (intake->config.check_json && !is_json(intake, record))
		return -1;
	record.size++;
	return engine_admit_one(intake->engine, record, time);
}

/* A line that has no time; as much of it is shown as is plain text. */
static int
take_bad_time(struct intake *intake, struct slice line)
{
	const struct timestamp_source *source = &intake->config.timestamp;
	const char *what = source->key ? "has no" : "does not begin with a";
	uint64_t number = source->key ? field_index(source->key) : 0;
	char place[48] = "";
	size_t size = 0;

	if (intake->config.skip_bad_times) {
		intake->losses.bad_times++;
		return 1;
	}
	while (size < line.size && size < 40 && line.data[size] >= ' ' &&
	       line.data[size] <= '~')
		size++;
	if (number > 0) {
		snprintf(place, sizeof place, "field %" PRIu64 " of ", number);
		what = "is no";
	}
	diag_say("record %" PRIu64
		 ": %s'%.*s' %s time as %s (see --timestamp and --bad-timestamp)",
		 line_number(intake), place, (int)size, line.data, what,
		 timeform_name(&source->form));
	return -1;
}

/* A line with a KEY that is longer than a record may be. How much of it is there already must not
 * matter, so the key is looked for only in what could be kept. */
static int
admit_long_line(struct intake *intake, struct slice line)
{
	struct slice front = { line.data, (size_t)intake->config.max_record };
	nsec time = NSEC_MIN;

	if (timestamp_find_in_front(&intake->config.timestamp, front, &time) < 0)
		return intake->config.oversize == OVERSIZE_TRUNCATE
			       ? take_bad_time(intake, front)
			       : admit_oversize(intake, line, time);
	if (engine_see_time(intake->engine, time) < 0)
		return -1;
	return engine_done(intake->engine) ? 0 : admit_oversize(intake, line, time);
}

/* In the event domain: a line, which moves the clock before its record is admitted. */
static int
admit_line(struct intake *intake, struct slice line)
{
	struct timestamped stamped;

	if (intake->config.timestamp.key && line.size > intake->config.max_record)
		return admit_long_line(intake, line);
	if (timestamp_find(&intake->config.timestamp, line, &stamped) < 0)
		return take_bad_time(intake, line);
	if (engine_see_time(intake->engine, stamped.time) < 0)
		return -1;
	if (engine_done(intake->engine))
		return 0;
	return stamped.has_record ? admit_record(intake, stamped.record, stamped.time)
				  : 1;
}

/* The length from which on a line without an end is too long, whatever follows. */
static uint64_t
longest_line(const struct intake *intake)
{
	uint64_t prefix = intake->config.event ? TIMEFORM_MAX + 1 : 0;
	uint64_t longest = intake->config.max_record;

	return longest > UINT64_MAX - prefix ? UINT64_MAX : longest + prefix;
}

/* The first line of the input, by itself. */
static int
step_line(struct intake *intake, struct slice in, size_t *used)
{
	struct slice rest = slice_from(in, intake->searched);
	size_t size = intake->searched + record_size(rest, intake->config.delimiter);
	struct slice line = { in.data, size };
	bool whole = size < in.size;
	uint64_t before = engine_counters(intake->engine)->records;
	int result;

	if (!whole && size <= longest_line(intake)) {
		intake->searched = size;
		return 0;
	}
	if (intake->config.event)
		result = admit_line(intake, line);
	else
		result = admit_record(intake, line, engine_now(intake->engine));
	if (result <= 0 && engine_counters(intake->engine)->records == before)
		return result;
	intake->searched = 0;
	intake->skipping = !whole;
	*used += whole ? size + 1 : size;
	if (result <= 0)
		return result;
	return engine_end_lines(intake->engine, 1) < 0 ? -1 : 1;
}

/* As many records as go at once. */
static int
step_run(struct intake *intake, struct slice in, size_t *used)
{
	uint64_t before = engine_counters(intake->engine)->records;
	size_t size = 0;
	int result;

	/* Within the length of the longest record, and its delimiter, no record is too long. */
	if (in.size - 1 > intake->config.max_record)
		in.size = (size_t)intake->config.max_record + 1;
	result = engine_admit(intake->engine, in, &size);
	*used += size;
	if (result < 0)
		return -1;
	if (engine_end_lines(intake->engine,
			     engine_counters(intake->engine)->records - before) < 0)
		return -1;
	return size > 0;
}

static int
skip_rest(struct intake *intake, struct slice in, size_t *used)
{
	size_t size = record_size(in, intake->config.delimiter);

	intake->skipping = size == in.size;
	*used += intake->skipping ? size : size + 1;
	return 1;
}

static int
step(struct intake *intake, struct slice in, size_t *used)
{
	int result = 0;

	if (intake->skipping)
		return skip_rest(intake, in, used);
	if (!intake->config.event && !intake->config.check_json && intake->searched == 0)
		result = step_run(intake, in, used);
	/* When nothing goes at once: the first is not whole, or too long, or has no room. */
	return result != 0 ? result : step_line(intake, in, used);
}

int
intake_feed(struct intake *intake, struct slice in, size_t *used)
{
	*used = 0;
	while (*used < in.size && (intake->skipping || engine_ready(intake->engine))) {
		int result = step(intake, slice_from(in, *used), used);

		if (result <= 0)
			return result;
	}
	return 0;
}
