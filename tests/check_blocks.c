#include <config.h>

#include "blocks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"
#include "unit.h"

#define SPANS_SET portable
#include "spans.h"
#ifdef BLOCKS_SSE2
#define SPANS_SET sse2
#include "spans.h"
#endif
#ifdef BLOCKS_AVX2
#define SPANS_SET avx2
#include "spans.h"
#endif

/* One set of functions; each is held against what is plain to see. */
struct set {
	const char *name;
	uint64_t (*mask)(const char *block, char delimiter);
	unsigned (*count_stride)(const char *stride, char delimiter);
	unsigned (*count_bits)(uint64_t word);
	void (*scan)(struct slice in, char delimiter, uint64_t limit,
		     struct record_span *span);
	size_t (*split)(struct slice in, char delimiter, const struct record_limit *limit,
			size_t *sizes, size_t room);
};

#define SET(name)                                                                 \
	{                                                                         \
#name, block_mask_##name, stride_count_##name, bits_count_##name, \
			scan_blocks_##name, split_##name                          \
	}

#ifdef BLOCKS_AVX2
BLOCKS_FOR_avx2 static uint64_t
mask_avx2(const char *block, char delimiter)
{
	return block_mask_avx2(block, delimiter);
}

BLOCKS_FOR_avx2 static unsigned
count_stride_avx2(const char *stride, char delimiter)
{
	return stride_count_avx2(stride, delimiter);
}

BLOCKS_FOR_avx2 static unsigned
count_bits_avx2(uint64_t word)
{
	return bits_count_avx2(word);
}
#endif

/* The sets that this processor has, and how many. */
static size_t
list_sets(struct set *sets)
{
	size_t count = 0;

	sets[count++] = (struct set)SET(portable);
#ifdef BLOCKS_SSE2
	sets[count++] = (struct set)SET(sse2);
#endif
#ifdef BLOCKS_AVX2
	if (blocks_have_avx2())
		sets[count++] = (struct set){
			"avx2",          mask_avx2,        count_stride_avx2,
			count_bits_avx2, scan_blocks_avx2, split_avx2
		};
#endif
	return count;
}

#define MOST_SETS 3

static size_t
count_plainly(const char *data, size_t size, char delimiter)
{
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += data[i] == delimiter;
	return count;
}

/* Delimiters, and others, as many as the dice say. */
static void
fill(struct dice *dice, char *data, size_t size, char delimiter)
{
	uint64_t sparse = dice_hits(dice, 4) ? 1 + dice_below(dice, 1500)
					     : 1 + dice_below(dice, 20);

	for (size_t i = 0; i < size; i++)
		data[i] =
			dice_hits(dice, sparse) ? delimiter : (char)dice_below(dice, 256);
}

START_TEST(mask_and_counts_are_of_each_byte)
{
	struct set sets[MOST_SETS];
	size_t count = list_sets(sets);
	char data[1 + STRIDE];
	struct dice dice = dice_of(3);

	for (size_t i = 0; i < 2000; i++) {
		char delimiter = (char)dice_below(&dice, 256);
		/* Where it stands in memory is nothing to go by. */
		char *bytes = data + i % 2;

		fill(&dice, bytes, STRIDE, delimiter);
		for (size_t set = 0; set < count; set++) {
			uint64_t mask = sets[set].mask(bytes, delimiter);

			for (size_t bit = 0; bit < BLOCK; bit++)
				DEMAND((mask >> bit & 1) == (bytes[bit] == delimiter),
				       "%s, byte %zu", sets[set].name, bit);
			DEMAND(sets[set].count_bits(mask) ==
				       count_plainly(bytes, BLOCK, delimiter),
			       "%s", sets[set].name);
			DEMAND(sets[set].count_stride(bytes, delimiter) ==
				       count_plainly(bytes, STRIDE, delimiter),
			       "%s", sets[set].name);
		}
	}
}
END_TEST

