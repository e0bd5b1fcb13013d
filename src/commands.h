/*
 * The sink that runs a command for each batch.
 *
 * A batch becomes a job when it is whole, or several when its records do not fit into one list
 * of arguments; the runner does the rest.
 */
#ifndef VOLLEY_COMMANDS_H
#define VOLLEY_COMMANDS_H

#include "frame.h"
#include "runner.h"

struct commands {
	struct sink sink;
	struct runner runner;
	const struct frame *frame; /* borrowed */
	bool args;                 /* the records are arguments, not standard input */
	bool ending;               /* the run is to end, but what it took is run */
};

/* 0, or -1 with errno. To be released in any case. Not to be moved. */
int
commands_init(struct commands *commands, const struct runner_config *config,
	      const struct deadletter *letters, const struct frame *frame, bool args);

void
commands_release(struct commands *commands);

#endif
