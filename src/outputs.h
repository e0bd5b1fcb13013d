/*
 * The outputs of runs that are kept until they have ended, and then passed on whole, one after
 * the other: in the order in which they ended, or in that of the batches.
 */
#ifndef VOLLEY_OUTPUTS_H
#define VOLLEY_OUTPUTS_H

#include "job.h"

struct outputs {
	int fd; /* where they go */
	bool keep_order;
	struct joblist jobs; /* in the order in which their runs began */
	size_t piece;        /* bytes that are passed on at once */
	bool broken;         /* an error was reported; they are dropped */
};

void
outputs_init(struct outputs *outputs, int fd, bool keep_order);

/* A job that is about to run for the first time, whose output is to be kept. 0, or -1 with
 * errno. */
int
outputs_add(struct outputs *outputs, struct job *job);

/* The descriptor that must become writable to go on; -1: nothing is to be passed on now. */
int
outputs_watch(const struct outputs *outputs);

/* Whether nobody is left to read what the descriptor takes: then a command that writes there
 * itself dies by SIGPIPE. */
bool
outputs_are_unread(const struct outputs *outputs);

/* Passes on what the descriptor takes; a job whose output is through is freed. 0, or -1 with
 * errno, once. */
int
outputs_pass(struct outputs *outputs);

#endif
