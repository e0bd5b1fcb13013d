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
	while (keys->oldest)
		keys_remove(keys, keys->oldest);
	free(keys->slots);
	free(keys->tags);
	*keys = (struct keys){ .seed = keys->seed };
}

static uint32_t
hash_of(const struct keys *keys, struct slice text)
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

struct key *
keys_find(const struct keys *keys, struct slice text)
{
	uint32_t hash = hash_of(keys, text);
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
	struct key **slots;
	unsigned char *tags;

	if (keys->count < keys->capacity / 4 * 3)
		return 0;
	slots = calloc(capacity, sizeof(struct key *));
	tags = calloc(capacity, 1);
	if (!slots || !tags) {
		free(slots);
		free(tags);
		return -1;
	}
	free(keys->slots);
	free(keys->tags);
	keys->slots = slots;
	keys->tags = tags;
	keys->capacity = capacity;
	for (struct key *key = keys->oldest; key; key = key->newer)
		place(keys, key);
	return 0;
}

static void
link_newest(struct keys *keys, struct key *key)
{
	key->newer = NULL;
	key->older = keys->newest;
	if (key->older)
		key->older->newer = key;
	else
		keys->oldest = key;
	keys->newest = key;
}

static void
unlink_key(struct keys *keys, struct key *key)
{
	if (key->newer)
		key->newer->older = key->older;
	else
		keys->newest = key->older;
	if (key->older)
		key->older->newer = key->newer;
	else
		keys->oldest = key->newer;
}

struct key *
keys_add(struct keys *keys, struct slice text)
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
	*key = (struct key){ .hash = hash_of(keys, text), .size = (uint32_t)text.size };
	if (text.size > 0)
		memcpy(key->text, text.data, text.size);
	link_newest(keys, key);
	place(keys, key);
	keys->count++;
	return key;
}

void
keys_use(struct keys *keys, struct key *key)
{
	if (key == keys->newest)
		return;
	unlink_key(keys, key);
	link_newest(keys, key);
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
	unlink_key(keys, key);
	keys->count--;
	free(key);
}
