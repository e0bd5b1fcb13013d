#include <config.h>

#include "pane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

struct pane *
pane_new(const struct trigger *trigger, int parts)
{
	struct pane *pane =
		calloc(1, sizeof *pane + trigger->words * sizeof *pane->state);

	if (!pane)
		return NULL;
	trigger_init(trigger, pane->state);
	if (parts & PANE_WITH_PARTS) {
		pane->parts = calloc(1, sizeof *pane->parts);
		if (!pane->parts) {
			free(pane);
			return NULL;
		}
		pane->parts->pane = pane;
		pane->parts->window = WINDOW_OF_ALL_TIME;
		pane->parts->last_fired = NSEC_MIN;
	}
	pane->with_marks = (parts & PANE_WITH_MARKS) == PANE_WITH_MARKS;
	return pane;
}

void
pane_free(struct pane *pane)
{
	if (!pane)
		return;
	if (pane->parts) {
		free(pane->parts->marks);
		buf_release(&pane->parts->break_key);
		free(pane->parts);
	}
	buf_release(&pane->records);
	free(pane);
}

struct window
pane_window(const struct pane *pane)
{
	return pane->parts ? pane->parts->window : WINDOW_OF_ALL_TIME;
}

static int
reserve_marks(struct pane *pane, uint64_t more)
{
	struct pane_parts *parts = pane->parts;
	uint64_t wanted = pane->count + more;
	size_t room = parts->marks_room ? parts->marks_room : 8;
	struct mark *marks;

	if (wanted <= parts->marks_room)
		return 0;
	if (wanted > SIZE_MAX / 2 / sizeof *marks) {
		errno = ENOMEM;
		return -1;
	}
	while (room < wanted)
		room *= 2;
	marks = realloc(parts->marks, room * sizeof *marks);
	if (!marks)
		return -1;
	parts->marks = marks;
	parts->marks_room = room;
	return 0;
}

int
pane_reserve(struct pane *pane, const struct run *run)
{
	if (pane->with_marks && reserve_marks(pane, run->records) < 0)
		return -1;
	return buf_reserve(&pane->records, (size_t)run->bytes);
}

void
pane_count(struct pane *pane, const struct run *run)
{
	if (pane->with_marks)
		for (uint64_t i = 0; i < run->records; i++)
			pane->parts->marks[pane->count + i] =
				(struct mark){ i == 0 ? run->first : run->last,
					       run->order + i };
	if (pane->count == 0)
		pane->first = run->first;
	if (pane->fresh == 0)
		pane->fresh_order = run->order;
	pane->last_order = run->order + run->records - 1;
	pane->last = run->last;
	pane->count += run->records;
	pane->fresh += run->records;
	pane->fresh_bytes += run->bytes;
}

void
pane_batch(struct pane *pane, struct slice tail, struct batch *batch)
{
	struct window window = pane_window(pane);

	batch->count = pane->count;
	batch->bytes = pane->records.size + tail.size;
	batch->first = pane->first;
	batch->last = pane->last;
	batch->start = window.start;
	batch->end = window.end;
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

/* The greatest time of a record that is held. */
static nsec
newest(const struct pane *pane)
{
	nsec time = NSEC_MIN;

	for (uint64_t i = 0; i < pane->count; i++)
		if (pane->parts->marks[i].time > time)
			time = pane->parts->marks[i].time;
	return time;
}

void
pane_evict(struct pane *pane, const struct eviction *eviction, char delimiter)
{
	struct mark *marks = pane->parts->marks;
	nsec oldest = eviction->keep_for > 0 ? nsec_sub(newest(pane), eviction->keep_for)
					     : NSEC_MIN;
	bool by_time = eviction->keep_for > 0;
	uint64_t skip = 0, kept = 0;
	struct slice rest = buf_slice(&pane->records);
	char *to = pane->records.data;

	if (eviction->keep_last > 0 && pane->count > eviction->keep_last)
		skip = pane->count - eviction->keep_last;
	for (uint64_t i = 0; i < pane->count; i++) {
		size_t size = record_size(rest, delimiter) + 1;

		if (i >= skip && !(by_time && marks[i].time <= oldest)) {
			memmove(to, rest.data, size);
			to += size;
			marks[kept++] = marks[i];
		}
		rest = slice_from(rest, size);
	}
	pane->count = kept;
	pane->records.size = kept > 0 ? (size_t)(to - pane->records.data) : 0;
	if (kept > 0) {
		pane->first = marks[0].time;
		pane->last = marks[kept - 1].time;
	}
}

/* The records of a pane that are still to be merged. */
struct strand {
	struct slice records;
	const struct mark *marks;
	uint64_t count;
};

static struct strand
strand_of(const struct pane *pane)
{
	return (struct strand){ buf_slice(&pane->records), pane->parts->marks,
				pane->count };
}

/* Moves the first record to the end of records and marks. */
static void
move_first(struct strand *from, struct buf *records, struct mark *marks, char delimiter)
{
	size_t size = record_size(from->records, delimiter) + 1;

	buf_append(records, (struct slice){ from->records.data, size });
	*marks = *from->marks++;
	from->records = slice_from(from->records, size);
	from->count--;
}

int
pane_merge(struct pane *pane, struct pane *other, char delimiter)
{
	struct strand a = strand_of(pane), b = strand_of(other);
	uint64_t count = a.count + b.count;
	struct buf records = { 0 };
	struct mark *marks = calloc((size_t)count + 1, sizeof *marks);

	if (!marks || buf_reserve(&records, a.records.size + b.records.size) < 0) {
		free(marks);
		return -1;
	}
	for (uint64_t i = 0; i < count; i++)
		if (b.count == 0 || (a.count > 0 && a.marks->order < b.marks->order))
			move_first(&a, &records, &marks[i], delimiter);
		else
			move_first(&b, &records, &marks[i], delimiter);
	buf_release(&pane->records);
	free(pane->parts->marks);
	pane->records = records;
	pane->parts->marks = marks;
	pane->parts->marks_room = (size_t)count + 1;
	if (other->fresh > 0 &&
	    (pane->fresh == 0 || other->fresh_order < pane->fresh_order))
		pane->fresh_order = other->fresh_order;
	if (other->last_order > pane->last_order) {
		struct buf key = pane->parts->break_key;

		pane->last_order = other->last_order;
		pane->parts->break_key = other->parts->break_key;
		pane->parts->has_break_key = other->parts->has_break_key;
		other->parts->break_key = key;
	}
	if (other->parts->last_fired > pane->parts->last_fired)
		pane->parts->last_fired = other->parts->last_fired;
	pane->count = count;
	pane->fresh += other->fresh;
	pane->fresh_bytes += other->fresh_bytes;
	pane->batches += other->batches;
	pane->finished = pane->finished || other->finished;
	if (count > 0) {
		pane->first = marks[0].time;
		pane->last = marks[count - 1].time;
	}
	return 0;
}
