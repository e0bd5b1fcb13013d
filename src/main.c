/*
 * volley: reads records from a pipe and passes them on in batches.
 *
 * The files, in the order in which a record meets them:
 *
 *     main       this: what is set up, in which order, and the exit status
 *     options    the command line -> what was given; cmdline: by a table
 *     setup      what was given -> what the run is made of
 *     expr       a trigger's text -> its tree; spell: and back; explain: what it would do
 *     loop       waits; the order of the work of one turn
 *     signals    what the loop knows of signals; stepwatch: of a wall clock that is stepped
 *     reader     a descriptor -> bytes
 *     intake     bytes -> records: those that are too long, and the times before them
 *     timestamp  the event time before a record
 *     engine     which pane a record belongs to: field, window, scopes, keys
 *     panes      what happens in it; expiry: what happens without a record
 *     record     finds whole records in the bytes, as many as a quota allows
 *     cuts       what closes a pane before a record
 *     probe      what a trigger asks of a record; field, pattern: how it is found
 *     pane       the records that are held
 *     trigger    the algebra that decides when they fire; leaf: what it is made of
 *     timer      what is due next
 *     emitter    a pane -> a batch with its facts -> a sink
 *     tap        a line for each batch; stats: totals; progress, metrics: while it runs
 *     writer     batches -> a descriptor
 *     files      a batch -> a file of its own; wholefile: which appears whole
 *     commands   a batch -> jobs; runner: tries them; exec: one run; outputs: what they write;
 *                deadletter: what failed; joblog: a line for each run
 *     frame      a batch -> bytes; template: with its facts
 *
 * and below them clock, civil (the calendar), datetime, units (durations, sizes, times), buf,
 * diag.
 */
#include <config.h>

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "commands.h"
#include "datetime.h"
#include "diag.h"
#include "explain.h"
#include "files.h"
#include "loop.h"
#include "metrics.h"
#include "progress.h"
#include "setup.h"
#include "signals.h"
#include "stats.h"
#include "stepwatch.h"
#include "tap.h"
#include "writer.h"

/*
 * A standard descriptor that is closed would be taken by the next file that is opened. It is
 * opened the wrong way round, so that using it is still an error.
 */
static int
open_standard_descriptors(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
			return -1;
	return 0;
}

static void
report(const struct options *options, const struct setup *setup, struct loop *loop)
{
	struct totals totals;

	loop->intake->losses.given_up = setup_given_up(setup);
	totals = loop_totals(loop);
	if (options->stats != STATS_NONE)
		stats_print(&totals, options->stats);
	else
		stats_print_losses(&totals);
}

/* What is done at intervals; the progress line only where a person looks at it. */
static void
add_tickers(struct loop *loop, const struct options *options, struct progress *progress,
	    struct metrics *metrics)
{
	loop->stats_format = options->stats;
	if (options->progress && isatty(STDERR_FILENO)) {
		progress_init(progress);
		loop_add_ticker(loop, &progress->ticker);
	}
	if (options->metrics) {
		metrics_init(metrics, options->metrics);
		loop_add_ticker(loop, &metrics->ticker);
	}
}

/* Returns the exit status. */
static int
explain_to_stdout(const struct setup *setup)
{
	struct moment now = loop_moment(setup->engine.event);
	struct buf text = { 0 };
	int status = STATUS_FAILED;

	if (explain(setup->engine.trigger, &setup->engine.cuts, &setup->engine.window,
		    &now, &text) == 0 &&
	    fwrite(text.data, 1, text.size, stdout) == text.size && fflush(stdout) == 0)
		status = STATUS_OK;
	else
		diag_errno("cannot write to standard output");
	buf_release(&text);
	return status;
}

/* A seed that the input cannot know. */
static uint64_t
random_seed(void)
{
	uint64_t seed = 0;

	if (getentropy(&seed, sizeof seed) < 0)
		seed = (uint64_t)getpid() << 32 ^ (uint64_t)loop_moment(false).now;
	return seed;
}

/* A name that no other run has: its time and its process. */
static void
name_run(char *name, size_t room)
{
	char time[64];
	size_t size = 0;

	datetime_print(time, sizeof time, loop_moment(true).now);
	for (const char *from = time; *from; from++)
		if (*from != '-' && *from != ':')
			time[size++] = *from;
	snprintf(name, room, "%.*s-%ld", (int)size, time, (long)getpid());
}

