/*
 * The totals of a run, printed on standard error: lines for a person, or JSON.
 */
#ifndef VOLLEY_STATS_H
#define VOLLEY_STATS_H

#include "totals.h"

enum stats_format { STATS_NONE, STATS_TEXT, STATS_JSON };

/* Prints all; as text when the format is none. */
void
stats_print(const struct totals *totals, enum stats_format format);

/* Prints how many records were dropped or changed, if any were. */
void
stats_print_losses(const struct totals *totals);

#endif
