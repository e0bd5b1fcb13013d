#include <config.h>

#include "keys.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define LEAST_CAPACITY 16

void
keys_init(struct keys *keys, uint64_t seed)
{
	*keys = (struct keys){ .seed = seed };
}

void
keys_release(struct keys *keys)
{
	for (size_t slot = 0; slot < keys->capacity; slot++)
		if (keys->tags[slot])
			free(keys->slots[slot]);
	free(keys->slots);
	free(keys->tags);
	free(keys->heap);
	*keys = (struct keys){ .seed = keys->seed };
}

uint32_t
keys_hash(const struct keys *keys, struct slice text)
{
	return (uint32_t)XXH3_64bits_withSeed(text.data ? text.data : "", text.size,
					      keys->seed);
}

/* Of the bits that do not choose the slot in a table of up to 2^25; never 0. */
static unsigned char
tag_of(uint32_t hash)
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

#ifdef __GNUC__
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void)(address))
#endif

void
keys_prefetch(const struct keys *keys, uint32_t hash)
{
	if (keys->capacity == 0)
		return;
	PREFETCH(&keys->tags[slot_of(keys, hash)]);
	PREFETCH(&keys->slots[slot_of(keys, hash)]);
}

void
keys_prefetch_key(const struct keys *keys, uint32_t hash)
{
	if (keys->capacity > 0 && keys->tags[slot_of(keys, hash)] == tag_of(hash))
		PREFETCH(keys->slots[slot_of(keys, hash)]);
}

struct key *
keys_find(const struct keys *keys, struct slice text, uint32_t hash)
{
	unsigned char tag = tag_of(hash);

	if (keys->capacity == 0)
		return NULL;
	for (size_t slot = slot_of(keys, hash); keys->tags[slot];
	     slot = slot_after(keys, slot))
		if (keys->tags[slot] == tag && is_key(keys->slots[slot], hash, text))
			return keys->slots[slot];
	return NULL;
}

static void
place(struct keys *keys, struct key *key)
{
	size_t slot = slot_of(keys, key->hash);

	while (keys->tags[slot])
		slot = slot_after(keys, slot);
	keys->tags[slot] = tag_of(key->hash);
	keys->slots[slot] = key;
}

/* Makes room for one more; the table is at most three quarters full. */
static int
make_room(struct keys *keys)
{
	size_t capacity = keys->capacity ? keys->capacity * 2 : LEAST_CAPACITY;
	struct keys old = *keys;
	struct key **slots, *key;
	unsigned char *tags;
	size_t slot = 0;

	if (keys->count < keys->capacity / 4 * 3)
		return 0;
	slots = calloc(capacity, sizeof(struct key *));
	tags = calloc(capacity, 1);
	if (!slots || !tags) {
		free(slots);
		free(tags);
		return -1;
	}
	keys->slots = slots;
	keys->tags = tags;
	keys->capacity = capacity;
	while ((key = keys_next(&old, &slot)))
		place(keys, key);
	free(old.slots);
	free(old.tags);
	return 0;
}

struct key *
keys_next(const struct keys *keys, size_t *slot)
{
	while (*slot < keys->capacity && !keys->tags[*slot])
		++*slot;
	return *slot < keys->capacity ? keys->slots[(*slot)++] : NULL;
}

static void
put_entry(struct keys *keys, size_t position, struct key_entry entry)
{
	keys->heap[position] = entry;
	entry.key->place = position + 1;
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

	if (text.size > UINT32_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	key = malloc(sizeof *key + text.size);
	if (!key || make_room(keys) < 0) {
		free(key);
		return NULL;
	}
	*key = (struct key){
		.used = ++keys->stamp,
		.hash = hash,
		.size = (uint32_t)text.size,
	};
	if (text.size > 0)
		memcpy(key->text, text.data, text.size);
	/* Once there is a heap, all are in it. */
	if (keys->heap && add_entry(keys, key) < 0) {
		free(key);
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

/* How far a slot is from the one where its key would best stand. */
static size_t
distance(const struct keys *keys, size_t slot)
{
	return (slot - slot_of(keys, keys->slots[slot]->hash)) & (keys->capacity - 1);
}

/* Empties a slot: those behind it that are not where they would best stand move up. */
static void
empty_slot(struct keys *keys, size_t slot)
{
	size_t gap = slot;

	for (slot = slot_after(keys, slot); keys->tags[slot];
	     slot = slot_after(keys, slot)) {
		if (distance(keys, slot) < ((slot - gap) & (keys->capacity - 1)))
			continue;
		keys->slots[gap] = keys->slots[slot];
		keys->tags[gap] = keys->tags[slot];
		gap = slot;
	}
	keys->tags[gap] = 0;
}

void
keys_remove(struct keys *keys, struct key *key)
{
	size_t slot = slot_of(keys, key->hash);

	while (keys->slots[slot] != key || !keys->tags[slot])
		slot = slot_after(keys, slot);
	empty_slot(keys, slot);
	if (key->place > 0)
		remove_entry(keys, key);
	keys->count--;
	free(key);
}
