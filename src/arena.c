#include <config.h>

#include "arena.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LEAST_SLAB ((size_t)16 << 10)
#define MOST_SLAB ((size_t)32 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

struct slab {
	struct slab *next;
	size_t size;
};

static size_t
round_up(size_t size)
{
	return size > 0 ? (size + ARENA_STEP - 1) & ~(ARENA_STEP - 1) : ARENA_STEP;
}

static struct arena_block **
list_of(struct arena *arena, size_t size)
{
	return &arena->given[size / ARENA_STEP - 1];
}

static size_t
round_to_pages(size_t size)
{
	return (size + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
}

/* Zeroed, on huge pages, which what it is rounded up to consists of. It comes from the system and
 * goes back there: what malloc() has of this size may end up in a heap that only grows. */
static void *
map_pages(size_t size)
{
	size_t all = round_to_pages(size) + HUGE_PAGE, front;
	char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	front = -(uintptr_t)memory & (HUGE_PAGE - 1);
	if (front > 0)
		munmap(memory, front);
	munmap(memory + all - (HUGE_PAGE - front), HUGE_PAGE - front);
	memory += front;
#ifdef MADV_HUGEPAGE
	/* A wish: without huge pages it is as good, only slower. */
	madvise(memory, round_to_pages(size), MADV_HUGEPAGE);
#endif
	return memory;
}

static void *
allocate(size_t size)
{
	return size < HUGE_PAGE ? malloc(size) : map_pages(size);
}

static void
deallocate(void *memory, size_t size)
{
	if (memory && size >= HUGE_PAGE)
		munmap(memory, round_to_pages(size));
	else
		free(memory);
}

/* A slab of a quarter of what there is, so that little of it lies idle. */
static struct slab *
make_slab(const struct arena *arena)
{
	size_t size = arena->total / 4;
	struct slab *slab;

	if (size < LEAST_SLAB)
		size = LEAST_SLAB;
	if (size > MOST_SLAB)
		size = MOST_SLAB;
	if (size >= HUGE_PAGE)
		size = round_to_pages(size);
	slab = allocate(size);
	if (slab)
		slab->size = size;
	return slab;
}

/* Begins with the slab's memory. */
static void
begin(struct arena *arena, struct slab *slab)
{
	size_t header = round_up(sizeof *slab);

	arena->rest = (char *)slab + header;
	arena->left = slab->size - header;
}

static int
add_slab(struct arena *arena)
{
	struct slab *slab = make_slab(arena);

	if (!slab)
		return -1;
	slab->next = arena->slabs;
	arena->slabs = slab;
	arena->total += slab->size;
	begin(arena, slab);
	return 0;
}

void
arena_release(struct arena *arena)
{
	struct slab *slab;

	while ((slab = arena->slabs)) {
		arena->slabs = slab->next;
		deallocate(slab, slab->size);
	}
	/* Each of malloc()'s that was reserved and not taken. */
	for (size_t i = 0; ARENA_OF_MALLOC && i < ARENA_MOST / ARENA_STEP; i++)
		free(arena->given[i]);
	*arena = (struct arena){ 0 };
}

/* No block is out: all slabs but the first go back to the system. */
static void
start_over(struct arena *arena)
{
	struct slab *first = arena->slabs;

	if (!first->next)
		return;
	while (first->next)
		first = first->next;
	for (struct slab *slab = arena->slabs, *next; slab != first; slab = next) {
		next = slab->next;
		deallocate(slab, slab->size);
	}
	*arena = (struct arena){ .slabs = first, .total = first->size };
	begin(arena, first);
}

/* Whether the arena has blocks of that size. */
static bool
is_small(const struct arena *arena, size_t size)
{
	return arena && size <= ARENA_MOST;
}

/* A block that there is: one that came back, or one of the slab at hand. NULL when there is
 * none. */
static void *
take_one(struct arena *arena, size_t size)
{
	struct arena_block **list = list_of(arena, size), *block = *list;

	if (block) {
		*list = block->next;
	} else if (arena->left >= size) {
		block = (struct arena_block *)(void *)arena->rest;
		arena->rest += size;
		arena->left -= size;
	}
	return block;
}

static void
put_back(struct arena *arena, struct arena_block *block, size_t size)
{
	struct arena_block **list = list_of(arena, size);

	block->next = *list;
	*list = block;
}

int
arena_reserve(struct arena *arena, size_t size)
{
	struct arena_block *block;

	size = round_up(size);
	if (*list_of(arena, size) || arena->left >= size)
		return 0;
	if (!ARENA_OF_MALLOC)
		return add_slab(arena);
	block = malloc(size);
	if (!block)
		return -1;
	put_back(arena, block, size);
	return 0;
}

void *
arena_take(struct arena *arena, size_t size)
{
	void *block;

	if (!is_small(arena, size))
		return malloc(size);
	size = round_up(size);
	block = take_one(arena, size);
	if (!block && ARENA_OF_MALLOC)
		block = malloc(size);
	else if (!block && add_slab(arena) == 0)
		block = take_one(arena, size);
	arena->out += block != NULL;
	return block;
}

void *
arena_large(size_t count, size_t size)
{
	if (count > (SIZE_MAX - 2 * HUGE_PAGE) / size) {
		errno = ENOMEM;
		return NULL;
	}
	return count * size < HUGE_PAGE ? calloc(count, size) : map_pages(count * size);
}

void
arena_free_large(void *memory, size_t count, size_t size)
{
	deallocate(memory, count * size);
}

void
arena_give(struct arena *arena, void *block, size_t size)
{
	if (!block)
		return;
	if (!is_small(arena, size)) {
		free(block);
		return;
	}
	arena->out--;
	if (ARENA_OF_MALLOC) {
		free(block);
		return;
	}
	put_back(arena, block, round_up(size));
	if (arena->out == 0)
		start_over(arena);
}