/* Where batches go: one of the sinks, and perhaps the tap before it. */
struct outlet {
	struct writer writer;
	struct files files;
	struct commands commands;
	struct tap tap;
	struct sink *sink;
	char run[96];
};

static int
outlet_init(struct outlet *outlet, const struct options *options, struct setup *setup)
{
	*outlet = (struct outlet){ .sink = NULL };
	if (options->command) {
		name_run(outlet->run, sizeof outlet->run);
		setup->letters.run = outlet->run;
		if (commands_init(&outlet->commands, &setup->runner, &setup->letters,
				  &setup->frame, options->args) < 0)
			return -1;
		outlet->sink = &outlet->commands.sink;
	} else if (options->output) {
		files_init(&outlet->files, options->output, &setup->frame,
			   options->force);
		outlet->sink = &outlet->files.sink;
	} else {
		writer_init(&outlet->writer, STDOUT_FILENO, "standard output",
			    &setup->frame);
		outlet->sink = &outlet->writer.sink;
	}
	if (options->verbose) {
		tap_init(&outlet->tap, outlet->sink);
		outlet->sink = &outlet->tap.sink;
	}
	return 0;
}

static void
outlet_release(struct outlet *outlet)
{
	commands_release(&outlet->commands);
	writer_release(&outlet->writer);
}

/* The exit status, or minus the signal to die by. */
static int
status_of(const struct loop *loop, const struct outlet *outlet)
{
	int status = outlet->commands.runner.status;

	if (loop->signal)
		return -loop->signal;
	if (outlet->commands.runner.broken_pipe)
		return -SIGPIPE;
	if (status == STATUS_OK && (loop->failed || loop->failed_beside))
		return STATUS_FAILED;
	return status;
}

/* Whether something is due by the wall clock, which can be set. */
static bool
follows_wall_clock(const struct setup *setup)
{
	return !setup->engine.event && (setup->engine.window.kind != WINDOW_GLOBAL ||
					trigger_follows_calendar(setup->trigger));
}

/* Runs as the options say; returns as status_of() does. */
static int
run(const struct options *options, struct setup *setup)
{
	struct reader reader;
	struct outlet outlet;
	struct engine *engine = NULL;
	struct intake intake;
	struct loop loop;
	struct progress progress;
	struct metrics metrics;
	int status = STATUS_FAILED, signal_fd = -1, step_fd = -1;

	setup->engine.seed = setup->runner.seed = random_seed();
	reader_init(&reader, STDIN_FILENO);
	if (outlet_init(&outlet, options, setup) == 0)
		engine = engine_new(&setup->engine, outlet.sink);
	/* Last, so that until now a signal just ends the program. */
	if (engine)
		signal_fd = signals_install();
	if (signal_fd < 0) {
		diag_errno("cannot start");
		goto out;
	}
	if (options->command)
		signals_watch_children();
	/* With one command at a time its output goes straight out, and the pipe is its own. */
	if (options->command && setup->runner.procs > 1)
		signals_catch_pipe();
	if (follows_wall_clock(setup))
		step_fd = stepwatch_open();
	setup->frame.replaced = &intake.losses.replaced;
	intake_init(&intake, &setup->intake, engine);
	loop_init(&loop, &reader, &intake, engine, outlet.sink, signal_fd, step_fd);
	add_tickers(&loop, options, &progress, &metrics);
	loop_run(&loop);
	report(options, setup, &loop);
	status = status_of(&loop, &outlet);
out:
	/* What was borrowed from here is here no more. */
	setup->frame.replaced = NULL;
	setup->letters.run = NULL;
	engine_free(engine);
	outlet_release(&outlet);
	reader_release(&reader);
	return status;
}

int
main(int argc, char **argv)
{
	struct options options;
	struct setup setup;
	int status = STATUS_USAGE;

	/* Before anything opens a file. */
	if (open_standard_descriptors() < 0)
		return STATUS_FAILED;
	if (options_parse(&options, argc, argv) == 0 &&
	    setup_make(&setup, &options) == 0) {
		status = options.explain ? explain_to_stdout(&setup)
					 : run(&options, &setup);
		setup_release(&setup);
	}
	options_release(&options);
	/* Last, when all is delivered and released. The first process of a name space cannot kill
	 * itself, and ends as a shell would say that it was killed. */
	if (status < 0)
		signals_die(-status);
	return status < 0 ? 128 - status : status;
}
