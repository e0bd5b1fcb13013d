/*
 * What the run has done, for a person: a line for each batch, and totals.
 *
 * struct tap is a sink that stands before another and tells of each batch that passes.
 */
#ifndef VOLLEY_STATS_H
#define VOLLEY_STATS_H

#include "engine.h"
#include "intake.h"

struct tap {
	struct sink sink;
	struct sink *next; /* borrowed */
};

void
tap_init(struct tap *tap, struct sink *next);

/* Prints the totals; elapsed is how long the run has taken. */
void
stats_print(const struct counters *counters, const struct losses *losses, nsec elapsed);

/* Prints how many records were dropped or changed, if any were. */
void
stats_print_losses(const struct counters *counters, const struct losses *losses);

#endif
