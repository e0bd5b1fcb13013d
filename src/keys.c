#include <config.h>

#include "keys.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "prefetch.h"

#define LEAST_CAPACITY 16

/* When all keys are gone through, those so many slots ahead are brought near. */
#define AHEAD 16

/* As far away as a tag can tell. */
#define FAR UCHAR_MAX

void
keys_init(struct keys *keys, uint64_t seed, struct arena *arena)
{
	*keys = (struct keys){ .seed = seed, .arena = arena };
}

/* Of a key with a text of that size. Its struct may have room for more text than there is. */
static size_t
size_of_key(size_t size)
{
	size_t all = offsetof(struct key, text) + size;

	return all > sizeof(struct key) ? all : sizeof(struct key);
}

static void
free_key(struct keys *keys, struct key *key)
{
	arena_give(keys->arena, key, size_of_key(key->size));
}

static void
free_table(struct key **slots, struct key_tag *tags, size_t capacity)
{
	arena_free_large(slots, capacity, sizeof(struct key *));
	arena_free_large(tags, capacity, sizeof *tags);
}

void
keys_release(struct keys *keys)
{
	for (size_t slot = 0; slot < keys->capacity; slot++)
		if (keys->tags[slot].mark)
			free_key(keys, keys->slots[slot]);
	free_table(keys->slots, keys->tags, keys->capacity);
	free(keys->heap);
	keys_init(keys, keys->seed, keys->arena);
}

uint32_t
keys_hash(const struct keys *keys, struct slice text)
{
	return (uint32_t)XXH3_64bits_withSeed(text.data ? text.data : "", text.size,
					      keys->seed);
}

/* Of the bits that do not choose the slot in a table of up to 2^25; never 0. */
static unsigned char
mark_of(uint32_t hash)
{
	return (unsigned char)(hash >> 25 | 0x80);
}

static size_t
slot_of(const struct keys *keys, uint32_t hash)
{
	return hash & (keys->capacity - 1);
}

static size_t
slot_after(const struct keys *keys, size_t slot)
{
	return (slot + 1) & (keys->capacity - 1);
}

static bool
is_key(const struct key *key, uint32_t hash, struct slice text)
{
	return key->hash == hash && key->size == text.size &&
	       (text.size == 0 || memcmp(key->text, text.data, text.size) == 0);
}

void
keys_prefetch(const struct keys *keys, uint32_t hash)
{
	if (keys->capacity == 0)
		return;
	prefetch(&keys->tags[slot_of(keys, hash)]);
	prefetch(&keys->slots[slot_of(keys, hash)]);
}

const struct key *
keys_guess(const struct keys *keys, uint32_t hash)
{
	size_t slot;

	if (keys->capacity == 0)
		return NULL;
	for (slot = slot_of(keys, hash); keys->tags[slot].mark;
	     slot = slot_after(keys, slot))
		if (keys->tags[slot].mark == mark_of(hash))
			return keys->slots[slot];
	return NULL;
}

struct key *
keys_find(const struct keys *keys, struct slice text, uint32_t hash)
{
	unsigned char mark = mark_of(hash);

	if (keys->capacity == 0)
		return NULL;
	for (size_t slot = slot_of(keys, hash); keys->tags[slot].mark;
	     slot = slot_after(keys, slot))
		if (keys->tags[slot].mark == mark &&
		    is_key(keys->slots[slot], hash, text))
			return keys->slots[slot];
	return NULL;
}

/* Marks a slot as taken by a key that would best stand so many slots before it. */
static void
set_tag(struct keys *keys, size_t slot, unsigned char mark, size_t away)
{
	keys->tags[slot] =
		(struct key_tag){ mark, away < FAR ? (unsigned char)away : FAR };
}

static void
place(struct keys *keys, struct key *key)
{
	size_t best = slot_of(keys, key->hash), slot = best;

	while (keys->tags[slot].mark)
		slot = slot_after(keys, slot);
	keys->slots[slot] = key;
	set_tag(keys, slot, mark_of(key->hash), (slot - best) & (keys->capacity - 1));
}

/* Makes room for one more; the table is at most three quarters full. */
static int
make_room(struct keys *keys)
{
	size_t capacity = keys->capacity ? keys->capacity * 2 : LEAST_CAPACITY;
	struct keys old = *keys;
	struct key **slots, *key;
	struct key_tag *tags;
	size_t slot = 0;

	if (keys->count < keys->capacity / 4 * 3)
		return 0;
	slots = arena_large(capacity, sizeof(struct key *));
	tags = arena_large(capacity, sizeof *tags);
	if (!slots || !tags) {
		free_table(slots, tags, capacity);
		return -1;
	}
	keys->slots = slots;
	keys->tags = tags;
	keys->capacity = capacity;
	while ((key = keys_next(&old, &slot)))
		place(keys, key);
	free_table(old.slots, old.tags, old.capacity);
	return 0;
}

