#include <config.h>

#include "ledger.h"

#include <string.h>

#include "unit.h"

START_TEST(records_are_those_of_batches_that_have_not_left_whole)
{
	struct ledger ledger = { 0 };

	ledger_add(&ledger, 10, 3);
	ledger_add(&ledger, 5, 1);
	ck_assert_uint_eq(ledger.records, 4);
	ledger_take(&ledger, 9);
	ck_assert_uint_eq(ledger.records, 4);
	ledger_take(&ledger, 1);
	ck_assert_uint_eq(ledger.records, 1);
	ledger_take(&ledger, 0);
	ck_assert_uint_eq(ledger.records, 1);
	ledger_add(&ledger, 7, 2);
	ledger_take(&ledger, 6);
	ck_assert_uint_eq(ledger.records, 2);
	ledger_take(&ledger, 6);
	ck_assert_uint_eq(ledger.records, 0);
	ledger_release(&ledger);
}
END_TEST

START_TEST(what_has_no_bytes_leaves_with_what_is_before_it)
{
	struct ledger ledger = { 0 };

	ledger_add(&ledger, 4, 1);
	ledger_add(&ledger, 0, 5);
	ledger_take(&ledger, 3);
	ck_assert_uint_eq(ledger.records, 6);
	ledger_take(&ledger, 1);
	ck_assert_uint_eq(ledger.records, 0);
	ledger_release(&ledger);
}
END_TEST

/* Batches of one to seven bytes, each of as many records as bytes. */
START_TEST(as_many_leave_as_came_however_many_there_are)
{
	struct ledger ledger = { 0 };
	uint64_t added = 0, taken = 0, batch = 0, gone = 0;
	unsigned random = 1;

	for (int round = 0; round < 100000; round++) {
		random = random * 1103515245 + 12345;
		if (random >> 16 & 1 || added == taken) {
			ledger_add(&ledger, 1 + added % 7, 1 + added % 7);
			added += 1 + added % 7;
		} else {
			uint64_t size = 1 + (random >> 17) % (added - taken);

			ledger_take(&ledger, (size_t)size);
			taken += size;
		}
		while (gone + 1 + batch % 7 <= taken) {
			gone += 1 + batch % 7;
			batch = gone;
		}
		ck_assert_uint_eq(ledger.records, added - gone);
	}
	ck_assert_uint_gt(taken, 100000);
	ledger_release(&ledger);
}
END_TEST

START_TEST(many_are_as_so_many_single_ones)
{
	struct ledger ledger = { 0 };
	size_t sizes[500];

	for (size_t i = 0; i < 500; i++)
		sizes[i] = i;
	for (int round = 0; round < 9; round++) {
		ledger_add_many(&ledger, sizes, 500, 2, 3);
		ck_assert_uint_eq(ledger.records, 1500);
		ck_assert_uint_eq(ledger.bytes, 499 * 250 + 1000);
		for (size_t i = 0; i < 500; i++) {
			ledger_take(&ledger, i + 1);
			ck_assert_uint_eq(ledger.records, 1500 - 3 * i);

			ledger_take(&ledger, 1);
			ck_assert_uint_eq(ledger.records, 1500 - 3 * (i + 1));
		}
	}
	ledger_release(&ledger);
}
END_TEST

START_TEST(without_memory_what_cannot_be_listed_is_one)
{
	struct ledger ledger = { .rest = { 5, 2 }, .bytes = 5, .records = 2 };

	ledger_add(&ledger, 3, 1);
	ledger_take(&ledger, 7);
	ck_assert_uint_eq(ledger.records, 3);
	ledger_take(&ledger, 1);
	ck_assert_uint_eq(ledger.records, 0);
	ledger_add(&ledger, 3, 1);
	ledger_add(&ledger, 3, 1);
	ledger_take(&ledger, 3);
	ck_assert_uint_eq(ledger.records, 1);
	ledger_release(&ledger);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("ledger", records_are_those_of_batches_that_have_not_left_whole,
			what_has_no_bytes_leaves_with_what_is_before_it,
			as_many_leave_as_came_however_many_there_are,
			many_are_as_so_many_single_ones,
			without_memory_what_cannot_be_listed_is_one);
}
