#include <config.h>

#include "frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "jsontext.h"
#include "record.h"

static int
append_template(const struct frame *frame, const struct template *template,
		const struct batch *batch, struct buf *out)
{
	return template ? template_append(template, batch, &frame->times, out) : 0;
}

/* Appends one record, without its delimiter. */
typedef int
append_record(const struct frame *frame, struct slice record, struct buf *out);

static append_record append_bytes, append_value, append_string;

static int
append_bytes(const struct frame *frame, struct slice record, struct buf *out)
{
	(void)frame;
	return buf_append(out, record);
}

/* A JSON value as it is, but on one line: there a newline can only stand between its parts. */
static int
append_value(const struct frame *frame, struct slice record, struct buf *out)
{
	size_t from = out->size;
	char *newline;

	if (append_bytes(frame, record, out) < 0)
		return -1;
	while (out->size > from &&
	       (newline = memchr(out->data + from, '\n', out->size - from))) {
		*newline = ' ';
		from = (size_t)(newline - out->data) + 1;
	}
	return 0;
}

static int
append_string(const struct frame *frame, struct slice record, struct buf *out)
{
	return jsontext_append(record, out, frame->replaced);
}

/* The records of one part of the batch, with the joiner before each but the first of all. */
static int
append_records(const struct frame *frame, struct slice records, struct slice joiner,
	       append_record *append, bool *first, struct buf *out)
{
	while (records.size > 0) {
		size_t size = record_size(records, frame->delimiter);

		if (!*first && buf_append(out, joiner) < 0)
			return -1;
		*first = false;
		if (append(frame, (struct slice){ records.data, size }, out) < 0)
			return -1;
		records = slice_from(records, size + 1);
	}
	return 0;
}

static int
append_joined(const struct frame *frame, const struct batch *batch, struct slice joiner,
	      append_record *append, struct buf *out)
{
	bool first = true;

	if (append_records(frame, batch->held, joiner, append, &first, out) < 0)
		return -1;
	return append_records(frame, batch->tail, joiner, append, &first, out);
}

/* Header, records and footer. */
static int
append_text(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	if (append_template(frame, frame->header, batch, out) < 0)
		return -1;
	if (frame->join) {
		if (append_joined(frame, batch, frame->joiner, append_bytes, out) < 0)
			return -1;
	} else if (buf_append(out, batch->held) < 0 || buf_append(out, batch->tail) < 0) {
		return -1;
	}
	return append_template(frame, frame->footer, batch, out);
}

static int
append_array(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	append_record *append = frame->json_records ? append_value : append_string;

	if (buf_append_byte(out, '[') < 0 ||
	    append_joined(frame, batch, slice_of(","), append, out) < 0)
		return -1;
	return buf_append_byte(out, ']');
}

static int
append_number(const char *name, uint64_t number, struct buf *out)
{
	char text[64];

	snprintf(text, sizeof text, ",\"%s\":%" PRIu64, name, number);
	return buf_append(out, slice_of(text));
}

static int
append_name(const char *name, struct buf *out)
{
	if (buf_append(out, slice_of(",\"")) < 0 || buf_append(out, slice_of(name)) < 0)
		return -1;
	return buf_append(out, slice_of("\":"));
}

static int
append_text_fact(const struct frame *frame, const char *name, struct slice text,
		 struct buf *out)
{
	if (append_name(name, out) < 0)
		return -1;
	return jsontext_append(text, out, frame->replaced);
}

/* A number in the unit of the time format, a string in the others; milliseconds by the wall
 * clock. */
static int
append_time(const struct frame *frame, const char *name, bool there, nsec time,
	    struct buf *out)
{
	static const struct timeform ms = { .kind = TIMEFORM_UNIT, .unit = TIME_MS };
	const struct timeform *times =
		frame->times.kind == TIMEFORM_WALL ? &ms : &frame->times;
	struct buf text = { 0 };
	int result;

	if (append_name(name, out) < 0)
		return -1;
	if (!there)
		return buf_append(out, slice_of("null"));
	if (timeform_is_number(times))
		return timeform_print(times, time, out);
	result = timeform_print(times, time, &text);
	if (result == 0)
		result = jsontext_append(buf_slice(&text), out, frame->replaced);
	buf_release(&text);
	return result;
}

