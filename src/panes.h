/*
 * The panes at work: what happens in them when a record is admitted, a timer goes off, a window
 * ends (SEMANTICS 3 to 6, 8 and 10). Which pane a record belongs to is the engine's business.
 *
 * Each pane has one timer in the queue for its trigger and, in a window, one in a queue of
 * endings; both follow what they are really set to lazily: a time that only moves later leaves
 * the entry where it is, and it is looked at again when it comes to the front.
 *
 * A pane holds a lease on its trigger's quota: so many records are taken in without a word to
 * the trigger, and it is told of all of them at once before it is asked, or its timers are.
 *
 * Calls return 0, or -1 after the error was reported. A scope that is as at the start is
 * forgotten by the call that made it so: its pane is gone then.
 */
#ifndef VOLLEY_PANES_H
#define VOLLEY_PANES_H

#include "burst.h"
#include "cuts.h"
#include "emitter.h"
#include "probe.h"
#include "scopes.h"

struct panes_config {
	const struct trigger *trigger; /* borrowed */
	const struct probes
		*probes; /* what it asks of each record; may be NULL. Borrowed */
	struct cuts cuts;
	struct emitter_config emitter;
	bool once;             /* any batch finishes its scope */
	bool emit_empty;       /* emit firings that have nothing new */
	bool event;            /* the clock is the watermark */
	bool scoped;           /* there are keys or windows */
	nsec allowed_lateness; /* how long a window lives after its end */
	bool holds;    /* the output watermark is held by what panes would carry */
	int parts;     /* that each pane needs */
	uint64_t seed; /* of the table of keys */
};

struct panes {
	struct panes_config config;
	struct emitter emitter;
	struct scopes scopes;
	struct store_pool *pool;  /* of the panes: that of the scopes, or NULL */
	struct pane *single;      /* where there is but one scope; else NULL */
	struct pane *only[2];     /* that, as a list */
	struct burst burst;       /* of its trigger, where there is but one scope */
	struct finding *findings; /* of the record at hand; NULL: none are asked for */
	struct timerq timers;
	struct timerq endings; /* on the wall clock, or in event time */
	struct timerq holds;
	struct moment moment;
	uint64_t order; /* of the next admission */
	uint64_t taken; /* runs that were admitted, whatever came of it */
	bool may_lease; /* nothing needs to see each record by itself */
	bool may_want_quiet;
	bool done; /* the run is over */
};

/* 0, or -1 with errno. To be released in any case. */
int
panes_init(struct panes *panes, const struct panes_config *config, struct sink *sink);

void
panes_release(struct panes *panes);

/* The scope of a key in a window, made when there is none. NULL when that was reported. */
struct pane *
panes_get(struct panes *panes, struct key *key, const struct window *window);

/* How much may be admitted to the pane at once. */
struct record_limit
panes_limit(struct panes *panes, struct pane *pane);

/* Admits a run within that limit. Without memory for it nothing is taken, and run->records
 * becomes 0. */
int
panes_admit(struct panes *panes, struct pane *pane, struct slice records,
	    struct run *run);

/* Emits batches that are whole at the front of in, where the trigger lets them go out without
 * being asked, and sets *used to their bytes. */
int
panes_admit_bursts(struct panes *panes, struct slice in, size_t *used);

/* Admits one record, delimiter included, after the cuts that it makes. Returns 1 when it was
 * taken, 0 when the run ended before it, -1 on errors. */
int
panes_admit_one(struct panes *panes, struct pane *pane, struct slice record, nsec time);

/* Merges sessions: the other pane is gone, and this one has that window. */
int
panes_merge(struct panes *panes, struct pane *pane, struct pane *other);

/* Gives a session another window, and sets all of its timers anew. */
void
panes_move(struct panes *panes, struct pane *pane, const struct window *window);

/* Emits what a key has that is new, and forgets it. */
int
panes_evict(struct panes *panes, struct key *key);

/* The least time that a pane with something new would carry, or the clock if that is less. */
nsec
panes_output_watermark(const struct panes *panes);

/* The moment as a pane sees it. */
struct moment
panes_moment(const struct panes *panes, const struct pane *pane);

/* When the window is over, its lateness included; and whether it is. */
nsec
panes_end_of_life(const struct panes *panes, const struct window *window);

bool
panes_is_over(const struct panes *panes, const struct window *window);

/* Tells the trigger of the records that it does not know yet. */
void
panes_tell(struct panes *panes, struct pane *pane);

/* The first of the timers of the pane's trigger. */
struct deadline
panes_deadline(struct panes *panes, struct pane *pane);

/* Sets the timer of its window's end, or of the end of its lateness. */
void
panes_set_ending(struct panes *panes, struct pane *pane);

/* Emits what the pane holds and what the tail adds. With nothing new there is no batch, unless
 * even_empty says that it is a firing of the trigger, and such are wanted. */
int
panes_emit(struct panes *panes, struct pane *pane, enum reason reason, struct slice tail,
	   bool even_empty);

/* A cut: the pane is closed, and all of its trigger begins anew. */
int
panes_cut(struct panes *panes, struct pane *pane, enum reason reason);

/* The trigger's verdict was FIRE: emits the pane and the tail, and resets what fired. */
int
panes_fire(struct panes *panes, struct pane *pane, struct slice tail);

/* After anything that happened to a pane: its timers follow, and a scope outside windows that is
 * as at the start is forgotten. */
void
panes_settle(struct panes *panes, struct pane *pane);

/* The scope is gone. */
void
panes_forget(struct panes *panes, struct pane *pane);

#endif
