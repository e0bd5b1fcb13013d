#include <config.h>

#include "trigger.h"

#include <stdlib.h>

/* each() keeps the index of its current child in a word before those of its children. */
static size_t
own_words(enum trigger_kind kind)
{
	return kind == TRIGGER_EACH ? 1 : 0;
}

static struct trigger *
new_trigger(enum trigger_kind kind, size_t children)
{
	struct trigger *trigger =
		calloc(1, sizeof *trigger + children * sizeof *trigger->child);

	if (trigger) {
		trigger->kind = kind;
		trigger->words = own_words(kind);
		trigger->children = children;
	}
	return trigger;
}

struct trigger *
trigger_leaf(const struct leaf *leaf)
{
	struct trigger *trigger = new_trigger(TRIGGER_LEAF, 0);

	if (!trigger) {
		free(leaf->text);
		return NULL;
	}
	trigger->leaf = *leaf;
	trigger->words = leaf_words(leaf);
	return trigger;
}

struct trigger *
trigger_combine(enum trigger_kind kind, struct trigger *const *children, size_t count)
{
	struct trigger *trigger = new_trigger(kind, count);
	bool whole = trigger != NULL;

	for (size_t i = 0; i < count; i++)
		whole = whole && children[i];
	for (size_t i = 0; i < count; i++) {
		if (whole) {
			trigger->child[i] = children[i];
			trigger->words += children[i]->words;
		} else {
			trigger_free(children[i]);
		}
	}
	if (whole)
		return trigger;
	free(trigger);
	return NULL;
}

void
trigger_free(struct trigger *trigger)
{
	if (!trigger)
		return;
	for (size_t i = 0; i < trigger->children; i++)
		trigger_free(trigger->child[i]);
	free(trigger->leaf.text);
	free(trigger);
}

/*
 * A walk over the children with their states. In each() only the current child sees records
 * and timers; in the others all do.
 */
struct walk {
	const struct trigger *trigger;
	const union trigger_word *state;
	size_t index;
	size_t word;
};

static struct walk
walk_all(const struct trigger *trigger, const union trigger_word *state)
{
	return (struct walk){ trigger, state, 0, own_words(trigger->kind) };
}

static bool
walk_is_current(const struct walk *walk)
{
	return walk->trigger->kind != TRIGGER_EACH || walk->state->number == walk->index;
}

/* The next child, and where its words begin; NULL behind the last. */
static const struct trigger *
walk_next(struct walk *walk, size_t *word)
{
	const struct trigger *child;

	if (walk->index == walk->trigger->children)
		return NULL;
	child = walk->trigger->child[walk->index++];
	*word = walk->word;
	walk->word += child->words;
	return child;
}

/* The next child that sees records and timers; NULL behind the last. */
static const struct trigger *
walk_next_current(struct walk *walk, size_t *word)
{
	bool current;
	const struct trigger *child;

	do {
		current = walk_is_current(walk);
		child = walk_next(walk, word);
	} while (child && !current);
	return child;
}

void
trigger_init(const struct trigger *trigger, union trigger_word *state)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_init(&trigger->leaf, state);
	else if (trigger->kind == TRIGGER_EACH)
		state->number = 0;
	while ((child = walk_next(&walk, &word)))
		trigger_init(child, state + word);
}

void
trigger_reset(const struct trigger *trigger, union trigger_word *state)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_reset(&trigger->leaf, state);
	else if (trigger->kind == TRIGGER_EACH)
		state->number = 0;
	while ((child = walk_next(&walk, &word)))
		trigger_reset(child, state + word);
}

void
trigger_quota(const struct trigger *trigger, const union trigger_word *state,
	      const struct moment *moment, struct quota *quota)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_quota(&trigger->leaf, state, moment, quota);
	while ((child = walk_next_current(&walk, &word)))
		trigger_quota(child, state + word, moment, quota);
}

static void
admit(const struct trigger *trigger, union trigger_word *state,
      const struct moment *moment, const struct run *run)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_admit(&trigger->leaf, state, moment, run);
	while ((child = walk_next_current(&walk, &word)))
		admit(child, state + word, moment, run);
}

bool
trigger_follows_calendar(const struct trigger *trigger)
{
	if (trigger->kind == TRIGGER_LEAF)
		return leaf_follows_calendar(&trigger->leaf);
	for (size_t i = 0; i < trigger->children; i++)
		if (trigger_follows_calendar(trigger->child[i]))
			return true;
	return false;
}

bool
trigger_has_quiet(const struct trigger *trigger)
{
	if (trigger->kind == TRIGGER_LEAF)
		return trigger->leaf.on_quiet;
	for (size_t i = 0; i < trigger->children; i++)
		if (trigger_has_quiet(trigger->child[i]))
			return true;
	return false;
}

