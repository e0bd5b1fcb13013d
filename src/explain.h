/*
 * What a trigger would do, before anything is read: the expression, its meaning in a sentence,
 * and when a batch that began now would be due.
 */
#ifndef VOLLEY_EXPLAIN_H
#define VOLLEY_EXPLAIN_H

#include "spell.h"
#include "window.h"

/* Appends the explanation, of several lines. 0, or -1 with errno. */
int
explain(const struct trigger *trigger, const struct window_config *window,
	const struct moment *now, struct buf *out);

#endif
