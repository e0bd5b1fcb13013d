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

	while ((key = keys_next(&scopes->keys, &slot)))
		while (key->panes) {
			struct pane *pane = key->panes;

			key->panes = pane->next;
			pane_free(pane);
		}
	keys_release(&scopes->keys);
}

struct pane *
scopes_get(struct scopes *scopes, struct key *key, const struct window *window)
{
	struct pane **link = &key->panes;

	for (; *link; link = &(*link)->next) {
		struct window its = pane_window(*link);

		if (its.start == window->start && its.end == window->end)
			return *link;
	}
	*link = pane_new(scopes->trigger, scopes->parts);
	if (!*link)
		return NULL;
	(*link)->key = key;
	if ((*link)->parts)
		(*link)->parts->window = *window;
	scopes->count++;
	return *link;
}

void
scopes_forget(struct scopes *scopes, struct pane *pane)
{
	struct key *key = pane->key;
	struct pane **link = &key->panes;

	while (*link != pane)
		link = &(*link)->next;
	*link = pane->next;
	pane_free(pane);
	scopes->count--;
	if (!key->panes)
		keys_remove(&scopes->keys, key);
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
		for (struct pane *pane = key->panes; pane; pane = pane->next)
			list[count++] = pane;
	list[count] = NULL;
	return list;
}
