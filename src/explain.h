/*
 * What a trigger would do, before anything is read: the expression, its meaning in a sentence,
 * what else closes a batch, and when one that began now would be due.
 */
#ifndef VOLLEY_EXPLAIN_H
#define VOLLEY_EXPLAIN_H

#include "cuts.h"
#include "spell.h"
#include "window.h"

/* Appends the explanation, of several lines. 0, or -1 with errno. */
int
explain(const struct trigger *trigger, const struct cuts *cuts,
	const struct window_config *window, const struct moment *now, struct buf *out);

#endif
