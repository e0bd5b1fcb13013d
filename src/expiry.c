#include <config.h>

#include "expiry.h"

#include <stddef.h>
#include <stdlib.h>

#include "diag.h"

static struct pane *
pane_of_timer(struct timer *timer)
{
	return (struct pane *)((char *)timer - offsetof(struct pane, timer));
}

static struct pane *
pane_of_ending(struct timer *timer)
{
	const struct pane_parts *parts =
		(const struct pane_parts *)((char *)timer -
					    offsetof(struct pane_parts, ending));

	return parts->pane;
}

/* The pane whose trigger has the first timer, which is set to its true time; NULL when none
 * has. */
static struct pane *
first_timer(struct panes *panes)
{
	struct timer *timer;

	while ((timer = timerq_first(&panes->timers))) {
		struct pane *pane = pane_of_timer(timer);
		struct deadline deadline = panes_deadline(panes, pane);

		if (!deadline.set)
			timer_clear(&panes->timers, timer);
		else if (timer->when == deadline.when && timer->order == deadline.order)
			return pane;
		else
			timer_set_ordered(&panes->timers, timer, deadline.when,
					  deadline.order);
	}
	return NULL;
}

/* The same for the windows' ends. */
static struct pane *
first_ending(struct panes *panes)
{
	struct timer *timer;

	while ((timer = timerq_first(&panes->endings))) {
		struct pane *pane = pane_of_ending(timer);

		if (timer->when == pane->parts->ends &&
		    timer->order == pane->parts->ends_order)
			return pane;
		timer_set_ordered(&panes->endings, timer, pane->parts->ends,
				  pane->parts->ends_order);
	}
	return NULL;
}

static nsec
ending_time(const struct panes *panes, const struct pane *pane)
{
	return nsec_sub(pane->parts->ends, panes->moment.offset);
}

nsec
expiry_next(struct panes *panes)
{
	const struct pane *ending = first_ending(panes);
	nsec timer = first_timer(panes) ? timerq_next(&panes->timers) : NSEC_MAX;
	nsec end = ending ? ending_time(panes, ending) : NSEC_MAX;

	return timer < end ? timer : end;
}

/* The clock goes on to a timer's time, unless it has been there. */
static void
step_clock(struct panes *panes, nsec when)
{
	if (when > panes->moment.now && when < NSEC_MAX)
		panes->moment.now = when;
}

static int
expire_timer(struct panes *panes, struct pane *pane)
{
	struct moment moment;
	int result = 0;

	step_clock(panes, pane->timer.when);
	moment = panes_moment(panes, pane);
	if (trigger_expire(panes->config.trigger, pane->state, &moment) == FIRE)
		result = panes_fire(panes, pane, (struct slice){ NULL, 0 });
	panes_settle(panes, pane);
	return result;
}

/* The window's end asks the trigger; the end of its lateness lets all out that is left. */
static int
expire_ending(struct panes *panes, struct pane *pane)
{
	struct pane_parts *parts = pane->parts;
	struct moment moment;
	int result = 0;

	panes_tell(panes, pane);
	step_clock(panes, ending_time(panes, pane));
	moment = panes_moment(panes, pane);
	if (!parts->has_ended) {
		parts->has_ended = true;
		if (!pane->finished &&
		    trigger_ask(panes->config.trigger, pane->state, &moment) == FIRE)
			result = panes_fire(panes, pane, (struct slice){ NULL, 0 });
	}
	if (result == 0 && parts->ends < panes_end_of_life(panes, &parts->window)) {
		panes_set_ending(panes, pane);
		panes_settle(panes, pane);
		return 0;
	}
	if (result == 0)
		result = panes_cut(panes, pane, REASON_WINDOW);
	panes_forget(panes, pane);
	return result;
}

int
expiry_run(struct panes *panes, nsec then)
{
	while (!panes->done) {
		struct pane *timer = first_timer(panes), *ending = first_ending(panes);
		nsec when = timer ? timer->timer.when : NSEC_MAX;
		nsec end = ending ? ending_time(panes, ending) : NSEC_MAX;
		int result;

		if (ending && (!timer || end < when)) {
			if (end > then)
				return 0;
			result = expire_ending(panes, ending);
		} else if (timer && when <= then) {
			result = expire_timer(panes, timer);
		} else {
			return 0;
		}
		if (result < 0)
			return -1;
	}
	return 0;
}

