#include <config.h>

#include "civil.h"

#include <inttypes.h>

#include "unit.h"

#define MINUTE (60 * NSEC_PER_S)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

/* The moments at which Berlin's clocks were put forward, 02:00 to 03:00, and back, 03:00 to
 * 02:00. */
#define FORWARD (INT64_C(1711846800) * NSEC_PER_S) /* 2024-03-31T01:00Z */
#define BACK (INT64_C(1729990800) * NSEC_PER_S)    /* 2024-10-27T01:00Z */

struct row {
	const char *zone;
	nsec wall;
	nsec period;
	nsec phase;
	nsec boundary;
};

static void
check_rows(const struct row *rows, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct row *row = &rows[i];
		nsec boundary;

		unit_set_zone(row->zone);
		boundary = civil_boundary_after(row->wall, row->period, row->phase);
		ck_assert_msg(boundary == row->boundary,
			      "row %zu: %" PRId64 " s, not %" PRId64 " s after", i,
			      (boundary - row->wall) / NSEC_PER_S,
			      (row->boundary - row->wall) / NSEC_PER_S);
	}
}

START_TEST(boundary_is_strictly_after)
{
	static const struct row rows[] = {
		{ "UTC0", 0, HOUR, 0, HOUR },
		{ "UTC0", 1, HOUR, 0, HOUR },
		{ "UTC0", HOUR - 1, HOUR, 0, HOUR },
		{ "UTC0", HOUR, HOUR, 0, 2 * HOUR },
		{ "UTC0", 0, HOUR, MINUTE, MINUTE },
		{ "UTC0", MINUTE, HOUR, MINUTE, HOUR + MINUTE },
		{ "UTC0", -1, HOUR, 0, 0 },
		{ "UTC0", -HOUR, HOUR, 0, 0 },
		{ "UTC0", -DAY - 1, DAY, 0, -DAY },
		{ "UTC0", 5, 7, 0, 7 },
		{ "UTC0", 7, 7, 0, 14 },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(day_is_local_midnight)
{
	static const struct row rows[] = {
		{ "Europe/Berlin", 5 * HOUR, DAY, 0, 23 * HOUR },
		{ "Europe/Berlin", 23 * HOUR, DAY, 0, 47 * HOUR },
		{ "America/New_York", 5 * HOUR, DAY, 0, 29 * HOUR },
		{ "America/New_York", 4 * HOUR, DAY, 0, 5 * HOUR },
		{ "Asia/Kolkata", 0, HOUR, 0, HOUR / 2 },
		{ "Asia/Kolkata", 0, DAY, 0, 18 * HOUR + HOUR / 2 },
		{ "UTC0", 5 * HOUR, DAY, 6 * HOUR, 6 * HOUR },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(day_may_have_23_or_25_hours)
{
	static const struct row rows[] = {
		{ "Europe/Berlin", FORWARD - 2 * HOUR, DAY, 0, FORWARD + 21 * HOUR },
		{ "Europe/Berlin", BACK - 3 * HOUR, DAY, 0, BACK + 22 * HOUR },
		{ "Europe/Berlin", FORWARD - 2 * HOUR, DAY, 6 * HOUR,
		  FORWARD + 3 * HOUR },
		{ "Europe/Berlin", BACK - 3 * HOUR, DAY, 6 * HOUR, BACK + 4 * HOUR },
		{ "Europe/Berlin", FORWARD - HOUR, 6 * HOUR, 0, FORWARD + 3 * HOUR },
		{ "Europe/Berlin", BACK - HOUR, 6 * HOUR, 0, BACK + 4 * HOUR },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(hours_go_on_across_a_change)
{
	static const struct row rows[] = {
		{ "Europe/Berlin", FORWARD - HOUR, HOUR, 0, FORWARD },
		{ "Europe/Berlin", FORWARD, HOUR, 0, FORWARD + HOUR },
		{ "Europe/Berlin", BACK - HOUR, HOUR, 0, BACK },
		{ "Europe/Berlin", BACK, HOUR, 0, BACK + HOUR },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(skipped_boundary_is_the_moment_of_the_change)
{
	static const struct row rows[] = {
		{ "Europe/Berlin", FORWARD - HOUR, DAY, 2 * HOUR, FORWARD },
		{ "Europe/Berlin", FORWARD - HOUR, DAY, 2 * HOUR + 30 * MINUTE, FORWARD },
		{ "Europe/Berlin", FORWARD - 1, DAY, 2 * HOUR + 59 * MINUTE, FORWARD },
		{ "Europe/Berlin", FORWARD, DAY, 2 * HOUR + 30 * MINUTE,
		  FORWARD + 23 * HOUR + 30 * MINUTE },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(reading_that_comes_twice_is_a_boundary_twice)
{
	static const struct row rows[] = {
		{ "Europe/Berlin", BACK - 2 * HOUR, DAY, 2 * HOUR + 30 * MINUTE,
		  BACK - 30 * MINUTE },
		{ "Europe/Berlin", BACK - 30 * MINUTE, DAY, 2 * HOUR + 30 * MINUTE,
		  BACK + 30 * MINUTE },
		{ "Europe/Berlin", BACK - 10 * MINUTE, DAY, 2 * HOUR + 30 * MINUTE,
		  BACK + 30 * MINUTE },
		{ "Europe/Berlin", BACK + 30 * MINUTE, DAY, 2 * HOUR + 30 * MINUTE,
		  BACK + 24 * HOUR + 30 * MINUTE },
	};

	check_rows(rows, LENGTH(rows));
}
END_TEST

START_TEST(time_of_day_is_its_next_occurrence)
{
	unit_set_zone("Europe/Berlin");
	ck_assert_int_eq(civil_time_of_day_after(0, 9 * HOUR), 8 * HOUR);
	ck_assert_int_eq(civil_time_of_day_after(8 * HOUR - 1, 9 * HOUR), 8 * HOUR);
	ck_assert_int_eq(civil_time_of_day_after(8 * HOUR, 9 * HOUR), 32 * HOUR);
	ck_assert_int_eq(civil_time_of_day_after(0, HOUR / 2), 23 * HOUR + HOUR / 2);
	ck_assert_int_eq(civil_time_of_day_after(0, 0), 23 * HOUR);
	ck_assert_int_eq(civil_time_of_day_after(FORWARD - HOUR, 9 * HOUR),
			 FORWARD + 6 * HOUR);
	ck_assert_int_eq(civil_time_of_day_after(BACK - HOUR, 9 * HOUR), BACK + 7 * HOUR);
}
END_TEST

/* How far the local reading is ahead of UTC then. */
static nsec
offset_at(nsec wall)
{
	time_t seconds = (time_t)(wall / NSEC_PER_S);
	struct tm local;

	ck_assert_ptr_nonnull(localtime_r(&seconds, &local));
	return (nsec)local.tm_gmtoff * NSEC_PER_S;
}

/* By trying one minute after the other; all are whole minutes. */
static nsec
search_boundary(nsec wall, nsec period, nsec phase)
{
	nsec before = wall + offset_at(wall);

	for (nsec time = wall + MINUTE;; time += MINUTE) {
		nsec reading = time + offset_at(time);

		if ((reading - phase) % period == 0)
			return time;
		/* Put forward, past a boundary. */
		if (reading > before + MINUTE &&
		    nsec_align(before + 1, period, phase) <= reading)
			return time;
		before = reading;
	}
}

START_TEST(boundary_is_as_a_search_finds_it)
{
	static const struct {
		const char *zone;
		nsec change;
	} changes[] = {
		{ "Europe/Berlin", FORWARD },
		{ "Europe/Berlin", BACK },
		{ "America/New_York", INT64_C(1710054000) * NSEC_PER_S },
		{ "America/New_York", INT64_C(1730613600) * NSEC_PER_S },
		{ "Australia/Lord_Howe", INT64_C(1712415600) * NSEC_PER_S },
		{ "Australia/Lord_Howe", INT64_C(1728142200) * NSEC_PER_S },
	};
	static const nsec periods[] = { 15 * MINUTE, HOUR, 4 * HOUR, 12 * HOUR, DAY };
	struct dice dice = dice_of(7);

	for (size_t i = 0; i < 400; i++) {
		size_t which = i % LENGTH(changes);
		nsec wall = changes[which].change +
			    dice_between(&dice, -30 * 60, 5 * 60) * MINUTE;
		nsec period = periods[dice_below(&dice, LENGTH(periods))];
		nsec phase = dice_hits(&dice, 3)
				     ? 0
				     : dice_between(&dice, 0, 96) * 15 * MINUTE;
		nsec expected, boundary;

		unit_set_zone(changes[which].zone);
		expected = search_boundary(wall, period, phase);
		boundary = civil_boundary_after(wall, period, phase);
		ck_assert_msg(boundary == expected,
			      "%s: %" PRId64 " min before the change, period %" PRId64
			      " min, phase %" PRId64 " min: after %" PRId64
			      " min, not %" PRId64,
			      changes[which].zone,
			      (changes[which].change - wall) / MINUTE, period / MINUTE,
			      phase / MINUTE, (boundary - wall) / MINUTE,
			      (expected - wall) / MINUTE);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("civil", boundary_is_strictly_after, day_is_local_midnight,
			day_may_have_23_or_25_hours, hours_go_on_across_a_change,
			skipped_boundary_is_the_moment_of_the_change,
			reading_that_comes_twice_is_a_boundary_twice,
			time_of_day_is_its_next_occurrence,
			boundary_is_as_a_search_finds_it);
}
