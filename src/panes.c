#include <config.h>

#include "panes.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "diag.h"
#include "record.h"

int
panes_init(struct panes *panes, const struct panes_config *config, struct sink *sink)
{
	size_t probes = config->probes ? config->probes->count : 0;

	*panes = (struct panes){ .config = *config };
	panes->pool = config->scoped ? &panes->scopes.pool : NULL;
	emitter_init(&panes->emitter, &config->emitter, sink, panes->pool);
	scopes_init(&panes->scopes, config->trigger, config->parts, config->seed);
	panes->may_lease = probes == 0 && !config->holds &&
			   !cuts_inspect(&config->cuts) &&
			   config->cuts.max_bytes == UINT64_MAX;
	panes->moment = (struct moment){
		.now = NSEC_MIN,
		.end = NSEC_MAX,
		.civil = !config->event,
	};
	if (probes > 0) {
		panes->findings = calloc(probes, sizeof *panes->findings);
		if (!panes->findings)
			return -1;
	}
	if (config->scoped)
		return 0;
	panes->single = panes->only[0] =
		pane_new(panes->pool, config->trigger, config->parts);
	if (burst_init(&panes->burst, config->trigger, &panes->moment) < 0)
		return -1;
	return panes->single && timerq_reserve(&panes->timers, 1) == 0 &&
			       timerq_reserve(&panes->holds, 1) == 0
		       ? 0
		       : -1;
}

void
panes_release(struct panes *panes)
{
	pane_free(panes->pool, panes->single);
	scopes_release(&panes->scopes);
	free(panes->findings);
	timerq_release(&panes->timers);
	timerq_release(&panes->endings);
	timerq_release(&panes->holds);
}

static void
complain_of_memory(const struct panes *panes)
{
	diag_errno("record %" PRIu64, panes->emitter.counters.lines + 1);
}

static bool
is_windowed(const struct pane *pane)
{
	return pane->parts && pane->parts->window.end != NSEC_MAX;
}

struct moment
panes_moment(const struct panes *panes, const struct pane *pane)
{
	struct moment moment = panes->moment;

	if (is_windowed(pane))
		moment.end = nsec_sub(pane->parts->window.end, moment.offset);
	return moment;
}

/* The clock on which windows end. */
static nsec
window_clock(const struct panes *panes)
{
	return nsec_add(panes->moment.now, panes->moment.offset);
}

nsec
panes_end_of_life(const struct panes *panes, const struct window *window)
{
	return nsec_add(window->end, panes->config.allowed_lateness);
}

bool
panes_is_over(const struct panes *panes, const struct window *window)
{
	return window->end != NSEC_MAX &&
	       window_clock(panes) >= panes_end_of_life(panes, window);
}

/* Sets the timer to a time and a place, leaving it where it is if that is earlier. */
static void
set_lazily(struct timerq *queue, struct timer *timer, nsec when, uint64_t order)
{
	if (timer_is_set(timer) &&
	    (timer->when != when ? timer->when < when : timer->order <= order))
		return;
	timer_set_ordered(queue, timer, when, order);
}

void
panes_tell(struct panes *panes, struct pane *pane)
{
	struct moment moment;
	struct run run = {
		.records = pane->untold,
		.first = pane->last,
		.last = pane->last,
		.order = pane->last_order + 1 - pane->untold,
	};

	pane->lease = 0;
	if (pane->untold == 0)
		return;
	/* They are within the quota: the verdict is to go on. They came before any time that the
	 * clock may have reached since then. */
	moment = panes_moment(panes, pane);
	moment.now = NSEC_MIN;
	trigger_advance(panes->config.trigger, pane->state, &moment, &run);
	pane->untold = 0;
}

struct deadline
panes_deadline(struct panes *panes, struct pane *pane)
{
	struct moment moment;

	panes_tell(panes, pane);
	moment = panes_moment(panes, pane);
	return trigger_deadline(panes->config.trigger, pane->state, &moment);
}

