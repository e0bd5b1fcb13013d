/*
 * The trigger algebra: when a pane fires (SEMANTICS 6). Pure: it never reads a clock.
 *
 * A trigger is an immutable tree that all panes share; what a pane has of its own is a row of
 * words, its trigger state. Leaves become ready; combinators, as in Beam, decide what that
 * means. The life of a state:
 *
 *     trigger_init        at first
 *     trigger_quota       how much may be admitted before the trigger must be told
 *     trigger_advance     a run of records was admitted: tells the leaves, then asks
 *     trigger_expire      the earliest timer is due: it goes off, then asks
 *     trigger_reason      the leaf that makes it fire
 *     trigger_fire        the batch was emitted: resets what fired
 *     trigger_reset       a cut: all begins anew
 *
 * Always: within a quota no part of the tree can become ready before the run's last record, so
 * a run, and the same records one at a time, give the same. Asking is harmless at any time.
 *
 * Each leaf with a time has a timer of its own in the state. A pane sets one timer in the
 * queue, to the earliest of them (trigger_deadline); the place among equals comes with it.
 */
#ifndef VOLLEY_TRIGGER_H
#define VOLLEY_TRIGGER_H

#include "leaf.h"

enum trigger_kind {
	TRIGGER_LEAF,
	TRIGGER_ANY,    /* any child is ready; finishes when it fires */
	TRIGGER_ALL,    /* every child is ready; finishes when it fires */
	TRIGGER_EACH,   /* one child after the other; finishes with the last */
	TRIGGER_REPEAT, /* its child, again and again; never finishes */
	TRIGGER_UNTIL,  /* the first child until the second, which goes first, fires */
};

/* Parts of watermark(early=A, late=B), the short form of a tree of the kinds above. */
enum { TRIGGER_EARLY = 1, TRIGGER_LATE = 2 };

struct trigger {
	enum trigger_kind kind;
	int phases;       /* it is written as watermark() with these parts; else 0 */
	struct leaf leaf; /* of TRIGGER_LEAF */
	size_t words;     /* of a state, those of the children included */
	size_t children;  /* 0 for a leaf */
	struct trigger *child[]; /* owned */
};

/* Takes over leaf->text. NULL with errno ENOMEM, and the text is freed. */
struct trigger *
trigger_leaf(const struct leaf *leaf);

/* Takes over the children, of which any may be NULL: one that could not be made. NULL with
 * errno ENOMEM, and the children are freed. */
struct trigger *
trigger_combine(enum trigger_kind kind, struct trigger *const *children, size_t count);

void
trigger_free(struct trigger *trigger);

void
trigger_init(const struct trigger *trigger, union trigger_word *state);

void
trigger_reset(const struct trigger *trigger, union trigger_word *state);

/* Lowers the quota to what the trigger allows in this state. */
void
trigger_quota(const struct trigger *trigger, const union trigger_word *state,
	      const struct moment *moment, struct quota *quota);

/* Whether any of its times is one of the calendar, which a step of the wall clock moves. */
bool
trigger_follows_calendar(const struct trigger *trigger);

enum verdict { CONTINUE, FIRE };

/* Whether it fires at that moment. */
enum verdict
trigger_ask(const struct trigger *trigger, const union trigger_word *state,
	    const struct moment *moment);

/* A run within the quota was admitted. */
enum verdict
trigger_advance(const struct trigger *trigger, union trigger_word *state,
		const struct moment *moment, const struct run *run);

/* The earliest timer that is set. */
struct deadline
trigger_deadline(const struct trigger *trigger, const union trigger_word *state,
		 const struct moment *moment);

/* The leaf that it belongs to; NULL when none is set. */
const struct trigger *
trigger_next_leaf(const struct trigger *trigger, const union trigger_word *state,
		  const struct moment *moment);

/* That timer goes off; it is due. With none set it only asks. */
enum verdict
trigger_expire(const struct trigger *trigger, union trigger_word *state,
	       const struct moment *moment);

/* Whether it is as at the start: nothing of what it saw matters any more. */
bool
trigger_is_initial(const struct trigger *trigger, const union trigger_word *state);

/* Whether sessions, which merge, can have it: watermark, count, delay and idle under repeat, any
 * and all. */
bool
trigger_can_merge(const struct trigger *trigger);

/* Takes the state of another pane in; see leaf_merge(). */
void
trigger_merge(const struct trigger *trigger, union trigger_word *state,
	      const union trigger_word *other);

/* Sets all timers that are set anew, to the same times. */
void
trigger_renew(const struct trigger *trigger, union trigger_word *state, uint64_t order);

/* Whether any leaf can ever wait for the input to have nothing more to offer. */
bool
trigger_has_quiet(const struct trigger *trigger);

/* Whether a leaf waits for the input to have nothing more to offer. */
bool
trigger_wants_quiet(const struct trigger *trigger, const union trigger_word *state);

/* The input has nothing more to offer. */
enum verdict
trigger_quiet(const struct trigger *trigger, union trigger_word *state,
	      const struct moment *moment);

/* When the verdict was FIRE: the leaf that makes it fire, of several the first in the text. */
enum reason
trigger_reason(const struct trigger *trigger, const union trigger_word *state,
	       const struct moment *moment);

/* When the verdict was FIRE: fires what is ready, and resets what may fire again. Returns
 * whether the trigger has finished. */
bool
trigger_fire(const struct trigger *trigger, union trigger_word *state,
	     const struct moment *moment);

#endif
