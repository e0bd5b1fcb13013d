/*
 * How a run of a command ended, and what that means for the job and the exit status.
 */
#ifndef VOLLEY_OUTCOME_H
#define VOLLEY_OUTCOME_H

#include <stdbool.h>

/* Exit statuses for commands that failed, as xargs has them. */
enum {
	STATUS_JOB_FAILED = 123,
	STATUS_JOB_255,
	STATUS_JOB_KILLED,
	STATUS_CANNOT_RUN,
	STATUS_NOT_FOUND
};

struct outcome {
	bool ran;       /* else it could not be started: */
	int error;      /* errno for that */
	bool unstored;  /* since its data could not be put where it can read them */
	int status;     /* as from waitpid() */
	bool ended;     /* it was sent TERM: */
	bool timed_out; /* because of its time limit */
};

bool
outcome_is_success(const struct outcome *outcome);

/* The exit status when that was the last run of a job that failed for good. */
int
outcome_status(const struct outcome *outcome);

/* Whether the failure is of a kind that every further run would meet, or asks for an end. */
bool
outcome_is_fatal(const struct outcome *outcome);

/* Whether it died by SIGPIPE. */
bool
outcome_is_broken_pipe(const struct outcome *outcome);

#endif
