#include <config.h>

#include "record.h"

#include <string.h>

/* Of the sets that every processor of this kind has, the best. */
#ifdef BLOCKS_SSE2
#define SPANS_SET sse2
#include "spans.h"
#define scan_blocks_anywhere scan_blocks_sse2
#define split_anywhere split_sse2
#else
#define SPANS_SET portable
#include "spans.h"
#define scan_blocks_anywhere scan_blocks_portable
#define split_anywhere split_portable
#endif
#ifdef BLOCKS_AVX2
#define SPANS_SET avx2
#include "spans.h"
#endif

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

static void
scan_blocks(struct slice in, char delimiter, uint64_t limit, struct record_span *span)
{
#ifdef BLOCKS_AVX2
	if (blocks_have_avx2()) {
		scan_blocks_avx2(in, delimiter, limit, span);
		return;
	}
#endif
	scan_blocks_anywhere(in, delimiter, limit, span);
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
	scan_blocks(front, delimiter, limit->records, &span);
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

size_t
record_split(struct slice in, char delimiter, const struct record_limit *limit,
	     size_t *sizes, size_t room)
{
#ifdef BLOCKS_AVX2
	if (blocks_have_avx2())
		return split_avx2(in, delimiter, limit, sizes, room);
#endif
	return split_anywhere(in, delimiter, limit, sizes, room);
}
