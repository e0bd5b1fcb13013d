/*
 * The live scopes: one pane for each key in each window.
 *
 * A scope is made when its first record comes and forgotten when it is as at the start, or its
 * window has ended; a key is live while one of its scopes is. So memory follows the live panes.
 *
 * The panes of a key are a tree in the order of their windows, and key->panes is its root.
 */
#ifndef VOLLEY_SCOPES_H
#define VOLLEY_SCOPES_H

#include "keys.h"
#include "pane.h"

struct scopes {
	const struct trigger *trigger; /* borrowed */
	struct store_pool pool;        /* of keys, panes and records */
	int parts;                     /* that each pane has */
	struct keys keys;
	size_t count; /* live panes */
};

void
scopes_init(struct scopes *scopes, const struct trigger *trigger, int parts,
	    uint64_t seed);

/* Frees all panes, which are in no queue any more. */
void
scopes_release(struct scopes *scopes);

/* The key's scope in that window, made when there is none. NULL with errno ENOMEM. */
struct pane *
scopes_get(struct scopes *scopes, struct key *key, const struct window *window);

/* The first of the key's panes, in the order of their windows' starts; NULL when it has none. */
struct pane *
scopes_first(const struct key *key);

/* The one of the same key whose window starts next; NULL when there is none. */
struct pane *
scopes_after(const struct pane *pane);

/* The first of the key's panes whose window ends after that time; NULL when none does. Sessions
 * do not overlap, so of them it is the first that can hold the time. */
struct pane *
scopes_first_after(struct key *key, nsec time);

/* Forgets the scope, and its key when it was its last. */
void
scopes_forget(struct scopes *scopes, struct pane *pane);

/* Some pane that has something new; NULL when none has. Where the last one was found is a good
 * place to begin; 0 at first. Panes may have come and gone since. */
struct pane *
scopes_some_fresh(const struct scopes *scopes, size_t *place);

/* All live panes, one after the other and in no order: the first for NULL and a place of 0, then
 * the one after that. NULL when there are no more. */
struct pane *
scopes_next(const struct scopes *scopes, const struct pane *pane, size_t *place);

#endif
