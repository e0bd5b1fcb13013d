#include <config.h>

#include "spell.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datetime.h"

/* What is written to; after an error nothing more is. */
struct speller {
	struct buf *out;
	bool failed;
};

static void
say(struct speller *speller, const char *text)
{
	if (!speller->failed && buf_append(speller->out, slice_of(text)) < 0)
		speller->failed = true;
}

static void
say_number(struct speller *speller, uint64_t number)
{
	char text[UNITS_TEXT_MAX];

	snprintf(text, sizeof text, "%" PRIu64, number);
	say(speller, text);
}

static void
say_size(struct speller *speller, uint64_t size)
{
	char text[UNITS_TEXT_MAX];

	units_print_size(text, size);
	say(speller, text);
}

static void
say_duration(struct speller *speller, nsec duration)
{
	char text[UNITS_TEXT_MAX];

	units_print_duration(text, duration);
	say(speller, text);
}

static void
say_period(struct speller *speller, const struct delay *delay)
{
	say_duration(speller, delay->period);
	if (delay->phase == 0)
		return;
	say(speller, "+");
	say_duration(speller, delay->phase);
}

static void
say_at(struct speller *speller, const struct leaf *leaf)
{
	nsec seconds = leaf->at / NSEC_PER_S;
	char text[UNITS_TEXT_MAX];

	if (!leaf->time_of_day)
		datetime_print(text, sizeof text, leaf->at);
	else if (seconds % 60 == 0)
		snprintf(text, sizeof text, "%02d:%02d", (int)(seconds / 3600),
			 (int)(seconds / 60 % 60));
	else
		snprintf(text, sizeof text, "%02d:%02d:%02d", (int)(seconds / 3600),
			 (int)(seconds / 60 % 60), (int)(seconds % 60));
	say(speller, text);
}

/* In quotes; a backslash before what would end them or is one itself. */
static void
say_quoted(struct speller *speller, const char *text)
{
	say(speller, "'");
	for (; *text; text++) {
		char byte[3] = { '\\', *text, '\0' };

		say(speller, *text == '\'' || *text == '\\' ? byte : byte + 1);
	}
	say(speller, "'");
}

/* With the least digits that say it exactly. */
static void
say_real(struct speller *speller, double real)
{
	char text[40];
	int digits = 1;

	do
		snprintf(text, sizeof text, "%.*g", digits, real);
	while (strtod(text, NULL) != real && digits++ < 17);
	say(speller, text);
}

static void
say_leaf_values(struct speller *speller, const struct leaf *leaf)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
		say_number(speller, leaf->least);
		break;
	case LEAF_BYTES:
		say_size(speller, leaf->least);
		break;
	case LEAF_DELAY:
		say_duration(speller, leaf->delay.offset);
		if (leaf->delay.period > 0) {
			say(speller, ", align=");
			say_period(speller, &leaf->delay);
		}
		break;
	case LEAF_IDLE:
		say_duration(speller, leaf->delay.offset);
		break;
	case LEAF_EVERY:
		say_period(speller, &leaf->delay);
		break;
	case LEAF_AT:
		say_at(speller, leaf);
		break;
	case LEAF_MATCH:
		say_quoted(speller, leaf->text);
		break;
	case LEAF_DELTA:
		say_quoted(speller, leaf->text);
		say(speller, ", ");
		say_real(speller, leaf->distance);
		break;
	case LEAF_WATERMARK:
	case LEAF_NEVER:
		break;
	}
}

static void
say_trigger(struct speller *speller, const struct trigger *trigger);

static void
say_phase(struct speller *speller, const char *name, const struct trigger *phase)
{
	say(speller, name);
	say_trigger(speller, phase->child[0]);
}

/* The parts of watermark(early=A, late=B); see build_watermark() in expr.c. */
static void
say_phases(struct speller *speller, const struct trigger *trigger)
{
	bool late = trigger->phases & TRIGGER_LATE;
	const struct trigger *until = late ? trigger->child[0] : trigger;

	if (trigger->phases & TRIGGER_EARLY)
		say_phase(speller, "early=", until->child[0]);
	if (late)
		say_phase(speller, trigger->phases & TRIGGER_EARLY ? ", late=" : "late=",
			  trigger->child[1]);
}

static const char *
name_of(const struct trigger *trigger)
{
	static const char *const leaves[] = {
		[LEAF_COUNT] = "count", [LEAF_BYTES] = "bytes",
		[LEAF_DELAY] = "delay", [LEAF_IDLE] = "idle",
		[LEAF_EVERY] = "every", [LEAF_AT] = "at",
		[LEAF_MATCH] = "match", [LEAF_DELTA] = "delta",
		[LEAF_NEVER] = "never", [LEAF_WATERMARK] = "watermark",
	};

	if (trigger->phases)
		return leaves[LEAF_WATERMARK];
	switch (trigger->kind) {
	case TRIGGER_LEAF:
		return leaves[trigger->leaf.kind];
	case TRIGGER_ANY:
		return "any";
	case TRIGGER_ALL:
		return "all";
	case TRIGGER_EACH:
		return "each";
	case TRIGGER_REPEAT:
		return "repeat";
	case TRIGGER_UNTIL:
		return "until";
	}
	return "";
}

