#include <config.h>

#include "outcome.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

bool
outcome_is_success(const struct outcome *outcome)
{
	return outcome->ran && !outcome->ended && WIFEXITED(outcome->status) &&
	       WEXITSTATUS(outcome->status) == 0;
}

int
outcome_status(const struct outcome *outcome)
{
	if (outcome->unstored)
		return STATUS_JOB_FAILED;
	if (!outcome->ran)
		return outcome->error == ENOENT ? STATUS_NOT_FOUND : STATUS_CANNOT_RUN;
	if (outcome->ended)
		return outcome->timed_out ? STATUS_JOB_KILLED : STATUS_JOB_FAILED;
	if (WIFSIGNALED(outcome->status))
		return STATUS_JOB_KILLED;
	return WEXITSTATUS(outcome->status) == 255 ? STATUS_JOB_255 : STATUS_JOB_FAILED;
}

bool
outcome_is_fatal(const struct outcome *outcome)
{
	int status = outcome_status(outcome);

	return outcome->unstored || status == STATUS_JOB_255 ||
	       status == STATUS_CANNOT_RUN || status == STATUS_NOT_FOUND;
}

bool
outcome_is_broken_pipe(const struct outcome *outcome)
{
	return outcome->ran && WIFSIGNALED(outcome->status) &&
	       WTERMSIG(outcome->status) == SIGPIPE;
}
