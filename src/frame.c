#include <config.h>

#include "frame.h"

#include "record.h"

bool
frame_is_plain(const struct frame *frame)
{
	return !frame->join && !frame->header;
}

static int
append_template(const struct frame *frame, const struct template *template,
		const struct batch *batch, struct buf *out)
{
	return template ? template_append(template, batch, &frame->times, out) : 0;
}

static int
append_joined(const struct frame *frame, struct slice records, bool *first,
	      struct buf *out)
{
	while (records.size > 0) {
		size_t size = record_size(records, frame->delimiter);

		if (!*first && buf_append(out, frame->joiner) < 0)
			return -1;
		*first = false;
		if (buf_append(out, (struct slice){ records.data, size }) < 0)
			return -1;
		records = slice_from(records, size + 1);
	}
	return 0;
}

int
frame_append_rest(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	if (buf_append(out, batch->tail) < 0 ||
	    append_template(frame, frame->footer, batch, out) < 0)
		return -1;
	return buf_append(out, frame->batch_delimiter);
}

static int
append_all(const struct frame *frame, const struct batch *batch, struct buf *out)
{
	bool first = true;

	if (append_template(frame, frame->header, batch, out) < 0)
		return -1;
	if (!frame->join)
		return buf_append(out, batch->held) < 0
			       ? -1
			       : frame_append_rest(frame, batch, out);
	if (append_joined(frame, batch->held, &first, out) < 0 ||
	    append_joined(frame, batch->tail, &first, out) < 0 ||
	    append_template(frame, frame->footer, batch, out) < 0)
		return -1;
	return buf_append(out, frame->batch_delimiter);
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
