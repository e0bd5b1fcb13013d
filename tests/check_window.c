#include <config.h>

#include "window.h"

#include <inttypes.h>
#include <string.h>

#include "unit.h"

#define MINUTE (60 * NSEC_PER_S)
#define CASES 3000
#define WINDOWS 64

START_TEST(windows_have_a_text)
{
	static const struct {
		const char *text;
		struct window_config config;
	} rows[] = {
		{ "global", { WINDOW_GLOBAL, 0, 0, 0 } },
		{ "tumbling(1m)", { WINDOW_TUMBLING, MINUTE, MINUTE, 0 } },
		{ "tumbling(1m,5s)",
		  { WINDOW_TUMBLING, MINUTE, MINUTE, 5 * NSEC_PER_S } },
		{ "tumbling( 1m , 5s )",
		  { WINDOW_TUMBLING, MINUTE, MINUTE, 5 * NSEC_PER_S } },
		{ "tumbling(500)",
		  { WINDOW_TUMBLING, 500 * NSEC_PER_MS, 500 * NSEC_PER_MS, 0 } },
		{ "sliding(10m,1m)", { WINDOW_SLIDING, 10 * MINUTE, MINUTE, 0 } },
		{ "sliding(10s,1)", { WINDOW_SLIDING, 10 * NSEC_PER_S, NSEC_PER_MS, 0 } },
		{ "sliding(10m, 10m)", { WINDOW_SLIDING, 10 * MINUTE, 10 * MINUTE, 0 } },
		{ "sliding(10m,1m,7s)",
		  { WINDOW_SLIDING, 10 * MINUTE, MINUTE, 7 * NSEC_PER_S } },
		{ "session(30s)",
		  { WINDOW_SESSION, 30 * NSEC_PER_S, 30 * NSEC_PER_S, 0 } },
		{ "session(1ns) ", { WINDOW_SESSION, 1, 1, 0 } },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct window_config *wanted = &rows[i].config;
		struct window_config config;
		struct complaint why = { "" };

		ck_assert_msg(window_parse(rows[i].text, &config, &why) == 0, "'%s': %s",
			      rows[i].text, why.text);
		ck_assert_msg(config.kind == wanted->kind &&
				      config.size == wanted->size &&
				      config.phase == wanted->phase,
			      "'%s'", rows[i].text);
		if (config.kind == WINDOW_TUMBLING || config.kind == WINDOW_SLIDING)
			ck_assert_int_eq(config.slide, wanted->slide);
	}
}
END_TEST

