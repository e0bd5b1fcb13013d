#include <config.h>

#include "runner.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "exec.h"
#include "joblog.h"
#include "signals.h"

/* So many outputs for each slot may wait for an earlier one to be passed on. */
#define OUTPUTS_PER_SLOT 4

static void
raise_status(struct runner *runner, int status)
{
	if (runner->status < status)
		runner->status = status;
}

/* Says which batch it is, and how its last run ended. */
static void
describe_batch(const struct job *job, char *text, size_t room)
{
	char what[512];

	job_describe(job, what, sizeof what);
	snprintf(text, room, "batch %" PRIu64 " (%" PRIu64 " record%s): %s", job->index,
		 job->count, job->count == 1 ? "" : "s", what);
}

/* The batch will not be delivered: it is kept, or at least named. */
static void
give_up(struct runner *runner, const struct job *job)
{
	struct buf path = { 0 };
	char batch[600];

	describe_batch(job, batch, sizeof batch);
	if (!runner->letters.directory) {
		if (job->attempts > 0 || toll_add(&runner->toll, job->count))
			diag_say("%s", batch);
	} else if (deadletter_keep(&runner->letters, job, runner->config.delimiter,
				   &path) == 0 &&
		   buf_append_byte(&path, '\0') == 0) {
		diag_say("%s, kept as %s", batch, path.data);
	} else {
		diag_errno("%s, and cannot be kept in '%s'", batch,
			   runner->letters.directory);
		runner->failed = true;
	}
	buf_release(&path);
}

static bool
all_free(const struct runner *runner)
{
	for (size_t i = 0; i < runner->config.procs; i++)
		if (runner->slots[i])
			return false;
	return true;
}

static struct job **
free_slot(const struct runner *runner)
{
	for (size_t i = 0; i < runner->config.procs; i++)
		if (!runner->slots[i])
			return &runner->slots[i];
	return NULL;
}

static struct job *
take_waiting(struct runner *runner)
{
	struct job *job = runner->waiting.first;

	joblist_remove(&runner->waiting, job);
	return job;
}

/* No more runs: what waits is given up. */
static void
halt(struct runner *runner)
{
	runner->halted = true;
	/* Between two runs there is nothing to wait for any more. */
	for (size_t i = 0; i < runner->config.procs; i++)
		if (runner->slots[i] && runner->slots[i]->pid == 0)
			runner->slots[i]->due = NSEC_MIN;
	while (runner->waiting.first) {
		struct job *job = take_waiting(runner);

		raise_status(runner, STATUS_JOB_FAILED);
		give_up(runner, job);
		job_free(job);
	}
}

/* Ends all runs: TERM now, KILL after the grace. */
static void
end_runs(struct runner *runner, nsec now)
{
	for (size_t i = 0; i < runner->config.procs; i++) {
		struct job *job = runner->slots[i];

		if (job && job->pid > 0 && !job->ended_early) {
			exec_signal(job, SIGTERM);
			job->outcome.ended = true;
			job->ended_early = true;
			job->due = nsec_add(now, runner->config.grace);
		} else if (job && job->pid == 0) {
			job->due = now;
		}
	}
}

/* The job leaves its slot; it is gone, but for an output that is kept. */
static void
leave_slot(struct job **slot)
{
	struct job *job = *slot;

	*slot = NULL;
	job->done = true;
	if (job->output < 0)
		job_free(job);
}

static void
fail_for_good(struct runner *runner, struct job **slot, nsec now)
{
	const struct outcome outcome = (*slot)->outcome;
	enum halt policy = runner->config.halt;

	raise_status(runner, outcome_status(&outcome));
	give_up(runner, *slot);
	leave_slot(slot);
	if (policy != HALT_NEVER || outcome_is_fatal(&outcome))
		halt(runner);
	if (policy == HALT_NOW)
		end_runs(runner, now);
}

/* A number in [0, 1). */
static double
next_random(struct runner *runner)
{
	runner->random ^= runner->random << 13;
	runner->random ^= runner->random >> 7;
	runner->random ^= runner->random << 17;
	return (double)(runner->random >> 11) / (double)(UINT64_C(1) << 53);
}

/* The time before the next run: doubled with each, and then between a half and all of that, so
 * that many that failed together do not come back together. */
static nsec
backoff_of(struct runner *runner, uint64_t attempts)
{
	nsec wait = runner->config.backoff;

	for (uint64_t i = 1; i < attempts && wait < runner->config.max_backoff; i++)
		wait = nsec_add(wait, wait);
	if (wait > runner->config.max_backoff)
		wait = runner->config.max_backoff;
	return wait / 2 + (nsec)((double)(wait / 2) * next_random(runner));
}

