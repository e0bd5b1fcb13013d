#include <config.h>

#include "emitter.h"

/* A pane that is not one of many keeps so much memory from one batch to the next. */
#define KEPT_MEMORY ((size_t)1 << 20)

void
emitter_init(struct emitter *emitter, const struct emitter_config *config,
	     struct sink *sink, struct store_pool *pool)
{
	*emitter = (struct emitter){
		.config = *config, .sink = sink, .pool = pool, .watermark = NSEC_MIN
	};
}

static struct slice
text_of(const struct key *key)
{
	return key ? (struct slice){ key->text, key->size } : (struct slice){ "", 0 };
}

static bool
is_past_end(const struct pane *pane, const struct moment *moment)
{
	return pane->parts &&
	       nsec_add(moment->now, moment->offset) >= pane->parts->window.end;
}

static enum timing
timing_of(const struct emitter *emitter, const struct pane *pane,
	  const struct moment *moment)
{
	const struct pane_parts *parts = pane->parts;

	if (!parts || parts->window.end == NSEC_MAX)
		return emitter->ending ? TIMING_ON_TIME : TIMING_EARLY;
	if (!is_past_end(pane, moment))
		return TIMING_EARLY;
	return parts->last_fired >= parts->window.end ? TIMING_LATE : TIMING_ON_TIME;
}

/* The time that the batch carries, where there is one. */
static void
set_timestamp(const struct emitter *emitter, struct batch *batch)
{
	batch->has_timestamp = batch->count > 0;
	switch (emitter->config.output_timestamp) {
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
}

bool
emitter_timestamp(const struct emitter *emitter, const struct pane *pane, nsec *timestamp)
{
	switch (emitter->config.output_timestamp) {
	case OUTPUT_FIRST:
		*timestamp = pane->first;
		return true;
	case OUTPUT_LAST:
		*timestamp = pane->last;
		return true;
	case OUTPUT_FIRED:
		return false;
	case OUTPUT_END:
		*timestamp = pane_window(pane).end;
		return true;
	}
	return false;
}

/* Counts the batch, dates it by the wall clock, and hands it to the sink. */
static int
put(struct emitter *emitter, struct batch *batch, const struct moment *moment)
{
	batch->index = emitter->counters.batches;
	batch->has_key = emitter->config.keyed;
	batch->fired = nsec_add(moment->now, moment->offset);
	batch->first = nsec_add(batch->first, moment->offset);
	batch->last = nsec_add(batch->last, moment->offset);
	set_timestamp(emitter, batch);
	emitter->counters.batches++;
	emitter->counters.by_reason[batch->reason]++;
	return emitter->sink->ops->put(emitter->sink, batch);
}

int
emitter_emit(struct emitter *emitter, struct pane *pane, const struct moment *moment,
	     enum reason reason, struct slice tail)
{
	const struct emitter_config *config = &emitter->config;
	struct batch batch = { .reason = reason };
	int result;

	if (config->evicts && !config->eviction.after)
		pane_evict(emitter->pool, pane, &config->eviction, config->delimiter);
	pane_batch(emitter->pool, pane, tail, &batch);
	batch.key = text_of(pane->key);
	batch.timing = timing_of(emitter, pane, moment);
	if (config->mode == MODE_FIRE_AND_PURGE)
		batch.holder = store_buf(&pane->records);
	/* On an error the sink has named the batch as lost: it is not tried again. */
	result = put(emitter, &batch, moment);
	pane_emitted(pane);
	if (pane->parts)
		pane->parts->last_fired = nsec_add(moment->now, moment->offset);
	if (config->mode == MODE_FIRE_AND_PURGE)
		pane_purge(emitter->pool, pane, pane->key ? 0 : KEPT_MEMORY);
	else if (config->evicts && config->eviction.after)
		pane_evict(emitter->pool, pane, &config->eviction, config->delimiter);
	return result;
}

/* Each batch by itself. */
static int
put_each(struct emitter *emitter, struct pane *pane, const struct moment *moment,
	 const struct batch *all, const size_t *sizes, size_t count)
{
	struct slice rest = all->tail;

	for (size_t i = 0; i < count; i++) {
		struct batch batch = *all;

		batch.tail.data = rest.data;
		batch.bytes = batch.tail.size = sizes[i];
		batch.pane = pane->batches++;
		rest = slice_from(rest, sizes[i]);
		if (put(emitter, &batch, moment) < 0)
			return -1;
	}
	return 0;
}

int
emitter_emit_many(struct emitter *emitter, struct pane *pane, const struct moment *moment,
		  enum reason reason, uint64_t records, struct slice tail,
		  const size_t *sizes, size_t count)
{
	const struct sink_ops *ops = emitter->sink->ops;
	struct batch batch = {
		.count = records,
		.reason = reason,
		.first = moment->now,
		.last = moment->now,
		.start = NSEC_MIN,
		.end = NSEC_MAX,
		.timing = TIMING_EARLY,
		.tail = tail,
	};

	emitter->counters.records += records * count;
	emitter->counters.bytes += tail.size;
	if (!ops->put_many || !ops->put_many(emitter->sink, &batch, sizes, count))
		return put_each(emitter, pane, moment, &batch, sizes, count);
	emitter->counters.batches += count;
	emitter->counters.by_reason[reason] += count;
	pane->batches += (uint32_t)count;
	return 0;
}

int
emitter_emit_late(struct emitter *emitter, struct slice record, nsec time,
		  struct slice key, const struct window *window,
		  const struct moment *moment)
{
	struct batch batch = {
		.count = 1,
		.bytes = record.size,
		.reason = REASON_LATE,
		.key = key,
		.first = time,
		.last = time,
		.start = window->start,
		.end = window->end,
		.timing = TIMING_LATE,
		.tail = record,
	};

	return put(emitter, &batch, moment);
}

int
emitter_pass_watermark(struct emitter *emitter, nsec watermark)
{
	if (watermark <= emitter->watermark)
		return 0;
	emitter->watermark = watermark;
	return emitter->sink->ops->watermark(emitter->sink, watermark);
}
