#include <config.h>

#include "pane.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

static struct arena *
arena_of(struct store_pool *pool)
{
	return pool ? &pool->arena : NULL;
}

static size_t
size_of(uint64_t words)
{
	return sizeof(struct pane) + (size_t)words * sizeof(union trigger_word);
}

struct pane *
pane_new(struct store_pool *pool, const struct trigger *trigger, int parts)
{
	struct arena *arena = arena_of(pool);
	struct pane *pane = arena_take(arena, size_of(trigger->words));

	if (!pane)
		return NULL;
	memset(pane, 0, size_of(trigger->words));
	pane->words = (uint16_t)trigger->words;
	trigger_init(trigger, pane->state);
	if (parts & PANE_WITH_PARTS) {
		pane->parts = arena_take(arena, sizeof *pane->parts);
		if (!pane->parts) {
			arena_give(arena, pane, size_of(pane->words));
			return NULL;
		}
		*pane->parts = (struct pane_parts){
			.pane = pane,
			.window = WINDOW_OF_ALL_TIME,
			.last_fired = NSEC_MIN,
		};
	}
	pane->with_marks = (parts & PANE_WITH_MARKS) == PANE_WITH_MARKS;
	return pane;
}

void
pane_free(struct store_pool *pool, struct pane *pane)
{
	struct arena *arena = arena_of(pool);

	if (!pane)
		return;
	if (pane->parts) {
		free(pane->parts->marks);
		buf_release(&pane->parts->break_key);
		arena_give(arena, pane->parts, sizeof *pane->parts);
	}
	store_clear(&pane->records, pool, 0);
	arena_give(arena, pane, size_of(pane->words));
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
pane_reserve(struct store_pool *pool, struct pane *pane, const struct run *run)
{
	if (pane->with_marks && reserve_marks(pane, run->records) < 0)
		return -1;
	return store_reserve(&pane->records, pool, (size_t)run->bytes);
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
	if (pane_fresh(pane) == 0)
		pane->fresh_order = run->order;
	pane->last_order = run->order + run->records - 1;
	pane->last = run->last;
	pane->count += run->records;
}

void
pane_batch(struct store_pool *pool, struct pane *pane, struct slice tail,
	   struct batch *batch)
{
	struct window window = pane_window(pane);

	batch->count = pane->count;
	batch->bytes = pane->records.buf.size + tail.size;
	batch->first = pane->first;
	batch->last = pane->last;
	batch->start = window.start;
	batch->end = window.end;
	batch->pane = pane->batches;
	batch->held = store_slice(&pane->records, pool);
	batch->tail = tail;
}

void
pane_emitted(struct pane *pane)
{
	pane->batches++;
	if (pane->parts) {
		pane->parts->stale = pane->count;
		pane->parts->stale_bytes = pane->records.buf.size;
	}
}

void
pane_purge(struct store_pool *pool, struct pane *pane, size_t keep)
{
	pane->count = 0;
	if (pane->parts)
		pane->parts->stale = pane->parts->stale_bytes = 0;
	store_clear(&pane->records, pool, keep);
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
pane_evict(struct store_pool *pool, struct pane *pane, const struct eviction *eviction,
	   char delimiter)
{
	struct mark *marks = pane->parts->marks;
	nsec oldest = eviction->keep_for > 0 ? nsec_sub(newest(pane), eviction->keep_for)
					     : NSEC_MIN;
	bool by_time = eviction->keep_for > 0, all_stale = pane_fresh(pane) == 0;
	uint64_t skip = 0, kept = 0;
	struct slice rest = store_slice(&pane->records, pool);
	char *start = (char *)(uintptr_t)rest.data, *to = start;

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
	store_replace(&pane->records, pool,
		      (struct slice){ start, (size_t)(to - start) });
	if (all_stale) {
		pane->parts->stale = kept;
		pane->parts->stale_bytes = pane->records.buf.size;
	}
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

/* The records of both panes, one behind the other. */
static int
copy_both(struct store_pool *pool, const struct pane *a, const struct pane *b,
	  struct buf *both)
{
	if (buf_append(both, store_slice(&a->records, pool)) < 0)
		return -1;
	return buf_append(both, store_slice(&b->records, pool));
}

/* What the panes hold, in the order of admission, goes into the store and the marks, which have
 * room for it. */
static int
interleave(struct store_pool *pool, const struct pane *pane, const struct pane *other,
	   char delimiter, struct store *store, struct mark *marks)
{
	size_t front = pane->records.buf.size;
	struct buf both = { 0 }, records = { 0 };
	struct strand a, b;
	int result = -1;

	if (copy_both(pool, pane, other, &both) == 0 &&
	    buf_reserve(&records, both.size) == 0 &&
	    store_reserve(store, pool, both.size) == 0) {
		a = (struct strand){ { both.data, front },
				     pane->parts->marks,
				     pane->count };
		b = (struct strand){ slice_from(buf_slice(&both), front),
				     other->parts->marks, other->count };
		while (a.count > 0 || b.count > 0) {
			bool first = b.count == 0 ||
				     (a.count > 0 && a.marks->order < b.marks->order);

			move_first(first ? &a : &b, &records, marks++, delimiter);
		}
		store_append(store, pool, buf_slice(&records));
		result = 0;
	}
	buf_release(&both);
	buf_release(&records);
	return result;
}

/* Takes over what the other knows of its records. */
static void
merge_facts(struct pane *pane, struct pane *other)
{
	struct pane_parts *parts = pane->parts, *others = other->parts;

	if (pane_fresh(other) > 0 &&
	    (pane_fresh(pane) == 0 || other->fresh_order < pane->fresh_order))
		pane->fresh_order = other->fresh_order;
	if (other->last_order > pane->last_order) {
		struct buf key = parts->break_key;

		pane->last_order = other->last_order;
		parts->break_key = others->break_key;
		parts->has_break_key = others->has_break_key;
		others->break_key = key;
	}
	if (others->last_fired > parts->last_fired)
		parts->last_fired = others->last_fired;
	parts->stale += others->stale;
	parts->stale_bytes += others->stale_bytes;
	pane->count += other->count;
	pane->batches += other->batches;
	pane->finished = pane->finished || other->finished;
}

int
pane_merge(struct store_pool *pool, struct pane *pane, struct pane *other, char delimiter)
{
	size_t count = (size_t)(pane->count + other->count);
	struct mark *marks = calloc(count + 1, sizeof *marks);
	struct store store = { { 0 } };

	if (!marks || interleave(pool, pane, other, delimiter, &store, marks) < 0) {
		free(marks);
		return -1;
	}
	merge_facts(pane, other);
	store_clear(&pane->records, pool, 0);
	pane->records = store;
	free(pane->parts->marks);
	pane->parts->marks = marks;
	pane->parts->marks_room = count + 1;
	if (count > 0) {
		pane->first = marks[0].time;
		pane->last = marks[count - 1].time;
	}
	return 0;
}
