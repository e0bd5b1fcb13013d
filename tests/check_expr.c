#include <config.h>

#include "expr.h"
#include "parser.h"

#include <stdio.h>
#include <string.h>

#include "exprs.h"
#include "trees.h"
#include "unit.h"

#define H (3600 * NSEC_PER_S)

/* What a text means, as a tree that it must be equal to. Frees the tree. */
static void
check_meaning(struct parsing *parsing, const char *text, struct trigger *wanted, int line)
{
	struct trigger *trigger = parse(parsing, text);

	ck_assert_msg(trigger != NULL, "line %d, '%s': %s, at %zu", line, text,
		      parsing->error.complaint.text, parsing->error.place);
	ck_assert_msg(trees_are_equal(trigger, wanted), "line %d, '%s'", line, text);
	trigger_free(trigger);
	trigger_free(wanted);
	parsing_release(parsing);
}

#define MEANS(text, tree) \
	check_meaning(&(struct parsing){ .event = false }, text, tree, __LINE__)

#define MATCHES(expression) LEAF(MATCH, .text = strdup(expression))
#define DELTA_OF(key, x) LEAF(DELTA, .text = strdup(key), .distance = (x))
#define S NSEC_PER_S

START_TEST(leaves_are_read)
{
	MEANS("count(1)", COUNT(1));
	MEANS("count(18446744073709551615)", COUNT(UINT64_MAX));
	MEANS("bytes(64K)", BYTES(65536));
	MEANS("bytes(1)", BYTES(1));
	MEANS("delay(1s)", DELAY(S));
	MEANS("delay(0)", DELAY(0));
	MEANS("delay(1m30s)", DELAY(90 * S));
	MEANS("delay(5, align=1m)", DELAY_ALIGNED(5 * NSEC_PER_MS, 60 * S, 0));
	MEANS("delay(5s,align=1m+7s)", DELAY_ALIGNED(5 * S, 60 * S, 7 * S));
	MEANS("idle(200ms)", IDLE(S / 5));
	MEANS("idle(0)", IDLE_QUIET);
	MEANS("every(1m)", EVERY(60 * S, 0));
	MEANS("every(1h+5m)", EVERY(H, 300 * S));
	MEANS("every(1h+0)", EVERY(H, 0));
	MEANS("at(18:00)", AT_TIME_OF_DAY(18 * H));
	MEANS("at(18:00:07)", AT_TIME_OF_DAY(18 * H + 7 * S));
	MEANS("at(1970-01-01T01:00:00Z)", AT_TIME(H));
	MEANS("at(1970-01-01 01:00:00.5+01:00)", AT_TIME(S / 2));
	MEANS("at(1500)", AT_TIME(1500 * NSEC_PER_MS));
	MEANS("at(-1)", AT_TIME(-NSEC_PER_MS));
	MEANS("match(x)", MATCHES("x"));
	MEANS("match('^END')", MATCHES("^END"));
	MEANS("delta(2, 0.5)", DELTA_OF("2", 0.5));
	MEANS("delta('re:x=(.*)', 1e3)", DELTA_OF("re:x=(.*)", 1000));
	MEANS("delta(json:/a, 0)", DELTA_OF("json:/a", 0));
	MEANS("watermark()", WATERMARK);
	MEANS("never()", NEVER);
}
END_TEST

START_TEST(idle_zero_is_a_timer_of_the_event_domain)
{
	struct parsing parsing = { .event = true };

	check_meaning(&parsing, "idle(0)", IDLE(0), __LINE__);
	MEANS("idle(0s)", IDLE_QUIET);
}
END_TEST

START_TEST(combinators_are_read)
{
	MEANS("any(count(1))", ANY(COUNT(1)));
	MEANS("any(count(1), delay(5))", ANY(COUNT(1), DELAY(5 * NSEC_PER_MS)));
	MEANS("all(count(1),count(2),count(3))", ALL(COUNT(1), COUNT(2), COUNT(3)));
	MEANS("each(never(), watermark())", EACH(NEVER, WATERMARK));
	MEANS("repeat(count(10))", REPEAT(COUNT(10)));
	MEANS("until(repeat(count(10)), never())", UNTIL(REPEAT(COUNT(10)), NEVER));
	MEANS("repeat(any(all(count(1)), each(count(2))))",
	      REPEAT(ANY(ALL(COUNT(1)), EACH(COUNT(2)))));
}
END_TEST

