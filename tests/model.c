#include <config.h>

#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

void
model_init(struct model *model, const struct engine_config *config)
{
	memset(model, 0, sizeof *model);
	model->config = *config;
	model->keyed = config->key != NULL;
	model->breaks_before = config->cuts.break_before != NULL;
	model->breaks_on = config->cuts.break_on != NULL;
	model->clock = model->newest = model->passed = NSEC_MIN;
}

void
model_release(struct model *model)
{
	while (model->scopes)
		scope_forget(model, model->scopes);
	buf_release(&model->text);
	buf_release(&model->batch_keys);
}

/* Admission */

static enum reason
reason_to_cut(const struct model *model, struct model_scope *scope, const char *record)
{
	char word[MODEL_RECORD] = "";
	uint64_t bytes, fresh = scope_count_fresh(scope, &bytes);
	bool another;

	sscanf(record, "%*s %*s %31s", word);
	another = scope->has_word && strcmp(scope->word, word) != 0;
	scope->has_word = true;
	strcpy(scope->word, word);
	if (fresh == 0)
		return REASON_NONE;
	if (bytes + strlen(record) > model->config.cuts.max_bytes)
		return REASON_LIMIT;
	if (model->breaks_before && strchr(record, 'y'))
		return REASON_BREAK;
	return model->breaks_on && another ? REASON_BREAK : REASON_NONE;
}

/* Returns whether it was taken. */
static bool
admit_to(struct model *model, struct model_scope *scope, const char *text, nsec time)
{
	struct model_record record = { .time = time, .fresh = true };
	enum reason reason;
	uint64_t bytes;

	strcpy(record.text, text);
	if (!scope->finished) {
		reason = reason_to_cut(model, scope, text);
		if (reason != REASON_NONE)
			scope_cut(model, scope, reason);
	}
	if (model->done)
		return false;
	if (scope->finished) {
		model->counters.finished++;
		return true;
	}
	record.order = scope->last_order = model->order++;
	scope->records =
		realloc(scope->records, (scope->count + 1) * sizeof *scope->records);
	DEMAND(scope->records != NULL, "no memory");
	scope->records[scope->count++] = record;
	node_admit(scope->root, model, &record);
	if (node_ready(scope->root, model, scope))
		scope_ask(model, scope);
	else if (scope_count_fresh(scope, &bytes) > 0 &&
		 bytes >= model->config.cuts.max_bytes)
		scope_cut(model, scope, REASON_LIMIT);
	scope_settle(model, scope);
	return true;
}

static void
take_late(struct model *model, const char *key, const char *text, nsec time,
	  const struct window *window)
{
	struct batch batch = { .count = 1,
			       .reason = REASON_LATE,
			       .first = time,
			       .last = time,
			       .start = window->start,
			       .end = window->end,
			       .timing = TIMING_LATE };

	if (model->config.late == LATE_EMIT)
		model_put(model, &batch, key, text);
	else
		model->counters.late++;
}

/* Every window that holds the time takes it, by trying all that could. */
static void
admit_to_windows(struct model *model, const char *key, const char *text, nsec time)
{
	const struct window_config *config = &model->config.window;
	nsec at = time + model->offset;
	struct window last = { 0, 0 };
	bool taken = false;

	for (nsec start = at - config->size + 1; start <= at; start++) {
		struct window window = { start, start + config->size };

		if ((start - config->phase) % config->slide != 0)
			continue;
		last = window;
		if (model_window_clock(model) >= model_end_of_life(model, &window))
			continue;
		admit_to(model, scope_get(model, key, &window), text, time);
		taken = true;
	}
	if (!taken)
		take_late(model, key, text, time, &last);
}

static int
by_order(const void *a, const void *b)
{
	const struct model_record *first = a, *second = b;

	return (first->order > second->order) - (first->order < second->order);
}