static void
log_run(struct runner *runner, const struct job *job, const struct turn *turn)
{
	nsec duration = nsec_sub(turn->now, job->started);

	if (runner->config.joblog < 0 ||
	    joblog_add(runner->config.joblog, job, nsec_sub(turn->wall, duration),
		       duration) == 0)
		return;
	diag_errno("cannot write to the job log '%s'", runner->config.joblog_name);
	runner->config.joblog = -1;
	runner->failed = true;
}

/* Nobody reads the outputs any more: there is nothing to run for. */
static void
lose_reader(struct runner *runner)
{
	runner->broken_pipe = true;
	runner->failed = true;
	halt(runner);
}

/* A run has ended, or could not begin. */
static void
end_run(struct runner *runner, struct job **slot, const struct turn *turn)
{
	struct job *job = *slot;
	bool ended_early = job->ended_early;

	job->pid = 0;
	job->ended_early = false;
	log_run(runner, job, turn);
	if (outcome_is_broken_pipe(&job->outcome) && outputs_are_unread(&runner->outputs))
		lose_reader(runner);
	if (outcome_is_success(&job->outcome)) {
		leave_slot(slot);
	} else if (job->attempts < runner->config.attempts &&
		   !outcome_is_fatal(&job->outcome) && !runner->halted &&
		   !(ended_early && runner->has_ended)) {
		job->due = nsec_add(turn->now, backoff_of(runner, job->attempts));
	} else {
		fail_for_good(runner, slot, turn->now);
	}
}

/* Whether the error is one of a moment: there are too many processes, descriptors or the like. */
static bool
is_passing(int error)
{
	return error == EAGAIN || error == ENOMEM || error == EMFILE || error == ENFILE;
}

/* How many runs are under way. */
static size_t
count_runs(const struct runner *runner)
{
	size_t count = 0;

	for (size_t i = 0; i < runner->config.procs; i++)
		count += runner->slots[i] && runner->slots[i]->pid > 0;
	return count;
}

/* After a passing error it is tried again when a run has ended, or else after a while; for ever
 * only while there are such runs. */
#define PASSING_WAIT (100 * NSEC_PER_MS)
#define PASSING_TRIES 50

static bool
waits_for_better(struct runner *runner, struct job *job, int error, nsec now)
{
	if (!is_passing(error) || runner->halted)
		return false;
	if (count_runs(runner) == 0 && ++job->tries > PASSING_TRIES)
		return false;
	job->attempts--;
	job->due = nsec_add(now, PASSING_WAIT);
	return true;
}

static void
begin_run(struct runner *runner, struct job **slot, const struct turn *turn)
{
	struct job *job = *slot;
	nsec timeout = runner->config.timeout;
	bool stored;
	int error;

	job->attempts++;
	job->program = runner->config.command[0];
	job->limit = timeout;
	job->started = turn->now;
	error = exec_start(job, runner->config.command, &stored);
	job->outcome = (struct outcome){ .ran = error == 0,
					 .error = error,
					 .unstored = !stored };
	if (error == 0)
		job->due = timeout > 0 ? nsec_add(turn->now, timeout) : NSEC_MAX;
	else if (!waits_for_better(runner, job, error, turn->now))
		end_run(runner, slot, turn);
}

/* Whether another output may be begun, when the outputs before it are slow to be passed on. */
static bool
may_begin(const struct runner *runner)
{
	return runner->config.procs == 1 ||
	       runner->outputs.jobs.count < OUTPUTS_PER_SLOT * runner->config.procs;
}

/* Moves the next job into the slot. False when that cannot be now. */
static bool
fill_slot(struct runner *runner, struct job **slot, const struct turn *turn)
{
	struct job *job = take_waiting(runner);

	if (runner->config.procs > 1 && outputs_add(&runner->outputs, job) < 0) {
		if (is_passing(errno) && runner->outputs.jobs.count > 0) {
			joblist_prepend(&runner->waiting, job);
			return false;
		}
		diag_errno("cannot keep the output of a command");
		runner->failed = true;
		give_up(runner, job);
		job_free(job);
		halt(runner);
		return false;
	}
	*slot = job;
	begin_run(runner, slot, turn);
	return true;
}

/* Whether a run waits for what others take up. Then no more are begun, which would hold on to
 * their share of it while they wait too, until no run is left that could give way. */
static bool
is_short(const struct runner *runner)
{
	for (size_t i = 0; i < runner->config.procs; i++) {
		const struct job *job = runner->slots[i];

		if (job && job->pid == 0 && is_passing(job->outcome.error))
			return true;
	}
	return false;
}

