#include <config.h>

#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define ROUNDS 20000
#define TEXTS 300

static struct slice
text_of(const struct key *key)
{
	return (struct slice){ key->text, key->size };
}

static bool
is_same(struct slice a, struct slice b)
{
	return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static struct key *
find(const struct keys *keys, struct slice text)
{
	return keys_find(keys, text, keys_hash(keys, text));
}

static struct key *
add(struct keys *keys, struct slice text)
{
	return keys_add(keys, text, keys_hash(keys, text));
}

START_TEST(no_key_is_found_at_first)
{
	struct keys keys;

	keys_init(&keys, 1, NULL);
	ck_assert_ptr_null(find(&keys, slice_of("a")));
	ck_assert_ptr_null(find(&keys, slice_of("")));
	keys_release(&keys);
}
END_TEST

START_TEST(key_is_found_by_its_bytes)
{
	static const struct slice texts[] = {
		{ "", 0 },     { "a", 1 },  { "ab", 2 },       { "a\0b", 3 },
		{ "a\0c", 3 }, { "\0", 1 }, { "\xff\n\0", 3 }, { "A", 1 },
	};
	struct keys keys;

	keys_init(&keys, 7, NULL);
	for (size_t i = 0; i < LENGTH(texts); i++) {
		ck_assert_ptr_null(find(&keys, texts[i]));
		ck_assert_ptr_nonnull(add(&keys, texts[i]));
	}
	ck_assert_uint_eq(keys.count, LENGTH(texts));
	for (size_t i = 0; i < LENGTH(texts); i++) {
		struct key *key = find(&keys, texts[i]);

		ck_assert_ptr_nonnull(key);
		ck_assert(is_same(text_of(key), texts[i]));
		ck_assert_ptr_null(key->panes);
	}
	ck_assert_ptr_eq(find(&keys, (struct slice){ NULL, 0 }), find(&keys, texts[0]));
	keys_release(&keys);
}
END_TEST

START_TEST(key_used_least_recently_is_known)
{
	struct keys keys;
	struct key *a, *b, *c, *d;

	keys_init(&keys, 0, NULL);
	a = add(&keys, slice_of("a"));
	b = add(&keys, slice_of("b"));
	c = add(&keys, slice_of("c"));
	ck_assert_ptr_eq(keys_oldest(&keys), a);
	ck_assert_ptr_eq(keys_oldest(&keys), a);
	keys_use(&keys, a);
	ck_assert_ptr_eq(keys_oldest(&keys), b);
	keys_use(&keys, c);
	keys_use(&keys, b);
	ck_assert_ptr_eq(keys_oldest(&keys), a);
	d = add(&keys, slice_of("d"));
	keys_remove(&keys, a);
	ck_assert_ptr_eq(keys_oldest(&keys), c);
	keys_remove(&keys, c);
	keys_remove(&keys, b);
	ck_assert_ptr_eq(keys_oldest(&keys), d);
	keys_remove(&keys, d);
	ck_assert_uint_eq(keys.count, 0);
	keys_release(&keys);
}
END_TEST

START_TEST(keys_can_be_gone_through)
{
	struct keys keys;
	struct key *a, *b, *first, *second;
	size_t slot = 0;

	keys_init(&keys, 3, NULL);
	ck_assert_ptr_null(keys_next(&keys, &slot));
	a = add(&keys, slice_of("a"));
	b = add(&keys, slice_of("b"));
	first = keys_next(&keys, &slot);
	second = keys_next(&keys, &slot);
	ck_assert_ptr_null(keys_next(&keys, &slot));
	ck_assert((first == a && second == b) || (first == b && second == a));
	keys_release(&keys);
}
END_TEST

/* Which texts are there, the one used longest ago first. */
struct model {
	unsigned order[TEXTS];
	size_t count;
};

static size_t
find_text(const struct model *model, unsigned text)
{
	size_t i = 0;

	while (i < model->count && model->order[i] != text)
		i++;
	return i;
}

static void
take_out(struct model *model, size_t index)
{
	model->count--;
	memmove(&model->order[index], &model->order[index + 1],
		(model->count - index) * sizeof *model->order);
}

static struct slice
spell_text(unsigned text, char room[16])
{
	return (struct slice){ room, (size_t)snprintf(room, 16, "%u", text * 7) };
}

static void
compare(struct keys *keys, const struct model *model, uint64_t seed, size_t round,
	bool by_use)
{
	char room[16];
	size_t slot = 0, count = 0;

	DEMAND(keys->count == model->count, "seed %" PRIu64 ", round %zu: %zu keys", seed,
	       round, keys->count);
	while (keys_next(keys, &slot))
		count++;
	DEMAND(count == model->count, "seed %" PRIu64 ", round %zu: %zu", seed, round,
	       count);
	for (size_t i = 0; i < model->count; i++)
		DEMAND(find(keys, spell_text(model->order[i], room)) != NULL,
		       "seed %" PRIu64 ", round %zu: no '%s'", seed, round, room);
	if (by_use && model->count > 0)
		DEMAND(is_same(text_of(keys_oldest(keys)),
			       spell_text(model->order[0], room)),
		       "seed %" PRIu64 ", round %zu: '%s' is not the oldest", seed, round,
		       room);
}

static void
play_round(struct keys *keys, struct model *model, struct dice *dice, unsigned texts)
{
	char room[16];
	unsigned text = (unsigned)dice_below(dice, texts);
	size_t index = find_text(model, text);
	struct key *key = find(keys, spell_text(text, room));

	DEMAND((key != NULL) == (index < model->count), "'%s': %d", room, key != NULL);
	if (!key) {
		DEMAND(add(keys, spell_text(text, room)) != NULL, "no memory");
		model->order[model->count++] = text;
	} else if (dice_hits(dice, 2)) {
		keys_use(keys, key);
		take_out(model, index);
		model->order[model->count++] = text;
	} else {
		keys_remove(keys, key);
		take_out(model, index);
	}
}

/* With few texts the table stays small, so that their places collide. */
START_TEST(table_does_what_a_list_does)
{
	for (uint64_t seed = 0; seed < 8; seed++) {
		struct dice dice = dice_of(seed);
		struct model model = { .count = 0 };
		unsigned texts = seed < 4 ? 12 + (unsigned)seed * 6 : TEXTS;
		struct keys keys;

		keys_init(&keys, seed, NULL);
		for (size_t round = 0; round < ROUNDS; round++) {
			play_round(&keys, &model, &dice, texts);
			if (round % 16 == 0)
				compare(&keys, &model, seed, round, round > ROUNDS / 2);
		}
		compare(&keys, &model, seed, ROUNDS, true);
		keys_release(&keys);
	}
}
END_TEST

START_TEST(keys_of_one_hash_are_told_apart)
{
	struct key *added[200];
	struct keys keys;
	char room[16];

	keys_init(&keys, 0, NULL);
	for (unsigned i = 0; i < LENGTH(added); i++)
		added[i] = keys_add(&keys, spell_text(i, room), 77);
	for (unsigned i = 0; i < LENGTH(added); i += 3)
		keys_remove(&keys, added[i]);
	for (unsigned i = 0; i < LENGTH(added); i++)
		ck_assert_ptr_eq(keys_find(&keys, spell_text(i, room), 77),
				 i % 3 == 0 ? NULL : added[i]);
	ck_assert_ptr_null(keys_find(&keys, spell_text(1, room), 78));
	keys_release(&keys);
}
END_TEST

START_TEST(keys_can_be_brought_near_that_are_not_there)
{
	struct keys keys;

	keys_init(&keys, 0, NULL);
	keys_prefetch(&keys, 5);
	ck_assert_ptr_null(keys_guess(&keys, 5));
	add(&keys, slice_of("a"));
	for (uint32_t hash = 0; hash < 64; hash++) {
		keys_prefetch(&keys, hash);
		keys_guess(&keys, hash);
	}
	ck_assert_ptr_nonnull(find(&keys, slice_of("a")));
	keys_release(&keys);
}
END_TEST

START_TEST(many_keys_are_all_found)
{
	struct keys keys;
	char room[16];

	keys_init(&keys, 42, NULL);
	for (unsigned i = 0; i < 20000; i++)
		ck_assert_ptr_nonnull(add(&keys, spell_text(i, room)));
	for (unsigned i = 0; i < 20000; i++)
		DEMAND(find(&keys, spell_text(i, room)) != NULL, "%s", room);
	DEMAND(find(&keys, slice_of("x")) == NULL, "found");
	keys_release(&keys);
	ck_assert_uint_eq(keys.count, 0);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("keys", no_key_is_found_at_first, key_is_found_by_its_bytes,
			key_used_least_recently_is_known, keys_can_be_gone_through,
			table_does_what_a_list_does, keys_of_one_hash_are_told_apart,
			keys_can_be_brought_near_that_are_not_there,
			many_keys_are_all_found);
}
