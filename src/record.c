#include <config.h>

#include "record.h"

#include <stdbool.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/*
 * The input is looked at in blocks of 64 bytes, of which each gives a word: a bit is set where
 * a delimiter stands, the lowest for the first byte.
 */
#define BLOCK 64

#ifdef __SSE2__
static uint64_t
mask_of(const char *block, char delimiter)
{
	__m128i wanted = _mm_set1_epi8(delimiter);
	uint64_t mask = 0;

	for (int i = 0; i < 4; i++) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)block + i);
		__m128i equal = _mm_cmpeq_epi8(bytes, wanted);

		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(equal) << (16 * i);
	}
	return mask;
}
#else
static uint64_t
mask_of(const char *block, char delimiter)
{
	uint64_t mask = 0;

	for (int i = 0; i < BLOCK; i++)
		mask |= (uint64_t)(block[i] == delimiter) << i;
	return mask;
}
#endif

/* How many delimiters a block holds: cheaper than its word, and enough where all of them are
 * wanted. Compilers vectorise the loop; a byte cannot overflow. */
static unsigned
count_block(const char *block, char delimiter)
{
	unsigned char count = 0;

	for (size_t i = 0; i < BLOCK; i++)
		count = (unsigned char)(count + (block[i] == delimiter));
	return count;
}

static unsigned
count_bits(uint64_t word)
{
	const uint64_t pairs = UINT64_C(0x5555555555555555),
		       fours = UINT64_C(0x3333333333333333),
		       bytes = UINT64_C(0x0f0f0f0f0f0f0f0f),
		       ones = UINT64_C(0x0101010101010101);

	word -= word >> 1 & pairs;
	word = (word & fours) + (word >> 2 & fours);
	word = (word + (word >> 4)) & bytes;
	return (unsigned)(word * ones >> 56);
}

/* The place of the nth bit that is set, from 1; there are so many. It and those below it are
 * cleared. */
static unsigned
take_bits(uint64_t *word, uint64_t nth)
{
	uint64_t rest = *word;

	while (--nth > 0)
		rest &= rest - 1;
	*word = rest & (rest - 1);
	return count_bits((rest & (~rest + 1)) - 1);
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
 * Passes over blocks that hold fewer delimiters than are wanted, and takes the part of the block
 * in which the last of those stands. The span may end in the middle of a record; what is counted
 * are the delimiters within.
 */
static void
scan_blocks(struct slice in, char delimiter, uint64_t wanted, struct record_span *span)
{
	while (in.size - span->bytes >= BLOCK && wanted - span->records > BLOCK) {
		span->records += count_block(in.data + span->bytes, delimiter);
		span->bytes += BLOCK;
	}
	while (in.size - span->bytes >= BLOCK) {
		uint64_t mask = mask_of(in.data + span->bytes, delimiter);
		unsigned count = count_bits(mask);

		if (count >= wanted - span->records) {
			span->bytes += take_bits(&mask, wanted - span->records) + 1;
			span->records = wanted;
			return;
		}
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

/* Stores the size of a span, if it is within the limit. */
static bool
store_size(size_t size, const struct record_limit *limit, size_t *sizes, size_t *count)
{
	if (size >= limit->enough || size > limit->most)
		return false;
	sizes[(*count)++] = size;
	return true;
}

size_t
record_split(struct slice in, char delimiter, const struct record_limit *limit,
	     size_t *sizes, size_t room)
{
	uint64_t wanted = limit->records;
	size_t start = 0, count = 0;

	for (size_t at = 0; in.size - at >= BLOCK && count < room; at += BLOCK) {
		uint64_t mask;
		unsigned left;

		if (wanted > BLOCK) {
			wanted -= count_block(in.data + at, delimiter);
			continue;
		}
		mask = mask_of(in.data + at, delimiter);
		left = count_bits(mask);
		while (left >= wanted && count < room) {
			size_t end = at + take_bits(&mask, wanted) + 1;

			if (!store_size(end - start, limit, sizes, &count))
				return count;
			left -= (unsigned)wanted;
			wanted = limit->records;
			start = end;
		}
		wanted -= left;
	}
	return count;
}
