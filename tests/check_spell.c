/*
 * What is spelled parses back to an equal tree, and spells the same again: for triggers at
 * random. VOLLEY_SEED sets the first seed; a case that fails says its own.
 */
#include <config.h>

#include "spell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exprs.h"
#include "trees.h"
#include "unit.h"

#define CASES 5000
#define DEPTH 5
#define DAY (86400 * NSEC_PER_S)

/* Of any magnitude, and often round. */
static nsec
roll_duration(struct dice *dice, nsec least)
{
	static const nsec units[] = { 1,          NSEC_PER_US,     NSEC_PER_MS,
				      NSEC_PER_S, 60 * NSEC_PER_S, DAY };
	nsec unit = units[dice_below(dice, LENGTH(units))];
	nsec duration = dice_between(dice, 0, 100) * unit;

	if (dice_hits(dice, 10))
		duration = (nsec)(dice_roll(dice) << 15 ^ dice_roll(dice)) & NSEC_MAX;
	if (dice_hits(dice, 50))
		duration = NSEC_MAX;
	return duration < least ? least : duration;
}

/* Pieces that make a good regular expression in any order. */
static char *
roll_text(struct dice *dice, const char *start)
{
	static const char *const pieces[] = { "a",   "'",        "\"",   "\\\\",
					      "\\d", "\\'",      "\\\"", ",",
					      "(b)", " ",        "\\)",  ".*",
					      "\t",  "\xc3\xa4", "x=",   "[)]" };
	struct buf text = { 0 };

	buf_append(&text, slice_of(start));
	for (size_t left = dice_below(dice, 6); left > 0; left--)
		buf_append(&text, slice_of(pieces[dice_below(dice, LENGTH(pieces))]));
	DEMAND(buf_append_byte(&text, '\0') == 0, "no memory");
	return text.data;
}

static char *
roll_key(struct dice *dice)
{
	char number[32];

	switch (dice_below(dice, 4)) {
	case 0:
		return roll_text(dice, "re:");
	case 1:
		return roll_text(dice, "json:/");
	case 2:
		return strdup("json:/~0/~1'\\\"/");
	default:
		snprintf(number, sizeof number, "%" PRIu64, 1 + dice_below(dice, 99));
		return strdup(number);
	}
}

static double
roll_distance(struct dice *dice)
{
	static const double some[] = { 0,
				       0.5,
				       0.1,
				       1e300,
				       1e-300,
				       5e-324,
				       3,
				       123456.789,
				       1.0 / 3,
				       1e22,
				       9007199254740993.0 };
	double distance = some[dice_below(dice, LENGTH(some))];

	if (dice_hits(dice, 2))
		distance =
			(double)dice_roll(dice) / (double)(1 + dice_below(dice, 100000));
	return distance;
}

static struct trigger *
roll_time(struct dice *dice)
{
	nsec time = dice_between(dice, 0, 80000000) * 100 * NSEC_PER_S;

	if (dice_hits(dice, 2))
		return AT_TIME_OF_DAY(dice_between(dice, 0, 86399) * NSEC_PER_S);
	time += (nsec)dice_below(dice, 1000000000) / (dice_hits(dice, 2) ? 1 : 1000000) *
		(dice_hits(dice, 2) ? 1 : 0);
	return AT_TIME(dice_hits(dice, 2) ? time : -time);
}

static struct trigger *
roll_leaf(struct dice *dice, bool event)
{
	nsec idle = roll_duration(dice, 0);

	switch (dice_below(dice, 10)) {
	case 0:
		return COUNT(dice_hits(dice, 20) ? UINT64_MAX
						 : 1 + dice_below(dice, 999));
	case 1:
		return BYTES((1 + dice_below(dice, 5000)) << dice_below(dice, 50));
	case 2:
		if (dice_hits(dice, 2))
			return DELAY(roll_duration(dice, 0));
		return DELAY_ALIGNED(roll_duration(dice, 0), roll_duration(dice, 1),
				     roll_duration(dice, 0));
	case 3:
		return LEAF(IDLE, .delay = { idle, 0, 0 },
			    .on_quiet = idle == 0 && !event);
	case 4:
		return EVERY(roll_duration(dice, 1), roll_duration(dice, 0));
	case 5:
		return roll_time(dice);
	case 6:
		return LEAF(MATCH, .text = roll_text(dice, ""));
	case 7:
		return LEAF(DELTA, .text = roll_key(dice),
			    .distance = roll_distance(dice));
	case 8:
		return WATERMARK;
	default:
		return NEVER;
	}
}

static struct trigger *
roll_tree(struct dice *dice, unsigned depth, bool event);

/* watermark(early=A, late=B) */
static struct trigger *
roll_phases(struct dice *dice, unsigned depth, bool event)
{
	int phases = (int)dice_between(dice, 1, 3);
	struct trigger *trigger = WATERMARK;

	if (phases & TRIGGER_EARLY)
		trigger = UNTIL(REPEAT(roll_tree(dice, depth - 1, event)), trigger);
	if (phases & TRIGGER_LATE)
		trigger = EACH(trigger, REPEAT(roll_tree(dice, depth - 1, event)));
	DEMAND(trigger != NULL, "no memory");
	trigger->phases = phases;
	return trigger;
}

