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

/* Whether no timer can be due: they are set to their true times or to earlier ones. */
static bool
all_later(const struct panes *panes, nsec then)
{
	return timerq_next(&panes->timers) > then &&
	       nsec_sub(timerq_next(&panes->endings), panes->moment.offset) > then;
}

int
expiry_run(struct panes *panes, nsec then)
{
	if (all_later(panes, then))
		return 0;
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

/* Panes to be gone through in an order that is taken when the list is made. */
struct ranked {
	uint64_t order;
	struct pane *pane;
};

struct list {
	struct ranked *entries;
	size_t count;
	struct ranked only; /* where there is but one */
};

/* So many entries ahead, a pane is brought near, and half as many ahead its records. */
#define AHEAD 16

static void
look_ahead(const struct list *list, size_t i)
{
	if (i + AHEAD < list->count)
		pane_prefetch(list->entries[i + AHEAD].pane);
	if (i + AHEAD / 2 < list->count)
		store_prefetch(&list->entries[i + AHEAD / 2].pane->records);
}

static int
compare_ranks(const void *a, const void *b)
{
	const struct ranked *first = a, *second = b;

	return (first->order > second->order) - (first->order < second->order);
}

static uint64_t
fresh_order(const struct pane *pane)
{
	return pane->fresh_order;
}

static uint64_t
last_order(const struct pane *pane)
{
	return pane->last_order;
}

/* Lists all panes in an order, or in any for NULL. 0, or -1 when that was reported. */
static int
list_panes(struct panes *panes, uint64_t (*order)(const struct pane *), struct list *list)
{
	size_t count = 0, place = 0;
	struct pane *pane;

	*list = (struct list){ .only = { 0, panes->single }, .count = 1 };
	list->entries = &list->only;
	if (panes->single)
		return 0;
	list->count = panes->scopes.count;
	list->entries = calloc(list->count + 1, sizeof *list->entries);
	if (!list->entries) {
		diag_errno("cannot go through %zu open batches", list->count);
		return -1;
	}
	for (pane = NULL; (pane = scopes_next(&panes->scopes, pane, &place));)
		list->entries[count++].pane = pane;
	for (size_t i = 0; order && i < count; i++) {
		look_ahead(list, i);
		list->entries[i].order = order(list->entries[i].pane);
	}
	if (order)
		qsort(list->entries, count, sizeof *list->entries, compare_ranks);
	return 0;
}

static void
free_list(struct list *list)
{
	if (list->entries != &list->only)
		free(list->entries);
}

void
expiry_reset(struct panes *panes)
{
	struct list list;

	/* Without memory for that each is looked at when it was due before. */
	if (list_panes(panes, NULL, &list) < 0)
		return;
	for (size_t i = 0; i < list.count; i++) {
		struct pane *pane = list.entries[i].pane;
		struct deadline deadline = panes_deadline(panes, pane);

		if (deadline.set)
			timer_set_ordered(&panes->timers, &pane->timer, deadline.when,
					  deadline.order);
	}
	free_list(&list);
}

int
expiry_quiet(struct panes *panes)
{
	struct list list;
	int result = list_panes(panes, last_order, &list);

	panes->may_want_quiet = false;
	if (result < 0)
		return -1;
	for (size_t i = 0; i < list.count && result == 0 && !panes->done; i++) {
		struct pane *pane = list.entries[i].pane;
		struct moment moment = panes_moment(panes, pane);

		panes_tell(panes, pane);
		if (!trigger_wants_quiet(panes->config.trigger, pane->state))
			continue;
		if (trigger_quiet(panes->config.trigger, pane->state, &moment) == FIRE)
			result = panes_fire(panes, pane, (struct slice){ NULL, 0 });
		panes_settle(panes, pane);
	}
	free_list(&list);
	return result;
}

/* Without memory for a list, in any order: what there is must go out, or be named. */
static int
flush_in_any_order(struct panes *panes, enum reason reason)
{
	struct pane *pane;
	size_t place = 0;
	int result = 0;

	while (!panes->done && (pane = scopes_some_fresh(&panes->scopes, &place))) {
		if (panes_cut(panes, pane, reason) < 0)
			result = -1;
		panes_settle(panes, pane);
	}
	return result;
}

int
expiry_flush(struct panes *panes, enum reason reason)
{
	struct list list;
	int result = 0;

	if (list_panes(panes, fresh_order, &list) < 0)
		return flush_in_any_order(panes, reason);

	/* What is lost was named; the others go out all the same. */
	for (size_t i = 0; i < list.count && !panes->done; i++) {
		struct pane *pane = list.entries[i].pane;

		look_ahead(&list, i);
		if (pane_fresh(pane) == 0)
			continue;
		if (panes_cut(panes, pane, reason) < 0)
			result = -1;
		panes_settle(panes, pane);
	}
	free_list(&list);
	return result;
}

int
expiry_ask_at_end(struct panes *panes)
{
	struct list list;
	int result = list_panes(panes, fresh_order, &list);

	if (result < 0)
		return -1;
	for (size_t i = 0; i < list.count && result == 0 && !panes->done; i++) {
		struct pane *pane = list.entries[i].pane;
		struct moment end = panes->moment;

		panes_tell(panes, pane);
		end.now = NSEC_MAX;
		if (pane_fresh(pane) > 0 &&
		    trigger_ask(panes->config.trigger, pane->state, &end) == FIRE)
			result = panes_emit(
				panes, pane,
				trigger_reason(panes->config.trigger, pane->state, &end),
				(struct slice){ NULL, 0 }, true);
	}
	free_list(&list);
	return result;
}