static void
say_trigger(struct speller *speller, const struct trigger *trigger)
{
	say(speller, name_of(trigger));
	say(speller, "(");
	if (trigger->phases)
		say_phases(speller, trigger);
	else if (trigger->kind == TRIGGER_LEAF)
		say_leaf_values(speller, &trigger->leaf);
	else
		for (size_t i = 0; i < trigger->children; i++) {
			say(speller, i > 0 ? ", " : "");
			say_trigger(speller, trigger->child[i]);
		}
	say(speller, ")");
}

int
spell_trigger(const struct trigger *trigger, struct buf *out)
{
	struct speller speller = { out, false };

	say_trigger(&speller, trigger);
	return speller.failed ? -1 : 0;
}

static void
say_boundary(struct speller *speller, const struct delay *delay)
{
	say(speller, "a full ");
	say_duration(speller, delay->period);
	if (delay->phase == 0)
		return;
	say(speller, " plus ");
	say_duration(speller, delay->phase);
}

/* The condition that a leaf waits for, in words. */
static void
say_condition(struct speller *speller, const struct leaf *leaf)
{
	switch (leaf->kind) {
	case LEAF_COUNT:
		if (leaf->least != 1)
			say_number(speller, leaf->least);
		say(speller,
		    leaf->least == 1 ? "a record has come" : " records have come");
		break;
	case LEAF_BYTES:
		say(speller, "its records make ");
		say_size(speller, leaf->least);
		say(speller, leaf->least == 1 ? " byte" : " bytes");
		break;
	case LEAF_DELAY:
		say_duration(speller, leaf->delay.offset);
		say(speller, " has passed since its first record");
		if (leaf->delay.period > 0) {
			say(speller, " and then the clock reaches ");
			say_boundary(speller, &leaf->delay);
		}
		break;
	case LEAF_IDLE:
		say(speller, leaf->on_quiet ? "the input has nothing more to offer"
					    : "no record has come for ");
		if (!leaf->on_quiet)
			say_duration(speller, leaf->delay.offset);
		break;
	case LEAF_EVERY:
		say(speller, "the clock reaches ");
		say_boundary(speller, &leaf->delay);
		break;
	case LEAF_AT:
		say(speller, "it is ");
		say_at(speller, leaf);
		break;
	case LEAF_MATCH:
		say(speller, "a record matches ");
		say_quoted(speller, leaf->text);
		break;
	case LEAF_DELTA:
		say(speller, "the number at ");
		say_quoted(speller, leaf->text);
		say(speller, " has changed by more than ");
		say_real(speller, leaf->distance);
		break;
	case LEAF_WATERMARK:
		say(speller, "its window has ended");
		break;
	case LEAF_NEVER:
		say(speller, "the input has ended");
		break;
	}
}

static void
say_words(struct speller *speller, const struct trigger *trigger, bool inside);

/* The children, with a word before the first and one between any two. */
static void
say_children(struct speller *speller, const struct trigger *trigger, const char *first,
	     const char *between)
{
	say(speller, first);
	for (size_t i = 0; i < trigger->children; i++) {
		say(speller, i > 0 ? between : "");
		say_words(speller, trigger->child[i], true);
	}
}

/* With brackets where it is inside something else. */
static void
say_words(struct speller *speller, const struct trigger *trigger, bool inside)
{
	if (trigger->kind == TRIGGER_LEAF) {
		say_condition(speller, &trigger->leaf);
		return;
	}
	say(speller, inside ? "(" : "");
	switch (trigger->kind) {
	case TRIGGER_LEAF:
		break;
	case TRIGGER_ANY:
		say_children(speller, trigger, "", ", or ");
		break;
	case TRIGGER_ALL:
		say_children(speller, trigger, "", ", and ");
		break;
	case TRIGGER_EACH:
		say_children(speller, trigger, "first ", ", then ");
		break;
	case TRIGGER_REPEAT:
		say(speller, "each time that ");
		say_words(speller, trigger->child[0], inside);
		break;
	case TRIGGER_UNTIL:
		say_children(speller, trigger, "", ", until ");
		break;
	}
	say(speller, inside ? ")" : "");
}

/* Whether it finishes when it fires for the first time. */
static bool
fires_once(const struct trigger *trigger)
{
	return trigger->kind == TRIGGER_LEAF || trigger->kind == TRIGGER_ANY ||
	       trigger->kind == TRIGGER_ALL;
}

int
spell_meaning(const struct trigger *trigger, struct buf *out)
{
	struct speller speller = { out, false };
	bool never = trigger->kind == TRIGGER_LEAF && trigger->leaf.kind == LEAF_NEVER;
	bool once = fires_once(trigger) && !never;

	if (trigger->kind == TRIGGER_REPEAT)
		say(&speller, "A batch goes out ");
	else if (once)
		say(&speller, "One batch goes out when ");
	else
		say(&speller,
		    never ? "A batch goes out when "
			  : "Until the trigger has finished, a batch goes out when ");
	say_words(&speller, trigger, false);
	say(&speller, once ? "; then the trigger has finished." : ".");
	return speller.failed ? -1 : 0;
}
