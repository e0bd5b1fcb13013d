/*
 * What takes batches: standard output, a file a batch, a command a batch.
 *
 * One call a batch or a turn of the loop, never one a record. The loop asks ready() before it
 * lets more records in, waits for what watch() and deadline() name, and calls step() each turn;
 * a sink that is not ready still takes what fires meanwhile. A call that returns -1 has
 * reported the error.
 */
#ifndef VOLLEY_SINK_H
#define VOLLEY_SINK_H

#include "batch.h"

struct sink {
	const struct sink_ops *ops;
};

/* What a turn of the loop found out. */
struct turn {
	nsec now;
	nsec wall;     /* the wall clock */
	bool writable; /* the descriptor that watch() named */
	bool hurry; /* a signal has ended the run: nothing may take longer than it must */
};

struct sink_ops {
	/* Whether more may come; when not, the input waits. */
	bool (*ready)(struct sink *sink);

	/* Takes a batch. Its bytes are the sink's to copy before it returns. */
	int (*put)(struct sink *sink, const struct batch *batch);

	/* Takes many batches at once that differ in nothing but their records: their sizes are
	 * given, and they stand one behind the other in the tail of the batch. NULL, or false from
	 * it, where each must be put by itself. */
	bool (*put_many)(struct sink *sink, const struct batch *batch,
			 const size_t *sizes, size_t count);

	/* Passes the watermark on, where what comes behind the sink knows of such. */
	int (*watermark)(struct sink *sink, nsec time);

	/* The descriptor that must become writable before step() can do more; -1: none. */
	int (*watch)(struct sink *sink);

	/* When step() has something to do even if nothing happens; NSEC_MAX: never. */
	nsec (*deadline)(struct sink *sink);

	/* Goes on with what is queued, without waiting. */
	int (*step)(struct sink *sink, const struct turn *turn);

	/* Whether it still has something to do for what it took. */
	bool (*busy)(struct sink *sink);

	/* Whether the run is to end because of what happened to a batch. */
	bool (*stopped)(struct sink *sink);

	/* Nothing more will come, and it is not busy. */
	int (*close)(struct sink *sink);
};

#endif
