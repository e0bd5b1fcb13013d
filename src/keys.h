/*
 * The keys that have a live scope: found by their bytes, and which of them was used least
 * recently.
 *
 * An open-addressed table with a tag beside each slot, of a byte of the hash and the distance of
 * the slot from where its key would best stand; so a look-up touches one key at the most but by
 * chance, and a removal none but its own. The hash is seeded, so that no input can choose its collisions.
 * Each use stamps its key. Only when the one used least recently is asked for are the keys put
 * into a heap; a stamp that has grown since leaves its entry where it is until that comes to
 * the front.
 */
#ifndef VOLLEY_KEYS_H
#define VOLLEY_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include "arena.h"
#include "buf.h"

struct pane;

struct key {
	struct pane *panes; /* of its scopes: the root of their tree; see scopes.h */
	uint64_t used;      /* stamp of the last use */
	uint32_t place;     /* 1 + position in the heap; 0: not in it */
	uint32_t hash;
	uint32_t size;
	char text[];
};

/* A key in the heap, with the stamp that it had when it was put there. */
struct key_entry {
	uint64_t used;
	struct key *key;
};

struct key_tag {
	unsigned char mark; /* of the hash; 0: the slot is empty */
	unsigned char
		away; /* so many slots behind where the key would best stand, or more */
};

struct keys {
	struct arena *arena; /* where the keys are; borrowed, may be NULL */
	uint64_t seed;
	uint64_t stamp; /* given out last */
	struct key **slots;
	struct key_tag *tags; /* of the slots */
	size_t capacity;      /* a power of two, or 0 */
	size_t count;
	struct key_entry *heap; /* least stamp first; NULL until it is needed */
	size_t heap_size;
	size_t heap_room;
};

void
keys_init(struct keys *keys, uint64_t seed, struct arena *arena);

/* Frees the table and the keys, whose panes are not theirs any more. */
void
keys_release(struct keys *keys);

/* The hash of a text, by which it is found. */
uint32_t
keys_hash(const struct keys *keys, struct slice text);

/* Has the part of the table brought near that a look-up will touch. */
void
keys_prefetch(const struct keys *keys, uint32_t hash);

/* The key that this is the hash of, if there is one; else perhaps another, or NULL. It is not
 * touched. */
const struct key *
keys_guess(const struct keys *keys, uint32_t hash);

/* The key with this text, whose hash is given; NULL when there is none. */
struct key *
keys_find(const struct keys *keys, struct slice text, uint32_t hash);

/* A new key, which was not there, as the one used last. NULL with errno ENOMEM. */
struct key *
keys_add(struct keys *keys, struct slice text, uint32_t hash);

/* Makes it the one used last. */
void
keys_use(struct keys *keys, struct key *key);

/* The one used least recently; there is one. NULL with errno ENOMEM. */
struct key *
keys_oldest(struct keys *keys);

/* The first key in a slot from this one on, which is moved behind it; NULL when there is none.
 * In no order. */
struct key *
keys_next(const struct keys *keys, size_t *slot);

/* Takes it out and frees it. */
void
keys_remove(struct keys *keys, struct key *key);

#endif
