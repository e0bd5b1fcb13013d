#include <config.h>

#include "arena.h"

#include <stdint.h>
#include <string.h>

#include "unit.h"

#define BLOCKS 3000

START_TEST(blocks_are_aligned_and_do_not_overlap)
{
	static unsigned char *blocks[BLOCKS];
	static size_t sizes[BLOCKS];
	struct arena arena = { 0 };
	struct dice dice = dice_of(1);

	for (size_t i = 0; i < BLOCKS; i++) {
		sizes[i] = dice_below(&dice, ARENA_MOST + 100);
		blocks[i] = arena_take(&arena, sizes[i]);
		ck_assert_ptr_nonnull(blocks[i]);
		ck_assert_uint_eq((uintptr_t)blocks[i] % ARENA_STEP, 0);
		memset(blocks[i], (int)(i % 251), sizes[i]);
		/* Some go back in between, and others take their place. */
		if (i > 0 && dice_hits(&dice, 3)) {
			arena_give(&arena, blocks[i - 1], sizes[i - 1]);
			blocks[i - 1] = NULL;
		}
	}
	for (size_t i = 0; i < BLOCKS; i++) {
		size_t wrong = 0;

		for (size_t j = 0; blocks[i] && j < sizes[i]; j++)
			wrong += blocks[i][j] != i % 251;
		DEMAND(wrong == 0, "block %zu", i);
		arena_give(&arena, blocks[i], sizes[i]);
	}
	arena_release(&arena);
}
END_TEST

START_TEST(blocks_stay_within_their_slab)
{
	for (size_t size = ARENA_STEP; size <= ARENA_MOST; size += ARENA_STEP) {
		struct arena arena = { 0 };
		void *blocks[100];

		for (size_t i = 0; i < LENGTH(blocks); i++) {
			ck_assert_ptr_nonnull(blocks[i] = arena_take(&arena, size));
			DEMAND(arena.left <= arena.total, "%zu bytes, block %zu", size,
			       i);
		}
		for (size_t i = 0; i < LENGTH(blocks); i++)
			arena_give(&arena, blocks[i], size);
		arena_release(&arena);
	}
}
END_TEST

START_TEST(reserved_block_can_be_taken)
{
	struct arena arena = { 0 };
	void *blocks[1000];

	for (size_t i = 0; i < LENGTH(blocks); i++) {
		ck_assert_int_eq(arena_reserve(&arena, 1000), 0);
		/* It is there without another slab. */
		ck_assert(arena.given[1000 / ARENA_STEP - 1] || arena.left >= 1000);
		blocks[i] = arena_take(&arena, 1000);
		ck_assert_ptr_nonnull(blocks[i]);
		memset(blocks[i], 1, 1000);
	}
	ck_assert_int_eq(arena_reserve(&arena, 1000), 0);
	for (size_t i = 0; i < LENGTH(blocks); i++)
		arena_give(&arena, blocks[i], 1000);
	arena_release(&arena);
}
END_TEST

START_TEST(blocks_that_came_back_are_used_again)
{
	struct arena arena = { 0 };
	void *kept = arena_take(&arena, 8), *blocks[100];
	size_t total = 0;

	for (size_t round = 0; round < 50; round++) {
		for (size_t i = 0; i < LENGTH(blocks); i++)
			ck_assert_ptr_nonnull(blocks[i] = arena_take(&arena, 1500));
		for (size_t i = 0; i < LENGTH(blocks); i++)
			arena_give(&arena, blocks[i], 1500);
		if (round == 0)
			total = arena.total;
	}
	ck_assert_uint_eq(arena.total, total);
	arena_give(&arena, kept, 8);
	arena_release(&arena);
}
END_TEST

START_TEST(memory_goes_back_when_no_block_is_out)
{
	struct arena arena = { 0 };
	static void *blocks[2000];
	size_t first = 0;

	for (size_t round = 0; round < 3; round++) {
		for (size_t i = 0; i < LENGTH(blocks); i++) {
			ck_assert_ptr_nonnull(blocks[i] = arena_take(&arena, 2000));
			if (i == 0)
				first = arena.total;
		}
		for (size_t i = 0; i < LENGTH(blocks); i++)
			arena_give(&arena, blocks[i], 2000);
		ck_assert_uint_eq(arena.out, 0);
		ck_assert_uint_eq(arena.total, first);
	}
	arena_release(&arena);
}
END_TEST

START_TEST(large_memory_is_zeroed)
{
	static const size_t sizes[] = { 1, 1000, 3 << 20 };

	for (size_t i = 0; i < LENGTH(sizes); i++) {
		unsigned char *memory = arena_large(sizes[i], 2);

		ck_assert_ptr_nonnull(memory);
		for (size_t j = 0; j < sizes[i] * 2; j += 509)
			DEMAND(memory[j] == 0, "%zu", j);
		memset(memory, 1, sizes[i] * 2);
		arena_free_large(memory, sizes[i], 2);
	}
	arena_free_large(NULL, 5, 8);
	ck_assert_ptr_null(arena_large(SIZE_MAX / 4, 8));
}
END_TEST

START_TEST(without_an_arena_it_is_malloc)
{
	char *block = arena_take(NULL, 100);

	ck_assert_ptr_nonnull(block);
	memset(block, 1, 100);
	arena_give(NULL, block, 100);
	arena_give(NULL, NULL, 100);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("arena", blocks_are_aligned_and_do_not_overlap,
			blocks_stay_within_their_slab, reserved_block_can_be_taken,
			blocks_that_came_back_are_used_again,
			memory_goes_back_when_no_block_is_out, large_memory_is_zeroed,
			without_an_arena_it_is_malloc);
}
