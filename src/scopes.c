#include <config.h>

#include "scopes.h"

#include <stdlib.h>

void
scopes_init(struct scopes *scopes, const struct trigger *trigger, int parts,
	    uint64_t seed)
{
	*scopes = (struct scopes){ .trigger = trigger, .parts = parts };
	keys_init(&scopes->keys, seed, &scopes->pool.arena);
}

void
scopes_release(struct scopes *scopes)
{
	struct key *key;
	size_t slot = 0;

	while ((key = keys_next(&scopes->keys, &slot))) {
		struct pane *next, *pane = scopes_first(key);

		for (; pane; pane = next) {
			next = pane_next(pane);
			pane_free(&scopes->pool, pane);
		}
	}
	keys_release(&scopes->keys);
	arena_release(&scopes->pool.arena);
}

static struct pane *
previous_of(const struct pane *pane)
{
	return pane->parts ? pane->parts->previous : NULL;
}

struct pane *
scopes_first(const struct key *key)
{
	struct pane *pane = key->panes;

	while (pane && previous_of(pane))
		pane = previous_of(pane);
	return pane;
}

static bool
starts_before(const struct pane *pane, const struct window *window)
{
	struct window its = pane_window(pane);

	return its.start != window->start ? its.start < window->start
					  : its.end < window->end;
}

/* The last pane whose window starts before that one; NULL when none does. */
static struct pane *
last_before(struct key *key, const struct window *window)
{
	struct pane *pane = key->panes, *next;

	while (pane && !starts_before(pane, window))
		pane = previous_of(pane);
	if (!pane)
		return NULL;
	while ((next = pane_next(pane)) && starts_before(next, window))
		pane = next;
	return pane;
}

struct pane *
scopes_first_after(struct key *key, nsec time)
{
	struct pane *pane = key->panes;

	while (pane && previous_of(pane) && pane_window(previous_of(pane)).end > time)
		pane = previous_of(pane);
	while (pane && pane_window(pane).end <= time)
		pane = pane_next(pane);
	return pane;
}

/* Panes without parts are alone. */
static void
link_after(struct key *key, struct pane *before, struct pane *pane)
{
	struct pane_parts *parts = pane->parts;

	if (!parts)
		return;
	parts->previous = before;
	parts->next = before ? before->parts->next : scopes_first(key);
	if (before)
		before->parts->next = pane;
	if (parts->next)
		parts->next->parts->previous = pane;
}

static struct pane *
make_pane(struct scopes *scopes, struct key *key, const struct window *window,
	  struct pane *before)
{
	struct pane *pane = pane_new(&scopes->pool, scopes->trigger, scopes->parts);

	if (!pane)
		return NULL;
	pane->key = key;
	if (pane->parts)
		pane->parts->window = *window;
	link_after(key, before, pane);
	scopes->count++;
	return pane;
}

struct pane *
scopes_get(struct scopes *scopes, struct key *key, const struct window *window)
{
	struct pane *before, *pane;
	struct window its;

	/* A pane without parts is that of all time, and the only one. */
	if (key->panes && !key->panes->parts)
		return key->panes;
	before = last_before(key, window);
	pane = before ? pane_next(before) : scopes_first(key);
	if (pane) {
		its = pane_window(pane);
		if (its.start != window->start || its.end != window->end)
			pane = NULL;
	}
	if (!pane)
		pane = make_pane(scopes, key, window, before);
	if (pane)
		key->panes = pane;
	return pane;
}

void
scopes_forget(struct scopes *scopes, struct pane *pane)
{
	struct key *key = pane->key;
	struct pane *previous = previous_of(pane), *next = pane_next(pane);

	if (previous)
		previous->parts->next = next;
	if (next)
		next->parts->previous = previous;
	/* What goes is the oldest as a rule, and what comes is found from the newest. */
	if (key->panes == pane)
		key->panes = previous ? previous : next;
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

	if (pane && !alone && pane_next(pane))
		return pane_next(pane);
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
