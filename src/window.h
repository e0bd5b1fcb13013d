/*
 * Windows: which spans of time a record belongs to (SEMANTICS 10). Half-open, [start, end).
 */
#ifndef VOLLEY_WINDOW_H
#define VOLLEY_WINDOW_H

#include <stdbool.h>

#include "clock.h"
#include "diag.h"

enum window_kind { WINDOW_GLOBAL, WINDOW_TUMBLING, WINDOW_SLIDING, WINDOW_SESSION };

struct window_config {
	enum window_kind kind;
	nsec size;  /* tumbling and sliding; the gap of a session */
	nsec slide; /* from one start to the next; tumbling: the size */
	nsec phase; /* a start is a time t with (t - phase) mod slide = 0 */
};

struct window {
	nsec start;
	nsec end; /* NSEC_MAX: the global window, which has neither */
};

#define WINDOW_OF_ALL_TIME ((struct window){ NSEC_MIN, NSEC_MAX })

/* global, tumbling(SIZE[,PHASE]), sliding(SIZE,SLIDE[,PHASE]) or session(GAP). 0, or -1. */
int
window_parse(const char *text, struct window_config *config, struct complaint *why);

/* The first, by its start, of the windows that the time belongs to; a session before it has
 * merged with others. */
struct window
window_first(const struct window_config *config, nsec time);

/* The next one after that; false when the time belongs to no more. */
bool
window_next(const struct window_config *config, nsec time, struct window *window);

/* Whether two sessions are one: they overlap, not only touch. */
bool
window_overlap(const struct window *a, const struct window *b);

/* The least window that holds both. */
struct window
window_union(const struct window *a, const struct window *b);

#endif
