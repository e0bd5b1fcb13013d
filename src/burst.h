/*
 * Bursts: batch after batch from an input that holds many.
 *
 * Where a trigger, from its start, fires after so many records and is as at the start again,
 * nothing need be asked or told for batches that are whole in the input: they go straight out.
 * That this is so for a trigger is found out by trying it once.
 */
#ifndef VOLLEY_BURST_H
#define VOLLEY_BURST_H

#include "trigger.h"

struct burst {
	bool possible;
	uint64_t records; /* just so many make a batch, */
	uint64_t bytes;   /* of fewer bytes than this */
	enum reason reason;
};

/* 0, or -1 with errno ENOMEM. */
int
burst_init(struct burst *burst, const struct trigger *trigger,
	   const struct moment *moment);

#endif
