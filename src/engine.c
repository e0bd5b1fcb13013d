#include <config.h>

#include "engine.h"

#include <inttypes.h>
#include <stdlib.h>

#include "diag.h"
#include "expiry.h"
#include "record.h"
#include "selector.h"

/* The wall clock was stepped when it moved against the other by more than this. */
#define STEP NSEC_PER_MS

struct engine {
	struct engine_config config;
	struct panes panes;
	nsec newest; /* event domain: the greatest timestamp */
	bool ended;
};

/* The parts that each pane needs. */
static int
parts_of(const struct engine_config *config)
{
	if (config->window.kind == WINDOW_SESSION || config->emitter.evicts)
		return PANE_WITH_MARKS;
	if (config->window.kind != WINDOW_GLOBAL || config->cuts.break_on ||
	    config->emit_watermarks || config->emitter.mode == MODE_FIRE)
		return PANE_WITH_PARTS;
	return PANE_PLAIN;
}

struct engine *
engine_new(const struct engine_config *config, struct sink *sink)
{
	struct engine *engine = calloc(1, sizeof *engine);
	struct panes_config panes = {
		.trigger = config->trigger,
		.probes = config->probes,
		.cuts = config->cuts,
		.emitter = config->emitter,
		.once = config->once,
		.emit_empty = config->emit_empty,
		.event = config->event,
		.scoped = config->key || config->window.kind != WINDOW_GLOBAL,
		.allowed_lateness = config->allowed_lateness,
		.holds = config->emit_watermarks,
		.parts = parts_of(config),
		.seed = config->seed,
	};

	if (!engine)
		return NULL;
	engine->config = *config;
	engine->newest = NSEC_MIN;
	if (panes_init(&engine->panes, &panes, sink) == 0)
		return engine;
	engine_free(engine);
	return NULL;
}

void
engine_free(struct engine *engine)
{
	if (!engine)
		return;
	panes_release(&engine->panes);
	free(engine);
}

bool
engine_done(const struct engine *engine)
{
	return engine->ended || engine->panes.done;
}

bool
engine_ready(const struct engine *engine)
{
	struct sink *sink = engine->panes.emitter.sink;

	return !engine_done(engine) && sink->ops->ready(sink);
}

nsec
engine_now(const struct engine *engine)
{
	return engine->panes.moment.now;
}

const struct counters *
engine_counters(const struct engine *engine)
{
	return &engine->panes.emitter.counters;
}

nsec
engine_deadline(struct engine *engine)
{
	/* The watermark moves with the input alone: there is nothing to wait for. */
	if (engine->config.event || engine_done(engine))
		return NSEC_MAX;
	return expiry_next(&engine->panes);
}

void
engine_set_clock(struct engine *engine, const struct reading *reading)
{
	struct moment *moment = &engine->panes.moment;
	nsec offset = nsec_sub(reading->wall, reading->now);
	nsec moved = nsec_sub(offset, moment->offset);

	if (engine->config.event)
		return;
	moment->now = reading->now;
	moment->offset = offset;
	if (moved > STEP || moved < -STEP)
		expiry_reset(&engine->panes);
}

int
engine_expire(struct engine *engine)
{
	if (engine->config.event)
		return 0;
	return expiry_run(&engine->panes, engine->panes.moment.now);
}

int
engine_see_time(struct engine *engine, nsec time)
{
	struct moment *moment = &engine->panes.moment;
	nsec watermark;

	if (time > engine->newest)
		engine->newest = time;
	watermark = nsec_sub(engine->newest, engine->config.out_of_orderness);
	if (watermark <= moment->now)
		return 0;
	if (expiry_run(&engine->panes, watermark) < 0)
		return -1;
	moment->now = watermark;
	return 0;
}

int
engine_end_lines(struct engine *engine, uint64_t lines)
{
	struct panes *panes = &engine->panes;

	panes->emitter.counters.lines += lines;
	if (!engine->config.emit_watermarks || engine_done(engine))
		return 0;
	return emitter_pass_watermark(&panes->emitter, panes_output_watermark(panes));
}

/* The key as one that is used, made when it is new; then another may have to go. NULL when that
 * was reported. */