static void
begin_runs(struct runner *runner, const struct turn *turn)
{
	struct job **slot;

	for (size_t i = 0; i < runner->config.procs; i++) {
		struct job *job = runner->slots[i];

		if (!job || job->pid > 0 || turn->now < job->due)
			continue;
		if (runner->halted || runner->has_ended)
			fail_for_good(runner, &runner->slots[i], turn->now);
		else
			begin_run(runner, &runner->slots[i], turn);
	}
	while (runner->waiting.first && may_begin(runner) && !is_short(runner) &&
	       (slot = free_slot(runner)))
		if (!fill_slot(runner, slot, turn))
			break;
	runner->stuck = runner->waiting.first && free_slot(runner);
}

/* TERM for runs whose time is over, and KILL for those that TERM did not end. */
static void
end_late_runs(struct runner *runner, nsec now)
{
	for (size_t i = 0; i < runner->config.procs; i++) {
		struct job *job = runner->slots[i];

		if (!job || job->pid == 0 || now < job->due)
			continue;
		exec_signal(job, job->ended_early ? SIGKILL : SIGTERM);
		job->outcome.timed_out = job->outcome.timed_out || !job->ended_early;
		job->outcome.ended = true;
		job->due =
			job->ended_early ? NSEC_MAX : nsec_add(now, runner->config.grace);
		job->ended_early = true;
	}
}

static struct job **
slot_of(const struct runner *runner, pid_t pid)
{
	for (size_t i = 0; i < runner->config.procs; i++)
		if (runner->slots[i] && runner->slots[i]->pid == pid)
			return &runner->slots[i];
	return NULL;
}

static void
reap(struct runner *runner, const struct turn *turn)
{
	int status;
	pid_t pid;

	while ((pid = exec_reap(&status)) > 0) {
		struct job **slot = slot_of(runner, pid);

		if (!slot)
			continue;
		/* Whatever it left behind goes with it, if it was to go. */
		if ((*slot)->ended_early)
			exec_signal(*slot, SIGKILL);
		(*slot)->outcome.status = status;
		end_run(runner, slot, turn);
	}
}

/* A signal has ended the run: what is under way has the grace to end by itself. */
static void
hurry(struct runner *runner, nsec now)
{
	if (runner->end == NSEC_MAX)
		runner->end = nsec_add(now, runner->config.grace);
	if (now < runner->end)
		return;
	runner->has_ended = true;
	halt(runner);
	end_runs(runner, now);
}

void
runner_add(struct runner *runner, struct job *job)
{
	if (runner->halted) {
		raise_status(runner, STATUS_JOB_FAILED);
		give_up(runner, job);
		job_free(job);
		return;
	}
	joblist_append(&runner->waiting, job);
}

nsec
runner_deadline(const struct runner *runner)
{
	nsec deadline = runner->has_ended ? NSEC_MAX : runner->end;

	for (size_t i = 0; i < runner->config.procs; i++)
		if (runner->slots[i] && runner->slots[i]->due < deadline)
			deadline = runner->slots[i]->due;
	if (runner->waiting.first && may_begin(runner) && free_slot(runner) &&
	    !runner->stuck)
		deadline = NSEC_MIN;
	return deadline;
}

int
runner_step(struct runner *runner, const struct turn *turn)
{
	reap(runner, turn);
	if (turn->hurry)
		hurry(runner, turn->now);
	end_late_runs(runner, turn->now);
	begin_runs(runner, turn);
	if (!turn->writable || outputs_pass(&runner->outputs) == 0)
		return 0;
	if (errno == EPIPE && signals_pipe_is_ours()) {
		lose_reader(runner);
		return 0;
	}
	diag_errno("cannot pass the output of a command on");
	runner->failed = true;
	halt(runner);
	return 0;
}

void
runner_abandon(struct runner *runner)
{
	halt(runner);
	for (size_t i = 0; i < runner->config.procs; i++) {
		struct job *job = runner->slots[i];

		if (!job)
			continue;
		if (job->pid > 0)
			exec_signal(job, SIGTERM);
		job->outcome.ended = true;
		raise_status(runner, STATUS_JOB_FAILED);
		give_up(runner, job);
		leave_slot(&runner->slots[i]);
	}
}

bool
runner_ready(const struct runner *runner)
{
	return runner->halted || runner->waiting.count <= runner->config.procs;
}

bool
runner_busy(const struct runner *runner)
{
	return runner->waiting.first || runner->outputs.jobs.first || !all_free(runner);
}

int
runner_init(struct runner *runner, const struct runner_config *config,
	    const struct deadletter *letters)
{
	*runner = (struct runner){
		.config = *config,
		.letters = *letters,
		.random = config->seed | 1,
		.end = NSEC_MAX,
	};
	joblist_init(&runner->waiting);
	outputs_init(&runner->outputs, STDOUT_FILENO, config->keep_order);
	runner->slots = calloc(config->procs, sizeof(struct job *));
	return runner->slots ? 0 : -1;
}

void
runner_release(struct runner *runner)
{
	free(runner->slots);
}
