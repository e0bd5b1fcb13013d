#include <config.h>

#include "pane.h"

#include "trees.h"
#include "unit.h"

/* As the engine admits a run: counted, then held. */
static void
hold(struct pane *pane, const char *bytes, uint64_t records, nsec first, nsec last)
{
	struct slice slice = slice_of(bytes);
	struct run run = {
		.records = records, .bytes = slice.size, .first = first, .last = last
	};

	pane_count(pane, &run);
	ck_assert_int_eq(buf_append(&pane->records, slice), 0);
}

static struct pane *
new_pane(struct trigger **trigger)
{
	struct pane *pane;

	*trigger = REPEAT(COUNT(3));
	ck_assert_ptr_nonnull(*trigger);
	pane = pane_new(*trigger, PANE_PLAIN);
	ck_assert_ptr_nonnull(pane);
	return pane;
}

static void
free_pane(struct pane *pane, struct trigger *trigger)
{
	pane_free(pane);
	trigger_free(trigger);
}

START_TEST(new_pane_is_empty)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger);
	struct batch batch = { .index = 7 };

	ck_assert(!timer_is_set(&pane->timer));
	ck_assert_uint_eq(pane->fresh, 0);
	pane_batch(pane, (struct slice){ 0 }, &batch);
	ck_assert_uint_eq(batch.count, 0);
	ck_assert_uint_eq(batch.bytes, 0);
	ck_assert_uint_eq(batch.pane, 0);
	ck_assert_uint_eq(batch.index, 7);
	free_pane(pane, trigger);
	pane_free(NULL);
}
END_TEST

START_TEST(records_are_new_until_they_are_emitted)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger);

	hold(pane, "a\nbb\n", 2, 3, 4);
	hold(pane, "ccc\n", 1, 5, 5);
	ck_assert_uint_eq(pane->count, 3);
	ck_assert_uint_eq(pane->fresh, 3);
	ck_assert_uint_eq(pane->fresh_bytes, 9);
	pane_emitted(pane);
	ck_assert_uint_eq(pane->count, 3);
	ck_assert_uint_eq(pane->fresh, 0);
	ck_assert_uint_eq(pane->fresh_bytes, 0);
	hold(pane, "d\n", 1, 6, 6);
	ck_assert_uint_eq(pane->count, 4);
	ck_assert_uint_eq(pane->fresh, 1);
	ck_assert_uint_eq(pane->fresh_bytes, 2);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(batch_has_the_facts_of_all_that_is_held)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger);
	struct batch batch = { .index = 0 };

	hold(pane, "a\nbb\n", 2, 3, 4);
	pane_count(pane,
		   &(struct run){ .records = 1, .bytes = 4, .first = 8, .last = 9 });
	pane_batch(pane, slice_of("ccc\n"), &batch);
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
	struct pane *pane = new_pane(&trigger);
	struct batch batch = { .index = 0 };

	hold(pane, "a\n", 1, 9, 9);
	hold(pane, "b\n", 1, 2, 2);
	pane_batch(pane, (struct slice){ 0 }, &batch);
	ck_assert_int_eq(batch.first, 9);
	ck_assert_int_eq(batch.last, 2);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(purged_pane_begins_anew_but_for_its_number)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger);
	struct batch batch = { .index = 0 };

	hold(pane, "a\n", 1, 3, 3);
	pane_emitted(pane);
	pane_purge(pane, 1000);
	hold(pane, "bb\n", 1, 7, 7);
	pane_batch(pane, (struct slice){ 0 }, &batch);
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
	struct pane *pane = new_pane(&trigger);

	ck_assert_int_eq(buf_reserve(&pane->records, 5000), 0);
	pane_purge(pane, 100);
	ck_assert_uint_le(pane->records.capacity, 100);
	free_pane(pane, trigger);
}
END_TEST

START_TEST(state_is_that_of_a_new_trigger)
{
	struct trigger *trigger;
	struct pane *pane = new_pane(&trigger);
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
	return UNIT_RUN("pane", new_pane_is_empty, records_are_new_until_they_are_emitted,
			batch_has_the_facts_of_all_that_is_held,
			first_and_last_are_those_that_came_first_and_last,
			purged_pane_begins_anew_but_for_its_number,
			purged_pane_gives_memory_back, state_is_that_of_a_new_trigger);
}