/* Sets the timer of the window's end, or of the end of its lateness. */
void
panes_set_ending(struct panes *panes, struct pane *pane)
{
	struct pane_parts *parts = pane->parts;

	parts->ends = parts->has_ended ? panes_end_of_life(panes, &parts->window)
				       : parts->window.end;
	parts->ends_order = panes->order++;
	set_lazily(&panes->endings, &parts->ending, parts->ends, parts->ends_order);
}

/* What a pane with something new would carry holds the output watermark. */
static void
set_hold(struct panes *panes, struct pane *pane)
{
	nsec timestamp;

	if (!panes->config.holds)
		return;
	if (pane_fresh(pane) > 0 && emitter_timestamp(&panes->emitter, pane, &timestamp))
		timer_set_ordered(&panes->holds, &pane->parts->hold, timestamp, 0);
	else
		timer_clear(&panes->holds, &pane->parts->hold);
}

void
panes_forget(struct panes *panes, struct pane *pane)
{
	timer_clear(&panes->timers, &pane->timer);
	if (pane->parts) {
		timer_clear(&panes->endings, &pane->parts->ending);
		timer_clear(&panes->holds, &pane->parts->hold);
	}
	scopes_forget(&panes->scopes, pane);
}

/* After anything that happened to a pane: its timers follow, and a scope outside windows that is
 * as at the start is forgotten. */
void
panes_settle(struct panes *panes, struct pane *pane)
{
	struct deadline deadline = panes_deadline(panes, pane);

	if (deadline.set)
		set_lazily(&panes->timers, &pane->timer, deadline.when, deadline.order);
	set_hold(panes, pane);
	if (pane != panes->single && !is_windowed(pane) && pane->count == 0 &&
	    !pane->finished && trigger_is_initial(panes->config.trigger, pane->state))
		panes_forget(panes, pane);
}

struct pane *
panes_get(struct panes *panes, struct key *key, const struct window *window)
{
	size_t count = panes->scopes.count;
	struct pane *pane = scopes_get(&panes->scopes, key, window);

	if (pane && panes->scopes.count > count) {
		if (timerq_reserve(&panes->timers, count + 1) < 0 ||
		    timerq_reserve(&panes->endings, count + 1) < 0 ||
		    timerq_reserve(&panes->holds, count + 1) < 0) {
			scopes_forget(&panes->scopes, pane);
			pane = NULL;
		} else if (is_windowed(pane)) {
			panes_set_ending(panes, pane);
		}
	}
	if (!pane)
		complain_of_memory(panes);
	return pane;
}

/* A scope that has finished takes no more records; where there is but one the run is over. */
static void
finish(struct panes *panes, struct pane *pane)
{
	pane->finished = true;
	if (pane == panes->single)
		panes->done = true;
	else
		pane_purge(panes->pool, pane, 0);
}

/* Emits what the pane holds and what the tail adds. With nothing new there is no batch, unless
 * it is a firing of the trigger and such are wanted. */
int
panes_emit(struct panes *panes, struct pane *pane, enum reason reason, struct slice tail,
	   bool even_empty)
{
	struct moment moment = panes->moment;
	int result;

	if (pane_fresh(pane) == 0 && !(even_empty && panes->config.emit_empty))
		return 0;
	result = emitter_emit(&panes->emitter, pane, &moment, reason, tail);
	set_hold(panes, pane);
	if (result == 0 && panes->config.once)
		finish(panes, pane);
	return result;
}

/* A cut: the pane is closed, and all of its trigger begins anew. */
int
panes_cut(struct panes *panes, struct pane *pane, enum reason reason)
{
	if (panes_emit(panes, pane, reason, (struct slice){ NULL, 0 }, false) < 0)
		return -1;
	trigger_reset(panes->config.trigger, pane->state);
	pane->lease = pane->untold = 0;
	return 0;
}