static int
append_times(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	bool records = batch->count > 0, window = batch->end != NSEC_MAX;

	if (append_time(frame, "fired", true, batch->fired, out) < 0 ||
	    append_time(frame, "first", records, batch->first, out) < 0 ||
	    append_time(frame, "last", records, batch->last, out) < 0 ||
	    append_time(frame, "start", window, batch->start, out) < 0)
		return -1;
	return append_time(frame, "end", window, batch->end, out);
}

static int
append_key(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	if (batch->has_key)
		return append_text_fact(frame, "key", batch->key, out);
	return append_name("key", out) < 0 ? -1 : buf_append(out, slice_of("null"));
}

/* All facts, in the order of the manual, then the records. */
static int
append_object(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	size_t start = out->size;

	if (append_number("index", batch->index, out) < 0 ||
	    append_number("count", batch->count, out) < 0 ||
	    append_number("bytes", batch->bytes, out) < 0 ||
	    append_text_fact(frame, "reason", slice_of(reason_name(batch->reason)), out) <
		    0 ||
	    append_key(frame, batch, out) < 0 || append_times(frame, batch, out) < 0 ||
	    append_text_fact(frame, "timing", slice_of(timing_name(batch->timing)), out) <
		    0 ||
	    append_number("pane", batch->pane, out) < 0 ||
	    append_time(frame, "timestamp", batch->has_timestamp, batch->timestamp, out) <
		    0 ||
	    append_name("records", out) < 0 || append_array(frame, batch, out) < 0)
		return -1;
	out->data[start] = '{'; /* in place of the first comma */
	return buf_append_byte(out, '}');
}

static int
append_netstring(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	struct buf text = { 0 };
	char length[32];
	int result = append_text(frame, batch, &text);

	snprintf(length, sizeof length, "%zu:", text.size);
	if (result == 0 &&
	    (buf_append(out, slice_of(length)) < 0 ||
	     buf_append(out, buf_slice(&text)) < 0 || buf_append_byte(out, ',') < 0))
		result = -1;
	buf_release(&text);
	return result;
}

static int
append_all(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	int result = -1;

	switch (frame->format) {
	case FORMAT_TEXT:
		result = append_text(frame, batch, out);
		break;
	case FORMAT_JSON:
		result = append_array(frame, batch, out);
		break;
	case FORMAT_NDJSON:
		result = append_object(frame, batch, out);
		break;
	case FORMAT_NETSTRING:
		return append_netstring(frame, batch, out);
	}
	return result < 0 ? -1 : buf_append(out, frame->batch_delimiter);
}

bool
frame_is_bare(const struct frame *frame)
{
	return frame->format == FORMAT_TEXT && !frame->join && !frame->header &&
	       !frame->footer;
}

int
frame_append_many(const struct frame *frame, struct slice records, const size_t *sizes,
		  size_t count, struct buf *out)
{
	struct slice delimiter = frame->batch_delimiter;
	const char *from = records.data;
	char *to;

	if (buf_reserve(out, records.size + count * delimiter.size) < 0)
		return -1;
	to = out->data + out->size;
	for (size_t i = 0; i < count; i++) {
		memcpy(to, from, sizes[i]);
		from += sizes[i];
		to += sizes[i];
		if (delimiter.size == 1)
			*to = *delimiter.data;
		else
			memcpy(to, delimiter.data, delimiter.size);
		to += delimiter.size;
	}
	out->size = (size_t)(to - out->data);
	return 0;
}

int
frame_append(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	size_t size = out->size;

	if (append_all(frame, batch, out) == 0)
		return 0;
	out->size = size;
	return -1;
}

int
frame_append_watermark(const struct frame *frame, nsec time, struct buf *out)
{
	size_t size = out->size;

	if (timeform_print(&frame->times, time, out) == 0 &&
	    buf_append_byte(out, frame->delimiter) == 0)
		return 0;
	out->size = size;
	return -1;
}
