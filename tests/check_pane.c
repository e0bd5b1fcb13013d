#include <config.h>

#include "pane.h"

#include "trees.h"
#include "unit.h"

/* Each test is run with memory from a pool, and with that of malloc(). */
static struct store_pool all, *const pools[] = { NULL, &all };

#define POOLS 2

static struct store_pool *pool;

/* As the engine admits a run: counted, then held. */
static void
hold(struct pane *pane, const char *bytes, uint64_t records, nsec first, nsec last)
{
	struct slice slice = slice_of(bytes);
	struct run run = {
		.records = records, .bytes = slice.size, .first = first, .last = last
	};

	ck_assert_int_eq(pane_reserve(pool, pane, &run), 0);
	pane_count(pane, &run);
	store_append(&pane->records, pool, slice);
}

static struct pane *
new_pane(struct trigger **trigger, int number)
{
	struct pane *pane;

	pool = pools[number];

	*trigger = REPEAT(COUNT(3));
	ck_assert_ptr_nonnull(*trigger);
	pane = pane_new(pool, *trigger, PANE_WITH_PARTS);
	ck_assert_ptr_nonnull(pane);
	return pane;
}

static void
free_pane(struct pane *pane, struct trigger *trigger)
{
	pane_free(pool, pane);
	trigger_free(trigger);
	arena_release(&all.arena);
}

START_TEST(new_pane_is_empty)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);
	struct batch batch = { .index = 7 };

	ck_assert(!timer_is_set(&pane->timer));
	ck_assert_uint_eq(pane_fresh(pane), 0);
	pane_batch(pool, pane, (struct slice){ 0 }, &batch);
	ck_assert_uint_eq(batch.count, 0);
	ck_assert_uint_eq(batch.bytes, 0);
	ck_assert_uint_eq(batch.pane, 0);
	ck_assert_uint_eq(batch.index, 7);
	free_pane(pane, trigger);
	pane_free(pool, NULL);
}
END_TEST

START_TEST(records_are_new_until_they_are_emitted)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);

	hold(pane, "a\nbb\n", 2, 3, 4);
	hold(pane, "ccc\n", 1, 5, 5);
	ck_assert_uint_eq(pane->count, 3);
	ck_assert_uint_eq(pane_fresh(pane), 3);
	ck_assert_uint_eq(pane_fresh_bytes(pane), 9);
	pane_emitted(pane);
	ck_assert_uint_eq(pane->count, 3);
	ck_assert_uint_eq(pane_fresh(pane), 0);
	ck_assert_uint_eq(pane_fresh_bytes(pane), 0);
	hold(pane, "d\n", 1, 6, 6);
	ck_assert_uint_eq(pane->count, 4);
	ck_assert_uint_eq(pane_fresh(pane), 1);
	ck_assert_uint_eq(pane_fresh_bytes(pane), 2);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(batch_has_the_facts_of_all_that_is_held)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);
	struct batch batch = { .index = 0 };

	hold(pane, "a\nbb\n", 2, 3, 4);
	pane_count(pane,
		   &(struct run){ .records = 1, .bytes = 4, .first = 8, .last = 9 });
	pane_batch(pool, pane, slice_of("ccc\n"), &batch);
	ck_assert_uint_eq(batch.count, 3);
	ck_assert_uint_eq(batch.bytes, 9);
	ck_assert_int_eq(batch.first, 3);
	ck_assert_int_eq(batch.last, 9);
	ck_assert_uint_eq(batch.held.size, 5);
	ck_assert_mem_eq(batch.held.data, "a\nbb\n", 5);
	ck_assert_uint_eq(batch.tail.size, 4);
	ck_assert_mem_eq(batch.tail.data, "ccc\n", 4);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(first_and_last_are_those_that_came_first_and_last)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);
	struct batch batch = { .index = 0 };

	hold(pane, "a\n", 1, 9, 9);
	hold(pane, "b\n", 1, 2, 2);
	pane_batch(pool, pane, (struct slice){ 0 }, &batch);
	ck_assert_int_eq(batch.first, 9);
	ck_assert_int_eq(batch.last, 2);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(purged_pane_begins_anew_but_for_its_number)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);
	struct batch batch = { .index = 0 };

	hold(pane, "a\n", 1, 3, 3);
	pane_emitted(pane);
	pane_purge(pool, pane, 1000);
	hold(pane, "bb\n", 1, 7, 7);
	pane_batch(pool, pane, (struct slice){ 0 }, &batch);
	ck_assert_uint_eq(batch.count, 1);
	ck_assert_uint_eq(batch.bytes, 3);
	ck_assert_int_eq(batch.first, 7);
	ck_assert_uint_eq(batch.pane, 1);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(purged_pane_gives_memory_back)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);

	ck_assert_int_eq(store_reserve(&pane->records, pool, 5000), 0);
	pane_purge(pool, pane, 100);
	ck_assert_uint_le(pane->records.buf.capacity, 100);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(state_is_that_of_a_new_trigger)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger, _i);
	struct moment moment = { .end = NSEC_MAX };
	struct run run = { .records = 2, .bytes = 2 };

	ck_assert_int_eq(trigger_advance(trigger, pane->state, &moment, &run), CONTINUE);
	ck_assert_int_eq(trigger_advance(trigger, pane->state, &moment, &run), FIRE);
	free_pane(pane, trigger);
}
END_TEST

int
main(void)
{
	return UNIT_RUN_EACH(
		"pane", POOLS, new_pane_is_empty, records_are_new_until_they_are_emitted,
		batch_has_the_facts_of_all_that_is_held,
		first_and_last_are_those_that_came_first_and_last,
		purged_pane_begins_anew_but_for_its_number, purged_pane_gives_memory_back,
		state_is_that_of_a_new_trigger);
}
