/*
 * The leaves of a trigger: what each counts or waits for (SEMANTICS 6, the first table).
 *
 * A leaf is immutable; its state is leaf_words() words of the pane's trigger state. It becomes
 * ready and stays so until it is reset. The leaves with a time have a timer: unset, set, or
 * gone off. Times of leaves that follow the calendar are kept as the wall clock's, so that
 * they keep their meaning when that is stepped.
 */
#ifndef VOLLEY_LEAF_H
#define VOLLEY_LEAF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "clock.h"

/* Why a batch was emitted: the leaf that made it fire, or what else did. */
enum reason {
	REASON_NONE,
	REASON_COUNT,
	REASON_BYTES,
	REASON_TIMEOUT,
	REASON_IDLE,
	REASON_EVERY,
	REASON_AT,
	REASON_MATCH,
	REASON_DELTA,
	REASON_WINDOW,
	REASON_LIMIT,
	REASON_BREAK,
	REASON_EOF,
	REASON_SIGNAL,
	REASON_EVICTED,
	REASON_LATE,
};

#define REASONS (REASON_LATE + 1)

/* The word that stands for a reason; "" for REASON_NONE. */
const char *
reason_name(enum reason reason);

enum leaf_kind {
	LEAF_COUNT,
	LEAF_BYTES,
	LEAF_DELAY,
	LEAF_IDLE,
	LEAF_EVERY,
	LEAF_AT,
	LEAF_MATCH,
	LEAF_DELTA,
	LEAF_WATERMARK,
	LEAF_NEVER,
};

struct leaf {
	enum leaf_kind kind;
	uint64_t least;     /* count, bytes: ready at this many */
	struct delay delay; /* delay; idle: its offset; every: its period and phase */
	bool on_quiet;      /* idle: ready when the input has nothing more to offer */
	nsec at;            /* at: a wall time, or nanoseconds since midnight */
	bool time_of_day;   /* at: which of the two */
	double distance;    /* delta: ready beyond this */
	size_t probe;       /* match, delta: index of the finding in a run */
	char *text;         /* match: the expression; delta: the key. Owned by the tree */
};

/* One word of a state; what it holds is the leaf's business. */
union trigger_word {
	uint64_t number;
	nsec time;
	double real;
};

/* What a match or delta leaf asked of a record. */
struct finding {
	bool found;    /* it matches; it has a number */
	double number; /* delta */
};

/* The time that a trigger is told or asked at. */
struct moment {
	nsec now;    /* the clock of the domain */
	nsec offset; /* wall clock minus that; 0 in the event domain */
	nsec end;    /* end of the pane's window; NSEC_MAX in the global one */
	bool civil;  /* every() counts in local civil time, not from the epoch */
};

/* How much may be admitted before the trigger must be told. */
struct quota {
	uint64_t records; /* so many records, at least 1 */
	uint64_t bytes; /* or, when fewer records make so many bytes, those; at least 1 */
	nsec deadline;  /* and while the clock reads less; else one record at a time */
	bool inspect;   /* each record needs its findings: one record at a time */
};

#define QUOTA_UNLIMITED ((struct quota){ UINT64_MAX, UINT64_MAX, NSEC_MAX, false })

/* A run of records that was admitted to one pane. */
struct run {
	uint64_t records; /* at least 1 */
	uint64_t bytes;   /* each record with its delimiter */
	nsec first; /* the time of its first record, the base of timers that this sets */
	nsec last;  /* and of its last record */
	uint64_t order; /* number of the first record; it gives timers their place */
	const struct finding
		*findings; /* by probe; NULL when the quota did not ask for them */
};

/* When a timer is due, on the clock of the domain, and its place among equal times. */
struct deadline {
	bool set;
	nsec when;
	uint64_t order;
};

size_t
leaf_words(const struct leaf *leaf);

/* Whether its time is one of the calendar, and so the wall clock's. */
bool
leaf_follows_calendar(const struct leaf *leaf);

/* Makes a new state: nothing seen. */
void
leaf_init(const struct leaf *leaf, union trigger_word *state);

/* Not ready, timer unset. What delta() remembers of the numbers goes on. */
void
leaf_reset(const struct leaf *leaf, union trigger_word *state);

/* Lowers the quota to what this leaf allows. */
void
leaf_quota(const struct leaf *leaf, const union trigger_word *state,
	   const struct moment *moment, struct quota *quota);

/* Returns whether it has become ready by that, or is for another reason to be asked. */
bool
leaf_admit(const struct leaf *leaf, union trigger_word *state,
	   const struct moment *moment, const struct run *run);

bool
leaf_ready(const struct leaf *leaf, const union trigger_word *state,
	   const struct moment *moment);

struct deadline
leaf_deadline(const struct leaf *leaf, const union trigger_word *state,
	      const struct moment *moment);

/* Its timer goes off. */
void
leaf_expire(const struct leaf *leaf, union trigger_word *state);

/* Some timer of the pane went off: what waits for a time that the clock has reached is ready,
 * whether or not its own timer had its turn. */
void
leaf_notice(const struct leaf *leaf, union trigger_word *state,
	    const struct moment *moment);

/* Takes the state of another pane of the same trigger in, as sessions that merge do: counts add
 * up, a delay counts from the earliest first record, idle() from the latest last one. Of the
 * leaves that sessions may have. */
void
leaf_merge(const struct leaf *leaf, union trigger_word *state,
	   const union trigger_word *other);

/* Gives a timer that is set another place among equal times. */
void
leaf_renew(const struct leaf *leaf, union trigger_word *state, uint64_t order);

/* Whether it waits for the input to have nothing more to offer. */
bool
leaf_wants_quiet(const struct leaf *leaf, const union trigger_word *state);

#endif
