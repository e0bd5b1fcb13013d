/*
 * The setup: what the options mean together, as what the run is made of.
 *
 * Checks the combination, builds the trigger (from the flags or the expression) and the
 * configurations of the modules. It owns what it built, and borrows from the options.
 */
#ifndef VOLLEY_SETUP_H
#define VOLLEY_SETUP_H

#include "frame.h"
#include "options.h"

struct setup {
	struct engine_config engine;
	struct intake_config intake;
	struct frame frame;
	struct runner_config runner;
	struct deadletter letters;

	/* Owned. */
	int joblog; /* -1: none */
	struct trigger *trigger;
	struct probes probes;
	struct field *break_on;
	struct field *key;
	struct field *timestamp;
};

/* 0, or -1 when what is wrong was printed; then nothing is to be released. */
int
setup_make(struct setup *setup, const struct options *options);

void
setup_release(struct setup *setup);

/* How many matches of regular expressions were given up so far. */
uint64_t
setup_given_up(const struct setup *setup);

#endif
