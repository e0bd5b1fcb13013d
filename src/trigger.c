#include <config.h>

#include "trigger.h"

/* In each() only the current child sees records and timers; in the others all do. */
static bool
is_current(const struct trigger *trigger, const union trigger_word *state, size_t child)
{
	return trigger->kind != TRIGGER_EACH || state->number == child;
}

void
trigger_init(const struct trigger *trigger, union trigger_word *state)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_init(&trigger->leaf, state);
	else if (trigger->kind == TRIGGER_EACH)
		state->number = 0;
	for (size_t i = 0; i < trigger->children; i++) {
		trigger_init(trigger->child[i], state + word);
		word += trigger->child[i]->words;
	}
}

void
trigger_reset(const struct trigger *trigger, union trigger_word *state)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_reset(&trigger->leaf, state);
	else if (trigger->kind == TRIGGER_EACH)
		state->number = 0;
	for (size_t i = 0; i < trigger->children; i++) {
		trigger_reset(trigger->child[i], state + word);
		word += trigger->child[i]->words;
	}
}

void
trigger_quota(const struct trigger *trigger, const union trigger_word *state,
	      const struct moment *moment, struct quota *quota)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_quota(&trigger->leaf, state, moment, quota);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i))
			trigger_quota(trigger->child[i], state + word, moment, quota);
		word += trigger->child[i]->words;
	}
}

bool
trigger_is_initial(const struct trigger *trigger, const union trigger_word *state)
{
	for (size_t i = 0; i < trigger->words; i++)
		if (state[i].number != 0)
			return false;
	return true;
}

void
trigger_merge(const struct trigger *trigger, union trigger_word *state,
	      const union trigger_word *other)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_merge(&trigger->leaf, state, other);
	for (size_t i = 0; i < trigger->children; i++) {
		trigger_merge(trigger->child[i], state + word, other + word);
		word += trigger->child[i]->words;
	}
}

void
trigger_renew(const struct trigger *trigger, union trigger_word *state, uint64_t order)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_renew(&trigger->leaf, state, order);
	for (size_t i = 0; i < trigger->children; i++) {
		trigger_renew(trigger->child[i], state + word, order);
		word += trigger->child[i]->words;
	}
}

/* Tells the leaves of a run. Returns whether any of them became ready by it: if not, nothing has
 * changed since the trigger was asked last. */
static bool
admit(const struct trigger *trigger, union trigger_word *state,
      const struct moment *moment, const struct run *run)
{
	size_t word = trigger_own_words(trigger->kind);
	bool news = false;

	if (trigger->kind == TRIGGER_LEAF)
		return leaf_admit(&trigger->leaf, state, moment, run);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i) &&
		    admit(trigger->child[i], state + word, moment, run))
			news = true;
		word += trigger->child[i]->words;
	}
	return news;
}

/* Tells the leaves what time it is. */
static void
notice(const struct trigger *trigger, union trigger_word *state,
       const struct moment *moment)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		leaf_notice(&trigger->leaf, state, moment);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i))
			notice(trigger->child[i], state + word, moment);
		word += trigger->child[i]->words;
	}
}

static bool
is_ready(const struct trigger *trigger, const union trigger_word *state,
	 const struct moment *moment)
{
	size_t word = trigger_own_words(trigger->kind);
	bool all = trigger->kind == TRIGGER_ALL;

	if (trigger->kind == TRIGGER_LEAF)
		return leaf_ready(&trigger->leaf, state, moment);
	/* all() needs each child; of the others one is enough, in each() the current one. */
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i) &&
		    is_ready(trigger->child[i], state + word, moment) != all)
			return !all;
		word += trigger->child[i]->words;
	}
	return all;
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
	if (!admit(trigger, state, moment, run))
		return CONTINUE;
	return trigger_ask(trigger, state, moment);
}

/* A leaf, its state, and when its timer is due. */
struct alarm {
	const struct trigger *leaf;
	union trigger_word *state;
	struct deadline deadline;
};

static bool
is_before(const struct deadline *a, const struct deadline *b)
{
	return a->when != b->when ? a->when < b->when : a->order < b->order;
}

/* Looks for a timer that is earlier than that of the alarm; of equal ones the first in the text
 * is kept. */
static void
find_earlier(const struct trigger *trigger, union trigger_word *state,
	     const struct moment *moment, struct alarm *alarm)
{
	size_t word = trigger_own_words(trigger->kind);
	struct deadline deadline;

	if (trigger->kind == TRIGGER_LEAF) {
		deadline = leaf_deadline(&trigger->leaf, state, moment);
		if (deadline.set &&
		    (!alarm->deadline.set || is_before(&deadline, &alarm->deadline)))
			*alarm = (struct alarm){ trigger, state, deadline };
		return;
	}
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i))
			find_earlier(trigger->child[i], state + word, moment, alarm);
		word += trigger->child[i]->words;
	}
}

