/*
 * Small memory, for what there may be millions of: blocks of any small size from large slabs,
 * without a header each. Who gives a block back tells its size.
 *
 * Blocks of a size that were given back are taken again; the slabs go back to the system, all
 * but the first, when no block is out. On huge pages where the system has such. An arena is
 * zeroed at first; NULL stands for malloc() and free().
 */
#ifndef VOLLEY_ARENA_H
#define VOLLEY_ARENA_H

#include <stddef.h>

/* Where memory is watched, each block is one of malloc()'s. It can be asked for, too. */
#ifndef ARENA_OF_MALLOC
#ifdef __SANITIZE_ADDRESS__
#define ARENA_OF_MALLOC 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define ARENA_OF_MALLOC 1
#endif
#endif
#endif
#ifndef ARENA_OF_MALLOC
#define ARENA_OF_MALLOC 0
#endif

/* Sizes are rounded up to this; a block is aligned to it. */
#define ARENA_STEP ((size_t)8)

/* Larger blocks come from malloc(). */
#define ARENA_MOST ((size_t)2048)

/* A block that is not out. */
struct arena_block {
	struct arena_block *next;
};

struct arena {
	struct arena_block *given[ARENA_MOST / ARENA_STEP]; /* that came back, by size */
	char *rest;                                         /* of the slab at hand */
	size_t left;
	struct slab *slabs; /* the last first */
	size_t total;       /* bytes of them */
	size_t out;         /* blocks that are out */
};

/* Frees all slabs; no block of them is used again. */
void
arena_release(struct arena *arena);

/* A block, with anything in it. NULL with errno ENOMEM. */
void *
arena_take(struct arena *arena, size_t size);

/* Sees to it that the next block of that size, ARENA_MOST at the most, can be taken; not for
 * NULL. 0, or -1 with errno ENOMEM. */
int
arena_reserve(struct arena *arena, size_t size);

/* Large memory of its own, zeroed, on huge pages where the system has such. NULL with errno
 * ENOMEM. */
void *
arena_large(size_t count, size_t size);

/* Frees it, of the same size; it may be NULL. */
void
arena_free_large(void *memory, size_t count, size_t size);

/* Gives it back; it may be NULL. */
void
arena_give(struct arena *arena, void *block, size_t size);

#endif