static struct key *
use_key(struct engine *engine, struct slice text, uint32_t hash)
{
	struct keys *keys = &engine->panes.scopes.keys;
	struct key *key = keys_find(keys, text, hash);

	if (key) {
		keys_use(keys, key);
		return key;
	}
	if (keys->count >= engine->config.max_keys) {
		key = keys_oldest(keys);
		if (!key || panes_evict(&engine->panes, key) < 0)
			return NULL;
	}
	key = keys_add(keys, text, hash);
	if (!key)
		diag_errno("record %" PRIu64, engine_counters(engine)->lines + 1);
	return key;
}

/* Admits the record to one scope of the key; it returns what panes_admit_one() does. */
static int
admit_to_scope(struct engine *engine, struct slice record, nsec time, struct slice text,
	       const struct window *window)
{
	struct key *key =
		use_key(engine, text, keys_hash(&engine->panes.scopes.keys, text));
	struct pane *pane = key ? panes_get(&engine->panes, key, window) : NULL;

	return pane ? panes_admit_one(&engine->panes, pane, record, time) : -1;
}

static int
admit_to_single(struct engine *engine, struct slice in, size_t *used)
{
	struct panes *panes = &engine->panes;
	nsec now = panes->moment.now;
	struct record_limit limit;
	struct record_span span;
	struct run run;
	int result;

	if (panes_admit_bursts(panes, in, used) < 0)
		return -1;
	if (*used > 0)
		return 0;
	limit = panes_limit(panes, panes->single);
	if (limit.records == 0)
		return 0;
	span = record_scan(in, engine->config.emitter.delimiter, &limit);
	*used = span.bytes;
	if (span.records == 0)
		return 0;
	run = (struct run){ span.records, span.bytes, now, now, 0, NULL };
	result = panes_admit(panes, panes->single, (struct slice){ in.data, span.bytes },
			     &run);
	if (run.records == 0)
		*used = 0;
	panes->emitter.counters.records += run.records;
	panes->emitter.counters.bytes += *used;
	return result;
}

static int
admit_keyed(struct engine *engine, struct slice in, size_t *used)
{
	struct counters *counters = &engine->panes.emitter.counters;
	struct window all = WINDOW_OF_ALL_TIME;
	struct selected block[SELECTOR_MOST];
	size_t count = selector_look(engine->config.key, &engine->panes.scopes.keys, in,
				     engine->config.emitter.delimiter, block);

	for (size_t i = 0; i < count && engine_ready(engine); i++) {
		const struct selected *one = &block[i];
		struct key *key = use_key(engine, one->key, one->hash);
		struct pane *pane = key ? panes_get(&engine->panes, key, &all) : NULL;
		uint64_t taken = engine->panes.taken;
		int result = pane ? panes_admit_one(&engine->panes, pane, one->record,
						    engine->panes.moment.now)
				  : -1;

		/* Its batch may have failed: then it is in there. */
		if (result < 0 && engine->panes.taken == taken)
			return -1;
		counters->records++;
		counters->keyless += one->missing;
		counters->bytes += one->record.size;
		*used += one->record.size;
		if (result < 0)
			return -1;
	}
	return 0;
}

int
engine_admit(struct engine *engine, struct slice in, size_t *used)
{
	*used = 0;
	if (engine->panes.single)
		return admit_to_single(engine, in, used);
	if (engine->config.event || engine->config.window.kind != WINDOW_GLOBAL)
		return 0;
	return admit_keyed(engine, in, used);
}

/* What is to be done with a record that is too late for this window, its last. */
static int
take_late(struct engine *engine, struct slice record, nsec time, struct slice key,
	  const struct window *window)
{
	struct panes *panes = &engine->panes;

	switch (engine->config.late) {
	case LATE_DROP:
		panes->emitter.counters.late++;
		return 1;
	case LATE_EMIT:
		panes->taken++;
		return emitter_emit_late(&panes->emitter, record, time, key, window,
					 &panes->moment) < 0
			       ? -1
			       : 1;
	case LATE_FAIL:
		break;
	}
	diag_say("record %" PRIu64
		 " is too late for its window (see --allowed-lateness and --late)",
		 engine_counters(engine)->lines + 1);
	return -1;
}

/* The windows that the time belongs to take the record, in the order of their starts; it is late
 * when all of them are over. */
static int
admit_to_windows(struct engine *engine, struct slice record, nsec time, struct slice key)
{
	const struct window_config *config = &engine->config.window;
	nsec at = nsec_add(time, engine->panes.moment.offset);
	struct window window = window_first(config, at), last;
	bool taken = false;

	do {
		last = window;
		if (panes_is_over(&engine->panes, &window))
			continue;
		if (admit_to_scope(engine, record, time, key, &window) < 0)
			return -1;
		taken = true;
	} while (window_next(config, at, &window));
	return taken ? 1 : take_late(engine, record, time, key, &last);
}

