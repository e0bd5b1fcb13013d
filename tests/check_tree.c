#include <config.h>

#include "tree.h"

#include "trees.h"
#include "unit.h"

/* What is asked of a tree, which is freed. */
static bool
ask(bool (*question)(const struct trigger *), struct trigger *trigger)
{
	bool answer;

	ck_assert_ptr_nonnull(trigger);
	answer = question(trigger);
	trigger_free(trigger);
	return answer;
}

static bool
can_merge(const struct trigger *trigger)
{
	return !trigger_find_unmergeable(trigger);
}

START_TEST(sessions_take_counts_and_times_without_order)
{
	ck_assert(ask(can_merge, REPEAT(WATERMARK)));
	ck_assert(
		ask(can_merge, REPEAT(ANY(COUNT(1), ALL(DELAY(5), IDLE(5)), WATERMARK))));
	ck_assert(ask(can_merge, COUNT(1)));
	ck_assert(!ask(can_merge, REPEAT(BYTES(1))));
	ck_assert(!ask(can_merge, REPEAT(ANY(COUNT(1), EVERY(5, 0)))));
	ck_assert(!ask(can_merge, AT_TIME(5)));
	ck_assert(!ask(can_merge, ANY(COUNT(1), MATCH(0))));
	ck_assert(!ask(can_merge, ALL(DELTA(0, 1), COUNT(1))));
	ck_assert(!ask(can_merge, NEVER));
	ck_assert(!ask(can_merge, EACH(COUNT(1))));
	ck_assert(!ask(can_merge, UNTIL(COUNT(1), COUNT(2))));
}
END_TEST

START_TEST(what_sessions_do_not_take_is_found)
{
	struct trigger *trigger = REPEAT(ANY(COUNT(1), ALL(EVERY(5, 0), BYTES(1))));
	const struct trigger *found = trigger_find_unmergeable(trigger);

	ck_assert_ptr_eq(found, trigger->child[0]->child[1]->child[0]);
	trigger_free(trigger);
	trigger = REPEAT(ANY(COUNT(1), EACH(COUNT(1), BYTES(1))));
	ck_assert_ptr_eq(trigger_find_unmergeable(trigger), trigger->child[0]->child[1]);
	trigger_free(trigger);
}
END_TEST

START_TEST(some_times_are_those_of_the_calendar)
{
	ck_assert(ask(trigger_follows_calendar, EVERY(5, 0)));
	ck_assert(ask(trigger_follows_calendar, AT_TIME(5)));
	ck_assert(ask(trigger_follows_calendar, AT_TIME_OF_DAY(5)));
	ck_assert(ask(trigger_follows_calendar, DELAY_ALIGNED(1, 5, 0)));
	ck_assert(ask(trigger_follows_calendar, REPEAT(ANY(COUNT(1), EVERY(5, 0)))));
	ck_assert(!ask(trigger_follows_calendar, REPEAT(ANY(DELAY(1), IDLE(5)))));
	ck_assert(!ask(trigger_follows_calendar, WATERMARK));
}
END_TEST

START_TEST(some_leaf_may_wait_for_quiet)
{
	ck_assert(ask(trigger_has_quiet, IDLE_QUIET));
	ck_assert(ask(trigger_has_quiet, EACH(COUNT(1), UNTIL(NEVER, IDLE_QUIET))));
	ck_assert(!ask(trigger_has_quiet, REPEAT(ANY(IDLE(5), DELAY(0)))));
}
END_TEST

START_TEST(tree_knows_the_size_of_its_states)
{
	struct trigger *trigger = EACH(COUNT(1), REPEAT(ANY(COUNT(1), BYTES(1))));

	ck_assert_uint_eq(trigger->words, trigger_own_words(TRIGGER_EACH) + 3);
	ck_assert_uint_eq(trigger_own_words(TRIGGER_ANY), 0);
	trigger_free(trigger);
	trigger_free(NULL);
}
END_TEST

START_TEST(tree_that_lacks_a_part_is_none)
{
	ck_assert_ptr_null(ANY(COUNT(1), NULL, DELAY(5)));
	ck_assert_ptr_null(REPEAT(NULL));
}
END_TEST

int
main(void)
{
	return UNIT_RUN("tree", sessions_take_counts_and_times_without_order,
			what_sessions_do_not_take_is_found,
			some_times_are_those_of_the_calendar,
			some_leaf_may_wait_for_quiet, tree_knows_the_size_of_its_states,
			tree_that_lacks_a_part_is_none);
}
