/*
 * volley: reads records from a pipe and passes them on in batches.
 *
 * The files, in the order in which a record meets them:
 *
 *     main       this: what is set up, in which order, and the exit status
 *     options    the command line -> a configuration
 *     loop       waits; the order of the work of one turn
 *     signals    what the loop knows of signals
 *     reader     a descriptor -> bytes
 *     intake     bytes -> records: those that are too long, and the times before them
 *     timestamp  the event time before a record
 *     engine     all policy: which record goes where, what fires, what is cut
 *     record     finds whole records in the bytes, as many as a quota allows
 *     pane       the records that are held
 *     trigger    the algebra that decides when they fire; leaf: what it is made of
 *     timer      what is due next
 *     batch      what a firing writes out, and its facts
 *     stats      a line for each batch, and totals
 *     writer     batches -> a descriptor
 *     frame      a batch -> bytes; template: with its facts
 *
 * and below them clock, civil (the calendar), units (durations, sizes, times), buf, diag.
 */
#include <config.h>

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "diag.h"
#include "loop.h"
#include "options.h"
#include "signals.h"
#include "stats.h"
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
report(const struct options *options, const struct loop *loop,
       const struct engine *engine)
{
	if (options->stats)
		stats_print(engine_counters(engine), &loop->intake->losses,
			    loop_elapsed(loop));
	else
		stats_print_losses(&loop->intake->losses);
}

/* Runs as the options say. Returns the exit status, or minus the signal to die by. */
static int
run(const struct options *options)
{
	struct reader reader;
	struct writer writer;
	struct tap tap;
	struct sink *sink = &writer.sink;
	struct engine *engine;
	struct intake intake;
	struct loop loop;
	int status = STATUS_FAILED;
	int signal_fd;

	reader_init(&reader, STDIN_FILENO);
	writer_init(&writer, STDOUT_FILENO, "standard output", &options->frame);
	if (options->verbose) {
		tap_init(&tap, sink);
		sink = &tap.sink;
	}
	engine = engine_new(&options->engine, sink);
	/* Last, so that until now a signal just ends the program. */
	signal_fd = engine ? signals_install() : -1;
	if (signal_fd < 0) {
		diag_errno("cannot start");
		goto out;
	}
	intake_init(&intake, &options->intake, engine);
	loop_init(&loop, &reader, &intake, engine, sink, signal_fd);
	loop_run(&loop);
	report(options, &loop, engine);
	status = loop.failed ? STATUS_FAILED : STATUS_OK;
	if (loop.signal)
		status = -loop.signal;
out:
	engine_free(engine);
	writer_release(&writer);
	reader_release(&reader);
	return status;
}

int
main(int argc, char **argv)
{
	struct options options;
	int status = STATUS_USAGE;

	/* Before anything opens a file. */
	if (open_standard_descriptors() < 0)
		return STATUS_FAILED;
	if (options_parse(&options, argc, argv) == 0)
		status = run(&options);
	options_release(&options);
	/* Last, when all is delivered and released. */
	if (status < 0)
		signals_die(-status);
	return status < 0 ? STATUS_FAILED : status;
}
