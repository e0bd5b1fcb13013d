/*
 * The loop: waits, and does the work of each turn in its order (SEMANTICS 3).
 *
 * The only place that reads the clock or waits. A turn waits for input, a sink that can go on,
 * a signal, or the earliest deadline; with no deadline it waits for ever, and it never wakes
 * up for nothing. The input is left alone while the sink is not ready.
 */
#ifndef VOLLEY_LOOP_H
#define VOLLEY_LOOP_H

#include "engine.h"
#include "intake.h"
#include "reader.h"
#include "stats.h"
#include "ticker.h"

/* The progress line and the metrics file. */
#define LOOP_TICKERS 2

struct loop {
	struct reader *reader; /* all borrowed */
	struct intake *intake;
	struct engine *engine;
	struct sink *sink;
	int signal_fd; /* from signals_install() */
	int step_fd;   /* from stepwatch_open(); -1: no step of the clock matters */

	struct ticker *tickers[LOOP_TICKERS]; /* borrowed */
	size_t ticker_count;
	enum stats_format stats_format; /* for the signal that asks for totals */

	nsec started;       /* when the run began */
	int signal;         /* the signal that ended it; 0: none */
	bool failed_beside; /* of something that is not the delivery of records */
	bool failed;        /* an error was reported */
	bool starved;       /* the engine needs more input to go on */
	bool stopped;       /* nothing more is read */
	bool refused;       /* since the sink takes nothing more */
};

void
loop_init(struct loop *loop, struct reader *reader, struct intake *intake,
	  struct engine *engine, struct sink *sink, int signal_fd, int step_fd);

/* Runs until the input, a signal or the engine ends the run, and all is delivered. Then
 * loop->signal and loop->failed tell how it ended. */
void
loop_run(struct loop *loop);

/* The present, as a trigger sees it; in the event domain, as if the records were dated so. */
struct moment
loop_moment(bool event);

/* What the run has done so far. */
struct totals
loop_totals(const struct loop *loop);

/* Has it ticked during the run; borrowed. There is room for LOOP_TICKERS. */
void
loop_add_ticker(struct loop *loop, struct ticker *ticker);

#endif
