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

#include "tree.h"

void
trigger_init(const struct trigger *trigger, union trigger_word *state);

void
trigger_reset(const struct trigger *trigger, union trigger_word *state);

/* Lowers the quota to what the trigger allows in this state. */
void
trigger_quota(const struct trigger *trigger, const union trigger_word *state,
	      const struct moment *moment, struct quota *quota);

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
trigger_deadline(const struct trigger *trigger, union trigger_word *state,
		 const struct moment *moment);

/* The leaf that it belongs to; NULL when none is set. */
const struct trigger *
trigger_next_leaf(const struct trigger *trigger, union trigger_word *state,
		  const struct moment *moment);

/* That timer goes off; it is due. With none set it only asks. */
enum verdict
trigger_expire(const struct trigger *trigger, union trigger_word *state,
	       const struct moment *moment);

/* Whether it is as at the start: nothing of what it saw matters any more. */
bool
trigger_is_initial(const struct trigger *trigger, const union trigger_word *state);

/* Takes the state of another pane in; see leaf_merge(). */
void
trigger_merge(const struct trigger *trigger, union trigger_word *state,
	      const union trigger_word *other);

/* Sets all timers that are set anew, to the same times. */
void
trigger_renew(const struct trigger *trigger, union trigger_word *state, uint64_t order);

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