/* The other scope's state goes into the first one's. */
static void
merge(struct model *model, struct model_scope *scope, struct model_scope *other)
{
	size_t count = scope->count + other->count;
	uint64_t pane = scope->pane + other->pane;

	scope->records = realloc(scope->records, (count + 1) * sizeof *scope->records);
	for (size_t i = 0; i < other->count; i++)
		scope->records[scope->count + i] = other->records[i];
	scope->count = count;
	if (count > 0)
		qsort(scope->records, count, sizeof *scope->records, by_order);
	scope->fired = realloc(scope->fired, (pane + 1) * sizeof *scope->fired);
	for (uint64_t i = 0; i < other->pane; i++)
		scope->fired[scope->pane + i] = other->fired[i];
	scope->pane = pane;
	scope->finished = scope->finished || other->finished;
	if (other->last_order > scope->last_order) {
		scope->last_order = other->last_order;
		strcpy(scope->word, other->word);
	}
	node_merge(scope->root, other->root);
	if (scope->finished)
		node_reset(scope->root);
	scope_forget(model, other);
}

static bool
overlaps(const struct model_scope *scope, const char *key, const struct window *window)
{
	return strcmp(scope->key, key) == 0 && scope->window.start < window->end &&
	       window->start < scope->window.end;
}

static void
admit_to_session(struct model *model, const char *key, const char *text, nsec time)
{
	nsec at = time + model->offset;
	struct window own = { at, at + model->config.window.size }, all = own, before;
	struct model_scope *session = NULL, *next;

	for (struct model_scope *scope = model->scopes; scope; scope = next) {
		next = scope->next;
		if (!overlaps(scope, key, &own))
			continue;
		if (scope->window.start < all.start)
			all.start = scope->window.start;
		if (scope->window.end > all.end)
			all.end = scope->window.end;
		if (session)
			merge(model, session, scope);
		else
			session = scope;
	}
	if (!session && model_window_clock(model) >= model_end_of_life(model, &own)) {
		take_late(model, key, text, time, &own);
		return;
	}
	if (!session) {
		admit_to(model, scope_get(model, key, &own), text, time);
		return;
	}
	before = session->window;
	if (before.start != all.start || before.end != all.end) {
		session->window = all;
		session->has_ended = model_window_clock(model) >= all.end;
		node_renew(session->root, model);
		scope_set_ending(model, session);
	}
	model_use_key(model, key);
	admit_to(model, session, text, time);
}

void
model_admit(struct model *model, const char *record, nsec time)
{
	struct window all = WINDOW_OF_ALL_TIME;
	char text[MODEL_RECORD], key[MODEL_RECORD] = "";

	if (model->done)
		return;
	snprintf(text, sizeof text, "%s\n", record);
	if (model->keyed && sscanf(record, "%31s", key) != 1)
		model->counters.keyless++;
	if (model->config.window.kind == WINDOW_SESSION)
		admit_to_session(model, key, text, time);
	else if (model_is_windowed(model))
		admit_to_windows(model, key, text, time);
	else if (!admit_to(model, scope_get(model, key, &all), text, time))
		return;
	model->counters.records++;
	model->counters.bytes += strlen(text);
}

/* Time */

/* The scope with the first timer, or the first window's end when ending says so. */
static struct model_scope *
first_due(const struct model *model, bool ending, nsec *when)
{
	struct model_scope *first = NULL;
	uint64_t first_order = 0;

	*when = NSEC_MAX;
	for (struct model_scope *scope = model->scopes; scope; scope = scope->next) {
		const struct model_node *timer = node_first_timer(scope->root);
		nsec its = ending  ? scope->ending - model->offset
			   : timer ? timer->when
				   : NSEC_MAX;
		uint64_t order = ending ? scope->ending_order : timer ? timer->order : 0;

		if (ending ? !model_is_windowed(model) : !timer)
			continue;
		if (!first || its < *when || (its == *when && order < first_order)) {
			first = scope;
			first_order = order;
			*when = its;
		}
	}
	return first;
}

static void
end_window(struct model *model, struct model_scope *scope)
{
	bool had_ended = scope->has_ended;

	scope->has_ended = true;
	if (!had_ended)
		scope_ask(model, scope);
	if (scope->ending < model_end_of_life(model, &scope->window)) {
		scope_set_ending(model, scope);
		return;
	}
	scope_emit(model, scope, REASON_WINDOW, false);
	scope_forget(model, scope);
}

