#include <config.h>

#include "record.h"

#include <stdbool.h>
#include <string.h>

/* Blocks are counted whole; the block in which a limit is reached is looked at closely. A
 * byte's worth of delimiters cannot overflow a byte, and compilers vectorise the loop. */
#define BLOCK 64

static unsigned
count_block(const char *data, char delimiter)
{
	unsigned char count = 0;

	for (size_t i = 0; i < BLOCK; i++)
		count = (unsigned char)(count + (data[i] == delimiter));
	return count;
}

size_t
record_size(struct slice in, char delimiter)
{
	const char *end = in.size > 0 ? memchr(in.data, delimiter, in.size) : NULL;

	return end ? (size_t)(end - in.data) : in.size;
}

/* Takes one record more from in, whose first span->bytes are taken; false when none is whole. */
static bool
take_one(struct slice in, char delimiter, struct record_span *span)
{
	struct slice rest = slice_from(in, span->bytes);
	size_t size = record_size(rest, delimiter);

	if (size == rest.size)
		return false;
	span->records++;
	span->bytes += size + 1;
	return true;
}

/*
 * Passes over blocks that hold fewer delimiters than are wanted. The span then ends at a block's
 * end, perhaps in the middle of a record; what is counted are the delimiters within.
 */
static void
count_blocks(struct slice in, char delimiter, uint64_t wanted, struct record_span *span)
{
	while (in.size - span->bytes >= BLOCK) {
		unsigned count = count_block(in.data + span->bytes, delimiter);

		if (count >= wanted - span->records)
			break;
		span->records += count;
		span->bytes += BLOCK;
	}
}

/* Takes the span back to the end of its last whole record. */
static void
cut_back(struct slice in, char delimiter, struct record_span *span)
{
	while (span->bytes > 0 && in.data[span->bytes - 1] != delimiter)
		span->bytes--;
}

struct record_span
record_scan(struct slice in, char delimiter, const struct record_limit *limit)
{
	struct record_span span = { 0, 0 };
	struct slice front;

	if (in.size > limit->most)
		in.size = (size_t)limit->most;
	/* A record that ends in the front leaves room for another: it does not make enough. */
	front = in;
	if (front.size > limit->enough - 1)
		front.size = (size_t)(limit->enough - 1);
	count_blocks(front, delimiter, limit->records, &span);
	while (span.records < limit->records && take_one(front, delimiter, &span))
		continue;
	if (span.records == limit->records)
		return span;
	/* The front holds too few: the record that reaches over its end makes enough. */
	span.bytes = front.size;
	if (!take_one(in, delimiter, &span))
		cut_back(in, delimiter, &span);
	return span;
}
