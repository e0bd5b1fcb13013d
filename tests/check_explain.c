#include <config.h>

#include "explain.h"

#include <string.h>

#include "exprs.h"
#include "unit.h"

#define DAY (86400 * NSEC_PER_S)

/* Which of the three parts of an explanation. */
enum part { EXPRESSION, MEANING, TIMERS };

/* One part of what is said of the expression, at a moment on the second day of 1970. */
static void
check_part_in(const struct window_config *window, const char *text, enum part part,
	      const char *wanted)
{
	struct moment moment = { .now = 5 * NSEC_PER_S, .end = NSEC_MAX, .civil = true };
	struct cuts none = { .max_bytes = UINT64_MAX };
	struct parsing parsing = { .event = false };
	struct trigger *trigger = parse(&parsing, text);
	struct buf out = { 0 };
	const char *start;
	size_t size;

	unit_set_zone("UTC0");
	moment.offset = DAY - moment.now;
	ck_assert_msg(trigger != NULL, "'%s': %s", text, parsing.error.complaint.text);
	ck_assert_int_eq(explain(trigger, &none, window, &moment, &out), 0);
	ck_assert_int_eq(buf_append_byte(&out, '\0'), 0);
	start = out.data;
	for (int i = EXPRESSION; i < (int)part; i++)
		start += strcspn(start, "\n") + 1;
	size = part == TIMERS ? strlen(start) : strcspn(start, "\n");
	ck_assert_msg(strlen(wanted) == size && memcmp(start, wanted, size) == 0,
		      "'%s': '%.*s', not '%s'", text, (int)size, start, wanted);
	buf_release(&out);
	trigger_free(trigger);
	parsing_release(&parsing);
}

static void
check_part(const char *text, enum part part, const char *wanted)
{
	check_part_in(&(struct window_config){ .kind = WINDOW_GLOBAL }, text, part,
		      wanted);
}

START_TEST(expression_stands_in_its_full_form)
{
	check_part("repeat(any(count(10),delay(1000)))", EXPRESSION,
		   "repeat(any(count(10), delay(1s)))");
	check_part("watermark(early=count(2))", EXPRESSION, "watermark(early=count(2))");
	check_part("never()", EXPRESSION, "never()");
}
END_TEST

START_TEST(meaning_is_a_sentence)
{
	static const struct {
		const char *text;
		const char *meaning;
	} rows[] = {
		{ "repeat(count(10))",
		  "A batch goes out each time that 10 records have come." },
		{ "repeat(count(1))",
		  "A batch goes out each time that a record has come." },
		{ "repeat(bytes(64K))",
		  "A batch goes out each time that its records make 64K bytes." },
		{ "repeat(bytes(1))",
		  "A batch goes out each time that its records make 1 byte." },
		{ "repeat(any(count(10), delay(1s), idle(200ms)))",
		  "A batch goes out each time that 10 records have come, or 1s has passed "
		  "since its first record, or no record has come for 200ms." },
		{ "repeat(delay(1s, align=1m+5s))",
		  "A batch goes out each time that 1s has passed since its first record and "
		  "then the clock reaches a full 1m plus 5s." },
		{ "repeat(idle(0))",
		  "A batch goes out each time that the input has nothing more to offer." },
		{ "repeat(every(1m))",
		  "A batch goes out each time that the clock reaches a full 1m." },
		{ "repeat(at(18:00))", "A batch goes out each time that it is 18:00." },
		{ "repeat(match('^END'))",
		  "A batch goes out each time that a record matches '^END'." },
		{ "repeat(delta(2, 0.5))",
		  "A batch goes out each time that the number at '2' has changed by more "
		  "than 0.5." },
		{ "repeat(watermark())",
		  "A batch goes out each time that its window has ended." },
		{ "never()", "A batch goes out when the input has ended." },
		{ "count(3)",
		  "One batch goes out when 3 records have come; then the trigger "
		  "has finished." },
		{ "all(count(2), delay(1s))",
		  "One batch goes out when 2 records have come, and 1s has passed since its "
		  "first record; then the trigger has finished." },
		{ "each(count(1), count(2))",
		  "Until the trigger has finished, a batch goes out when first a record has "
		  "come, then 2 records have come." },
		{ "until(repeat(count(2)), delay(1m))",
		  "Until the trigger has finished, a batch goes out when (each time that 2 "
		  "records have come), until 1m has passed since its first record." },
		{ "repeat(any(all(count(1), count(2)), never()))",
		  "A batch goes out each time that (a record has come, and 2 records have "
		  "come), or the input has ended." },
	};

	for (size_t i = 0; i < LENGTH(rows); i++)
		check_part(rows[i].text, MEANING, rows[i].meaning);
}
END_TEST

#define AT_BEGIN "The timers of a batch that begins at 1970-01-02T00:00:00.000+00:00:\n"

START_TEST(timers_are_listed_in_their_order)
{
	check_part("repeat(count(3))", TIMERS,
		   "A batch that begins now sets no timer.\n");
	check_part("repeat(idle(0))", TIMERS, "A batch that begins now sets no timer.\n");
	check_part("repeat(delay(1s))", TIMERS,
		   AT_BEGIN "  1970-01-02T00:00:01.000+00:00  delay(1s)\n");
	check_part("repeat(any(delay(2s), idle(1s), every(1h+5m), at(18:00)))", TIMERS,
		   AT_BEGIN
		   "  1970-01-02T00:00:01.000+00:00  idle(1s), if no more records come\n"
		   "  1970-01-02T00:00:02.000+00:00  delay(2s)\n"
		   "  1970-01-02T00:05:00.000+00:00  every(1h+5m)\n"
		   "  1970-01-02T18:00:00.000+00:00  at(18:00)\n");
	check_part("repeat(delay(1s, align=1m))", TIMERS,
		   AT_BEGIN "  1970-01-02T00:01:00.000+00:00  delay(1s, align=1m)\n");
	/* A time that has passed is none. */
	check_part("at(1970-01-01T12:00:00Z)", TIMERS,
		   "A batch that begins now sets no timer.\n");
	check_part("each(count(2), delay(1s))", TIMERS,
		   "A batch that begins now sets no timer.\n");
}
END_TEST

START_TEST(end_of_the_window_comes_last)
{
	struct window_config window = { .kind = WINDOW_TUMBLING,
					.size = 600 * NSEC_PER_S,
					.slide = 600 * NSEC_PER_S };

	check_part_in(&window, "repeat(watermark())", TIMERS,
		      AT_BEGIN
		      "  1970-01-02T00:10:00.000+00:00  end of the window, which "
		      "emits what is left\n");
	check_part_in(&window, "repeat(delay(1s))", TIMERS,
		      AT_BEGIN
		      "  1970-01-02T00:00:01.000+00:00  delay(1s)\n"
		      "  1970-01-02T00:10:00.000+00:00  end of the window, which "
		      "emits what is left\n");
	window.kind = WINDOW_SESSION;
	check_part_in(&window, "repeat(watermark())", TIMERS,
		      AT_BEGIN
		      "  1970-01-02T00:10:00.000+00:00  end of the window, if no "
		      "more records come, which emits what is left\n");
}
END_TEST

int
main(void)
{
	return UNIT_RUN("explain", expression_stands_in_its_full_form,
			meaning_is_a_sentence, timers_are_listed_in_their_order,
			end_of_the_window_comes_last);
}
