#include <config.h>

#include "clock.h"

#include "unit.h"

START_TEST(addition_saturates)
{
	ck_assert_int_eq(nsec_add(2, 3), 5);
	ck_assert_int_eq(nsec_add(2, -3), -1);
	ck_assert_int_eq(nsec_add(NSEC_MAX, 0), NSEC_MAX);
	ck_assert_int_eq(nsec_add(NSEC_MAX - 1, 1), NSEC_MAX);
	ck_assert_int_eq(nsec_add(NSEC_MAX, 1), NSEC_MAX);
	ck_assert_int_eq(nsec_add(1, NSEC_MAX), NSEC_MAX);
	ck_assert_int_eq(nsec_add(NSEC_MIN, -1), NSEC_MIN);
	ck_assert_int_eq(nsec_add(-1, NSEC_MIN), NSEC_MIN);
	ck_assert_int_eq(nsec_add(NSEC_MIN + 1, -1), NSEC_MIN);
	ck_assert_int_eq(nsec_add(NSEC_MIN, NSEC_MAX), -1);
}
END_TEST

START_TEST(subtraction_saturates)
{
	ck_assert_int_eq(nsec_sub(2, 3), -1);
	ck_assert_int_eq(nsec_sub(NSEC_MIN, 1), NSEC_MIN);
	ck_assert_int_eq(nsec_sub(NSEC_MIN + 1, 1), NSEC_MIN);
	ck_assert_int_eq(nsec_sub(NSEC_MAX, -1), NSEC_MAX);
	ck_assert_int_eq(nsec_sub(NSEC_MAX - 1, -1), NSEC_MAX);
	ck_assert_int_eq(nsec_sub(0, NSEC_MIN), NSEC_MAX);
	ck_assert_int_eq(nsec_sub(-1, NSEC_MIN), NSEC_MAX);
	ck_assert_int_eq(nsec_sub(NSEC_MIN, NSEC_MIN), 0);
	ck_assert_int_eq(nsec_sub(NSEC_MIN, NSEC_MAX), NSEC_MIN);
}
END_TEST

START_TEST(alignment_rounds_up_to_a_boundary)
{
	static const struct {
		nsec time, period, phase, boundary;
	} rows[] = {
		{ 103, 10, 0, 110 },
		{ 110, 10, 0, 110 },
		{ 111, 10, 0, 120 },
		{ 104, 10, 3, 113 },
		{ 103, 10, 3, 103 },
		{ 103, 10, 13, 103 },
		{ 103, 10, -7, 103 },
		{ -3, 10, 0, 0 },
		{ -10, 10, 0, -10 },
		{ -13, 10, 0, -10 },
		{ -13, 10, 4, -6 },
		{ 7, 1, 0, 7 },
		{ 1, NSEC_MAX, 0, NSEC_MAX },
		{ NSEC_MAX - 3, 10, 0, NSEC_MAX },
		{ NSEC_MAX - 7, 10, 0, NSEC_MAX - 7 },
		{ NSEC_MIN, 10, 2, NSEC_MIN },
		{ NSEC_MIN, 10, 3, NSEC_MIN + 1 },
		{ NSEC_MIN, 10, 1, NSEC_MIN + 9 },
		{ 5, 10, NSEC_MIN, 12 },
		{ -5, 10, NSEC_MAX, -3 },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		ck_assert_int_eq(nsec_align(rows[i].time, rows[i].period, rows[i].phase),
				 rows[i].boundary);
}
END_TEST

START_TEST(alignment_gives_the_nearest_boundary)
{
	struct dice dice = dice_of(1);

	for (size_t i = 0; i < 20000; i++) {
		nsec time = dice_between(&dice, -1000, 1000);
		nsec period = dice_between(&dice, 1, 60);
		nsec phase = dice_between(&dice, -100, 100);
		nsec boundary = nsec_align(time, period, phase);

		ck_assert_int_eq((boundary - phase) % period, 0);
		ck_assert_int_ge(boundary, time);
		ck_assert_int_lt(boundary - time, period);
	}
}
END_TEST

START_TEST(delay_comes_before_alignment)
{
	ck_assert_int_eq(nsec_after(42, &(struct delay){ 100, 0, 0 }), 142);
	ck_assert_int_eq(nsec_after(42, &(struct delay){ -100, 0, 0 }), -58);
	ck_assert_int_eq(nsec_after(5000, &(struct delay){ 1000, 60000, 0 }), 60000);
	ck_assert_int_eq(nsec_after(59500, &(struct delay){ 1000, 60000, 0 }), 120000);
	ck_assert_int_eq(nsec_after(5000, &(struct delay){ 0, 60000, 59000 }), 59000);
	ck_assert_int_eq(nsec_after(5, &(struct delay){ NSEC_MAX, 0, 0 }), NSEC_MAX);
	ck_assert_int_eq(nsec_after(5, &(struct delay){ NSEC_MAX, 60, 0 }), NSEC_MAX);
	ck_assert_int_eq(nsec_after(-5, &(struct delay){ NSEC_MIN, 0, 0 }), NSEC_MIN);
	/* A phase without a period means nothing. */
	ck_assert_int_eq(nsec_after(5, &(struct delay){ 1, 0, 3 }), 6);
}
END_TEST

START_TEST(clocks_are_read_together)
{
	struct reading before, after;
	time_t now = time(NULL);

	ck_assert_int_eq(clock_read(&before), 0);
	ck_assert_int_eq(clock_read(&after), 0);
	ck_assert_int_ge(after.now, before.now);
	ck_assert_int_ge(before.wall / NSEC_PER_S, now - 1);
	ck_assert_int_le(before.wall / NSEC_PER_S, time(NULL) + 1);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("clock", addition_saturates, subtraction_saturates,
			alignment_rounds_up_to_a_boundary,
			alignment_gives_the_nearest_boundary,
			delay_comes_before_alignment, clocks_are_read_together);
}
