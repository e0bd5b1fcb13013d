#include <config.h>

#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "diag.h"
#include "exec.h"
#include "record.h"

static struct commands *
commands_of(struct sink *sink)
{
	return (struct commands *)sink;
}

static bool
commands_ready(struct sink *sink)
{
	return runner_ready(&commands_of(sink)->runner);
}

/* A record that cannot be an argument is named, and ends the run; the others go on. */
static void
complain_of_record(struct commands *commands, const struct batch *batch, uint64_t number,
		   const struct arg_room *room)
{
	char what[64] = "holds a NUL byte";

	if (errno == E2BIG)
		snprintf(what, sizeof what, "is longer than %zu bytes",
			 arg_room_longest(room));
	diag_say("batch %" PRIu64 ": record %" PRIu64
		 " of it %s, and cannot be an argument",
		 batch->index, number, what);
	commands->runner.failed = true;
	commands->ending = true;
}

/* Records as arguments, in as many jobs as it takes. */
static int
put_args(struct commands *commands, const struct batch *batch, struct slice records)
{
	uint64_t number = 0;
	struct arg_room room = exec_room(commands->runner.config.command);

	while (records.size > 0) {
		struct job *job = job_new(batch, &commands->frame->times);

		if (!job || job_add_args(job, &records, commands->runner.config.delimiter,
					 &room) < 0) {
			job_free(job);
			return -1;
		}
		number += job->count;
		if (job->count > 0) {
			runner_add(&commands->runner, job);
			continue;
		}
		complain_of_record(commands, batch, ++number, &room);
		records = slice_from(
			records,
			record_size(records, commands->runner.config.delimiter) + 1);
		job_free(job);
	}
	return 0;
}

/* The batch as standard input; of an empty one as arguments there are none. */
static int
put_data(struct commands *commands, const struct batch *batch)
{
	struct job *job = job_new(batch, &commands->frame->times);

	if (!job)
		return -1;
	job->args = commands->args;
	if (!job->args && frame_append(commands->frame, batch, &job->data) < 0) {
		job_free(job);
		return -1;
	}
	runner_add(&commands->runner, job);
	return 0;
}

/* The records as arguments, whether they stand in one part of the batch or in two. */
static int
put_all_args(struct commands *commands, const struct batch *batch)
{
	struct buf all = { 0 };
	int result = -1;

	if (batch->held.size == 0)
		return put_args(commands, batch, batch->tail);
	if (buf_append(&all, batch->held) == 0 && buf_append(&all, batch->tail) == 0)
		result = put_args(commands, batch, buf_slice(&all));
	buf_release(&all);
	return result;
}

static int
commands_put(struct sink *sink, const struct batch *batch)
{
	struct commands *commands = commands_of(sink);
	bool args = commands->args && batch->count > 0;

	if ((args ? put_all_args(commands, batch) : put_data(commands, batch)) == 0)
		return 0;
	diag_errno("batch %" PRIu64 " (%" PRIu64 " record%s) is lost", batch->index,
		   batch->count, batch->count == 1 ? "" : "s");
	commands->runner.failed = true;
	return -1;
}

static int
commands_watermark(struct sink *sink, nsec time)
{
	(void)sink, (void)time;
	return 0;
}

static int
commands_watch(struct sink *sink)
{
	return outputs_watch(&commands_of(sink)->runner.outputs);
}

static nsec
commands_deadline(struct sink *sink)
{
	return runner_deadline(&commands_of(sink)->runner);
}

static int
commands_step(struct sink *sink, const struct turn *turn)
{
	return runner_step(&commands_of(sink)->runner, turn);
}

static bool
commands_busy(struct sink *sink)
{
	return runner_busy(&commands_of(sink)->runner);
}

static bool
commands_stopped(struct sink *sink)
{
	return commands_of(sink)->runner.halted || commands_of(sink)->ending;
}

static int
commands_close(struct sink *sink)
{
	struct commands *commands = commands_of(sink);

	if (runner_busy(&commands->runner))
		runner_abandon(&commands->runner);
	toll_tell(&commands->runner.toll);
	return commands->runner.failed ? -1 : 0;
}

int
commands_init(struct commands *commands, const struct runner_config *config,
	      const struct deadletter *letters, const struct frame *frame, bool args)
{
	static const struct sink_ops ops = {
		.ready = commands_ready,
		.put = commands_put,
		.watermark = commands_watermark,
		.watch = commands_watch,
		.deadline = commands_deadline,
		.step = commands_step,
		.busy = commands_busy,
		.stopped = commands_stopped,
		.close = commands_close,
	};

	*commands = (struct commands){ .sink = { &ops }, .frame = frame, .args = args };
	return runner_init(&commands->runner, config, letters);
}

void
commands_release(struct commands *commands)
{
	runner_release(&commands->runner);
}
