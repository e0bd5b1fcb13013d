/*
 * The runner: jobs in slots, tried until they succeed or have failed for good.
 *
 * The life of a job: it waits until a slot is free; in its slot it runs, or waits between two
 * runs; when it has succeeded, or was given up, it is gone, or its output is still passed on.
 * A job that was given up is kept in the dead-letter directory, or named in an error.
 */
#ifndef VOLLEY_RUNNER_H
#define VOLLEY_RUNNER_H

#include "deadletter.h"
#include "outputs.h"
#include "sink.h"
#include "toll.h"

/* What happens after a batch that failed for good. */
enum halt { HALT_NEVER, HALT_SOON, HALT_NOW };

struct runner_config {
	char *const *command; /* ends with NULL. All is borrowed */
	size_t procs;         /* slots; at least 1 */
	bool keep_order;      /* outputs in the order of the batches */
	uint64_t attempts;    /* runs in all; at least 1 */
	nsec backoff;         /* before the second run; doubled for each one more */
	nsec max_backoff;     /* but not beyond this */
	nsec timeout;         /* of a run; 0: none */
	nsec grace;           /* from TERM to KILL; and from a signal to TERM */
	enum halt halt;
	int joblog;              /* -1: none */
	const char *joblog_name; /* for messages */
	char delimiter;          /* of records */
	uint64_t seed;           /* of the jitter */
};

struct runner {
	struct runner_config config;
	struct deadletter letters;
	struct joblist waiting;
	struct job **slots;     /* NULL: free */
	struct outputs outputs; /* kept, when there are more slots than one */
	uint64_t random;
	nsec end;         /* when what runs is ended; NSEC_MAX: not at all */
	bool has_ended;   /* that has come */
	bool halted;      /* no more runs */
	bool stuck;       /* a job waits, a slot is free, and there is no descriptor */
	bool broken_pipe; /* nobody reads the outputs: to die by SIGPIPE */
	int status;       /* of the commands, for the exit status */
	bool failed;      /* an error of our own was reported */
	struct toll toll; /* of batches that were not run */
};

/* 0, or -1 with errno. To be released in any case. Not to be moved. */
int
runner_init(struct runner *runner, const struct runner_config *config,
	    const struct deadletter *letters);

void
runner_release(struct runner *runner);

/* Takes over a job to be run. */
void
runner_add(struct runner *runner, struct job *job);

/* Whether more should come: not too many wait. */
bool
runner_ready(const struct runner *runner);

/* As the calls of a sink. */
nsec
runner_deadline(const struct runner *runner);

int
runner_step(struct runner *runner, const struct turn *turn);

bool
runner_busy(const struct runner *runner);

/* Gives up what is not done; for a run that cannot go on. */
void
runner_abandon(struct runner *runner);

#endif