static struct trigger *
roll_tree(struct dice *dice, unsigned depth, bool event)
{
	static const enum trigger_kind kinds[] = { TRIGGER_ANY, TRIGGER_ALL, TRIGGER_EACH,
						   TRIGGER_REPEAT, TRIGGER_UNTIL };
	enum trigger_kind kind = kinds[dice_below(dice, LENGTH(kinds))];
	struct trigger *children[3];
	size_t count = 1 + dice_below(dice, 3);

	if (depth == 0 || dice_hits(dice, 3))
		return roll_leaf(dice, event);
	if (dice_hits(dice, 6))
		return roll_phases(dice, depth, event);
	if (kind == TRIGGER_REPEAT)
		count = 1;
	if (kind == TRIGGER_UNTIL)
		count = 2;
	for (size_t i = 0; i < count; i++)
		children[i] = roll_tree(dice, depth - 1, event);
	return trigger_combine(kind, children, count);
}

static size_t
count_nodes(const struct trigger *trigger)
{
	size_t count = 1;

	for (size_t i = 0; i < trigger->children; i++)
		count += count_nodes(trigger->child[i]);
	return count;
}

static void
spell(const struct trigger *trigger, struct buf *text)
{
	DEMAND(spell_trigger(trigger, text) == 0, "no memory");
	DEMAND(buf_append_byte(text, '\0') == 0, "no memory");
}

static void
try_tree(uint64_t seed)
{
	struct dice dice = dice_of(seed);
	struct parsing parsing = { .event = dice_hits(&dice, 2) };
	struct trigger *trigger = roll_tree(&dice, DEPTH, parsing.event), *parsed;
	struct buf text = { 0 }, again = { 0 }, meaning = { 0 };

	DEMAND(trigger != NULL, "no memory");
	spell(trigger, &text);
	parsed = parse(&parsing, text.data);
	DEMAND(parsed || count_nodes(trigger) > EXPR_NODES_MAX,
	       "seed %" PRIu64 ", '%s': %s, at %zu", seed, text.data,
	       parsing.error.complaint.text, parsing.error.place);
	if (parsed) {
		DEMAND(trees_are_equal(trigger, parsed), "seed %" PRIu64 ", '%s'", seed,
		       text.data);
		spell(parsed, &again);
		DEMAND(strcmp(text.data, again.data) == 0,
		       "seed %" PRIu64 ", '%s', not '%s'", seed, again.data, text.data);
	}
	DEMAND(spell_meaning(trigger, &meaning) == 0, "no memory");
	DEMAND(meaning.data[meaning.size - 1] == '.', "seed %" PRIu64, seed);
	trigger_free(trigger);
	trigger_free(parsed);
	parsing_release(&parsing);
	buf_release(&text);
	buf_release(&again);
	buf_release(&meaning);
}

START_TEST(spelled_trigger_parses_back_to_the_same)
{
	const char *first = getenv("VOLLEY_SEED");
	uint64_t seed = first ? strtoull(first, NULL, 10) : 0;

	for (size_t i = 0; i < CASES; i++)
		try_tree(seed + i);
}
END_TEST

/* A text, and how it is spelled. */
START_TEST(trigger_is_spelled_in_full)
{
	static const struct {
		const char *text;
		const char *spelled;
	} rows[] = {
		{ "count(010)", "count(10)" },
		{ "bytes(65536)", "bytes(64K)" },
		{ "bytes(1KB)", "bytes(1000)" },
		{ "delay(1000)", "delay(1s)" },
		{ "delay(90s,align=60s+0)", "delay(1m30s, align=1m)" },
		{ "delay(0,align=1h+5m)", "delay(0, align=1h+5m)" },
		{ "idle(0)", "idle(0)" },
		{ "every(60s+1)", "every(1m+1ms)" },
		{ "at(18:00:00)", "at(18:00)" },
		{ "at(18:00:01)", "at(18:00:01)" },
		{ "at(1500)", "at(1970-01-01T00:00:01.500Z)" },
		{ "at(1970-01-01T02:00:00+02:00)", "at(1970-01-01T00:00:00Z)" },
		{ "match(x)", "match('x')" },
		{ "match(\"it's\")", "match('it\\'s')" },
		{ "match('\\d')", "match('\\\\d')" },
		{ "delta(2,.50)", "delta('2', 0.5)" },
		{ "delta(2,1e3)", "delta('2', 1e+03)" },
		{ "watermark(late=count(1),early=never())",
		  "watermark(early=never(), late=count(1))" },
		{ "repeat( any(count(1),idle(1)) )", "repeat(any(count(1), idle(1ms)))" },
	};

	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct parsing parsing = { .event = false };
		struct trigger *trigger = parse(&parsing, rows[i].text);
		struct buf text = { 0 };

		ck_assert_msg(trigger != NULL, "'%s'", rows[i].text);
		spell(trigger, &text);
		ck_assert_str_eq(text.data, rows[i].spelled);
		buf_release(&text);
		trigger_free(trigger);
		parsing_release(&parsing);
	}
}
END_TEST

START_TEST(leap_second_of_a_day_is_spelled_as_it_is_read)
{
	struct parsing parsing = { .event = false };
	struct trigger *trigger = parse(&parsing, "at(23:59:60)"), *again;
	struct buf text = { 0 };

	ck_assert_ptr_nonnull(trigger);
	spell(trigger, &text);
	again = parse(&parsing, text.data);
	ck_assert_msg(again != NULL, "'%s' is not taken", text.data);
	ck_assert(trees_are_equal(trigger, again));
	buf_release(&text);
	trigger_free(trigger);
	trigger_free(again);
	parsing_release(&parsing);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("spell", spelled_trigger_parses_back_to_the_same,
			trigger_is_spelled_in_full,
			leap_second_of_a_day_is_spelled_as_it_is_read);
}
