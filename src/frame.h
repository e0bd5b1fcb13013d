/*
 * What a batch looks like: header, records, footer, batch delimiter.
 *
 * As text each record is followed by its delimiter; joined, the records stand on one line with
 * a string between them.
 */
#ifndef VOLLEY_FRAME_H
#define VOLLEY_FRAME_H

#include "template.h"

struct frame {
	char delimiter;      /* of the records of a batch */
	bool join;           /* on one line, with joiner between the records */
	struct slice joiner; /* borrowed, as all below */
	struct slice batch_delimiter;
	const struct template *header; /* NULL: none */
	const struct template *footer;
	struct timeform times;
};

/* Whether a batch begins with its records as they are, so that they need not be copied to
 * stand behind something. */
bool
frame_is_plain(const struct frame *frame);

/* Appends the batch. 0, or -1 with errno and out as it was. */
int
frame_append(const struct frame *frame, const struct batch *batch, struct buf *out);

/* Appends what follows the held records of a batch; for frames that are plain. */
int
frame_append_rest(const struct frame *frame, const struct batch *batch, struct buf *out);

/* Appends a watermark: a line that holds a time and no record. */
int
frame_append_watermark(const struct frame *frame, nsec time, struct buf *out);

#endif
