/*
 * The bytes of a pane's records. Few of them, in many panes, stand in a chain of chunks from a
 * pool, of which each is twice the one before: nothing moves while they grow, and little is
 * unused. Many stand in one piece, as those of a store that has no pool always do.
 *
 * A store is zeroed at first, and is handed the same pool always, or always NULL.
 */
#ifndef VOLLEY_STORE_H
#define VOLLEY_STORE_H

#include "arena.h"
#include "buf.h"

/* With more than this they are in one piece. */
#define STORE_SMALL ((size_t)2000)

/* In one piece it is just a buf; in chunks data is the last chunk, capacity what all of them
 * hold, and no more than STORE_SMALL. */
struct store {
	struct buf buf;
};

/* What stores share. */
struct store_pool {
	struct arena arena;
	char scratch[STORE_SMALL]; /* where store_slice() puts what is in chunks */
};

/* Makes room for size more bytes. 0, or -1 with errno ENOMEM and nothing changed. */
int
store_reserve(struct store *store, struct store_pool *pool, size_t size);

/* Appends what room was made for last. */
void
store_append(struct store *store, struct store_pool *pool, struct slice slice);

/* All bytes in one piece, which may be a copy in the pool: valid until the next call. */
struct slice
store_slice(const struct store *store, struct store_pool *pool);

/* Puts other bytes into the place of all, no more than there are; they may be those that
 * store_slice() has given. */
void
store_replace(struct store *store, struct store_pool *pool, struct slice slice);

/* The buf that holds all of it in one piece; NULL when there is none. A buf that is put into its
 * place is empty, and has no memory or more than STORE_SMALL. */
struct buf *
store_buf(struct store *store);

/* Empties it. In one piece it keeps so much memory at the most. */
void
store_clear(struct store *store, struct store_pool *pool, size_t keep);

/* Has what an append will touch brought near. */
void
store_prefetch(const struct store *store);

#endif
