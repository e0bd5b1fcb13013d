/*
 * Trigger expressions: text <-> tree (SEMANTICS 6).
 *
 *     repeat(any(count(10), delay(1s, align=1m+5s), match('^END')))
 *
 * Blanks may stand anywhere between the words. Depth and size are bounded, so that no text
 * costs more than an error message. spell.h has the way back.
 */
#ifndef VOLLEY_EXPR_H
#define VOLLEY_EXPR_H

#include "probe.h"
#include "trigger.h"
#include "timeform.h"

#define EXPR_DEPTH_MAX 32
#define EXPR_NODES_MAX 256

/* What an expression's words mean depends on. */
struct expr_context {
	const struct timeform *times; /* how absolute times are written */
	bool event;                   /* the clock is the watermark */
	struct slice separator;       /* of fields, for keys */
	struct probes *probes;        /* those of the expression are added */
};

/* What is wrong, and where: the place is an offset in the text. */
struct expr_error {
	struct complaint complaint;
	size_t place;
};

/* NULL with the error. */
struct trigger *
expr_parse(const char *text, const struct expr_context *context,
	   struct expr_error *error);

/* DUR, or DUR+PHASE: a period that is not 0, and a phase. 0, or -1. */
int
expr_parse_period(const char *text, struct delay *delay, struct complaint *why);

#endif
