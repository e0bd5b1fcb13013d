#include <config.h>

#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

bool
model_is_windowed(const struct model *model)
{
	return model->config.window.kind != WINDOW_GLOBAL;
}

static bool
is_single(const struct model *model)
{
	return !model->keyed && !model_is_windowed(model);
}

nsec
model_end_of_life(const struct model *model, const struct window *window)
{
	return window->end == NSEC_MAX ? NSEC_MAX
				       : window->end + model->config.allowed_lateness;
}

/* The clock that windows go by. */
nsec
model_window_clock(const struct model *model)
{
	return model->clock + model->offset;
}

/* Keys */

static void
forget_key(struct model *model, size_t index)
{
	model->key_count--;
	memmove(model->keys[index], model->keys[index + 1],
		(model->key_count - index) * sizeof *model->keys);
}

static size_t
find_key(const struct model *model, const char *key)
{
	size_t index = 0;

	while (index < model->key_count && strcmp(model->keys[index], key) != 0)
		index++;
	return index;
}

void
scope_forget(struct model *model, struct model_scope *scope)
{
	struct model_scope **link = &model->scopes;
	char key[MODEL_RECORD];

	strcpy(key, scope->key);
	while (*link != scope)
		link = &(*link)->next;
	*link = scope->next;
	node_free(scope->root);
	free(scope->records);
	free(scope->fired);
	free(scope);
	for (scope = model->scopes; scope; scope = scope->next)
		if (strcmp(scope->key, key) == 0)
			return;
	forget_key(model, find_key(model, key));
}

/* What is in a scope */

uint64_t
scope_count_fresh(const struct model_scope *scope, uint64_t *bytes)
{
	uint64_t count = 0;

	*bytes = 0;
	for (size_t i = 0; i < scope->count; i++)
		if (scope->records[i].fresh) {
			count++;
			*bytes += strlen(scope->records[i].text);
		}
	return count;
}

bool
scope_has_fresh(const struct model_scope *scope)
{
	uint64_t bytes;

	return scope_count_fresh(scope, &bytes) > 0;
}

static void
remove_record(struct model_scope *scope, size_t index)
{
	scope->count--;
	memmove(&scope->records[index], &scope->records[index + 1],
		(scope->count - index) * sizeof *scope->records);
}

static void
evict_records(const struct model *model, struct model_scope *scope)
{
	const struct eviction *eviction = &model->config.emitter.eviction;
	nsec newest = NSEC_MIN;

	for (size_t i = 0; i < scope->count; i++)
		if (scope->records[i].time > newest)
			newest = scope->records[i].time;
	while (eviction->keep_last > 0 && scope->count > eviction->keep_last)
		remove_record(scope, 0);
	for (size_t i = scope->count; eviction->keep_for > 0 && i > 0; i--)
		if (scope->records[i - 1].time <= newest - eviction->keep_for)
			remove_record(scope, i - 1);
}

/* Batches */

void
model_put(struct model *model, struct batch *batch, const char *key, const char *records)
{
	char head[64];

	DEMAND(model->counters.batches < MODEL_BATCHES, "too many batches");
	batch->index = model->counters.batches++;
	model->counters.by_reason[batch->reason]++;
	batch->has_key = model->config.emitter.keyed;
	batch->fired = model_window_clock(model);
	batch->bytes = strlen(records);
	batch->first += model->offset;
	batch->last += model->offset;
	batch->has_timestamp = batch->count > 0;
	switch (model->config.emitter.output_timestamp) {
	case OUTPUT_FIRST:
		batch->timestamp = batch->first;
		break;
	case OUTPUT_LAST:
		batch->timestamp = batch->last;
		break;
	case OUTPUT_FIRED:
		batch->timestamp = batch->fired;
		batch->has_timestamp = true;
		break;
	case OUTPUT_END:
		batch->timestamp = batch->end;
		batch->has_timestamp = true;
		break;
	}
	model->batches[batch->index] = *batch;
	snprintf(head, sizeof head, "%s%s@%" PRId64 "[", model->text.size > 0 ? " " : "",
		 reason_name(batch->reason), batch->fired);
	buf_append(&model->text, slice_of(head));
	for (const char *at = records; *at; at++)
		if (*at != '\n' || at[1])
			buf_append_byte(&model->text, (char)(*at == '\n' ? ' ' : *at));
	buf_append_byte(&model->text, ']');
	buf_append(&model->batch_keys, slice_of(key));
	buf_append_byte(&model->batch_keys, '\n');
}

static enum timing
timing_of(const struct model *model, const struct model_scope *scope)
{
	if (!model_is_windowed(model))
		return model->at_end ? TIMING_ON_TIME : TIMING_EARLY;
	if (model_window_clock(model) < scope->window.end)
		return TIMING_EARLY;
	for (uint64_t i = 0; i < scope->pane; i++)
		if (scope->fired[i] >= scope->window.end)
			return TIMING_LATE;
	return TIMING_ON_TIME;
}

