/*
 * The engine: which pane a record belongs to, and the order of work (SEMANTICS 2, 3, 7, 9, 10).
 * All policy, and no descriptor: it is handed records and readings of the clock, and hands
 * batches to a sink.
 *
 * A turn is: engine_set_clock, engine_expire, then engine_admit for what was read; so what was
 * due before a record was seen goes out without it. In the event domain the clock is the
 * watermark, which engine_see_time moves before each record.
 *
 * Calls return 0, or -1 after the error was reported; the engine can still be ended then, so
 * that what it holds is emitted.
 */
#ifndef VOLLEY_ENGINE_H
#define VOLLEY_ENGINE_H

#include "panes.h"

/* What happens to a record that is too late for its window. */
enum late { LATE_DROP, LATE_EMIT, LATE_FAIL };

struct engine_config {
	const struct trigger *trigger; /* borrowed, as all pointers here */
	const struct probes *probes;   /* what it asks of each record; NULL: nothing */
	struct cuts cuts;
	struct emitter_config emitter;
	bool once;       /* any batch ends its scope, and the run if it is the only one */
	bool emit_empty; /* emit firings that have nothing new */
	bool event;      /* the clock is the watermark */
	nsec out_of_orderness; /* how far it stays behind the greatest timestamp */
	struct field *key;     /* a scope for each; NULL: one for all */
	uint64_t max_keys;     /* that are live at once; at least 1 */
	struct window_config window;
	nsec allowed_lateness; /* how long a window lives after its end */
	enum late late;
	bool emit_watermarks; /* pass the watermark on */
	uint64_t seed;        /* of the table of keys */
};

struct engine;

/* NULL with errno. The sink is borrowed. */
struct engine *
engine_new(const struct engine_config *config, struct sink *sink);

void
engine_free(struct engine *engine);

/* The reading is the clock of all that follows, until the next; in the event domain only the
 * records move the clock. */
void
engine_set_clock(struct engine *engine, const struct reading *reading);

/* The clock's reading. */
nsec
engine_now(const struct engine *engine);

/* Fires what is due. */
int
engine_expire(struct engine *engine);

/* When engine_expire() is next needed; NSEC_MAX for never. */
nsec
engine_deadline(struct engine *engine);

/* In the event domain: a timestamp was seen, so the clock may grow and timers be due. */
int
engine_see_time(struct engine *engine, nsec time);

/* All that so many lines brought is done: the watermark is passed on. */
int
engine_end_lines(struct engine *engine, uint64_t lines);

/* Whether it takes records: the sink is ready and the run is not over. */
bool
engine_ready(const struct engine *engine);

/* Admits whole records from the front of in, as many as go at once, and sets *used to their
 * bytes. None are taken when there is no whole one, or they must be looked at one by one: then
 * engine_admit_one() is for the first. */
int
engine_admit(struct engine *engine, struct slice in, size_t *used);

/* Admits one record, delimiter included, with its time. Returns 1 when it was taken, 0 when the
 * run ended before it, -1 on errors; then the counters tell whether it was taken. */
int
engine_admit_one(struct engine *engine, struct slice record, nsec time);

/* Whether engine_quiet() is to be called once the input has nothing more to offer. */
bool
engine_wants_quiet(const struct engine *engine);

/* The input has nothing more to offer for now. */
int
engine_quiet(struct engine *engine);

/* Emits every pane that has something new, and goes on. */
int
engine_flush(struct engine *engine, enum reason reason);

/* The end of the input, or of the run: timers in the event domain, then what is left. */
int
engine_end(struct engine *engine, enum reason reason);

/* The run is over: the trigger has finished, or engine_end() was called. */
bool
engine_done(const struct engine *engine);

const struct counters *
engine_counters(const struct engine *engine);

#endif