struct key *
keys_next(const struct keys *keys, size_t *slot)
{
	while (*slot < keys->capacity && !keys->tags[*slot].mark)
		++*slot;
	if (*slot + AHEAD < keys->capacity)
		prefetch(keys->slots[*slot + AHEAD]);
	return *slot < keys->capacity ? keys->slots[(*slot)++] : NULL;
}

static void
put_entry(struct keys *keys, size_t position, struct key_entry entry)
{
	keys->heap[position] = entry;
	entry.key->place = (uint32_t)position + 1;
}

static void
sift_up(struct keys *keys, size_t position)
{
	struct key_entry entry = keys->heap[position];

	while (position > 0) {
		size_t parent = (position - 1) / 2;

		if (keys->heap[parent].used <= entry.used)
			break;
		put_entry(keys, position, keys->heap[parent]);
		position = parent;
	}
	put_entry(keys, position, entry);
}

static void
sift_down(struct keys *keys, size_t position)
{
	struct key_entry entry = keys->heap[position];

	for (;;) {
		size_t child = 2 * position + 1;

		if (child + 1 < keys->heap_size &&
		    keys->heap[child + 1].used < keys->heap[child].used)
			child++;
		if (child >= keys->heap_size || keys->heap[child].used >= entry.used)
			break;
		put_entry(keys, position, keys->heap[child]);
		position = child;
	}
	put_entry(keys, position, entry);
}

static int
add_entry(struct keys *keys, struct key *key)
{
	size_t room = keys->heap_room ? keys->heap_room * 2 : LEAST_CAPACITY;
	struct key_entry *heap;

	if (keys->heap_size == keys->heap_room) {
		heap = realloc(keys->heap, room * sizeof *heap);
		if (!heap)
			return -1;
		keys->heap = heap;
		keys->heap_room = room;
	}
	put_entry(keys, keys->heap_size++, (struct key_entry){ key->used, key });
	sift_up(keys, keys->heap_size - 1);
	return 0;
}

static void
remove_entry(struct keys *keys, struct key *key)
{
	size_t position = key->place - 1;
	struct key_entry last = keys->heap[--keys->heap_size];

	if (last.key == key)
		return;
	put_entry(keys, position, last);
	sift_up(keys, position);
	sift_down(keys, last.key->place - 1);
}

static int
build_heap(struct keys *keys)
{
	struct key *key;
	size_t slot = 0;

	while ((key = keys_next(keys, &slot)))
		if (key->place == 0 && add_entry(keys, key) < 0)
			return -1;
	return 0;
}

struct key *
keys_oldest(struct keys *keys)
{
	if (keys->heap_size < keys->count && build_heap(keys) < 0)
		return NULL;
	while (keys->heap[0].used < keys->heap[0].key->used) {
		keys->heap[0].used = keys->heap[0].key->used;
		sift_down(keys, 0);
	}
	return keys->heap[0].key;
}

struct key *
keys_add(struct keys *keys, struct slice text, uint32_t hash)
{
	struct key *key;

	if (text.size > UINT32_MAX || keys->count >= UINT32_MAX - 1) {
		errno = ENOMEM;
		return NULL;
	}
	if (make_room(keys) < 0)
		return NULL;
	key = arena_take(keys->arena, size_of_key(text.size));
	if (!key)
		return NULL;
	*key = (struct key){
		.used = ++keys->stamp,
		.hash = hash,
		.size = (uint32_t)text.size,
	};
	if (text.size > 0)
		memcpy(key->text, text.data, text.size);
	/* Once there is a heap, all are in it. */
	if (keys->heap && add_entry(keys, key) < 0) {
		free_key(keys, key);
		return NULL;
	}
	place(keys, key);
	keys->count++;
	return key;
}

void
keys_use(struct keys *keys, struct key *key)
{
	key->used = ++keys->stamp;
}

/* How far a slot is behind the one where its key would best stand. */
static size_t
distance(const struct keys *keys, size_t slot)
{
	if (keys->tags[slot].away < FAR)
		return keys->tags[slot].away;
	return (slot - slot_of(keys, keys->slots[slot]->hash)) & (keys->capacity - 1);
}

/* Empties a slot: those behind it that are not where they would best stand move up. */
static void
empty_slot(struct keys *keys, size_t slot)
{
	size_t gap = slot;

	for (slot = slot_after(keys, slot); keys->tags[slot].mark;
	     slot = slot_after(keys, slot)) {
		size_t away = distance(keys, slot);
		size_t step = (slot - gap) & (keys->capacity - 1);

		if (away < step)
			continue;
		keys->slots[gap] = keys->slots[slot];
		set_tag(keys, gap, keys->tags[slot].mark, away - step);
		gap = slot;
	}
	keys->tags[gap].mark = 0;
}

void
keys_remove(struct keys *keys, struct key *key)
{
	size_t slot = slot_of(keys, key->hash);

	while (keys->slots[slot] != key || !keys->tags[slot].mark)
		slot = slot_after(keys, slot);
	empty_slot(keys, slot);
	if (key->place > 0)
		remove_entry(keys, key);
	keys->count--;
	free_key(keys, key);
}