/* With the phases that it is written with. */
static struct trigger *
phased(struct trigger *trigger, int phases)
{
	ck_assert_ptr_nonnull(trigger);
	trigger->phases = phases;
	return trigger;
}

START_TEST(watermark_has_an_early_and_a_late_part)
{
	MEANS("watermark(early=count(1))",
	      phased(UNTIL(REPEAT(COUNT(1)), WATERMARK), TRIGGER_EARLY));
	MEANS("watermark(late=count(2))",
	      phased(EACH(WATERMARK, REPEAT(COUNT(2))), TRIGGER_LATE));
	MEANS("watermark(early=count(1), late=count(2))",
	      phased(EACH(UNTIL(REPEAT(COUNT(1)), WATERMARK), REPEAT(COUNT(2))),
		     TRIGGER_EARLY | TRIGGER_LATE));
	MEANS("watermark( late = count(2) , early = count(1) )",
	      phased(EACH(UNTIL(REPEAT(COUNT(1)), WATERMARK), REPEAT(COUNT(2))),
		     TRIGGER_EARLY | TRIGGER_LATE));
}
END_TEST

START_TEST(blanks_may_stand_between_words)
{
	MEANS(" \t\n any ( count ( 1 ) ,\n\tdelay ( 5 , align = 1m ) ) \n",
	      ANY(COUNT(1), DELAY_ALIGNED(5 * NSEC_PER_MS, 60 * S, 0)));
	MEANS("never( )", NEVER);
	MEANS("watermark( )", WATERMARK);
	MEANS("match( a b  )", MATCHES("a b"));
	MEANS("match( ' a ' )", MATCHES(" a "));
}
END_TEST

START_TEST(quotes_keep_what_they_hold)
{
	MEANS("match(\"x\")", MATCHES("x"));
	MEANS("match('a\\)b\\(c,d')", MATCHES("a\\)b\\(c,d"));
}
END_TEST

START_TEST(backslash_takes_the_next_quote_or_backslash)
{
	MEANS("match('a\\'b')", MATCHES("a'b"));
	MEANS("match(\"a\\\"b\")", MATCHES("a\"b"));
	MEANS("match('a\\\"b')", MATCHES("a\"b"));
	MEANS("match('a\"b')", MATCHES("a\"b"));
	MEANS("match('a\\\\\\\\b')", MATCHES("a\\\\b"));
	MEANS("match('\\d\\.')", MATCHES("\\d\\."));
	MEANS("match('\\\\d')", MATCHES("\\d"));
	MEANS("match('')", MATCHES(""));
	/* Outside quotes it is itself. */
	MEANS("match(\\d)", MATCHES("\\d"));
}
END_TEST

START_TEST(probes_are_numbered_as_they_stand)
{
	struct parsing parsing = { .event = false };
	struct trigger *trigger = parse(&parsing, "any(match(a), delta(2, 1), match(b))");

	ck_assert_ptr_nonnull(trigger);
	ck_assert_uint_eq(parsing.probes.count, 3);
	for (size_t i = 0; i < 3; i++)
		ck_assert_uint_eq(trigger->child[i]->leaf.probe, i);
	ck_assert_ptr_nonnull(parsing.probes.list[0].pattern);
	ck_assert_ptr_nonnull(parsing.probes.list[1].field);
	ck_assert_ptr_nonnull(parsing.probes.list[2].pattern);
	trigger_free(trigger);
	parsing_release(&parsing);
}
END_TEST

