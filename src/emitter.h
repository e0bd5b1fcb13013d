/*
 * The emitter: a pane -> a batch with its facts -> the sink, and what the mode does to the pane
 * after that (SEMANTICS 1, 9, 11). Whether there is a batch is the engine's decision.
 */
#ifndef VOLLEY_EMITTER_H
#define VOLLEY_EMITTER_H

#include "keys.h"
#include "pane.h"
#include "sink.h"

enum mode { MODE_FIRE_AND_PURGE, MODE_FIRE };

/* Which time a batch carries on. */
enum output_timestamp { OUTPUT_FIRST, OUTPUT_LAST, OUTPUT_FIRED, OUTPUT_END };

struct emitter_config {
	enum mode mode;
	struct eviction eviction;
	bool evicts; /* eviction is wanted */
	enum output_timestamp output_timestamp;
	char delimiter; /* of records */
	bool keyed;     /* keys are asked for */
};

/* What has happened so far. */
struct counters {
	uint64_t lines;    /* of the input, done with */
	uint64_t records;  /* admitted, or dropped as below */
	uint64_t bytes;    /* of them, each with its delimiter */
	uint64_t keyless;  /* admitted without a key, where keys are asked for */
	uint64_t late;     /* dropped: too late */
	uint64_t finished; /* dropped: the trigger of their scope had finished */
	uint64_t batches;
	uint64_t by_reason[REASONS];
};

struct emitter {
	struct emitter_config config;
	struct sink *sink;       /* borrowed */
	struct store_pool *pool; /* of all panes; borrowed, may be NULL */
	struct counters counters;
	nsec watermark; /* passed on last */
	bool ending;    /* the batches that go out are those of the end */
};

void
emitter_init(struct emitter *emitter, const struct emitter_config *config,
	     struct sink *sink, struct store_pool *pool);

/* Emits all that the pane holds and the tail adds, at that moment. 0, or -1 after the error was
 * reported. */
int
emitter_emit(struct emitter *emitter, struct pane *pane, const struct moment *moment,
	     enum reason reason, struct slice tail);

/* Emits batches of so many records each, which an empty pane would take and let go at once:
 * they stand one behind the other, and have these sizes. */
int
emitter_emit_many(struct emitter *emitter, struct pane *pane, const struct moment *moment,
		  enum reason reason, uint64_t records, struct slice tail,
		  const size_t *sizes, size_t count);

/* Emits one record by itself, which came too late for its window. */
int
emitter_emit_late(struct emitter *emitter, struct slice record, nsec time,
		  struct slice key, const struct window *window,
		  const struct moment *moment);

/* The time that a batch of what the pane holds now would carry; false when that is not known
 * before it fires. */
bool
emitter_timestamp(const struct emitter *emitter, const struct pane *pane,
		  nsec *timestamp);

/* Passes a watermark on, if it has grown. */
int
emitter_pass_watermark(struct emitter *emitter, nsec watermark);

#endif
