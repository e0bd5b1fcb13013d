/*
 * A pane: the records that one scope holds now, how many of them are new, and the state of its
 * trigger. New (fresh) means: not emitted yet. A firing empties the pane or keeps it, as the
 * mode says; a record that is fresh is never thrown away, but by --evict before.
 *
 * What only some runs need is in parts of its own, which a pane has or has not from its birth.
 */
#ifndef VOLLEY_PANE_H
#define VOLLEY_PANE_H

#include <bsd/sys/tree.h>

#include "batch.h"
#include "prefetch.h"
#include "store.h"
#include "timer.h"
#include "trigger.h"
#include "window.h"

/* What is known of one record, when the pane keeps marks. */
struct mark {
	nsec time;
	uint64_t order; /* of its admission, over all panes */
};

/* The parts that only some runs need. */
struct pane_parts {
	struct pane *pane;           /* whose parts they are */
	RB_ENTRY(pane_parts) others; /* of the same key, in the order of their windows */
	struct window window;
	struct timer
		ending; /* the window's end, then the end of its lateness; perhaps earlier */
	nsec ends;      /* what it is really set to, on the wall clock or in event time */
	uint64_t ends_order;
	bool has_ended;     /* the clock has reached the window's end */
	nsec last_fired;    /* when its last batch went out, on that clock */
	struct mark *marks; /* one for each record held; NULL when none are kept */
	size_t marks_room;
	struct timer
		hold; /* set to the timestamp that the output watermark may not pass */
	struct buf break_key; /* key of the last record, for --break-on */
	bool has_break_key;
	uint64_t
		stale; /* records held that were emitted before, where a firing keeps them */
	uint64_t stale_bytes;
};

/* What each record touches stands in front. */
struct pane {
	struct pane_parts *parts; /* NULL: it needs none */
	struct store records;     /* each with its delimiter */
	uint64_t count;           /* records held */
	uint64_t fresh_order;     /* of the first new one's admission */
	uint64_t last_order;      /* of the last record's */
	nsec first;               /* times of the first and the last record held */
	nsec last;
	uint32_t lease;     /* so many records need not be told of one by one */
	uint32_t untold;    /* and so many have not been */
	struct key *key;    /* borrowed; NULL where there are no scopes */
	uint32_t batches;   /* emitted so far */
	uint16_t words;     /* of its state */
	bool finished;      /* its trigger has finished: it takes no more records */
	bool with_marks;    /* a mark is kept of each record */
	struct timer timer; /* the trigger's earliest, or earlier */
	union trigger_word state[];
};

/* Which parts a pane has. */
enum { PANE_PLAIN = 0, PANE_WITH_PARTS = 1, PANE_WITH_MARKS = 2 | PANE_WITH_PARTS };

/*
 * The pool is where the memory of panes comes from, always the same for one pane. NULL: from
 * malloc(), and its records are in one piece.
 */

/* NULL with errno ENOMEM. */
struct pane *
pane_new(struct store_pool *pool, const struct trigger *trigger, int parts);

void
pane_free(struct store_pool *pool, struct pane *pane);

/* Has what the next record will touch brought near. */
static inline void
pane_prefetch(const struct pane *pane)
{
	prefetch(pane);
	prefetch(&pane->untold);
}

/* How many of the records held are new, and their bytes. Only a pane with parts holds others. */
static inline uint64_t
pane_fresh(const struct pane *pane)
{
	return pane->parts ? pane->count - pane->parts->stale : pane->count;
}

static inline uint64_t
pane_fresh_bytes(const struct pane *pane)
{
	return pane->records.buf.size - (pane->parts ? pane->parts->stale_bytes : 0);
}

/* Its window; that of all time when it has none. */
struct window
pane_window(const struct pane *pane);

/* Makes room for a run of so many bytes. 0, or -1 with errno ENOMEM and nothing changed. */
int
pane_reserve(struct store_pool *pool, struct pane *pane, const struct run *run);

/* Counts a run as held and fresh, for which there is room; its bytes are appended to the records,
 * or go out at once. */
void
pane_count(struct pane *pane, const struct run *run);

/* The facts of a batch of all that the pane holds. The tail holds the bytes that are counted
 * but not in pane->records yet. Valid until the next call with the pool. */
void
pane_batch(struct store_pool *pool, struct pane *pane, struct slice tail,
	   struct batch *batch);

/* What there is now has been emitted. */
void
pane_emitted(struct pane *pane);

/* Empties the pane. It keeps so much memory at the most. */
void
pane_purge(struct store_pool *pool, struct pane *pane, size_t keep);

/* What --keep-last and --keep-for let go of. */
struct eviction {
	uint64_t keep_last; /* all but the last so many records; 0: none for that */
	nsec keep_for; /* those with a time <= the newest minus this; 0: none for that */
	bool after;    /* after each batch, not before it */
};

/* Takes them out of a pane with marks. */
void
pane_evict(struct store_pool *pool, struct pane *pane, const struct eviction *eviction,
	   char delimiter);

/* Takes another pane's records, marks and counts in, in the order of admission; both have
 * marks. 0, or -1 with errno ENOMEM and nothing changed. The other is to be freed then. */
int
pane_merge(struct store_pool *pool, struct pane *pane, struct pane *other,
	   char delimiter);

#endif