/* The pane, if its session overlaps this one; else NULL. Those that do stand one after the
 * other. */
static struct pane *
overlapping(struct pane *pane, const struct window *window)
{
	struct window its;

	if (!pane)
		return NULL;
	its = pane_window(pane);
	return window_overlap(&its, window) ? pane : NULL;
}

/* The session that a record's own becomes part of: all that it overlaps are merged, which the
 * union covers. */
static int
merge_sessions(struct engine *engine, struct pane *pane, const struct window *own)
{
	struct window its = pane_window(pane), all = window_union(&its, own);
	struct pane *other, *next = overlapping(scopes_after(pane), own);
	bool merged = false;

	while ((other = next)) {
		struct window window = pane_window(other);

		next = overlapping(scopes_after(other), own);
		all = window_union(&all, &window);
		if (panes_merge(&engine->panes, pane, other) < 0)
			return -1;
		merged = true;
	}
	if (merged || all.start != its.start || all.end != its.end)
		panes_move(&engine->panes, pane, &all);
	return 0;
}

static int
admit_to_session(struct engine *engine, struct slice record, nsec time, struct slice text)
{
	nsec at = nsec_add(time, engine->panes.moment.offset);
	struct window own = window_first(&engine->config.window, at);
	const struct keys *keys = &engine->panes.scopes.keys;
	struct key *key = keys_find(keys, text, keys_hash(keys, text));
	struct pane *pane =
		key ? overlapping(scopes_first_after(key, own.start), &own) : NULL;

	if (!pane && panes_is_over(&engine->panes, &own))
		return take_late(engine, record, time, text, &own);
	if (!pane)
		return admit_to_scope(engine, record, time, text, &own);
	if (merge_sessions(engine, pane, &own) < 0)
		return -1;
	own = pane_window(pane);
	return admit_to_scope(engine, record, time, text, &own);
}

/* Admits the record to its scopes, as engine_admit_one() does. */
static int
admit_to_scopes(struct engine *engine, struct slice record, nsec time)
{
	struct window all = WINDOW_OF_ALL_TIME;
	struct slice key;

	if (engine->panes.single)
		return panes_admit_one(&engine->panes, engine->panes.single, record,
				       time);
	engine->panes.emitter.counters.keyless +=
		selector_find(engine->config.key, record, &key);
	switch (engine->config.window.kind) {
	case WINDOW_GLOBAL:
		return admit_to_scope(engine, record, time, key, &all);
	case WINDOW_TUMBLING:
	case WINDOW_SLIDING:
		return admit_to_windows(engine, record, time, key);
	case WINDOW_SESSION:
		return admit_to_session(engine, record, time, key);
	}
	return -1;
}

int
engine_admit_one(struct engine *engine, struct slice record, nsec time)
{
	struct counters *counters = &engine->panes.emitter.counters;
	uint64_t taken = engine->panes.taken;
	int result = admit_to_scopes(engine, record, time);

	/* Its batch may have failed: then it is in there. */
	if (result > 0 || engine->panes.taken != taken) {
		counters->records++;
		counters->bytes += record.size;
	}
	return result;
}

bool
engine_wants_quiet(const struct engine *engine)
{
	return !engine->ended && expiry_wants_quiet(&engine->panes);
}

int
engine_quiet(struct engine *engine)
{
	return expiry_quiet(&engine->panes);
}

int
engine_flush(struct engine *engine, enum reason reason)
{
	return engine_done(engine) ? 0 : expiry_flush(&engine->panes, reason);
}

/* In the event domain the clock runs past every time, and with it the end of all windows. */
static int
run_past_all_times(struct engine *engine)
{
	if (expiry_run(&engine->panes, NSEC_MAX) < 0)
		return -1;
	engine->panes.emitter.ending = true;
	return engine_done(engine) ? 0 : expiry_ask_at_end(&engine->panes);
}

int
engine_end(struct engine *engine, enum reason reason)
{
	int result = 0;

	if (!engine_done(engine) && engine->config.event && reason == REASON_EOF)
		result = run_past_all_times(engine);
	engine->panes.emitter.ending = true;
	/* What is left goes out whatever has failed. */
	if (!engine_done(engine) && expiry_flush(&engine->panes, reason) < 0)
		result = -1;
	engine->ended = true;
	return result;
}
