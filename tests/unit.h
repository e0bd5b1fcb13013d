/*
 * What all unit tests share: running a suite, and numbers at random.
 *
 * A test program is its tests and a main() that hands them to UNIT_RUN. It prints TAP.
 */
#ifndef VOLLEY_UNIT_H
#define VOLLEY_UNIT_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "clock.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* In seconds, for a test of many random cases under a sanitizer. */
#define UNIT_TIMEOUT 60

/* The exit status of a program of these tests. */
#define UNIT_RUN(name, ...)                                   \
	unit_run(name, (const TTest *const[]){ __VA_ARGS__ }, \
		 LENGTH(((const TTest *const[]){ __VA_ARGS__ })))

/* The same, with each test run so many times: _i is 0, 1 and so on. */
#define UNIT_RUN_EACH(name, times, ...)                            \
	unit_run_each(name, (const TTest *const[]){ __VA_ARGS__ }, \
		      LENGTH(((const TTest *const[]){ __VA_ARGS__ })), times)

/* As ck_assert_msg(), which writes down where it stands each time, for what is asked a million
 * times. */
#define DEMAND(expression, ...)                                     \
	do {                                                        \
		if (!(expression))                                  \
			ck_abort_msg(#expression ": " __VA_ARGS__); \
	} while (0)

static inline int
unit_run_each(const char *name, const TTest *const *tests, size_t count, int times)
{
	Suite *suite = suite_create(name);
	TCase *tcase = tcase_create(name);
	SRunner *runner = srunner_create(suite);
	int failed;

	for (size_t i = 0; i < count; i++)
		tcase_add_loop_test(tcase, tests[i], 0, times);
	tcase_set_timeout(tcase, UNIT_TIMEOUT);
	suite_add_tcase(suite, tcase);
	srunner_set_tap(runner, "-");
	srunner_run_all(runner, CK_SILENT);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int
unit_run(const char *name, const TTest *const *tests, size_t count)
{
	return unit_run_each(name, tests, count, 1);
}

static inline void
unit_set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

/* The same numbers from the same seed everywhere (xorshift64*). */
struct dice {
	uint64_t state;
};

static inline struct dice
dice_of(uint64_t seed)
{
	return (struct dice){ (seed + 1) * UINT64_C(0x9e3779b97f4a7c15) | 1 };
}

static inline uint64_t
dice_roll(struct dice *dice)
{
	dice->state ^= dice->state >> 12;
	dice->state ^= dice->state << 25;
	dice->state ^= dice->state >> 27;
	return dice->state * UINT64_C(0x2545f4914f6cdd1d) >> 16;
}

/* In [0, sides). */
static inline uint64_t
dice_below(struct dice *dice, uint64_t sides)
{
	return dice_roll(dice) % sides;
}

/* In [least, most]. */
static inline nsec
dice_between(struct dice *dice, nsec least, nsec most)
{
	return least + (nsec)dice_below(dice, (uint64_t)(most - least) + 1);
}

/* Once in so many times. */
static inline bool
dice_hits(struct dice *dice, uint64_t times)
{
	return dice_below(dice, times) == 0;
}

#endif