static struct alarm
earliest(const struct trigger *trigger, union trigger_word *state,
	 const struct moment *moment)
{
	struct alarm alarm = { NULL, NULL, { false, NSEC_MAX, 0 } };

	find_earlier(trigger, state, moment, &alarm);
	return alarm;
}

struct deadline
trigger_deadline(const struct trigger *trigger, union trigger_word *state,
		 const struct moment *moment)
{
	return earliest(trigger, state, moment).deadline;
}

const struct trigger *
trigger_next_leaf(const struct trigger *trigger, union trigger_word *state,
		  const struct moment *moment)
{
	return earliest(trigger, state, moment).leaf;
}

enum verdict
trigger_expire(const struct trigger *trigger, union trigger_word *state,
	       const struct moment *moment)
{
	struct alarm alarm = earliest(trigger, state, moment);

	if (alarm.leaf)
		leaf_expire(&alarm.leaf->leaf, alarm.state);
	notice(trigger, state, moment);
	return trigger_ask(trigger, state, moment);
}

bool
trigger_wants_quiet(const struct trigger *trigger, const union trigger_word *state)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		return leaf_wants_quiet(&trigger->leaf, state);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i) &&
		    trigger_wants_quiet(trigger->child[i], state + word))
			return true;
		word += trigger->child[i]->words;
	}
	return false;
}

static void
expire_quiet(const struct trigger *trigger, union trigger_word *state)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF && leaf_wants_quiet(&trigger->leaf, state))
		leaf_expire(&trigger->leaf, state);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i))
			expire_quiet(trigger->child[i], state + word);
		word += trigger->child[i]->words;
	}
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
	return trigger_own_words(trigger->kind) + trigger->child[0]->words;
}

static bool
until_is_ready(const struct trigger *trigger, const union trigger_word *state,
	       const struct moment *moment)
{
	return is_ready(trigger->child[1], state + second_word(trigger), moment);
}

static enum reason
reason_of_leaf(enum leaf_kind kind)
{
	static const enum reason reasons[] = {
		[LEAF_COUNT] = REASON_COUNT,      [LEAF_BYTES] = REASON_BYTES,
		[LEAF_DELAY] = REASON_TIMEOUT,    [LEAF_IDLE] = REASON_IDLE,
		[LEAF_EVERY] = REASON_EVERY,      [LEAF_AT] = REASON_AT,
		[LEAF_MATCH] = REASON_MATCH,      [LEAF_DELTA] = REASON_DELTA,
		[LEAF_WATERMARK] = REASON_WINDOW, [LEAF_NEVER] = REASON_NONE,
	};

	return reasons[kind];
}

enum reason
trigger_reason(const struct trigger *trigger, const union trigger_word *state,
	       const struct moment *moment)
{
	size_t word = trigger_own_words(trigger->kind);

	if (trigger->kind == TRIGGER_LEAF)
		return reason_of_leaf(trigger->leaf.kind);
	if (trigger->kind == TRIGGER_UNTIL && until_is_ready(trigger, state, moment))
		return trigger_reason(trigger->child[1], state + second_word(trigger),
				      moment);
	for (size_t i = 0; i < trigger->children; i++) {
		if (is_current(trigger, state, i) &&
		    is_ready(trigger->child[i], state + word, moment))
			return trigger_reason(trigger->child[i], state + word, moment);
		word += trigger->child[i]->words;
	}
	return REASON_NONE;
}

/* Fires the children that are ready and resets the others. */
static void
fire_children(const struct trigger *trigger, union trigger_word *state,
	      const struct moment *moment)
{
	size_t word = trigger_own_words(trigger->kind);

	for (size_t i = 0; i < trigger->children; i++) {
		if (is_ready(trigger->child[i], state + word, moment))
			trigger_fire(trigger->child[i], state + word, moment);
		else
			trigger_reset(trigger->child[i], state + word);
		word += trigger->child[i]->words;
	}
}

static bool
fire_current(const struct trigger *trigger, union trigger_word *state,
	     const struct moment *moment)
{
	size_t word = trigger_own_words(trigger->kind), current = (size_t)state->number;

	for (size_t i = 0; i < current; i++)
		word += trigger->child[i]->words;
	if (trigger_fire(trigger->child[current], state + word, moment))
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
