/*
 * A pane: the records that one scope holds now, how many of them are new, and the state of its
 * trigger. New (fresh) means: not emitted yet. A firing empties the pane or keeps it, as the
 * mode says; a record that is fresh is never thrown away.
 */
#ifndef VOLLEY_PANE_H
#define VOLLEY_PANE_H

#include "batch.h"
#include "timer.h"
#include "trigger.h"

struct pane {
	struct timer timer;   /* the trigger's earliest, or earlier */
	struct buf records;   /* each with its delimiter */
	uint64_t count;       /* records held */
	uint64_t fresh;       /* of them new */
	uint64_t fresh_bytes; /* of the new ones */
	uint64_t batches;     /* emitted so far */
	nsec first;           /* times of the first and the last record held */
	nsec last;
	struct buf
		*break_key; /* key of the last record, for --break-on; NULL: none yet */
	union trigger_word state[];
};

/* NULL with errno ENOMEM. */
struct pane *
pane_new(const struct trigger *trigger);

void
pane_free(struct pane *pane);

/* Counts a run as held and fresh; its bytes are still elsewhere. */
void
pane_count(struct pane *pane, const struct run *run);

/* The facts of a batch of all that the pane holds. The tail holds the bytes that are counted
 * but not in pane->records yet. */
void
pane_batch(struct pane *pane, struct slice tail, struct batch *batch);

/* What there is now has been emitted. */
void
pane_emitted(struct pane *pane);

/* Empties the pane. It keeps so much memory at the most. */
void
pane_purge(struct pane *pane, size_t keep);

#endif
