/*
 * What tests of trigger expressions share: reading one, and comparing two trees.
 */
#ifndef VOLLEY_EXPRS_H
#define VOLLEY_EXPRS_H

#include <string.h>

#include "expr.h"
#include "unit.h"

/* An expression that is read, with what it asks of records and what is wrong with it. */
struct parsing {
	bool event;
	struct probes probes;
	struct expr_error error;
};

/* Absolute times are in ms. */
static inline struct trigger *
parse(struct parsing *parsing, const char *text)
{
	static const struct timeform ms = { .kind = TIMEFORM_UNIT, .unit = TIME_MS };
	struct expr_context context = { .times = &ms,
					.event = parsing->event,
					.probes = &parsing->probes };

	return expr_parse(text, &context, &parsing->error);
}

static inline void
parsing_release(struct parsing *parsing)
{
	probes_release(&parsing->probes);
}

static inline bool
leaves_are_equal(const struct leaf *a, const struct leaf *b)
{
	if (!a->text != !b->text || (a->text && strcmp(a->text, b->text) != 0))
		return false;
	return a->kind == b->kind && a->least == b->least &&
	       a->delay.offset == b->delay.offset && a->delay.period == b->delay.period &&
	       a->delay.phase == b->delay.phase && a->on_quiet == b->on_quiet &&
	       a->at == b->at && a->time_of_day == b->time_of_day &&
	       memcmp(&a->distance, &b->distance, sizeof a->distance) == 0;
}

/* Apart from the numbers of probes. */
static inline bool
trees_are_equal(const struct trigger *a, const struct trigger *b)
{
	if (a->kind != b->kind || a->phases != b->phases || a->children != b->children ||
	    !leaves_are_equal(&a->leaf, &b->leaf))
		return false;
	for (size_t i = 0; i < a->children; i++)
		if (!trees_are_equal(a->child[i], b->child[i]))
			return false;
	return true;
}

#endif
