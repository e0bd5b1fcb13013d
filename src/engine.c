#include <config.h>

#include "engine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "pane.h"
#include "record.h"

/* A pane keeps so much memory from one batch to the next. */
#define KEPT_MEMORY ((size_t)1 << 20)

/* The wall clock was stepped when it moved against the other by more than this. */
#define STEP NSEC_PER_MS

struct engine {
	struct engine_config config;
	struct sink *sink;
	struct pane *pane;
	struct finding *findings; /* of the record at hand; NULL: none are asked for */
	struct timerq timers;
	struct moment moment;
	struct counters counters;
	nsec newest;    /* event domain: the greatest timestamp */
	uint64_t order; /* of the next record */
	bool ending;    /* the batches that go out are those of the end */
	bool done;
};

struct engine *
engine_new(const struct engine_config *config, struct sink *sink)
{
	struct engine *engine = calloc(1, sizeof *engine);

	if (!engine)
		return NULL;
	engine->config = *config;
	engine->sink = sink;
	engine->newest = NSEC_MIN;
	engine->moment = (struct moment){
		.now = NSEC_MIN,
		.end = NSEC_MAX,
		.civil = !config->event,
	};
	engine->pane = pane_new(config->trigger);
	if (config->probes && config->probes->count > 0)
		engine->findings =
			calloc(config->probes->count, sizeof *engine->findings);
	if (engine->pane && timerq_reserve(&engine->timers, 1) == 0 &&
	    (engine->findings || !config->probes || config->probes->count == 0))
		return engine;
	engine_free(engine);
	return NULL;
}

void
engine_free(struct engine *engine)
{
	if (!engine)
		return;
	pane_free(engine->pane);
	free(engine->findings);
	timerq_release(&engine->timers);
	free(engine);
}

bool
engine_done(const struct engine *engine)
{
	return engine->done;
}

const struct counters *
engine_counters(const struct engine *engine)
{
	return &engine->counters;
}

static struct pane *
pane_of(struct timer *timer)
{
	return (struct pane *)((char *)timer - offsetof(struct pane, timer));
}

/*
 * The pane's place in the queue follows its trigger's earliest timer lazily: one that is due
 * later than the queue says stays where it is until it comes to the front, so that a deadline
 * that every record moves costs nothing.
 */
static void
set_timer(struct engine *engine, struct pane *pane, bool lazily)
{
	const struct trigger *trigger = engine->config.trigger;
	struct deadline deadline =
		trigger_deadline(trigger, pane->state, &engine->moment);
	struct timer *timer = &pane->timer;
	bool set = timer_is_set(timer);

	if (!deadline.set) {
		if (!lazily)
			timer_clear(&engine->timers, timer);
		return;
	}
	if (set && timer->when == deadline.when && timer->order == deadline.order)
		return;
	if (lazily && set &&
	    (timer->when != deadline.when ? timer->when < deadline.when
					  : timer->order < deadline.order))
		return;
	timer_set_ordered(&engine->timers, timer, deadline.when, deadline.order);
}

/* The pane whose timer is the first, with its true time; NULL when none is set. */
static struct pane *
first_pane(struct engine *engine)
{
	struct timer *timer;

	while ((timer = timerq_first(&engine->timers))) {
		nsec when = timer->when;
		uint64_t order = timer->order;

		set_timer(engine, pane_of(timer), false);
		if (timer_is_set(timer) && timer->when == when && timer->order == order)
			return pane_of(timer);
	}
	return NULL;
}

nsec
engine_deadline(struct engine *engine)
{
	/* The watermark moves with the input alone: there is nothing to wait for. */
	if (engine->config.event || engine->done || !first_pane(engine))
		return NSEC_MAX;
	return timerq_next(&engine->timers);
}

void
engine_set_clock(struct engine *engine, const struct reading *reading)
{
	nsec offset = nsec_sub(reading->wall, reading->now);
	nsec moved = nsec_sub(offset, engine->moment.offset);

	if (engine->config.event)
		return;
	engine->moment.now = reading->now;
	engine->moment.offset = offset;
	if (moved > STEP || moved < -STEP)
		set_timer(engine, engine->pane, false);
}

static enum timing
timing_of(const struct engine *engine)
{
	return engine->ending ? TIMING_ON_TIME : TIMING_EARLY;
}