int
panes_fire(struct panes *panes, struct pane *pane, struct slice tail)
{
	const struct trigger *trigger = panes->config.trigger;
	struct moment moment = panes_moment(panes, pane);
	enum reason reason = trigger_reason(trigger, pane->state, &moment);

	if (panes_emit(panes, pane, reason, tail, true) < 0)
		return -1;
	if (trigger_fire(trigger, pane->state, &moment))
		finish(panes, pane);
	return 0;
}

struct record_limit
panes_limit(struct panes *panes, struct pane *pane)
{
	struct moment moment = panes_moment(panes, pane);
	struct quota quota = QUOTA_UNLIMITED;

	panes_tell(panes, pane);
	trigger_quota(panes->config.trigger, pane->state, &moment, &quota);
	if (quota.inspect || cuts_inspect(&panes->config.cuts))
		return (struct record_limit){ 0, 0, 0 };
	if (moment.now >= quota.deadline)
		quota.records = 1;
	return (struct record_limit){ quota.records, quota.bytes,
				      cuts_room(&panes->config.cuts, pane) };
}

/* Whether a firing lets the new records go out at once, without a copy in the pane. */
static bool
goes_straight_out(const struct panes *panes, enum verdict verdict)
{
	return verdict == FIRE && panes->config.emitter.mode == MODE_FIRE_AND_PURGE;
}

/* Lets the pane take in records without a word, as many as the quota allows, and one less: the
 * last is asked about. Not where bytes count, or each record is looked at. */
static void
grant_lease(const struct panes *panes, struct pane *pane, const struct moment *moment)
{
	struct quota quota = QUOTA_UNLIMITED;

	if (!panes->may_lease || pane->with_marks)
		return;
	trigger_quota(panes->config.trigger, pane->state, moment, &quota);
	if (quota.inspect || quota.bytes < UINT64_MAX || moment->now >= quota.deadline)
		return;
	pane->lease =
		quota.records > UINT32_MAX ? UINT32_MAX : (uint32_t)quota.records - 1;
}

/* Takes a record in on the lease. */
static int
admit_leased(struct panes *panes, struct pane *pane, struct slice record, struct run *run)
{
	if (pane_reserve(panes->pool, pane, run) < 0) {
		complain_of_memory(panes);
		return -1;
	}
	run->order = panes->order++;
	panes->taken++;
	pane_count(pane, run);
	pane->lease--;
	pane->untold++;
	store_append(&pane->records, panes->pool, record);
	return 0;
}

int
panes_admit(struct panes *panes, struct pane *pane, struct slice records, struct run *run)
{
	struct moment moment = panes_moment(panes, pane);
	enum verdict verdict;
	uint64_t fresh;
	int result = 0;

	/* Before anything has changed, so that what cannot be held is not half admitted. */
	if (pane_reserve(panes->pool, pane, run) < 0) {
		complain_of_memory(panes);
		run->records = 0;
		return -1;
	}
	panes_tell(panes, pane);
	run->order = panes->order;
	panes->order += run->records;
	panes->taken++;
	panes->may_want_quiet = true;
	pane_count(pane, run);
	verdict = trigger_advance(panes->config.trigger, pane->state, &moment, run);
	if (!goes_straight_out(panes, verdict)) {
		store_append(&pane->records, panes->pool, records);
		records.size = 0;
	}
	if (verdict == FIRE)
		result = panes_fire(panes, pane, records);
	else if (cuts_room(&panes->config.cuts, pane) == 0)
		result = panes_cut(panes, pane, REASON_LIMIT);
	fresh = pane_fresh(pane);
	panes_settle(panes, pane);
	/* With nothing in it, it may be gone. */
	if (fresh > 0)
		grant_lease(panes, pane, &moment);
	return result;
}

