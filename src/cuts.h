/*
 * Cuts: what closes a pane before a record is admitted (SEMANTICS 8). They act only on a pane
 * that holds records not yet emitted.
 */
#ifndef VOLLEY_CUTS_H
#define VOLLEY_CUTS_H

#include "field.h"
#include "pane.h"

struct cuts {
	uint64_t max_bytes; /* of the new records of a pane; UINT64_MAX: no limit */
	struct pattern *break_before; /* a record that matches; NULL: none. Borrowed */
	struct field *break_on; /* a record with another key; NULL: none. Borrowed */
};

/* Whether each record must be looked at by itself. */
bool
cuts_inspect(const struct cuts *cuts);

/* How many bytes more the pane may hold before the limit cuts it; one with nothing new takes
 * any one record. */
uint64_t
cuts_room(const struct cuts *cuts, const struct pane *pane);

/* The reason for which this record, its delimiter included, closes the pane before it; of
 * several the first of limit, break-before, break-on. REASON_NONE when it does not. The record
 * becomes the one that the next is compared with. 0, or -1 with errno. */
int
cuts_before(const struct cuts *cuts, struct pane *pane, struct slice record,
	    enum reason *reason);

#endif