/* Emits what the pane holds and what the tail adds. With nothing new there is no batch, unless
 * it is a firing of the trigger and such are wanted. */
static int
emit(struct engine *engine, struct pane *pane, enum reason reason, struct slice tail,
     bool even_empty)
{
	struct batch batch = {
		.index = engine->counters.batches,
		.reason = reason,
		.fired = engine->moment.now,
		.start = NSEC_MIN,
		.end = engine->moment.end,
		.timing = timing_of(engine),
		.offset = engine->moment.offset,
	};

	if (pane->fresh == 0 && !(even_empty && engine->config.emit_empty))
		return 0;
	pane_batch(pane, tail, &batch);
	batch.timestamp = batch.first;
	batch.has_timestamp = batch.count > 0;
	if (engine->config.mode == MODE_FIRE_AND_PURGE)
		batch.holder = &pane->records;
	if (engine->sink->ops->put(engine->sink, &batch) < 0)
		return -1;
	engine->counters.batches++;
	engine->counters.by_reason[reason]++;
	pane_emitted(pane);
	if (engine->config.mode == MODE_FIRE_AND_PURGE)
		pane_purge(pane, KEPT_MEMORY);
	if (engine->config.once)
		engine->done = true;
	return 0;
}

/* A cut: the pane is closed and all of its trigger begins anew. */
static int
cut(struct engine *engine, struct pane *pane, enum reason reason)
{
	if (emit(engine, pane, reason, (struct slice){ 0 }, false) < 0)
		return -1;
	trigger_reset(engine->config.trigger, pane->state);
	return 0;
}

static int
fire(struct engine *engine, struct pane *pane, struct slice tail)
{
	const struct trigger *trigger = engine->config.trigger;
	enum reason reason = trigger_reason(trigger, pane->state, &engine->moment);

	if (emit(engine, pane, reason, tail, true) < 0)
		return -1;
	if (trigger_fire(trigger, pane->state, &engine->moment))
		engine->done = true;
	return 0;
}

/* Whether the trigger's verdict lets the tail go out at once, without a copy in the pane. */
static bool
goes_straight_out(const struct engine *engine, enum verdict verdict)
{
	return verdict == FIRE && engine->config.mode == MODE_FIRE_AND_PURGE;
}

static void
complain_of_memory(const struct engine *engine)
{
	diag_errno("record %" PRIu64, engine->counters.records + 1);
}

/* Admits a run, whose records are those bytes. They fit into the pane, and the quota. */
static int
admit_run(struct engine *engine, struct pane *pane, struct slice records, struct run *run)
{
	enum verdict verdict;
	int result = 0;

	/* Before anything has changed, so that what cannot be held is not half admitted. */
	if (buf_reserve(&pane->records, records.size) < 0) {
		complain_of_memory(engine);
		return -1;
	}
	run->order = engine->order;
	engine->order += run->records;
	engine->counters.records += run->records;
	engine->counters.bytes += run->bytes;
	pane_count(pane, run);
	verdict = trigger_advance(engine->config.trigger, pane->state, &engine->moment,
				  run);
	if (!goes_straight_out(engine, verdict)) {
		buf_append(&pane->records, records);
		records.size = 0;
	}
	if (verdict == FIRE)
		result = fire(engine, pane, records);
	else if (cuts_room(&engine->config.cuts, pane) == 0)
		result = cut(engine, pane, REASON_LIMIT);
	set_timer(engine, pane, true);
	return result;
}

/* What the trigger asks of the record; NULL when it asks nothing. */
static const struct finding *
ask_record(struct engine *engine, struct slice record)
{
	const struct probes *probes = engine->config.probes;

	if (!engine->findings)
		return NULL;
	probes_ask(probes, (struct slice){ record.data, record.size - 1 },
		   engine->findings);
	return engine->findings;
}

int
engine_admit_one(struct engine *engine, struct slice record, nsec time)
{
	struct pane *pane = engine->pane;
	struct run run = { 1, record.size, time, time, 0, NULL };
	enum reason reason;

	if (cuts_before(&engine->config.cuts, pane, record, &reason) < 0) {
		complain_of_memory(engine);
		return -1;
	}
	if (reason != REASON_NONE && cut(engine, pane, reason) < 0)
		return -1;
	if (engine->done)
		return 0;
	run.findings = ask_record(engine, record);
	return admit_run(engine, pane, record, &run) < 0 ? -1 : 1;
}

