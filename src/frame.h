/*
 * What a batch looks like.
 *
 *     text        header, records, footer, batch delimiter. Each record is followed by its
 *                 delimiter; joined, they stand on one line with a string between them
 *     json        an array of strings, batch delimiter
 *     ndjson      an object with the batch's facts and its records, batch delimiter
 *     netstring   the length of what text would be without the batch delimiter, a colon, that,
 *                 and a comma
 */
#ifndef VOLLEY_FRAME_H
#define VOLLEY_FRAME_H

#include "template.h"

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_NDJSON, FORMAT_NETSTRING };

struct frame {
	enum format format;
	char delimiter;      /* of the records of a batch */
	bool join;           /* on one line, with joiner between the records */
	struct slice joiner; /* borrowed, as all below */
	struct slice batch_delimiter;
	const struct template *header; /* NULL: none */
	const struct template *footer;
	struct timeform times;
	bool json_records; /* the records are JSON values, put in as they are on one line */
	uint64_t *replaced; /* counts what was not UTF-8 in JSON */
};

/* Whether a batch is its records as they are and the batch delimiter, and nothing else; so they need
 * not be copied to stand among something. */
bool
frame_is_bare(const struct frame *frame);

/* Appends the batches that stand in records one behind the other; for frames that are bare. */
int
frame_append_many(const struct frame *frame, struct slice records, const size_t *sizes,
		  size_t count, struct buf *out);

/* Appends the batch. 0, or -1 with errno and out as it was. */
int
frame_append(const struct frame *frame, const struct batch *batch, struct buf *out);

/* Appends a watermark: a line that holds a time and no record. */
int
frame_append_watermark(const struct frame *frame, nsec time, struct buf *out);

#endif