/* Whether the only scope is as at the start, and nothing but its trigger makes batches. */
static bool
may_burst(const struct panes *panes)
{
	const struct panes_config *config = &panes->config;

	return panes->burst.possible && config->emitter.mode == MODE_FIRE_AND_PURGE &&
	       !config->once && !cuts_inspect(&config->cuts) &&
	       panes->single->count == 0 &&
	       trigger_is_initial(config->trigger, panes->single->state);
}

/* So many batches at once. */
#define BURST 256

int
panes_admit_bursts(struct panes *panes, struct slice in, size_t *used)
{
	const struct burst *burst = &panes->burst;
	struct record_limit limit = { burst->records, burst->bytes,
				      panes->config.cuts.max_bytes };
	struct slice tail = { in.data, 0 };
	size_t sizes[BURST], count;

	*used = 0;
	if (!may_burst(panes))
		return 0;
	count = record_split(in, panes->config.emitter.delimiter, &limit, sizes,
			     panes->emitter.sink->ops->put_many ? BURST : 1);
	for (size_t i = 0; i < count; i++)
		tail.size += sizes[i];
	if (count == 0)
		return 0;
	*used = tail.size;
	panes->order += burst->records * count;
	return emitter_emit_many(&panes->emitter, panes->single, &panes->moment,
				 burst->reason, burst->records, tail, sizes, count);
}

/* What the trigger asks of the record; NULL when it asks nothing. */
static const struct finding *
ask_record(struct panes *panes, struct slice record)
{
	struct slice text = { record.data, record.size - 1 };

	if (panes->findings)
		probes_ask(panes->config.probes, text, panes->findings);
	return panes->findings;
}

int
panes_admit_one(struct panes *panes, struct pane *pane, struct slice record, nsec time)
{
	struct run run = { 1, record.size, time, time, 0, NULL };
	enum reason reason;

	/* A time that goes back could set a timer to an earlier one. */
	if (pane->lease > 0 && time >= pane->last)
		return admit_leased(panes, pane, record, &run) < 0 ? -1 : 1;
	if (!pane->finished) {
		if (cuts_before(&panes->config.cuts, pane, record, &reason) < 0) {
			complain_of_memory(panes);
			return -1;
		}
		if (reason != REASON_NONE && panes_cut(panes, pane, reason) < 0)
			return -1;
	}
	if (panes->done)
		return 0;
	if (pane->finished) {
		panes->emitter.counters.finished++;
		return 1;
	}
	run.findings = ask_record(panes, record);
	return panes_admit(panes, pane, record, &run) < 0 ? -1 : 1;
}

void
panes_move(struct panes *panes, struct pane *pane, const struct window *window)
{
	panes_tell(panes, pane);
	pane->parts->window = *window;
	pane->parts->has_ended = window_clock(panes) >= window->end;
	trigger_renew(panes->config.trigger, pane->state, panes->order++);
	panes_set_ending(panes, pane);
	set_hold(panes, pane);
}

int
panes_merge(struct panes *panes, struct pane *pane, struct pane *other)
{
	panes_tell(panes, pane);
	panes_tell(panes, other);
	if (pane_merge(panes->pool, pane, other, panes->config.emitter.delimiter) < 0) {
		complain_of_memory(panes);
		return -1;
	}
	trigger_merge(panes->config.trigger, pane->state, other->state);
	/* What is left of it goes out with the window. */
	if (pane->finished)
		trigger_reset(panes->config.trigger, pane->state);
	panes_forget(panes, other);
	set_hold(panes, pane);
	return 0;
}

int
panes_evict(struct panes *panes, struct key *key)
{
	struct pane *next;
	int result = 0;

	for (struct pane *pane = scopes_first(key); pane && result == 0; pane = next) {
		next = scopes_after(pane);
		result = panes_cut(panes, pane, REASON_EVICTED);
		panes_forget(panes, pane);
	}
	return result;
}

nsec
panes_output_watermark(const struct panes *panes)
{
	nsec hold = timerq_next(&panes->holds);

	return hold < panes->moment.now ? hold : panes->moment.now;
}
