/*
 * The keys that have a live scope: found by their bytes, ordered by their last use.
 *
 * An open-addressed table with a byte of each hash beside it, so that a look-up touches one key
 * at the most but by chance. The hash is seeded, so that no input can choose its collisions.
 */
#ifndef VOLLEY_KEYS_H
#define VOLLEY_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"

struct pane;

struct key {
	struct key *newer; /* in the order of use */
	struct key *older;
	struct pane *panes; /* those of its scopes, linked */
	uint32_t hash;
	uint32_t size;
	char text[];
};

struct keys {
	uint64_t seed;
	struct key **slots;
	unsigned char *tags; /* 0: the slot is empty */
	size_t capacity;     /* a power of two, or 0 */
	size_t count;
	struct key *newest;
	struct key *oldest;
};

void
keys_init(struct keys *keys, uint64_t seed);

/* Frees the table and the keys, which have no panes any more. */
void
keys_release(struct keys *keys);

/* The key with this text; NULL when there is none. */
struct key *
keys_find(const struct keys *keys, struct slice text);

/* A new key, which was not there, as the one used last. NULL with errno ENOMEM. */
struct key *
keys_add(struct keys *keys, struct slice text);

/* Makes it the one used last. */
void
keys_use(struct keys *keys, struct key *key);

/* Takes it out and frees it. */
void
keys_remove(struct keys *keys, struct key *key);

#endif