START_TEST(wrong_window_is_refused)
{
	static const struct {
		const char *text;
		const char *hint;
	} rows[] = {
		{ "", "unknown window" },
		{ "hourly", "unknown window" },
		{ "tumblin(1m)", "unknown window" },
		{ "tumblingx(1m)", "unknown window" },
		{ "Tumbling(1m)", "unknown window" },
		{ "(1m)", "unknown window" },
		{ "tumbling", "not enough values for tumbling" },
		{ "sliding(10m)", "not enough values for sliding" },
		{ "tumbling(1m,2s,3s)", "too many values" },
		{ "sliding(3m,2m,1m,1m)", "too many values" },
		{ "session(1m,1m)", "too many values" },
		{ "global(1m)", "too many values" },
		{ "tumbling(1m", "expected one ')'" },
		{ "tumbling(1m))", "expected one ')'" },
		{ "tumbling(1m)x", "expected one ')'" },
		{ "tumbling()", "a value is missing (use global, tumbling(1m)" },
		{ "tumbling( )", "a value is missing" },
		{ "tumbling(1m,)", "a value is missing" },
		{ "tumbling(,1m)", "a value is missing" },
		{ "global()", "a value is missing" },
		{ "tumbling(1 m)", "no blanks" },
		{ "tumbling(1w)", "unknown unit 'w'" },
		{ "tumbling(-1m)", "no sign" },
		{ "tumbling(0)", "a window of 0" },
		{ "sliding(1m,0)", "a window of 0" },
		{ "session(0)", "a window of 0" },
		{ "sliding(1m,2m)", "a slide that is longer" },
		{ "sliding(10001,1)", "each record would be in 10001 windows" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct window_config config;
		struct complaint why = { "" };

		ck_assert_msg(window_parse(rows[i].text, &config, &why) == -1,
			      "'%s' is taken", rows[i].text);
		ck_assert_msg(strstr(why.text, rows[i].hint) != NULL,
			      "'%s': '%s' without '%s'", rows[i].text, why.text,
			      rows[i].hint);
	}
}
END_TEST

/* All windows that hold the time, by trying every start. */
static size_t
find_windows(const struct window_config *config, nsec time, struct window *windows)
{
	size_t count = 0;

	for (nsec start = time - config->size + 1; start <= time; start++)
		if ((start - config->phase) % config->slide == 0)
			windows[count++] = (struct window){ start, start + config->size };
	return count;
}

static void
try_windows(struct dice *dice)
{
	struct window_config config = { .kind = WINDOW_SLIDING };
	nsec time = dice_between(dice, -200, 200);
	struct window windows[WINDOWS], window;
	size_t count, i = 0;

	config.size = dice_between(dice, 1, 40);
	config.slide = dice_between(dice, 1, config.size);
	config.phase = dice_between(dice, 0, 60);
	if (dice_hits(dice, 2)) {
		config.kind = WINDOW_TUMBLING;
		config.slide = config.size;
	}
	count = find_windows(&config, time, windows);
	window = window_first(&config, time);
	do {
		DEMAND(i < count && window.start == windows[i].start &&
			       window.end == windows[i].end,
		       "size %" PRId64 ", slide %" PRId64 ", phase %" PRId64
		       ", time %" PRId64 ": window %zu from %" PRId64,
		       config.size, config.slide, config.phase, time, i, window.start);
		i++;
	} while (window_next(&config, time, &window));
	DEMAND(i == count, "size %" PRId64 ", slide %" PRId64 ", time %" PRId64 ": %zu",
	       config.size, config.slide, time, i);
}

START_TEST(time_belongs_to_the_windows_that_hold_it)
{
	struct dice dice = dice_of(5);

	for (size_t i = 0; i < CASES; i++)
		try_windows(&dice);
}
END_TEST

START_TEST(all_time_belongs_to_the_global_window)
{
	struct window_config config = { .kind = WINDOW_GLOBAL };
	struct window window = window_first(&config, 5);

	ck_assert_int_eq(window.start, NSEC_MIN);
	ck_assert_int_eq(window.end, NSEC_MAX);
	ck_assert(!window_next(&config, 5, &window));
}
END_TEST

START_TEST(session_begins_at_its_record)
{
	struct window_config config = { .kind = WINDOW_SESSION, .size = 7 };
	struct window window = window_first(&config, -3);

	ck_assert_int_eq(window.start, -3);
	ck_assert_int_eq(window.end, 4);
	ck_assert(!window_next(&config, -3, &window));
}
END_TEST

START_TEST(far_windows_saturate)
{
	struct window_config config = { WINDOW_TUMBLING, 10, 10, 0 };
	struct window window = window_first(&config, NSEC_MAX - 1);

	ck_assert_int_le(window.start, NSEC_MAX - 1);
	ck_assert_int_eq(window.end, NSEC_MAX);
	window = window_first(&config, NSEC_MIN);
	ck_assert_int_le(window.start, NSEC_MIN + 10);
	config = (struct window_config){ .kind = WINDOW_SESSION, .size = 10 };
	window = window_first(&config, NSEC_MAX - 1);
	ck_assert_int_eq(window.end, NSEC_MAX);
	config = (struct window_config){ WINDOW_SLIDING, 10, 3, 0 };
	window = window_first(&config, NSEC_MAX);
	while (window_next(&config, NSEC_MAX, &window))
		ck_assert_int_gt(window.start, NSEC_MAX - 11);
}
END_TEST

/* Whether some time is in both. */
static bool
share_a_time(const struct window *a, const struct window *b)
{
	for (nsec time = a->start; time < a->end; time++)
		if (time >= b->start && time < b->end)
			return true;
	return false;
}

START_TEST(sessions_overlap_when_they_share_a_time)
{
	struct dice dice = dice_of(6);

	for (size_t i = 0; i < CASES; i++) {
		struct window a, b, both;

		a.start = dice_between(&dice, -20, 20);
		b.start = dice_between(&dice, -20, 20);
		a.end = a.start + dice_between(&dice, 1, 15);
		b.end = b.start + dice_between(&dice, 1, 15);
		DEMAND(window_overlap(&a, &b) == share_a_time(&a, &b),
		       "%" PRId64 "-%" PRId64 ", %" PRId64 "-%" PRId64, a.start, a.end,
		       b.start, b.end);
		DEMAND(window_overlap(&a, &b) == window_overlap(&b, &a), "not both ways");
		both = window_union(&a, &b);
		DEMAND(both.start == (a.start < b.start ? a.start : b.start) &&
			       both.end == (a.end > b.end ? a.end : b.end),
		       "%" PRId64 "-%" PRId64, both.start, both.end);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("window", windows_have_a_text, wrong_window_is_refused,
			time_belongs_to_the_windows_that_hold_it,
			all_time_belongs_to_the_global_window,
			session_begins_at_its_record, far_windows_saturate,
			sessions_overlap_when_they_share_a_time);
}
