/*
 * A model of the engine to compare it with: the rules, carried out in the plainest way.
 *
 * Each scope has a list of its records and a tree of its own; every question is answered by
 * going through all of them. There are no quotas, no queue of timers, no table of keys. What
 * a record says is fixed: its fields are KEY NUMBER WORD, of which a part may be missing.
 *
 *     KEY      what --key asks for
 *     NUMBER   what delta() asks for
 *     WORD     what --break-on asks for
 *     x        anywhere: match() finds it
 *     y        anywhere: --break-before finds it
 */
#ifndef VOLLEY_MODEL_H
#define VOLLEY_MODEL_H

#include "engine.h"

#define MODEL_RECORD 32
#define MODEL_BATCHES 1024

struct model_record {
	char text[MODEL_RECORD]; /* with its newline */
	nsec time;
	uint64_t order; /* of its admission */
	bool fresh;     /* not emitted yet */
};

/* A part of a scope's trigger. */
struct model_node {
	const struct trigger *trigger;
	struct model_node **child;
	size_t current; /* each(): the child that counts */
	uint64_t sum;   /* records or bytes since the reset */
	bool ready;     /* the timer went off; it matched; it changed by enough */
	bool set;       /* the timer */
	bool spent;     /* at(): its time had passed */
	nsec when;      /* the timer's time, on the clock */
	uint64_t order; /* in which timers were set */
	bool has_base, has_last;
	double base, last;
};

struct model_scope {
	struct model_scope *next; /* in the order in which they were made */
	char key[MODEL_RECORD];
	struct window window;
	struct model_node *root;
	struct model_record *records;
	size_t count;
	uint64_t last_order; /* of the last record that it took */
	uint64_t pane;       /* batches so far */
	nsec *fired;         /* when they were */
	bool finished;
	bool has_ended; /* the window's end had its turn */
	nsec ending; /* when the window's end, or its lateness's, has its turn, on the clock */
	uint64_t ending_order;
	char word[MODEL_RECORD]; /* of the last record */
	bool has_word;
};

struct model {
	struct engine_config config;
	bool keyed;
	bool breaks_before, breaks_on;
	struct model_scope *scopes;
	char keys[64][MODEL_RECORD]; /* live, the one used longest ago first */
	size_t key_count;
	nsec clock;
	nsec offset; /* of the wall clock */
	nsec newest;
	nsec passed; /* watermark */
	uint64_t order;
	bool at_end; /* every time has passed */
	bool done;
	struct counters counters;
	struct batch batches[MODEL_BATCHES];
	struct buf text; /* as the recorder writes it */
	struct buf batch_keys;
};

void
model_init(struct model *model, const struct engine_config *config);

void
model_release(struct model *model);

void
model_set_clock(struct model *model, nsec now, nsec offset);

void
model_see_time(struct model *model, nsec time);

/* The record is without its newline. */
void
model_admit(struct model *model, const char *record, nsec time);

void
model_end_line(struct model *model);

void
model_quiet(struct model *model);

void
model_flush(struct model *model, enum reason reason);

void
model_end(struct model *model, enum reason reason);

/* When a timer or a window's end is due next; NSEC_MAX for never. */
nsec
model_deadline(const struct model *model);

/* Scopes, in modelscope.c */

bool
model_is_windowed(const struct model *model);

/* The clock that windows go by. */
nsec
model_window_clock(const struct model *model);

nsec
model_end_of_life(const struct model *model, const struct window *window);

/* The key is the one used last; when it is new, another may have to go. */
void
model_use_key(struct model *model, const char *key);

/* Writes a batch down: these records of this key, with the facts that are in it already. */
void
model_put(struct model *model, struct batch *batch, const char *key, const char *records);

/* The scope of the key in the window, made when there is none. */
struct model_scope *
scope_get(struct model *model, const char *key, const struct window *window);

void
scope_forget(struct model *model, struct model_scope *scope);

/* How many of its records are new, and their bytes. */
uint64_t
scope_count_fresh(const struct model_scope *scope, uint64_t *bytes);

bool
scope_has_fresh(const struct model_scope *scope);

void
scope_set_ending(struct model *model, struct model_scope *scope);

/* Emits what the scope has, if something is new or the trigger may say so without. */
void
scope_emit(struct model *model, struct model_scope *scope, enum reason reason,
	   bool even_empty);

void
scope_cut(struct model *model, struct model_scope *scope, enum reason reason);

/* Asks its trigger, and fires what is ready. */
void
scope_ask(struct model *model, struct model_scope *scope);

/* A keyed scope outside windows that is as at the start is forgotten. */
void
scope_settle(struct model *model, struct model_scope *scope);

/* Parts of a trigger, in modeltrigger.c */

struct model_node *
node_new(const struct trigger *trigger);

void
node_free(struct model_node *node);

void
node_reset(struct model_node *node);

bool
node_ready(const struct model_node *node, const struct model *model,
	   const struct model_scope *scope);

enum reason
node_reason(const struct model_node *node, const struct model *model,
	    const struct model_scope *scope);

/* Returns whether it finishes. */
bool
node_fire(struct model_node *node, const struct model *model,
	  const struct model_scope *scope);

void
node_admit(struct model_node *node, struct model *model,
	   const struct model_record *record);

/* What waits for a time that the clock has reached is ready. */
void
node_notice(struct model_node *node, const struct model *model);

/* The first timer that is set; NULL when none is. */
struct model_node *
node_first_timer(struct model_node *node);

void
node_goes_off(struct model_node *node);

/* Of idle(0): whether any waits; makes those that do ready. */
bool
node_quiet(struct model_node *node, bool change);

bool
node_is_initial(const struct model_node *node);

void
node_merge(struct model_node *node, const struct model_node *other);

/* Sets its timers anew. */
void
node_renew(struct model_node *node, struct model *model);

#endif
