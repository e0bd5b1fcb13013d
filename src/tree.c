#include <config.h>

#include "tree.h"

#include <stdlib.h>

size_t
trigger_own_words(enum trigger_kind kind)
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
		trigger->words = trigger_own_words(kind);
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

static bool
can_merge(const struct trigger *trigger)
{
	enum leaf_kind kind = trigger->leaf.kind;

	if (trigger->kind == TRIGGER_LEAF)
		return kind == LEAF_COUNT || kind == LEAF_DELAY || kind == LEAF_IDLE ||
		       kind == LEAF_WATERMARK;
	return trigger->kind != TRIGGER_EACH && trigger->kind != TRIGGER_UNTIL;
}

const struct trigger *
trigger_find_unmergeable(const struct trigger *trigger)
{
	const struct trigger *found = can_merge(trigger) ? NULL : trigger;

	for (size_t i = 0; i < trigger->children && !found; i++)
		found = trigger_find_unmergeable(trigger->child[i]);
	return found;
}
