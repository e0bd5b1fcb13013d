/*
 * Probes: what the match and delta leaves of a trigger ask of each record. A leaf knows its
 * probe by its index.
 */
#ifndef VOLLEY_PROBE_H
#define VOLLEY_PROBE_H

#include "field.h"
#include "leaf.h"

struct probe {
	struct pattern *pattern; /* match: whether it matches */
	struct field *field;     /* delta: the number at this key */
};

struct probes {
	struct probe *list;
	size_t count;
};

void
probes_release(struct probes *probes);

/* Takes over the pattern or the field, also on errors. 0 and the probe's index, or -1 with
 * errno. */
int
probes_add(struct probes *probes, struct pattern *pattern, struct field *field,
	   size_t *index);

/* Asks all of a record without its delimiter; findings has room for each. */
void
probes_ask(const struct probes *probes, struct slice record, struct finding *findings);

/* How many answers were given up so far. */
uint64_t
probes_given_up(const struct probes *probes);

#endif
