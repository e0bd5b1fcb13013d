/*
 * What fires without a record: timers, the ends of windows, a quiet input, the end of the input
 * (SEMANTICS 3, 7 and 10).
 *
 * Calls return 0, or -1 after the error was reported.
 */
#ifndef VOLLEY_EXPIRY_H
#define VOLLEY_EXPIRY_H

#include "panes.h"

/* Fires, in order, what is due by then. The clock steps to each timer's own time where it has
 * not been there yet. */
int
expiry_run(struct panes *panes, nsec then);

/* When the next timer is due, on the clock; NSEC_MAX for never. */
nsec
expiry_next(struct panes *panes);

/* The wall clock was stepped: timers that follow it are set to where they are now. */
void
expiry_reset(struct panes *panes);

/* Whether expiry_quiet() might do something. */
bool
expiry_wants_quiet(const struct panes *panes);

/* The input has nothing more to offer. */
int
expiry_quiet(struct panes *panes);

/* Emits what has something new, in the order in which that came, and resets its triggers. */
int
expiry_flush(struct panes *panes, enum reason reason);

/* At the end of the input: asks once more, for what waits for the end of the global window. */
int
expiry_ask_at_end(struct panes *panes);

#endif
