#include <config.h>

#include "scopes.h"

#include "trees.h"
#include "unit.h"

static const struct window all = { NSEC_MIN, NSEC_MAX };

static struct key *
find(const struct scopes *scopes, struct slice text)
{
	return keys_find(&scopes->keys, text, keys_hash(&scopes->keys, text));
}

static struct key *
add(struct scopes *scopes, struct slice text)
{
	return keys_add(&scopes->keys, text, keys_hash(&scopes->keys, text));
}

START_TEST(scope_is_made_once_for_a_key_and_a_window)
{
	struct trigger *trigger = REPEAT(COUNT(2));
	struct window first = { 0, 10 }, second = { 10, 20 }, longer = { 0, 20 };
	struct scopes scopes;
	struct pane *a, *b;
	struct key *key, *other;

	scopes_init(&scopes, trigger, PANE_WITH_PARTS, 1);
	key = add(&scopes, slice_of("k"));
	other = add(&scopes, slice_of("l"));
	a = scopes_get(&scopes, key, &first);
	b = scopes_get(&scopes, key, &second);
	ck_assert_ptr_nonnull(a);
	ck_assert_ptr_nonnull(b);
	ck_assert_ptr_ne(a, b);
	ck_assert_ptr_eq(scopes_get(&scopes, key, &first), a);
	ck_assert_ptr_eq(scopes_get(&scopes, key, &second), b);
	ck_assert_ptr_ne(scopes_get(&scopes, key, &longer), a);
	ck_assert_ptr_ne(scopes_get(&scopes, other, &first), a);
	ck_assert_uint_eq(scopes.count, 4);
	ck_assert_ptr_eq(a->key, key);
	ck_assert_int_eq(pane_window(b).start, 10);
	ck_assert_int_eq(pane_window(b).end, 20);
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

START_TEST(key_goes_with_its_last_scope)
{
	struct trigger *trigger = REPEAT(COUNT(2));
	struct window first = { 0, 10 }, second = { 10, 20 };
	struct scopes scopes;
	struct pane *a, *b;
	struct key *key;

	scopes_init(&scopes, trigger, PANE_WITH_PARTS, 1);
	key = add(&scopes, slice_of("k"));
	a = scopes_get(&scopes, key, &first);
	b = scopes_get(&scopes, key, &second);
	scopes_forget(&scopes, a);
	ck_assert_ptr_eq(find(&scopes, slice_of("k")), key);
	ck_assert_ptr_eq(key->panes, b);
	ck_assert_ptr_null(scopes_after(b));
	scopes_forget(&scopes, b);
	ck_assert_ptr_null(find(&scopes, slice_of("k")));
	ck_assert_uint_eq(scopes.count, 0);
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

START_TEST(list_has_every_scope_once)
{
	struct trigger *trigger = REPEAT(COUNT(2));
	struct window first = { 0, 10 }, second = { 10, 20 };
	struct scopes scopes;
	struct pane *panes[3], *pane = NULL;
	size_t place = 0, times[3] = { 0 }, count = 0;
	struct key *a, *b;

	scopes_init(&scopes, trigger, PANE_WITH_PARTS, 1);
	a = add(&scopes, slice_of("a"));
	b = add(&scopes, slice_of("b"));
	/* A key that has no scope yet has none to list, nor ends the list. */
	for (char text[] = "c"; *text < 'z'; ++*text)
		add(&scopes, slice_of(text));
	panes[0] = scopes_get(&scopes, a, &first);
	panes[1] = scopes_get(&scopes, b, &first);
	panes[2] = scopes_get(&scopes, a, &second);
	for (; (pane = scopes_next(&scopes, pane, &place)); count++)
		for (size_t i = 0; i < LENGTH(panes); i++)
			times[i] += pane == panes[i];
	ck_assert_uint_eq(count, LENGTH(panes));
	for (size_t i = 0; i < LENGTH(panes); i++)
		ck_assert_uint_eq(times[i], 1);
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

START_TEST(without_scopes_there_is_nothing_to_list)
{
	struct trigger *trigger = REPEAT(COUNT(2));
	struct scopes scopes;
	size_t place = 0;

	scopes_init(&scopes, trigger, PANE_PLAIN, 1);
	ck_assert_ptr_null(scopes_next(&scopes, NULL, &place));
	add(&scopes, slice_of("a"));
	ck_assert_ptr_null(scopes_next(&scopes, NULL, &place));
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

START_TEST(window_is_remembered_only_with_parts)
{
	struct trigger *trigger = REPEAT(COUNT(2));
	struct scopes scopes;
	struct key *key;

	scopes_init(&scopes, trigger, PANE_PLAIN, 1);
	key = add(&scopes, slice_of("k"));
	ck_assert_ptr_eq(scopes_get(&scopes, key, &all), scopes_get(&scopes, key, &all));
	ck_assert_int_eq(pane_window(key->panes).end, NSEC_MAX);
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

/* Compares the panes of the key with what there should be: of each window, whether it is there. */
static void
check_order(const struct key *key, const bool *there, int count)
{
	struct pane *pane = scopes_first(key);

	for (int i = 0; i < count; i++) {
		if (!there[i])
			continue;
		ck_assert_ptr_nonnull(pane);
		ck_assert_int_eq(pane_window(pane).start, 10 * i);
		pane = scopes_after(pane);
	}
	ck_assert_ptr_null(pane);
}

START_TEST(panes_of_a_key_stand_in_the_order_of_their_windows)
{
	enum { COUNT_OF_WINDOWS = 97 };
	struct trigger *trigger = REPEAT(COUNT(2));
	bool there[COUNT_OF_WINDOWS + 1] = { false };
	struct scopes scopes;
	struct key *key;

	scopes_init(&scopes, trigger, PANE_WITH_PARTS, 1);
	key = add(&scopes, slice_of("k"));
	/* All in another order, and some of them away in a third. */
	for (int step = 0; step < 3 * COUNT_OF_WINDOWS; step++) {
		int i = step * 38 % COUNT_OF_WINDOWS, gone = step * 59 % COUNT_OF_WINDOWS;
		struct window window = { 10 * i, 10 * i + 10 };
		struct pane *pane = scopes_get(&scopes, key, &window);

		ck_assert_ptr_eq(scopes_get(&scopes, key, &window), pane);
		there[i] = true;
		if (there[gone] && gone != i && step % 3 > 0) {
			window = (struct window){ 10 * gone, 10 * gone + 10 };
			scopes_forget(&scopes, scopes_get(&scopes, key, &window));
			there[gone] = false;
		}
		check_order(key, there, COUNT_OF_WINDOWS);
	}
	for (int i = 0, next = 0; i < COUNT_OF_WINDOWS; i++) {
		struct pane *after = scopes_first_after(key, 10 * i + 9);

		for (next = i; next < COUNT_OF_WINDOWS && !there[next]; next++)
			continue;
		if (next == COUNT_OF_WINDOWS)
			ck_assert_ptr_null(after);
		else
			ck_assert_int_eq(pane_window(after).start, 10 * next);
		if (there[i])
			ck_assert_ptr_ne(scopes_first_after(key, 10 * i + 10), after);
	}
	scopes_release(&scopes);
	trigger_free(trigger);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("scopes", scope_is_made_once_for_a_key_and_a_window,
			key_goes_with_its_last_scope, list_has_every_scope_once,
			without_scopes_there_is_nothing_to_list,
			window_is_remembered_only_with_parts,
			panes_of_a_key_stand_in_the_order_of_their_windows);
}