bool
trigger_is_initial(const struct trigger *trigger, const union trigger_word *state)
{
	for (size_t i = 0; i < trigger->words; i++)
		if (state[i].number != 0)
			return false;
	return true;
}

bool
trigger_can_merge(const struct trigger *trigger)
{
	enum leaf_kind kind = trigger->leaf.kind;

	if (trigger->kind == TRIGGER_LEAF)
		return kind == LEAF_COUNT || kind == LEAF_DELAY || kind == LEAF_IDLE ||
		       kind == LEAF_WATERMARK;
	if (trigger->kind == TRIGGER_EACH || trigger->kind == TRIGGER_UNTIL)
		return false;
	for (size_t i = 0; i < trigger->children; i++)
		if (!trigger_can_merge(trigger->child[i]))
			return false;
	return true;
}

void
trigger_merge(const struct trigger *trigger, union trigger_word *state,
	      const union trigger_word *other)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_merge(&trigger->leaf, state, other);
	while ((child = walk_next(&walk, &word)))
		trigger_merge(child, state + word, other + word);
}

void
trigger_renew(const struct trigger *trigger, union trigger_word *state, uint64_t order)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_renew(&trigger->leaf, state, order);
	while ((child = walk_next(&walk, &word)))
		trigger_renew(child, state + word, order);
}

/* Tells all leaves what time it is. */
static void
notice(const struct trigger *trigger, union trigger_word *state,
       const struct moment *moment)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		leaf_notice(&trigger->leaf, state, moment);
	while ((child = walk_next_current(&walk, &word)))
		notice(child, state + word, moment);
}

/* How many children are ready; each() has one that counts. */
static size_t
count_ready(const struct trigger *trigger, const union trigger_word *state,
	    const struct moment *moment);

static bool
is_ready(const struct trigger *trigger, const union trigger_word *state,
	 const struct moment *moment)
{
	switch (trigger->kind) {
	case TRIGGER_LEAF:
		return leaf_ready(&trigger->leaf, state, moment);
	case TRIGGER_ALL:
		return count_ready(trigger, state, moment) == trigger->children;
	case TRIGGER_ANY:
	case TRIGGER_EACH:
	case TRIGGER_REPEAT:
	case TRIGGER_UNTIL:
		return count_ready(trigger, state, moment) > 0;
	}
	return false;
}

static size_t
count_ready(const struct trigger *trigger, const union trigger_word *state,
	    const struct moment *moment)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word, count = 0;

	while ((child = walk_next_current(&walk, &word)))
		count += is_ready(child, state + word, moment);
	return count;
}

enum verdict
trigger_ask(const struct trigger *trigger, const union trigger_word *state,
	    const struct moment *moment)
{
	return is_ready(trigger, state, moment) ? FIRE : CONTINUE;
}

enum verdict
trigger_advance(const struct trigger *trigger, union trigger_word *state,
		const struct moment *moment, const struct run *run)
{
	admit(trigger, state, moment, run);
	return trigger_ask(trigger, state, moment);
}

/* A leaf, its state, and when its timer is due. */
struct alarm {
	const struct trigger *leaf;
	size_t word;
	struct deadline deadline;
};

static bool
is_before(const struct deadline *a, const struct deadline *b)
{
	if (!a->set || !b->set)
		return a->set;
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

/* The earliest timer; of equal ones the first in the text. */
static struct alarm
earliest(const struct trigger *trigger, const union trigger_word *state,
	 const struct moment *moment)
{
	struct walk walk = walk_all(trigger, state);
	struct alarm least = { .leaf = NULL };
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF) {
		least.leaf = trigger;
		least.deadline = leaf_deadline(&trigger->leaf, state, moment);
	}
	while ((child = walk_next_current(&walk, &word))) {
		struct alarm alarm = earliest(child, state + word, moment);

		alarm.word += word;
		if (is_before(&alarm.deadline, &least.deadline))
			least = alarm;
	}
	return least;
}

struct deadline
trigger_deadline(const struct trigger *trigger, const union trigger_word *state,
		 const struct moment *moment)
{
	return earliest(trigger, state, moment).deadline;
}

const struct trigger *
trigger_next_leaf(const struct trigger *trigger, const union trigger_word *state,
		  const struct moment *moment)
{
	struct alarm alarm = earliest(trigger, state, moment);

	return alarm.deadline.set ? alarm.leaf : NULL;
}