START_TEST(counts_reach_all_and_none)
{
	struct set sets[MOST_SETS];
	size_t count = list_sets(sets);
	char data[STRIDE];

	for (size_t set = 0; set < count; set++) {
		memset(data, '\n', sizeof data);
		ck_assert_uint_eq(sets[set].count_stride(data, '\n'), STRIDE);
		ck_assert_uint_eq(sets[set].mask(data, '\n'), UINT64_MAX);
		ck_assert_uint_eq(sets[set].count_bits(UINT64_MAX), 64);
		ck_assert_uint_eq(sets[set].count_stride(data, '\0'), 0);
		ck_assert_uint_eq(sets[set].mask(data, '\0'), 0);
		ck_assert_uint_eq(sets[set].count_bits(0), 0);
	}
}
END_TEST

/* In memory of its own, so that a checker sees what is read beyond it. */
static char *
roll_input(struct dice *dice, size_t *size)
{
	char *data;

	*size = dice_below(dice, dice_hits(dice, 3) ? 9000 : 1500);
	data = malloc(*size + 1);
	ck_assert_ptr_nonnull(data);
	fill(dice, data, *size, '\n');
	return data;
}

/* Whole blocks are passed over until so many delimiters were met, the last of which ends it. */
START_TEST(scan_ends_behind_the_last_that_is_wanted)
{
	struct set sets[MOST_SETS];
	size_t count = list_sets(sets);
	struct dice dice = dice_of(5);

	for (size_t i = 0; i < 3000; i++) {
		size_t size;
		char *data = roll_input(&dice, &size);
		uint64_t limit = 1 + dice_below(&dice, dice_hits(&dice, 2) ? 10 : 1500);

		for (size_t set = 0; set < count; set++) {
			struct record_span span = { 7, 7 };

			sets[set].scan((struct slice){ data, size }, '\n', limit, &span);
			DEMAND(span.bytes <= size && span.records <= limit &&
				       span.records ==
					       count_plainly(data, span.bytes, '\n'),
			       "%s, case %zu", sets[set].name, i);
			if (span.records == limit)
				DEMAND(data[span.bytes - 1] == '\n', "%s, case %zu",
				       sets[set].name, i);
			else
				DEMAND(size - span.bytes < BLOCK, "%s, case %zu",
				       sets[set].name, i);
		}
		free(data);
	}
}
END_TEST

/* As split_SET() should, but to the last byte: that may leave what ends in the last block. */
static size_t
split_plainly(struct slice in, const struct record_limit *limit, size_t *sizes,
	      size_t room)
{
	size_t count = 0, start = 0;
	uint64_t records = 0;

	for (size_t i = 0; i < in.size && count < room; i++) {
		if (in.data[i] != '\n' || ++records < limit->records)
			continue;
		if (i + 1 - start >= limit->enough || i + 1 - start > limit->most)
			break;
		sizes[count++] = i + 1 - start;
		start = i + 1;
		records = 0;
	}
	return count;
}

START_TEST(split_finds_each_span)
{
	struct set sets[MOST_SETS];
	size_t count = list_sets(sets);
	struct dice dice = dice_of(11);

	for (size_t i = 0; i < 3000; i++) {
		size_t size, wanted[64], found[64], plain, have;
		size_t room = 1 + dice_below(&dice, LENGTH(wanted));
		char *data = roll_input(&dice, &size);
		struct slice in = { data, size };
		struct record_limit limit = {
			1 + dice_below(&dice, dice_hits(&dice, 2) ? 10 : 500),
			dice_hits(&dice, 2) ? UINT64_MAX : 1 + dice_below(&dice, 9000),
			dice_hits(&dice, 2) ? UINT64_MAX : 1 + dice_below(&dice, 9000)
		};

		plain = split_plainly(in, &limit, wanted, room);
		for (size_t set = 0; set < count; set++) {
			size_t end = 0;

			have = sets[set].split(in, '\n', &limit, found, room);
			DEMAND(have <= plain, "%s, case %zu", sets[set].name, i);
			for (size_t j = 0; j < have; j++) {
				DEMAND(found[j] == wanted[j], "%s, case %zu, span %zu",
				       sets[set].name, i, j);
				end += found[j];
			}
			if (have < plain)
				DEMAND(size - end - wanted[have] < BLOCK, "%s, case %zu",
				       sets[set].name, i);
		}
		free(data);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("blocks", mask_and_counts_are_of_each_byte,
			counts_reach_all_and_none,
			scan_ends_behind_the_last_that_is_wanted, split_finds_each_span);
}