/* Fires what is due by then; the clock steps along where it has not been. */
static void
run(struct model *model, nsec then)
{
	while (!model->done) {
		nsec timer_time, end_time;
		struct model_scope *timer = first_due(model, false, &timer_time);
		struct model_scope *end = first_due(model, true, &end_time);
		bool is_end = end && (!timer || end_time < timer_time);
		nsec when = is_end ? end_time : timer_time;

		if ((!timer && !end) || when > then)
			return;
		if (when > model->clock)
			model->clock = when;
		if (is_end) {
			end_window(model, end);
			continue;
		}
		node_goes_off(node_first_timer(timer->root));
		node_notice(timer->root, model);
		scope_ask(model, timer);
		scope_settle(model, timer);
	}
}

void
model_set_clock(struct model *model, nsec now, nsec offset)
{
	model->clock = now;
	model->offset = offset;
	run(model, now);
}

void
model_see_time(struct model *model, nsec time)
{
	nsec watermark;

	if (model->done)
		return;
	if (time > model->newest)
		model->newest = time;
	watermark = model->newest - model->config.out_of_orderness;
	if (watermark <= model->clock)
		return;
	run(model, watermark);
	model->clock = watermark;
}

/* What the scope would carry; W when nothing holds it. */
static nsec
hold_of(const struct model *model, const struct model_scope *scope)
{
	if (!scope_has_fresh(scope))
		return NSEC_MAX;
	switch (model->config.emitter.output_timestamp) {
	case OUTPUT_FIRST:
		return scope->records[0].time;
	case OUTPUT_LAST:
		return scope->records[scope->count - 1].time;
	case OUTPUT_FIRED:
		break;
	case OUTPUT_END:
		return scope->window.end;
	}
	return NSEC_MAX;
}

void
model_end_line(struct model *model)
{
	nsec least = model->clock;
	char word[32];

	if (!model->config.emit_watermarks || model->done)
		return;
	for (struct model_scope *scope = model->scopes; scope; scope = scope->next)
		if (hold_of(model, scope) < least)
			least = hold_of(model, scope);
	if (least <= model->passed)
		return;
	model->passed = least;
	snprintf(word, sizeof word, "%s~%" PRId64, model->text.size > 0 ? " " : "",
		 least);
	buf_append(&model->text, slice_of(word));
}

/* The scope that comes first by its last record, or by its first new one, after the order. */
static struct model_scope *
next_scope(const struct model *model, bool by_fresh, uint64_t least, uint64_t *order)
{
	struct model_scope *first = NULL;

	for (struct model_scope *scope = model->scopes; scope; scope = scope->next) {
		size_t i = 0;
		uint64_t its;

		if (by_fresh && !scope_has_fresh(scope))
			continue;
		while (by_fresh && !scope->records[i].fresh)
			i++;
		its = by_fresh ? scope->records[i].order : scope->last_order;
		if (its >= least && (!first || its < *order)) {
			first = scope;
			*order = its;
		}
	}
	return first;
}

void
model_quiet(struct model *model)
{
	struct model_scope *scope;
	uint64_t order = 0;

	for (; !model->done && (scope = next_scope(model, false, order, &order));
	     order++) {
		if (!node_quiet(scope->root, true))
			continue;
		scope_ask(model, scope);
		scope_settle(model, scope);
	}
}

void
model_flush(struct model *model, enum reason reason)
{
	struct model_scope *scope;
	uint64_t order = 0;

	for (; !model->done && (scope = next_scope(model, true, order, &order));
	     order++) {
		scope_cut(model, scope, reason);
		scope_settle(model, scope);
	}
}

/* What waits for the end of the global window is ready now. */
static void
end_global_window(struct model *model)
{
	struct model_scope *scope;
	uint64_t order = 0;

	for (; !model->done && (scope = next_scope(model, true, order, &order)); order++)
		if (!scope->finished && node_ready(scope->root, model, scope))
			scope_emit(model, scope, node_reason(scope->root, model, scope),
				   true);
}

void
model_end(struct model *model, enum reason reason)
{
	if (model->done)
		return;
	if (model->config.event && reason == REASON_EOF) {
		run(model, NSEC_MAX - 1);
		model->at_end = true;
		end_global_window(model);
	}
	model->at_end = true;
	model_flush(model, reason);
	model->done = true;
}

nsec
model_deadline(const struct model *model)
{
	nsec timer, end;

	if (model->config.event || model->done)
		return NSEC_MAX;
	first_due(model, false, &timer);
	first_due(model, true, &end);
	return timer < end ? timer : end;
}
