/*
 * Batches that are lost, one after the other: the first few are named each by itself, and the
 * others counted, so that a disaster does not bury what it began with.
 */
#ifndef VOLLEY_TOLL_H
#define VOLLEY_TOLL_H

#include <stdbool.h>
#include <stdint.h>

struct toll {
	uint64_t named;   /* batches; zeroed at first, as all */
	uint64_t batches; /* beyond those */
	uint64_t records; /* of them */
};

/* One more batch of so many records: whether it is to be named, or was counted. */
bool
toll_add(struct toll *toll, uint64_t records);

/* Says how many were counted, if any were. */
void
toll_tell(const struct toll *toll);

#endif
