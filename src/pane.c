#include <config.h>

#include "pane.h"

#include <stdlib.h>

struct pane *
pane_new(const struct trigger *trigger)
{
	struct pane *pane =
		calloc(1, sizeof *pane + trigger->words * sizeof *pane->state);

	if (pane)
		trigger_init(trigger, pane->state);
	return pane;
}

void
pane_free(struct pane *pane)
{
	if (!pane)
		return;
	buf_release(&pane->records);
	if (pane->break_key)
		buf_release(pane->break_key);
	free(pane->break_key);
	free(pane);
}

void
pane_count(struct pane *pane, const struct run *run)
{
	if (pane->count == 0)
		pane->first = run->first;
	pane->last = run->last;
	pane->count += run->records;
	pane->fresh += run->records;
	pane->fresh_bytes += run->bytes;
}

void
pane_batch(struct pane *pane, struct slice tail, struct batch *batch)
{
	batch->count = pane->count;
	batch->bytes = pane->records.size + tail.size;
	batch->first = pane->first;
	batch->last = pane->last;
	batch->pane = pane->batches;
	batch->held = buf_slice(&pane->records);
	batch->tail = tail;
}

void
pane_emitted(struct pane *pane)
{
	pane->batches++;
	pane->fresh = 0;
	pane->fresh_bytes = 0;
}

void
pane_purge(struct pane *pane, size_t keep)
{
	pane->count = 0;
	buf_clear(&pane->records, keep);
}