int
engine_admit(struct engine *engine, struct slice in, size_t *used)
{
	struct pane *pane = engine->pane;
	struct quota quota = QUOTA_UNLIMITED;
	struct record_span span;
	nsec now = engine->moment.now;
	struct run run;

	*used = 0;
	trigger_quota(engine->config.trigger, pane->state, &engine->moment, &quota);
	if (quota.inspect || cuts_inspect(&engine->config.cuts))
		return 0;
	if (now >= quota.deadline)
		quota.records = 1;
	span = record_scan(
		in, engine->config.delimiter,
		&(struct record_limit){ quota.records, quota.bytes,
					cuts_room(&engine->config.cuts, pane) });
	*used = span.bytes;
	if (span.records == 0)
		return 0;
	run = (struct run){ span.records, span.bytes, now, now, 0, NULL };
	return admit_run(engine, pane, (struct slice){ in.data, span.bytes }, &run);
}

/* Fires, in order, what is due by then; the clock steps to each timer's own time where it has
 * not been there yet. */
static int
expire_until(struct engine *engine, nsec then)
{
	struct pane *pane;

	while (!engine->done && (pane = first_pane(engine)) && pane->timer.when <= then) {
		if (pane->timer.when > engine->moment.now && pane->timer.when < NSEC_MAX)
			engine->moment.now = pane->timer.when;
		if (trigger_expire(engine->config.trigger, pane->state,
				   &engine->moment) == FIRE &&
		    fire(engine, pane, (struct slice){ 0 }) < 0)
			return -1;
		set_timer(engine, pane, true);
	}
	return 0;
}

int
engine_expire(struct engine *engine)
{
	return engine->config.event ? 0 : expire_until(engine, engine->moment.now);
}

int
engine_see_time(struct engine *engine, nsec time)
{
	nsec watermark;

	if (time > engine->newest)
		engine->newest = time;
	watermark = nsec_sub(engine->newest, engine->config.out_of_orderness);
	if (watermark <= engine->moment.now)
		return 0;
	if (expire_until(engine, watermark) < 0)
		return -1;
	engine->moment.now = watermark;
	return 0;
}

bool
engine_ready(const struct engine *engine)
{
	return !engine->done && engine->sink->ops->ready(engine->sink);
}

nsec
engine_now(const struct engine *engine)
{
	return engine->moment.now;
}

bool
engine_wants_quiet(const struct engine *engine)
{
	return !engine->done &&
	       trigger_wants_quiet(engine->config.trigger, engine->pane->state);
}

int
engine_quiet(struct engine *engine)
{
	struct pane *pane = engine->pane;

	if (trigger_quiet(engine->config.trigger, pane->state, &engine->moment) == FIRE &&
	    fire(engine, pane, (struct slice){ 0 }) < 0)
		return -1;
	set_timer(engine, pane, true);
	return 0;
}

static int
flush(struct engine *engine, enum reason reason)
{
	if (engine->pane->fresh > 0 && cut(engine, engine->pane, reason) < 0)
		return -1;
	set_timer(engine, engine->pane, true);
	return 0;
}

int
engine_flush(struct engine *engine, enum reason reason)
{
	return engine->done ? 0 : flush(engine, reason);
}

/* The trigger is asked once more, for what waits for the end of the global window. */
static int
ask_at_end(struct engine *engine)
{
	struct moment end = engine->moment;
	const struct trigger *trigger = engine->config.trigger;
	struct pane *pane = engine->pane;

	end.now = NSEC_MAX;
	if (pane->fresh == 0 || trigger_expire(trigger, pane->state, &end) != FIRE)
		return 0;
	return emit(engine, pane, trigger_reason(trigger, pane->state, &end),
		    (struct slice){ 0 }, true);
}

int
engine_end(struct engine *engine, enum reason reason)
{
	int result = 0;

	if (!engine->done && engine->config.event && reason == REASON_EOF) {
		result = expire_until(engine, NSEC_MAX);
		engine->ending = true;
		if (result == 0 && !engine->done)
			result = ask_at_end(engine);
	}
	engine->ending = true;
	if (result == 0 && !engine->done)
		result = flush(engine, reason);
	engine->done = true;
	return result;
}
