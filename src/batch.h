/*
 * A batch: the records that a firing writes out, and its facts (SEMANTICS 11).
 *
 * It borrows everything, for the time of one call. Times are those of the wall clock, or event
 * times.
 */
#ifndef VOLLEY_BATCH_H
#define VOLLEY_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "buf.h"
#include "leaf.h"

/* Where a firing stands to the end of its window. */
enum timing { TIMING_EARLY, TIMING_ON_TIME, TIMING_LATE };

struct batch {
	uint64_t index; /* within the run, from 0 */
	uint64_t count; /* records */
	uint64_t bytes; /* of them, each with its delimiter */
	enum reason reason;
	struct slice key;
	bool has_key; /* keys are asked for; the record may have had none */
	nsec fired;   /* the clock at the firing */
	nsec first;   /* time of the first record; there is none when count is 0 */
	nsec last;    /* and of the last */
	nsec start;   /* of the window */
	nsec end;     /* of the window; NSEC_MAX: the global window, which has neither */
	enum timing timing;
	uint64_t pane;  /* within the scope, from 0 */
	nsec timestamp; /* what the batch carries on */
	bool has_timestamp;
	struct slice held; /* the records, each with its delimiter: */
	struct slice tail; /* those of held, then those of tail */
	/* The buf that held is the whole of, if a sink may take its bytes by swapping it for an
	 * empty one, which has no memory or much; else NULL. */
	struct buf *holder;
};

const char *
timing_name(enum timing timing);

#endif