/* A text that is wrong: where, and what is said of it. */
static const struct {
	const char *text;
	size_t place;
	const char *hint;
} wrong[] = {
	{ "", 0, "expected a trigger" },
	{ "   ", 3, "expected a trigger" },
	{ "10", 0, "expected a trigger" },
	{ "coutn(3)", 0, "unknown trigger" },
	{ "Count(3)", 0, "expected a trigger" },
	{ "counts(3)", 0, "unknown trigger" },
	{ "repeat(coutn(3))", 7, "unknown trigger" },
	{ "any(count(1), foo(2))", 14, "unknown trigger" },
	{ "count", 5, "expected '('" },
	{ "count 3", 6, "expected '('" },
	{ "count(3", 7, "expected ')'" },
	{ "count(3,4)", 7, "expected ')'" },
	{ "count()", 6, "expected a value" },
	{ "count(0)", 6, "least is 1" },
	{ "count( 0 )", 7, "least is 1" },
	{ "count(-1)", 6, "no sign" },
	{ "count(1x)", 6, "whole number" },
	{ "count(18446744073709551616)", 6, "too large" },
	{ "count(1)x", 8, "stands behind" },
	{ "count(1) count(2)", 9, "stands behind" },
	{ "count(1),count(2)", 8, "stands behind" },
	{ "count(1))", 8, "stands behind" },
	{ "bytes(0)", 6, "least is 1" },
	{ "bytes(1Q)", 6, "unknown unit" },
	{ "bytes()", 6, "expected a value" },
	{ "delay()", 6, "expected a value" },
	{ "delay(1x)", 6, "unknown unit 'x'" },
	{ "delay(1s, 2s)", 10, "expected 'align='" },
	{ "delay(1s, aligned=2s)", 10, "expected 'align='" },
	{ "delay(1s, align)", 15, "expected '='" },
	{ "delay(1s, align=)", 16, "expected a value" },
	{ "delay(1s, align=0)", 16, "period of 0" },
	{ "delay(1s, align=1m+x)", 16, "not a number" },
	{ "delay(1s, align=1m, 3)", 18, "expected ')'" },
	{ "idle(x)", 5, "not a number" },
	{ "idle()", 5, "expected a value" },
	{ "every(0)", 6, "period of 0" },
	{ "every(1m+)", 6, "nothing behind '+' (use 1m+5s)" },
	{ "every(1m-5s)", 6, "use DUR+PHASE" },
	{ "every(1m + 5s)", 6, "no blanks" },
	{ "every(+1m)", 6, "nothing before '+' (use 1m+5s)" },
	{ "every()", 6, "expected a value" },
	{ "at()", 3, "expected a value" },
	{ "at(24:00)", 3, "not a time" },
	{ "at(tomorrow)", 3, "not a time" },
	{ "at( 25:00 )", 4, "not a time" },
	{ "match()", 6, "expected a value" },
	{ "match('x)", 9, "not closed" },
	{ "match(\"x')", 10, "not closed" },
	{ "match('x\\')", 11, "not closed" },
	{ "match('x' y)", 10, "expected ')'" },
	{ "match('(')", 6, "at character" },
	{ "match(a(b))", 7, "expected ')'" },
	{ "delta(2)", 7, "expected ','" },
	{ "delta(, 1)", 6, "expected a value" },
	{ "delta(x, 1)", 6, "no key" },
	{ "delta(0, 1)", 6, "no key" },
	{ "delta('re:(', 1)", 6, "at character 5" },
	{ "delta(2, )", 9, "expected a value" },
	{ "delta(2, -1)", 9, "not a distance" },
	{ "delta(2, x)", 9, "not a distance" },
	{ "delta(2, nan)", 9, "not a distance" },
	{ "delta(2, inf)", 9, "not a distance" },
	{ "delta(2, 1e999)", 9, "not a distance" },
	{ "delta(2, 0x1)", 9, "not a distance" },
	{ "delta(2, 1 2)", 9, "not a distance" },
	{ "watermark(count(1))", 10, "expected early= or late=" },
	{ "watermark(early)", 15, "expected '='" },
	{ "watermark(early=)", 16, "expected a trigger" },
	{ "watermark(early=count(1),)", 25, "expected early= or late=" },
	{ "watermark(early=count(1), early=count(1))", 26, "expected early= or late=" },
	{ "watermark(late=count(1), late=count(1))", 25, "expected early= or late=" },
	{ "watermark(early=count(1) late=count(1))", 25, "expected ')'" },
	{ "never(1)", 6, "expected ')'" },
	{ "any()", 4, "expected a trigger" },
	{ "any(count(1),)", 13, "expected a trigger" },
	{ "any(count(1) count(2))", 13, "expected ')'" },
	{ "any(count(1)", 12, "expected ')'" },
	{ "repeat()", 7, "expected a trigger" },
	{ "repeat(count(1), count(2))", 15, "expected ')'" },
	{ "until(count(1))", 14, "expected ','" },
	{ "until(count(1),)", 15, "expected a trigger" },
	{ "until(count(1), count(2), count(3))", 24, "expected ')'" },
};

