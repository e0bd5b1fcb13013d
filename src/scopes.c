#include <config.h>

#include "scopes.h"

#include <stdlib.h>

RB_HEAD(pane_tree, pane_parts);

static int
compare(const struct pane_parts *a, const struct pane_parts *b)
{
	const struct window *one = &a->window, *other = &b->window;

	if (one->start != other->start)
		return one->start < other->start ? -1 : 1;
	return (one->end > other->end) - (one->end < other->end);
}

/* RB_GENERATE_STATIC would need a macro of the BSDs. */
RB_GENERATE_INTERNAL(pane_tree, pane_parts, others, compare,
		     static __attribute__((__unused__)))

/* Empty, too, for a pane without parts. */
static struct pane_tree
tree_of(const struct key *key)
{
	return (struct pane_tree){ key->panes ? key->panes->parts : NULL };
}

void
scopes_init(struct scopes *scopes, const struct trigger *trigger, int parts,
	    uint64_t seed)
{
	*scopes = (struct scopes){ .trigger = trigger, .parts = parts };
	keys_init(&scopes->keys, seed, &scopes->pool.arena);
}

/* Takes the pane out of those of its key. */
static void
unlink_pane(struct key *key, struct pane *pane)
{
	struct pane_tree tree = tree_of(key);

	if (pane->parts)
		RB_REMOVE(pane_tree, &tree, pane->parts);
	key->panes = RB_EMPTY(&tree) ? NULL : RB_ROOT(&tree)->pane;
}

void
scopes_release(struct scopes *scopes)
{
	struct pane *pane;
	struct key *key;
	size_t slot = 0;

	while ((key = keys_next(&scopes->keys, &slot)))
		while ((pane = key->panes)) {
			unlink_pane(key, pane);
			pane_free(&scopes->pool, pane);
		}
	keys_release(&scopes->keys);
	arena_release(&scopes->pool.arena);
}

struct pane *
scopes_first(const struct key *key)
{
	struct pane_tree tree = tree_of(key);
	const struct pane_parts *first = RB_MIN(pane_tree, &tree);

	return first ? first->pane : key->panes;
}

struct pane *
scopes_after(const struct pane *pane)
{
	const struct pane_parts *next =
		pane->parts ? RB_NEXT(pane_tree, NULL, pane->parts) : NULL;

	return next ? next->pane : NULL;
}

struct pane *
scopes_first_after(struct key *key, nsec time)
{
	struct pane_tree tree = tree_of(key);
	struct pane_parts *parts = RB_ROOT(&tree), *found = NULL;

	while (parts) {
		bool after = parts->window.end > time;

		found = after ? parts : found;
		parts = after ? RB_LEFT(parts, others) : RB_RIGHT(parts, others);
	}
	return found ? found->pane : NULL;
}

static struct pane *
make_pane(struct scopes *scopes, struct key *key, const struct window *window)
{
	struct pane *pane = pane_new(&scopes->pool, scopes->trigger, scopes->parts);
	struct pane_tree tree = tree_of(key);

	if (!pane)
		return NULL;
	pane->key = key;
	scopes->count++;
	if (!pane->parts) {
		key->panes = pane;
		return pane;
	}
	pane->parts->window = *window;
	RB_INSERT(pane_tree, &tree, pane->parts);
	key->panes = RB_ROOT(&tree)->pane;
	return pane;
}

struct pane *
scopes_get(struct scopes *scopes, struct key *key, const struct window *window)
{
	struct pane_parts wanted = { .window = *window }, *found;
	struct pane_tree tree;

	/* A pane without parts is that of all time, and the only one. */
	if (key->panes && !key->panes->parts)
		return key->panes;
	tree = tree_of(key);
	found = RB_FIND(pane_tree, &tree, &wanted);
	return found ? found->pane : make_pane(scopes, key, window);
}

void
scopes_forget(struct scopes *scopes, struct pane *pane)
{
	struct key *key = pane->key;

	unlink_pane(key, pane);
	pane_free(&scopes->pool, pane);
	scopes->count--;
	if (!key->panes)
		keys_remove(&scopes->keys, key);
}

struct pane *
scopes_next(const struct scopes *scopes, const struct pane *pane, size_t *place)
{
	/* Without parts it is alone, and need not be touched. */
	bool alone = !(scopes->parts & PANE_WITH_PARTS);
	const struct key *key;

	if (pane && !alone && scopes_after(pane))
		return scopes_after(pane);
	/* A key that has no scope yet is passed over. */
	do
		key = keys_next(&scopes->keys, place);
	while (key && !key->panes);
	if (!key)
		return NULL;
	return alone ? key->panes : scopes_first(key);
}

/* The first that has something new from the place on. */
static struct pane *
next_fresh(const struct scopes *scopes, size_t *place)
{
	struct pane *pane = NULL;

	while ((pane = scopes_next(scopes, pane, place)))
		if (pane_fresh(pane) > 0)
			break;
	return pane;
}

struct pane *
scopes_some_fresh(const struct scopes *scopes, size_t *place)
{
	struct pane *pane = next_fresh(scopes, place);

	if (!pane) {
		*place = 0;
		pane = next_fresh(scopes, place);
	}
	/* Its key may go, and another take its slot. */
	if (*place > 0)
		--*place;
	return pane;
}