static void
finish(struct model *model, struct model_scope *scope)
{
	scope->finished = true;
	scope->count = 0;
	node_reset(scope->root);
	if (is_single(model))
		model->done = true;
}

/* Emits what the scope has, if something is new or the trigger may say so without. */
void
scope_emit(struct model *model, struct model_scope *scope, enum reason reason,
	   bool even_empty)
{
	const struct emitter_config *emitter = &model->config.emitter;
	struct batch batch = { .reason = reason,
			       .pane = scope->pane,
			       .start = scope->window.start,
			       .end = scope->window.end };
	struct buf records = { 0 };

	if (!scope_has_fresh(scope) && !(even_empty && model->config.emit_empty))
		return;
	if (emitter->evicts && !emitter->eviction.after)
		evict_records(model, scope);
	for (size_t i = 0; i < scope->count; i++)
		buf_append(&records, slice_of(scope->records[i].text));
	buf_append_byte(&records, '\0');
	batch.count = scope->count;
	if (scope->count > 0) {
		batch.first = scope->records[0].time;
		batch.last = scope->records[scope->count - 1].time;
	}
	batch.timing = timing_of(model, scope);
	model_put(model, &batch, scope->key, records.data);
	buf_release(&records);
	scope->fired = realloc(scope->fired, (scope->pane + 1) * sizeof *scope->fired);
	scope->fired[scope->pane++] = model_window_clock(model);
	for (size_t i = 0; i < scope->count; i++)
		scope->records[i].fresh = false;
	if (emitter->mode == MODE_FIRE_AND_PURGE)
		scope->count = 0;
	else if (emitter->evicts && emitter->eviction.after)
		evict_records(model, scope);
	if (model->config.once)
		finish(model, scope);
}

void
scope_cut(struct model *model, struct model_scope *scope, enum reason reason)
{
	scope_emit(model, scope, reason, false);
	node_reset(scope->root);
}

void
scope_ask(struct model *model, struct model_scope *scope)
{
	if (scope->finished || !node_ready(scope->root, model, scope))
		return;
	scope_emit(model, scope, node_reason(scope->root, model, scope), true);
	if (scope->finished)
		return;
	if (node_fire(scope->root, model, scope))
		finish(model, scope);
}

/* A keyed scope outside windows that is as at the start is forgotten. */
void
scope_settle(struct model *model, struct model_scope *scope)
{
	if (model->keyed && !model_is_windowed(model) && scope->count == 0 &&
	    !scope->finished && node_is_initial(scope->root))
		scope_forget(model, scope);
}

/* Scopes */

void
scope_set_ending(struct model *model, struct model_scope *scope)
{
	scope->ending = scope->has_ended ? model_end_of_life(model, &scope->window)
					 : scope->window.end;
	scope->ending_order = model->order++;
}

static struct model_scope *
make_scope(struct model *model, const char *key, const struct window *window)
{
	struct model_scope *scope = calloc(1, sizeof *scope), **link = &model->scopes;

	DEMAND(scope != NULL, "no memory");
	while (*link)
		link = &(*link)->next;
	*link = scope;
	strcpy(scope->key, key);
	scope->window = *window;
	scope->root = node_new(model->config.trigger);
	if (model_is_windowed(model))
		scope_set_ending(model, scope);
	return scope;
}

/* The scope of the key whose window starts first; NULL when it has none. */
static struct model_scope *
first_window(const struct model *model, const char *key)
{
	struct model_scope *first = NULL;

	for (struct model_scope *scope = model->scopes; scope; scope = scope->next)
		if (strcmp(scope->key, key) == 0 &&
		    (!first || scope->window.start < first->window.start))
			first = scope;
	return first;
}

static void
evict_key(struct model *model, const char *key)
{
	struct model_scope *scope;
	char copy[MODEL_RECORD];

	strcpy(copy, key);
	while ((scope = first_window(model, copy))) {
		scope_emit(model, scope, REASON_EVICTED, false);
		scope_forget(model, scope);
	}
}

void
model_use_key(struct model *model, const char *key)
{
	size_t index = find_key(model, key);

	if (index < model->key_count)
		forget_key(model, index);
	else if (model->key_count >= model->config.max_keys)
		evict_key(model, model->keys[0]);
	strcpy(model->keys[model->key_count++], key);
}

struct model_scope *
scope_get(struct model *model, const char *key, const struct window *window)
{
	model_use_key(model, key);
	for (struct model_scope *scope = model->scopes; scope; scope = scope->next)
		if (strcmp(scope->key, key) == 0 &&
		    scope->window.start == window->start &&
		    scope->window.end == window->end)
			return scope;
	return make_scope(model, key, window);
}