START_TEST(wrong_text_is_refused_with_its_place)
{
	for (size_t i = 0; i < LENGTH(wrong); i++) {
		struct parsing parsing = { .event = false };

		ck_assert_msg(!parse(&parsing, wrong[i].text), "'%s' is taken",
			      wrong[i].text);
		ck_assert_msg(parsing.error.place == wrong[i].place,
			      "'%s': at %zu, not %zu", wrong[i].text, parsing.error.place,
			      wrong[i].place);
		ck_assert_msg(strstr(parsing.error.complaint.text, wrong[i].hint) != NULL,
			      "'%s': '%s' without '%s'", wrong[i].text,
			      parsing.error.complaint.text, wrong[i].hint);
		parsing_release(&parsing);
	}
}
END_TEST

/* repeat(repeat(...count(1)...)), so many words deep. */
static void
write_deep(struct buf *text, size_t depth)
{
	for (size_t i = 1; i < depth; i++)
		buf_append(text, slice_of("repeat("));
	buf_append(text, slice_of("count(1)"));
	for (size_t i = 1; i < depth; i++)
		buf_append_byte(text, ')');
	buf_append_byte(text, '\0');
}

static void
write_wide(struct buf *text, size_t nodes)
{
	buf_append(text, slice_of("any(never()"));
	for (size_t i = 2; i < nodes; i++)
		buf_append(text, slice_of(",never()"));
	buf_append(text, (struct slice){ ")", 2 });
}

/* Whether the text is taken. Releases it. */
static bool
is_taken(struct buf *text, const char *hint)
{
	struct parsing parsing = { .event = false };
	struct trigger *trigger = parse(&parsing, text->data);

	if (!trigger)
		ck_assert_msg(strstr(parsing.error.complaint.text, hint) != NULL,
			      "'%s' without '%s'", parsing.error.complaint.text, hint);
	trigger_free(trigger);
	parsing_release(&parsing);
	buf_release(text);
	return trigger != NULL;
}

START_TEST(depth_and_size_are_bounded)
{
	struct buf text = { 0 };

	write_deep(&text, EXPR_DEPTH_MAX);
	ck_assert(is_taken(&text, ""));
	write_deep(&text, EXPR_DEPTH_MAX + 1);
	ck_assert(!is_taken(&text, "too deep"));
	write_deep(&text, 100000);
	ck_assert(!is_taken(&text, "too deep"));
	write_wide(&text, EXPR_NODES_MAX);
	ck_assert(is_taken(&text, ""));
	write_wide(&text, EXPR_NODES_MAX + 1);
	ck_assert(!is_taken(&text, "too many"));
	write_wide(&text, 100000);
	ck_assert(!is_taken(&text, "too many"));
}
END_TEST

START_TEST(periods_have_a_phase)
{
	struct complaint why;
	struct delay delay;

	ck_assert_int_eq(expr_parse_period("1m", &delay, &why), 0);
	ck_assert_int_eq(delay.period, 60 * S);
	ck_assert_int_eq(delay.phase, 0);
	ck_assert_int_eq(expr_parse_period("1m+90s", &delay, &why), 0);
	ck_assert_int_eq(delay.phase, 90 * S);
	ck_assert_int_eq(expr_parse_period("0", &delay, &why), -1);
	ck_assert_int_eq(expr_parse_period("", &delay, &why), -1);
	ck_assert_int_eq(expr_parse_period("1m+", &delay, &why), -1);
	ck_assert_int_eq(expr_parse_period("1m+1s+1s", &delay, &why), -1);
	ck_assert_int_eq(expr_parse_period("1m-1s", &delay, &why), -1);
}
END_TEST

