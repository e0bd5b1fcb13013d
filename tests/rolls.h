/*
 * Triggers and clocks at random. VOLLEY_SEED sets the first seed of a test; a case that fails
 * says its own.
 */
#ifndef VOLLEY_ROLLS_H
#define VOLLEY_ROLLS_H

#include <inttypes.h>

#include "trees.h"
#include "unit.h"

#define ROLL_DEPTH 4
#define ROLL_CHILDREN 3
/* The first is of match(), the second of delta(). */
#define ROLL_PROBES 2

static inline uint64_t
first_seed(void)
{
	const char *seed = getenv("VOLLEY_SEED");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

static inline struct trigger *
roll_timer(struct dice *dice)
{
	nsec period = dice_hits(dice, 2) ? dice_between(dice, 1, 7) : 0;

	switch (dice_below(dice, 7)) {
	case 0:
		return DELAY(dice_between(dice, -2, 0));
	case 1:
		return DELAY(dice_between(dice, 1, 8));
	case 2:
		return DELAY_ALIGNED(dice_between(dice, 0, 5), period,
				     dice_between(dice, 0, 7));
	case 3:
		return dice_hits(dice, 3) ? IDLE_QUIET : IDLE(dice_between(dice, 0, 5));
	case 4:
		return EVERY(dice_between(dice, 1, 8), dice_between(dice, 0, 8));
	case 5:
		return AT_TIME(dice_between(dice, 0, 40));
	default:
		return AT_TIME_OF_DAY(dice_between(dice, 0, 40));
	}
}

static inline struct trigger *
roll_leaf(struct dice *dice, bool probing)
{
	switch (dice_below(dice, probing ? 10 : 8)) {
	case 0:
	case 1:
		return COUNT((uint64_t)dice_between(dice, 1, 6));
	case 2:
		return BYTES((uint64_t)dice_between(dice, 1, 30));
	case 3:
		return dice_hits(dice, 2) ? WATERMARK : NEVER;
	case 8:
		return MATCH(0);
	case 9:
		return DELTA(1, (double)dice_below(dice, 4));
	default:
		return roll_timer(dice);
	}
}

static inline struct trigger *
roll_tree(struct dice *dice, unsigned depth, bool probing)
{
	static const enum trigger_kind kinds[] = { TRIGGER_ANY,    TRIGGER_ANY,
						   TRIGGER_ALL,    TRIGGER_EACH,
						   TRIGGER_REPEAT, TRIGGER_UNTIL };
	enum trigger_kind kind = kinds[dice_below(dice, LENGTH(kinds))];
	struct trigger *children[ROLL_CHILDREN];
	size_t count = 1 + dice_below(dice, ROLL_CHILDREN);

	if (depth == 0 || dice_hits(dice, 3))
		return roll_leaf(dice, probing);
	if (kind == TRIGGER_REPEAT)
		count = 1;
	if (kind == TRIGGER_UNTIL)
		count = 2;
	for (size_t i = 0; i < count; i++)
		children[i] = roll_tree(dice, depth - 1, probing);
	return trigger_combine(kind, children, count);
}

/* Mostly one that goes on. */
static inline struct trigger *
roll_trigger(struct dice *dice, bool probing)
{
	struct trigger *trigger;

	if (dice_hits(dice, 4))
		trigger = roll_tree(dice, ROLL_DEPTH, probing);
	else
		trigger = REPEAT(roll_tree(dice, ROLL_DEPTH - 1, probing));
	DEMAND(trigger != NULL, "no memory");
	return trigger;
}

static inline void
move_clock(struct dice *dice, struct moment *moment)
{
	moment->now += dice_between(dice, 0, dice_hits(dice, 5) ? 20 : 3);
	if (dice_hits(dice, 6))
		moment->offset += dice_between(dice, -9, 9);
}

#endif
