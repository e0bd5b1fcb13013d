#include <config.h>

#include "cuts.h"

#include "trees.h"
#include "unit.h"

/* A pane that holds something new, and what cuts it. */
struct cutter {
	struct trigger *trigger;
	struct pane *pane;
	struct cuts cuts;
};

static void
set_up(struct cutter *cutter, uint64_t max_bytes, const char *before, const char *on)
{
	struct complaint why;

	*cutter = (struct cutter){ .trigger = COUNT(9),
				   .cuts = { .max_bytes = max_bytes } };
	cutter->pane = pane_new(NULL, cutter->trigger, PANE_WITH_PARTS);
	ck_assert_ptr_nonnull(cutter->pane);
	if (before)
		cutter->cuts.break_before = pattern_new(before, &why);
	if (on)
		cutter->cuts.break_on = field_new(on, (struct slice){ NULL, 0 }, &why);
}

static void
tear_down(struct cutter *cutter)
{
	pattern_free(cutter->cuts.break_before);
	field_free(cutter->cuts.break_on);
	pane_free(NULL, cutter->pane);
	trigger_free(cutter->trigger);
}

/* The reason that the record cuts for; then it is in the pane. */
static enum reason
admit(struct cutter *cutter, const char *record)
{
	struct run run = { .records = 1, .bytes = slice_of(record).size };
	enum reason reason = REASON_NONE;

	ck_assert_int_eq(
		cuts_before(&cutter->cuts, cutter->pane, slice_of(record), &reason), 0);
	if (reason != REASON_NONE)
		pane_emitted(cutter->pane);
	ck_assert_int_eq(pane_reserve(NULL, cutter->pane, &run), 0);
	pane_count(cutter->pane, &run);
	store_append(&cutter->pane->records, NULL, slice_of(record));
	return reason;
}

START_TEST(limit_cuts_what_would_not_fit)
{
	struct cutter cutter;

	set_up(&cutter, 5, NULL, NULL);
	ck_assert(!cuts_inspect(&cutter.cuts));
	ck_assert_uint_eq(cuts_room(&cutter.cuts, cutter.pane), 5);
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_NONE);
	ck_assert_uint_eq(cuts_room(&cutter.cuts, cutter.pane), 3);
	ck_assert_int_eq(admit(&cutter, "bb\n"), REASON_NONE);
	ck_assert_uint_eq(cuts_room(&cutter.cuts, cutter.pane), 0);
	ck_assert_int_eq(admit(&cutter, "\n"), REASON_LIMIT);
	ck_assert_int_eq(admit(&cutter, "cccccccc\n"), REASON_LIMIT);
	ck_assert_uint_eq(cuts_room(&cutter.cuts, cutter.pane), 0);
	tear_down(&cutter);
}
END_TEST

START_TEST(no_limit_leaves_all_room)
{
	struct cutter cutter;

	set_up(&cutter, UINT64_MAX, NULL, NULL);
	ck_assert_int_eq(admit(&cutter, "abc\n"), REASON_NONE);
	ck_assert_uint_eq(cuts_room(&cutter.cuts, cutter.pane), UINT64_MAX - 4);
	tear_down(&cutter);
}
END_TEST

START_TEST(nothing_new_is_not_cut)
{
	struct cutter cutter;

	set_up(&cutter, 3, "^x", "1");
	ck_assert_int_eq(admit(&cutter, "xyz\n"), REASON_NONE);
	pane_emitted(cutter.pane);
	ck_assert_int_eq(admit(&cutter, "xyy\n"), REASON_NONE);
	tear_down(&cutter);
}
END_TEST

START_TEST(record_that_matches_begins_anew)
{
	struct cutter cutter;

	set_up(&cutter, UINT64_MAX, "^x$", NULL);
	ck_assert(cuts_inspect(&cutter.cuts));
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "ax\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "x\n"), REASON_BREAK);
	ck_assert_int_eq(admit(&cutter, "xa\n"), REASON_NONE);
	tear_down(&cutter);
}
END_TEST

START_TEST(record_with_another_key_begins_anew)
{
	struct cutter cutter;

	set_up(&cutter, UINT64_MAX, NULL, "2");
	ck_assert(cuts_inspect(&cutter.cuts));
	ck_assert_int_eq(admit(&cutter, "1 a\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "2 a\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "3 b\n"), REASON_BREAK);
	ck_assert_int_eq(admit(&cutter, "4 a\n"), REASON_BREAK);
	ck_assert_int_eq(admit(&cutter, "5 ab\n"), REASON_BREAK);
	/* Without the key it is the empty one. */
	ck_assert_int_eq(admit(&cutter, "6\n"), REASON_BREAK);
	ck_assert_int_eq(admit(&cutter, "\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "7 a\n"), REASON_BREAK);
	tear_down(&cutter);
}
END_TEST

START_TEST(key_is_compared_with_the_record_before_even_when_nothing_is_held)
{
	struct cutter cutter;

	set_up(&cutter, UINT64_MAX, NULL, "1");
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_NONE);
	pane_emitted(cutter.pane);
	ck_assert_int_eq(admit(&cutter, "b\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "b\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_BREAK);
	tear_down(&cutter);
}
END_TEST

START_TEST(first_record_has_none_before_it)
{
	struct cutter cutter;

	set_up(&cutter, UINT64_MAX, NULL, "1");
	ck_assert_int_eq(admit(&cutter, "\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_BREAK);
	tear_down(&cutter);
}
END_TEST

START_TEST(of_several_the_limit_counts_first)
{
	struct cutter cutter;

	set_up(&cutter, 4, "^x", "1");
	ck_assert_int_eq(admit(&cutter, "a\n"), REASON_NONE);
	ck_assert_int_eq(admit(&cutter, "xxx\n"), REASON_LIMIT);
	/* The key of a record that was cut for something else is still the last one. */
	ck_assert_int_eq(admit(&cutter, "xxx\n"), REASON_LIMIT);
	tear_down(&cutter);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("cuts", limit_cuts_what_would_not_fit, no_limit_leaves_all_room,
			nothing_new_is_not_cut, record_that_matches_begins_anew,
			record_with_another_key_begins_anew,
			key_is_compared_with_the_record_before_even_when_nothing_is_held,
			first_record_has_none_before_it,
			of_several_the_limit_counts_first);
}
