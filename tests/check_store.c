#include <config.h>

#include "store.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* A store, and what it should hold. */
struct pair {
	struct store_pool *pool;
	struct store store;
	struct buf plain;
};

static void
append(struct pair *pair, struct dice *dice, size_t size)
{
	char *bytes = malloc(size + 1);

	ck_assert_ptr_nonnull(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = (char)dice_below(dice, 256);
	ck_assert_int_eq(store_reserve(&pair->store, pair->pool, size), 0);
	store_append(&pair->store, pair->pool, (struct slice){ bytes, size });
	ck_assert_int_eq(buf_append(&pair->plain, (struct slice){ bytes, size }), 0);
	free(bytes);
}

static void
compare(const struct pair *pair, const char *when)
{
	struct slice slice = store_slice(&pair->store, pair->pool);

	store_prefetch(&pair->store);
	DEMAND(slice.size == pair->plain.size, "%s: %zu bytes, not %zu", when, slice.size,
	       pair->plain.size);
	DEMAND(slice.size == 0 || memcmp(slice.data, pair->plain.data, slice.size) == 0,
	       "%s, %zu bytes", when, slice.size);
}

/* Some of the bytes, as an eviction leaves them. */
static void
thin_out(struct pair *pair, struct dice *dice)
{
	struct slice slice = store_slice(&pair->store, pair->pool);
	size_t kept = 0, from = slice.size > 0 ? dice_below(dice, slice.size + 1) : 0;

	kept = slice.size - from;
	store_replace(&pair->store, pair->pool, slice_from(slice, from));
	if (kept > 0)
		memmove(pair->plain.data, pair->plain.data + from, kept);
	pair->plain.size = kept;
}

/* Many stores that grow side by side, with memory from a pool (0) or not (1). */
START_TEST(store_holds_what_was_appended)
{
	static struct store_pool pool;
	struct dice dice = dice_of(9);
	static struct pair pairs[40];

	for (size_t i = 0; i < LENGTH(pairs); i++)
		pairs[i].pool = _i == 0 ? &pool : NULL;
	for (size_t i = 0; i < 40000; i++) {
		struct pair *pair = &pairs[dice_below(&dice, LENGTH(pairs))];

		switch (dice_below(&dice, 40)) {
		case 0:
			store_clear(&pair->store, pair->pool, dice_below(&dice, 9000));
			pair->plain.size = 0;
			break;
		case 1:
			thin_out(pair, &dice);
			break;
		case 2:
			append(pair, &dice, dice_below(&dice, 6000));
			break;
		default:
			append(pair, &dice, dice_below(&dice, 60));
		}
		compare(pair, "after a change");
	}
	for (size_t i = 0; i < LENGTH(pairs); i++) {
		store_clear(&pairs[i].store, pairs[i].pool, 0);
		pairs[i].plain.size = 0;
		compare(&pairs[i], "at the end");
		buf_release(&pairs[i].plain);
	}
	ck_assert_uint_eq(pool.arena.out, 0);
	arena_release(&pool.arena);
}
END_TEST

START_TEST(little_is_unused)
{
	static struct store_pool pool;
	struct dice dice = dice_of(2);
	struct pair pair = { .pool = &pool };

	/* Beyond the first chunk, no more than as much again. */
	for (size_t i = 0; i < 100; i++) {
		append(&pair, &dice, 19);
		if (pair.store.buf.capacity <= STORE_SMALL)
			ck_assert_uint_le(pair.store.buf.capacity,
					  2 * pair.store.buf.size + 48);
	}
	store_clear(&pair.store, pair.pool, 0);
	buf_release(&pair.plain);
	arena_release(&pool.arena);
}
END_TEST

START_TEST(what_was_reserved_and_not_used_does_no_harm)
{
	static struct store_pool pool;
	struct dice dice = dice_of(4);
	struct pair pair = { .pool = _i == 0 ? &pool : NULL };

	for (size_t size = 0; size < 5000; size += 1 + size / 3) {
		ck_assert_int_eq(store_reserve(&pair.store, pair.pool, 2 * size), 0);
		append(&pair, &dice, size);
		compare(&pair, "after less than was reserved");
	}
	store_clear(&pair.store, pair.pool, 0);
	buf_release(&pair.plain);
	arena_release(&pool.arena);
}
END_TEST

START_TEST(in_one_piece_it_is_a_buf)
{
	static struct store_pool pool;
	struct dice dice = dice_of(6);
	struct pair pair = { .pool = &pool };

	append(&pair, &dice, 10);
	ck_assert_ptr_null(store_buf(&pair.store));
	append(&pair, &dice, 5000);
	ck_assert_ptr_eq(store_buf(&pair.store), &pair.store.buf);
	compare(&pair, "in one piece");
	store_clear(&pair.store, pair.pool, 100);
	ck_assert_uint_eq(pair.store.buf.capacity, 0);
	buf_release(&pair.plain);
	arena_release(&pool.arena);
}
END_TEST

int
main(void)
{
	return UNIT_RUN_EACH("store", 2, store_holds_what_was_appended, little_is_unused,
			     what_was_reserved_and_not_used_does_no_harm,
			     in_one_piece_it_is_a_buf);
}
