/*
 * The loops of record.c over all bytes of the input, as a text that is included once for each
 * set of instructions of blocks.h: SPANS_SET is its name. They are static, and called
 * scan_blocks_SET and split_SET. So there is no guard against including it again.
 */
#include "blocks.h"
#include "record.h"

#ifndef SPANS_SET
#define SPANS_SET portable
#endif

#define SPANS_JOIN(name, set) name##_##set
#define SPANS_NAME_OF(name, set) SPANS_JOIN(name, set)
#define SPANS_NAME(name) SPANS_NAME_OF(name, SPANS_SET)
#define SPANS_FOR SPANS_NAME_OF(BLOCKS_FOR, SPANS_SET)

/* The place of the nth bit that is set, from 1; there are so many. It and those below it are
 * cleared. */
SPANS_FOR static inline unsigned
SPANS_NAME(take_bits)(uint64_t *word, uint64_t nth)
{
	uint64_t rest = *word;

	while (--nth > 0)
		rest &= rest - 1;
	*word = rest & (rest - 1);
	return SPANS_NAME(bits_count)((rest & (~rest + 1)) - 1);
}

/* Passes over whole strides that hold fewer delimiters than are wanted, and counts those off.
 * Returns how many bytes that makes. */
SPANS_FOR static inline size_t
SPANS_NAME(pass_strides)(struct slice in, char delimiter, uint64_t *wanted)
{
	size_t at = 0;

	while (in.size - at >= STRIDE) {
		unsigned count = SPANS_NAME(stride_count)(in.data + at, delimiter);

		if (count >= *wanted)
			break;
		*wanted -= count;
		at += STRIDE;
	}
	return at;
}

/* Passes over blocks that hold fewer delimiters than limit, and takes the part of the block in
 * which the last of those stands. The span may end in the middle of a record; what is counted
 * are the delimiters within. */
SPANS_FOR static inline void
SPANS_NAME(scan_blocks)(struct slice in, char delimiter, uint64_t limit,
			struct record_span *span)
{
	uint64_t wanted = limit;
	size_t at = SPANS_NAME(pass_strides)(in, delimiter, &wanted);

	for (; in.size - at >= BLOCK; at += BLOCK) {
		uint64_t mask = SPANS_NAME(block_mask)(in.data + at, delimiter);
		unsigned count = SPANS_NAME(bits_count)(mask);

		if (count >= wanted) {
			at += SPANS_NAME(take_bits)(&mask, wanted) + 1;
			wanted = 0;
			break;
		}
		wanted -= count;
	}
	*span = (struct record_span){ limit - wanted, at };
}

/* As record_split(). */
SPANS_FOR static inline size_t
SPANS_NAME(split)(struct slice in, char delimiter, const struct record_limit *limit,
		  size_t *sizes, size_t room)
{
	uint64_t wanted = limit->records;
	size_t at = 0, start = 0, count = 0;
	bool in_strides = true; /* worth a try while spans are longer than some of them */

	while (count < room) {
		uint64_t mask;
		unsigned left;

		if (in_strides)
			at += SPANS_NAME(pass_strides)(slice_from(in, at), delimiter,
						       &wanted);
		in_strides = false;
		if (in.size - at < BLOCK)
			break;
		mask = SPANS_NAME(block_mask)(in.data + at, delimiter);
		left = SPANS_NAME(bits_count)(mask);
		while (left >= wanted && count < room) {
			size_t end = at + SPANS_NAME(take_bits)(&mask, wanted) + 1;

			if (end - start >= limit->enough || end - start > limit->most)
				return count;
			sizes[count++] = end - start;
			left -= (unsigned)wanted;
			wanted = limit->records;
			in_strides = end - start >= 4 * STRIDE;
			start = end;
		}
		wanted -= left;
		at += BLOCK;
	}
	return count;
}

#undef SPANS_JOIN
#undef SPANS_NAME_OF
#undef SPANS_NAME
#undef SPANS_FOR
#undef SPANS_SET
