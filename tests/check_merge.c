/*
 * States of one trigger that become one, as those of sessions that merge do.
 */
#include <config.h>

#include "trigger.h"

#include "trees.h"
#include "unit.h"

#define STATE_WORDS 16

/* Two states of one trigger. */
struct twins {
	struct trigger *trigger;
	union trigger_word state[STATE_WORDS], other[STATE_WORDS];
	struct moment moment;
};

static void
set_up(struct twins *twins, struct trigger *trigger)
{
	ck_assert_ptr_nonnull(trigger);
	ck_assert_uint_le(trigger->words, STATE_WORDS);
	*twins = (struct twins){ .trigger = trigger, .moment = { .end = NSEC_MAX } };
	trigger_init(trigger, twins->state);
	trigger_init(trigger, twins->other);
}

static enum verdict
admit(struct twins *twins, union trigger_word *state, nsec time, uint64_t order)
{
	struct run run = {
		.records = 1, .bytes = 3, .first = time, .last = time, .order = order
	};

	twins->moment.now = time;
	return trigger_advance(twins->trigger, state, &twins->moment, &run);
}

static void
merge(struct twins *twins)
{
	trigger_merge(twins->trigger, twins->state, twins->other);
}

static void
check_due(struct twins *twins, nsec when)
{
	struct deadline deadline =
		trigger_deadline(twins->trigger, twins->state, &twins->moment);

	ck_assert_int_eq(deadline.set, when != NSEC_MAX);
	if (deadline.set)
		ck_assert_int_eq(deadline.when, when);
}

START_TEST(counts_add_up)
{
	struct twins twins;

	set_up(&twins, REPEAT(ALL(COUNT(4), BYTES(12))));
	admit(&twins, twins.state, 0, 0);
	admit(&twins, twins.other, 0, 1);
	admit(&twins, twins.other, 0, 2);
	merge(&twins);
	ck_assert_int_eq(trigger_ask(twins.trigger, twins.state, &twins.moment),
			 CONTINUE);
	ck_assert_int_eq(admit(&twins, twins.state, 0, 3), FIRE);
	trigger_free(twins.trigger);
}
END_TEST

START_TEST(timeout_counts_from_the_earlier_first_record)
{
	struct twins twins;

	set_up(&twins, DELAY(10));
	admit(&twins, twins.state, 7, 0);
	admit(&twins, twins.other, 3, 1);
	merge(&twins);
	check_due(&twins, 13);
	trigger_free(twins.trigger);
	set_up(&twins, DELAY(10));
	admit(&twins, twins.state, 3, 0);
	admit(&twins, twins.other, 7, 1);
	merge(&twins);
	check_due(&twins, 13);
	trigger_free(twins.trigger);
}
END_TEST

START_TEST(idle_counts_from_the_later_last_record)
{
	struct twins twins;

	set_up(&twins, IDLE(10));
	admit(&twins, twins.state, 7, 0);
	admit(&twins, twins.other, 3, 1);
	merge(&twins);
	check_due(&twins, 17);
	trigger_free(twins.trigger);
	set_up(&twins, IDLE(10));
	admit(&twins, twins.state, 3, 0);
	admit(&twins, twins.other, 7, 1);
	merge(&twins);
	check_due(&twins, 17);
	trigger_free(twins.trigger);
}
END_TEST

START_TEST(timer_of_either_is_taken_over)
{
	struct twins twins;

	set_up(&twins, ANY(DELAY(10), IDLE(20)));
	admit(&twins, twins.other, 3, 1);
	merge(&twins);
	check_due(&twins, 13);
	trigger_reset(twins.trigger, twins.other);
	merge(&twins);
	check_due(&twins, 13);
	trigger_free(twins.trigger);
}
END_TEST

START_TEST(what_went_off_stays_ready)
{
	struct twins twins;

	set_up(&twins, ALL(DELAY(5), IDLE(4), COUNT(3)));
	admit(&twins, twins.state, 8, 0);
	admit(&twins, twins.other, 0, 1);
	twins.moment.now = 4;
	trigger_expire(twins.trigger, twins.other, &twins.moment);
	twins.moment.now = 5;
	trigger_expire(twins.trigger, twins.other, &twins.moment);
	twins.moment.now = 8;
	merge(&twins);
	/* delay() is ready but once; idle() waits on, and is ready too. */
	check_due(&twins, 12);
	ck_assert_int_eq(admit(&twins, twins.state, 9, 2), FIRE);
	trigger_free(twins.trigger);
	/* The other way round. */
	set_up(&twins, ALL(DELAY(5), COUNT(3)));
	admit(&twins, twins.state, 0, 0);
	twins.moment.now = 5;
	trigger_expire(twins.trigger, twins.state, &twins.moment);
	admit(&twins, twins.other, 6, 1);
	merge(&twins);
	check_due(&twins, NSEC_MAX);
	ck_assert_int_eq(admit(&twins, twins.state, 7, 2), FIRE);
	trigger_free(twins.trigger);
}
END_TEST

START_TEST(renewed_timers_take_a_new_place_and_keep_their_time)
{
	struct twins twins;
	struct deadline deadline;

	set_up(&twins, REPEAT(ANY(COUNT(9), DELAY(10), IDLE(20))));
	trigger_renew(twins.trigger, twins.state, 40);
	check_due(&twins, NSEC_MAX);
	admit(&twins, twins.state, 3, 1);
	trigger_renew(twins.trigger, twins.state, 40);
	deadline = trigger_deadline(twins.trigger, twins.state, &twins.moment);
	ck_assert_int_eq(deadline.when, 13);
	ck_assert_uint_eq(deadline.order, 40);
	trigger_free(twins.trigger);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("merge", counts_add_up,
			timeout_counts_from_the_earlier_first_record,
			idle_counts_from_the_later_last_record,
			timer_of_either_is_taken_over, what_went_off_stays_ready,
			renewed_timers_take_a_new_place_and_keep_their_time);
}
