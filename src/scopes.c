#include <config.h>

#include "scopes.h"

#include <stdlib.h>

void
scopes_init(struct scopes *scopes, const struct trigger *trigger, int parts,
	    uint64_t seed)
{
	*scopes = (struct scopes){ .trigger = trigger, .parts = parts };
	keys_init(&scopes->keys, seed);
}

void
scopes_release(struct scopes *scopes)
{
	struct key *key;
	size_t slot = 0;

	while ((key = keys_next(&scopes->keys, &slot))) {
		struct pane *next, *pane = scopes_first(key);

		for (; pane; pane = next) {
			next = pane->next;
			pane_free(pane);
		}
	}
	keys_release(&scopes->keys);
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
	struct pane *pane = key->panes;

	while (pane && !starts_before(pane, window))
		pane = previous_of(pane);
	if (!pane)
		return NULL;
	while (pane->next && starts_before(pane->next, window))
		pane = pane->next;
	return pane;
}

struct pane *
scopes_first_after(struct key *key, nsec time)
{
	struct pane *pane = key->panes;

	while (pane && previous_of(pane) && pane_window(previous_of(pane)).end > time)
		pane = previous_of(pane);
	while (pane && pane_window(pane).end <= time)
		pane = pane->next;
	return pane;
}

static void
link_after(struct key *key, struct pane *before, struct pane *pane)
{
	pane->next = before ? before->next : scopes_first(key);
	if (pane->parts)
		pane->parts->previous = before;
	if (before)
		before->next = pane;
	if (pane->next && pane->next->parts)
		pane->next->parts->previous = pane;
}

static struct pane *
make_pane(struct scopes *scopes, struct key *key, const struct window *window,
	  struct pane *before)
{
	struct pane *pane = pane_new(scopes->trigger, scopes->parts);

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
	struct pane *before = last_before(key, window);
	struct pane *pane = before ? before->next : scopes_first(key);
	struct window its;

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
	struct pane *previous = previous_of(pane), *next = pane->next;

	if (previous)
		previous->next = next;
	if (next && next->parts)
		next->parts->previous = previous;
	key->panes = previous ? previous : next;
	pane_free(pane);
	scopes->count--;
	if (!key->panes)
		keys_remove(&scopes->keys, key);
}

struct pane *
scopes_some_fresh(const struct scopes *scopes)
{
	const struct key *key;
	size_t slot = 0;

	while ((key = keys_next(&scopes->keys, &slot)))
		for (struct pane *pane = scopes_first(key); pane; pane = pane->next)
			if (pane->fresh > 0)
				return pane;
	return NULL;
}

struct pane **
scopes_list(const struct scopes *scopes)
{
	struct pane **list = malloc((scopes->count + 1) * sizeof(struct pane *));
	const struct key *key;
	size_t slot = 0, count = 0;

	if (!list)
		return NULL;
	while ((key = keys_next(&scopes->keys, &slot)))
		for (struct pane *pane = scopes_first(key); pane; pane = pane->next)
			list[count++] = pane;
	list[count] = NULL;
	return list;
}