bool
expiry_wants_quiet(const struct panes *panes)
{
	const struct trigger *trigger = panes->config.trigger;

	if (panes->done || !panes->may_want_quiet)
		return false;
	return panes->single ? trigger_wants_quiet(trigger, panes->single->state)
			     : trigger_has_quiet(trigger);
}

/* All panes in a list that ends with NULL; NULL when that was reported. */
static struct pane **
list_panes(struct panes *panes)
{
	struct pane **list = panes->single ? panes->only : scopes_list(&panes->scopes);

	if (!list)
		diag_errno("cannot go through %zu open batches", panes->scopes.count);
	return list;
}

static void
free_list(const struct panes *panes, struct pane **list)
{
	if (list != panes->only)
		free(list);
}

void
expiry_reset(struct panes *panes)
{
	struct pane **list = list_panes(panes);

	/* Without memory for that each is looked at when it was due before. */
	if (!list)
		return;
	for (size_t i = 0; list[i]; i++) {
		struct deadline deadline = panes_deadline(panes, list[i]);

		if (deadline.set)
			timer_set_ordered(&panes->timers, &list[i]->timer, deadline.when,
					  deadline.order);
	}
	free_list(panes, list);
}

static size_t
sort_list(struct pane **list, int (*compare)(const void *, const void *))
{
	size_t count = 0;

	while (list[count])
		count++;
	qsort(list, count, sizeof(struct pane *), compare);
	return count;
}

static int
compare_orders(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int
by_last_order(const void *a, const void *b)
{
	const struct pane *const *first = a, *const *second = b;

	return compare_orders((*first)->last_order, (*second)->last_order);
}

static int
by_fresh_order(const void *a, const void *b)
{
	const struct pane *const *first = a, *const *second = b;

	return compare_orders((*first)->fresh_order, (*second)->fresh_order);
}

int
expiry_quiet(struct panes *panes)
{
	struct pane **list = list_panes(panes);
	size_t count = list ? sort_list(list, by_last_order) : 0;
	int result = list ? 0 : -1;

	panes->may_want_quiet = false;
	for (size_t i = 0; i < count && result == 0 && !panes->done; i++) {
		struct pane *pane = list[i];
		struct moment moment = panes_moment(panes, pane);

		panes_tell(panes, pane);
		if (!trigger_wants_quiet(panes->config.trigger, pane->state))
			continue;
		if (trigger_quiet(panes->config.trigger, pane->state, &moment) == FIRE)
			result = panes_fire(panes, pane, (struct slice){ NULL, 0 });
		panes_settle(panes, pane);
	}
	free_list(panes, list);
	return result;
}

/* Without memory for a list, in any order: what there is must go out, or be named. */
static int
flush_in_any_order(struct panes *panes, enum reason reason)
{
	struct pane *pane;
	int result = 0;

	while (!panes->done && (pane = scopes_some_fresh(&panes->scopes))) {
		if (panes_cut(panes, pane, reason) < 0)
			result = -1;
		panes_settle(panes, pane);
	}
	return result;
}

int
expiry_flush(struct panes *panes, enum reason reason)
{
	struct pane **list = list_panes(panes);
	size_t count = list ? sort_list(list, by_fresh_order) : 0;
	int result = 0;

	if (!list)
		return flush_in_any_order(panes, reason);

	/* What is lost was named; the others go out all the same. */
	for (size_t i = 0; i < count && !panes->done; i++) {
		if (list[i]->fresh == 0)
			continue;
		if (panes_cut(panes, list[i], reason) < 0)
			result = -1;
		panes_settle(panes, list[i]);
	}
	free_list(panes, list);
	return result;
}

int
expiry_ask_at_end(struct panes *panes)
{
	struct pane **list = list_panes(panes);
	size_t count = list ? sort_list(list, by_fresh_order) : 0;
	int result = list ? 0 : -1;

	for (size_t i = 0; i < count && result == 0 && !panes->done; i++) {
		struct pane *pane = list[i];
		struct moment end = panes->moment;

		panes_tell(panes, pane);
		end.now = NSEC_MAX;
		if (pane->fresh > 0 &&
		    trigger_ask(panes->config.trigger, pane->state, &end) == FIRE)
			result = panes_emit(
				panes, pane,
				trigger_reason(panes->config.trigger, pane->state, &end),
				(struct slice){ NULL, 0 }, true);
	}
	free_list(panes, list);
	return result;
}