static void
check_pointer(const char *text, size_t place, const char *wanted)
{
	struct expr_error error = { .place = place };
	struct buf out = { 0 };

	ck_assert_int_eq(parser_point_out(text, &error, &out), 0);
	ck_assert_int_eq(buf_append_byte(&out, '\0'), 0);
	ck_assert_str_eq(out.data, wanted);
	buf_release(&out);
}

START_TEST(caret_stands_under_the_place)
{
	check_pointer("any(foo)", 4, "\n  any(foo)\n      ^");
	check_pointer("", 0, "\n  \n  ^");
	check_pointer("any(", 4, "\n  any(\n      ^");
	check_pointer("a\tb\x01\xc3\xa4", 3, "\n  a?b???\n     ^");
}
END_TEST

START_TEST(long_text_is_shown_around_the_place)
{
	struct expr_error error = { .place = 0 };
	char text[1001];

	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = (char)('a' + i % 26);
	text[sizeof text - 1] = '\0';
	for (; error.place < sizeof text; error.place++) {
		struct buf out = { 0 };
		const char *caret, *shown;

		ck_assert_int_eq(parser_point_out(text, &error, &out), 0);
		ck_assert_int_eq(buf_append_byte(&out, '\0'), 0);
		shown = out.data + 3;
		caret = strrchr(out.data, '\n') + 3;
		DEMAND(strcspn(shown, "\n") <= 72, "%zu", error.place);
		DEMAND(strspn(caret, " ") <= 72, "%zu", error.place);
		if (text[error.place])
			DEMAND(shown[strspn(caret, " ")] == text[error.place], "%zu",
			       error.place);
		buf_release(&out);
	}
}
END_TEST

/* Whatever the bytes: a trigger, or an error with a place in the text. */
static void
try_hostile(const char *text, struct dice *dice)
{
	struct parsing parsing = { .event = dice_hits(dice, 2) };
	struct trigger *trigger = parse(&parsing, text);
	struct buf out = { 0 };

	if (!trigger) {
		DEMAND(parsing.error.place <= strlen(text), "'%s': %zu", text,
		       parsing.error.place);
		DEMAND(parsing.error.complaint.text[0] != '\0', "'%s'", text);
		DEMAND(parser_point_out(text, &parsing.error, &out) == 0, "no memory");
	}
	buf_release(&out);
	trigger_free(trigger);
	parsing_release(&parsing);
}

START_TEST(hostile_text_costs_no_more_than_an_error)
{
	struct dice dice = dice_of(12);

	for (size_t i = 0; i < 20000; i++) {
		char text[128];
		size_t size;

		strcpy(text, wrong[dice_below(&dice, LENGTH(wrong))].text);
		size = strlen(text);
		for (size_t left = dice_below(&dice, 4); left > 0 && size > 0; left--) {
			size_t at = dice_below(&dice, size);
			char byte = (char)(1 + dice_below(&dice, 255));

			if (dice_hits(&dice, 3))
				byte = "(),='\"\\ +"[dice_below(&dice, 9)];
			text[at] = byte;
		}
		if (dice_hits(&dice, 3) && size > 0)
			text[dice_below(&dice, size)] = '\0';
		try_hostile(text, &dice);
	}
}
END_TEST

int
main(void)
{
	return UNIT_RUN("expr", leaves_are_read, idle_zero_is_a_timer_of_the_event_domain,
			combinators_are_read, watermark_has_an_early_and_a_late_part,
			blanks_may_stand_between_words, quotes_keep_what_they_hold,
			backslash_takes_the_next_quote_or_backslash,
			probes_are_numbered_as_they_stand,
			wrong_text_is_refused_with_its_place, depth_and_size_are_bounded,
			periods_have_a_phase, caret_stands_under_the_place,
			long_text_is_shown_around_the_place,
			hostile_text_costs_no_more_than_an_error);
}