enum verdict
trigger_expire(const struct trigger *trigger, union trigger_word *state,
	       const struct moment *moment)
{
	struct alarm alarm = earliest(trigger, state, moment);

	if (alarm.deadline.set)
		leaf_expire(&alarm.leaf->leaf, state + alarm.word);
	notice(trigger, state, moment);
	return trigger_ask(trigger, state, moment);
}

bool
trigger_wants_quiet(const struct trigger *trigger, const union trigger_word *state)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		return leaf_wants_quiet(&trigger->leaf, state);
	while ((child = walk_next_current(&walk, &word)))
		if (trigger_wants_quiet(child, state + word))
			return true;
	return false;
}

static void
expire_quiet(const struct trigger *trigger, union trigger_word *state)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF && leaf_wants_quiet(&trigger->leaf, state))
		leaf_expire(&trigger->leaf, state);
	while ((child = walk_next_current(&walk, &word)))
		expire_quiet(child, state + word);
}

enum verdict
trigger_quiet(const struct trigger *trigger, union trigger_word *state,
	      const struct moment *moment)
{
	expire_quiet(trigger, state);
	return trigger_ask(trigger, state, moment);
}

/* Where the second child's words begin. */
static size_t
second_word(const struct trigger *trigger)
{
	return own_words(trigger->kind) + trigger->child[0]->words;
}

static bool
until_is_ready(const struct trigger *trigger, const union trigger_word *state,
	       const struct moment *moment)
{
	return is_ready(trigger->child[1], state + second_word(trigger), moment);
}

enum reason
trigger_reason(const struct trigger *trigger, const union trigger_word *state,
	       const struct moment *moment)
{
	static const enum reason reasons[] = {
		[LEAF_COUNT] = REASON_COUNT,      [LEAF_BYTES] = REASON_BYTES,
		[LEAF_DELAY] = REASON_TIMEOUT,    [LEAF_IDLE] = REASON_IDLE,
		[LEAF_EVERY] = REASON_EVERY,      [LEAF_AT] = REASON_AT,
		[LEAF_MATCH] = REASON_MATCH,      [LEAF_DELTA] = REASON_DELTA,
		[LEAF_WATERMARK] = REASON_WINDOW, [LEAF_NEVER] = REASON_NONE,
	};
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	if (trigger->kind == TRIGGER_LEAF)
		return reasons[trigger->leaf.kind];
	if (trigger->kind == TRIGGER_UNTIL && until_is_ready(trigger, state, moment))
		return trigger_reason(trigger->child[1], state + second_word(trigger),
				      moment);
	while ((child = walk_next_current(&walk, &word)))
		if (is_ready(child, state + word, moment))
			return trigger_reason(child, state + word, moment);
	return REASON_NONE;
}

/* Fires the children that are ready and resets the others. */
static void
fire_children(const struct trigger *trigger, union trigger_word *state,
	      const struct moment *moment)
{
	struct walk walk = walk_all(trigger, state);
	const struct trigger *child;
	size_t word;

	while ((child = walk_next(&walk, &word)))
		if (is_ready(child, state + word, moment))
			trigger_fire(child, state + word, moment);
		else
			trigger_reset(child, state + word);
}

static bool
fire_current(const struct trigger *trigger, union trigger_word *state,
	     const struct moment *moment)
{
	struct walk walk = walk_all(trigger, state);
	size_t word = 0;
	const struct trigger *child = walk_next_current(&walk, &word);

	if (trigger_fire(child, state + word, moment))
		state->number++;
	return state->number == trigger->children;
}

static bool
fire_until(const struct trigger *trigger, union trigger_word *state,
	   const struct moment *moment)
{
	bool finished;

	if (!until_is_ready(trigger, state, moment))
		return trigger_fire(trigger->child[0], state, moment);
	finished = trigger_fire(trigger->child[1], state + second_word(trigger), moment);
	trigger_reset(trigger->child[0], state);
	return finished;
}

bool
trigger_fire(const struct trigger *trigger, union trigger_word *state,
	     const struct moment *moment)
{
	bool finished = true;

	switch (trigger->kind) {
	case TRIGGER_LEAF:
		break;
	case TRIGGER_ANY:
	case TRIGGER_ALL:
		fire_children(trigger, state, moment);
		break;
	case TRIGGER_EACH:
		finished = fire_current(trigger, state, moment);
		break;
	case TRIGGER_REPEAT:
		trigger_fire(trigger->child[0], state, moment);
		finished = false;
		break;
	case TRIGGER_UNTIL:
		finished = fire_until(trigger, state, moment);
		break;
	}
	/* A part that has finished is as at the start: its timers are unset, and if something
	 * repeats it, it begins anew. */
	if (finished)
		trigger_reset(trigger, state);
	return finished;
}
