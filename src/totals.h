/*
 * What a run has done so far, in numbers.
 */
#ifndef VOLLEY_TOTALS_H
#define VOLLEY_TOTALS_H

#include "engine.h"
#include "intake.h"

struct totals {
	const struct counters *counters; /* borrowed */
	const struct losses *losses;
	nsec elapsed; /* how long the run has taken */
};

/* Why records did not go on. */
struct drop {
	const char *cause; /* a word for programs */
	const char *words; /* for people: N records ... */
	uint64_t count;
};

#define DROPS 4

/* The index counts from 0 and is below DROPS. */
struct drop
drop_of(const struct totals *totals, size_t index);

#endif
