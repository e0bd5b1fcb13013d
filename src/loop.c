#include <config.h>

#include "loop.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "diag.h"
#include "signals.h"
#include "stats.h"
#include "stepwatch.h"

enum { SIGNALS, STEP, OUTPUT, INPUT, DESCRIPTORS };

void
loop_init(struct loop *loop, struct reader *reader, struct intake *intake,
	  struct engine *engine, struct sink *sink, int signal_fd, int step_fd)
{
	struct reading reading = { 0, 0 };

	clock_read(&reading);
	*loop = (struct loop){
		.reader = reader,
		.intake = intake,
		.engine = engine,
		.sink = sink,
		.signal_fd = signal_fd,
		.step_fd = step_fd,
		.started = reading.now,
		.starved = true,
	};
}

struct moment
loop_moment(bool event)
{
	struct reading reading = { 0, 0 };

	clock_read(&reading);
	if (event)
		return (struct moment){ reading.wall, 0, NSEC_MAX, false };
	return (struct moment){ reading.now, nsec_sub(reading.wall, reading.now),
				NSEC_MAX, true };
}

static struct totals
totals_at(const struct loop *loop, nsec now)
{
	return (struct totals){ engine_counters(loop->engine), &loop->intake->losses,
				nsec_sub(now, loop->started) };
}

struct totals
loop_totals(const struct loop *loop)
{
	struct reading reading = { loop->started, 0 };

	clock_read(&reading);
	return totals_at(loop, reading.now);
}

void
loop_add_ticker(struct loop *loop, struct ticker *ticker)
{
	loop->tickers[loop->ticker_count++] = ticker;
}

static void
fail(struct loop *loop)
{
	loop->failed = true;
	loop->stopped = true;
}

static bool
sink_ready(const struct loop *loop)
{
	return loop->sink->ops->ready(loop->sink);
}

static bool
wants_input(const struct loop *loop)
{
	return loop->starved && !loop->stopped && sink_ready(loop);
}

/* How long to wait; NULL for ever. The kernel, too, counts in nanoseconds and is never early. */
static const struct timespec *
timeout_of(struct loop *loop, struct timespec *timeout)
{
	nsec deadline = loop->sink->ops->deadline(loop->sink), left = 0;
	nsec due = engine_deadline(loop->engine);
	struct reading reading;

	if (due < deadline)
		deadline = due;
	for (size_t i = 0; i < loop->ticker_count; i++)
		if (loop->tickers[i]->next < deadline)
			deadline = loop->tickers[i]->next;
	if (!(wants_input(loop) && engine_wants_quiet(loop->engine))) {
		if (deadline == NSEC_MAX)
			return NULL;
		if (clock_read(&reading) == 0 && deadline > reading.now)
			left = nsec_sub(deadline, reading.now);
	}
	timeout->tv_sec = (time_t)(left / NSEC_PER_S);
	timeout->tv_nsec = (long)(left % NSEC_PER_S);
	return timeout;
}

/* Waits for something to do; what is not to be watched has the descriptor -1. */
static int
wait_for_work(struct loop *loop, struct pollfd fds[DESCRIPTORS])
{
	struct timespec timeout;
	const struct timespec *left = timeout_of(loop, &timeout);

	fds[SIGNALS] = (struct pollfd){ .fd = loop->signal_fd, .events = POLLIN };
	fds[STEP] = (struct pollfd){ .fd = loop->step_fd, .events = POLLIN };
	fds[OUTPUT] = (struct pollfd){ .fd = loop->sink->ops->watch(loop->sink),
				       .events = POLLOUT };
	fds[INPUT] = (struct pollfd){ .fd = wants_input(loop) ? loop->reader->fd : -1,
				      .events = POLLIN };
	while (ppoll(fds, DESCRIPTORS, left, NULL) < 0) {
		if (errno == EINTR) {
			/* A signal has made its descriptor readable. */
			fds[STEP].revents = fds[OUTPUT].revents = fds[INPUT].revents = 0;
			fds[SIGNALS].revents = POLLIN;
			return 0;
		}
		if (errno != EAGAIN && errno != ENOMEM) {
			diag_errno("cannot wait for input");
			fail(loop);
			return -1;
		}
	}
	return 0;
}

static void
look_at_signals(struct loop *loop, const struct reading *reading)
{
	struct signals signals = signals_take();
	struct totals totals = totals_at(loop, reading->now);

	if (signals.stats)
		stats_print(&totals, loop->stats_format);
	if (signals.flush && engine_flush(loop->engine, REASON_SIGNAL) < 0)
		fail(loop);
	if (signals.end) {
		loop->signal = signals.end;
		loop->stopped = true;
	}
}

static void
read_input(struct loop *loop)
{
	if (reader_fill(loop->reader) < 0) {
		diag_errno("cannot read standard input");
		fail(loop);
	} else if (loop->reader->ended) {
		loop->stopped = true;
	}
}

/* The sink may have nothing to go on for any more, which it knows only when a batch has come. */
static void
heed_sink(struct loop *loop)
{
	if (loop->sink->ops->stopped(loop->sink))
		loop->stopped = loop->refused = true;
}

static void
admit(struct loop *loop)
{
	size_t used = 0;

	if (intake_feed(loop->intake, reader_data(loop->reader), &used) < 0)
		fail(loop);
	reader_consume(loop->reader, used);
	loop->starved = sink_ready(loop);
	heed_sink(loop);
}

/* An incomplete last record is a record; the beginning of one that goes on is none. */
static void
admit_last(struct loop *loop)
{
	bool last = loop->reader->ended || loop->signal != 0;

	if (!last || loop->reader->finished || reader_data(loop->reader).size == 0)
		return;
	if (reader_finish(loop->reader, loop->intake->config.delimiter) < 0) {
		diag_errno("cannot take the last record");
		fail(loop);
	} else {
		admit(loop);
	}
}

static bool
is_over(const struct loop *loop)
{
	return engine_done(loop->engine) ||
	       (loop->stopped && (loop->starved || loop->failed));
}

static void
end(struct loop *loop)
{
	if (engine_end(loop->engine, loop->signal ? REASON_SIGNAL : REASON_EOF) < 0)
		loop->failed = true;
}

/* What is done at intervals; last says that it is done for the last time. */
static void
run_tickers(struct loop *loop, nsec now, bool last)
{
	struct totals totals = totals_at(loop, now);

	for (size_t i = 0; i < loop->ticker_count; i++) {
		struct ticker *ticker = loop->tickers[i];

		if (ticker->next == NSEC_MAX || (now < ticker->next && !last))
			continue;
		ticker->next = nsec_add(now, ticker->interval);
		if (ticker->tick(ticker, &totals, last) < 0) {
			ticker->next = NSEC_MAX;
			loop->failed_beside = true;
		}
	}
}

/* What comes first in a turn: the clock, the signals, what the sink has to go on with. */
static void
begin_turn(struct loop *loop, const struct pollfd fds[DESCRIPTORS])
{
	struct reading reading;
	struct turn turn;

	if (fds[STEP].revents != 0)
		stepwatch_rearm(loop->step_fd);
	if (clock_read(&reading) < 0) {
		diag_errno("cannot read the clock");
		fail(loop);
		return;
	}
	engine_set_clock(loop->engine, &reading);
	run_tickers(loop, reading.now, false);
	/* What ended the input may be what was sent here too, after the wait. */
	if (fds[SIGNALS].revents != 0 || loop->reader->ended)
		look_at_signals(loop, &reading);
	turn = (struct turn){ reading.now, reading.wall, fds[OUTPUT].revents != 0,
			      loop->signal != 0 };
	if (loop->sink->ops->step(loop->sink, &turn) < 0)
		fail(loop);
	heed_sink(loop);
}

/* One turn. The input is read before the clock, so that no record is dated before it was
 * there and none of its timers is early. */
static void
turn(struct loop *loop)
{
	struct pollfd fds[DESCRIPTORS];
	bool quiet;

	if (wait_for_work(loop, fds) < 0) {
		end(loop);
		return;
	}
	quiet = fds[INPUT].fd >= 0 && fds[INPUT].revents == 0;
	if (fds[INPUT].revents != 0)
		read_input(loop);
	begin_turn(loop, fds);
	if (engine_expire(loop->engine) < 0)
		fail(loop);
	if (quiet && engine_wants_quiet(loop->engine) && engine_quiet(loop->engine) < 0)
		fail(loop);
	if (!loop->failed)
		admit(loop);
	if (loop->stopped && loop->starved && !loop->failed)
		admit_last(loop);
	if (is_over(loop))
		end(loop);
}

/* Delivers what the sink still has. */
static void
drain(struct loop *loop)
{
	struct pollfd fds[DESCRIPTORS];

	while (loop->sink->ops->busy(loop->sink)) {
		if (wait_for_work(loop, fds) < 0)
			return;
		begin_turn(loop, fds);
	}
}

/* The rest of a last record that was too long is read and passed over, where the input can be left
 * behind it. */
static void
pass_over_rest(struct loop *loop)
{
	while (loop->intake->skipping && !loop->stopped &&
	       reader_can_give_back(loop->reader)) {
		read_input(loop);
		admit(loop);
	}
}

/* What was read and not taken, when the run has failed. */
static void
name_rest(size_t size)
{
	if (size > 0)
		diag_say("%zu byte%s more of the input %s lost", size,
			 size == 1 ? "" : "s",
			 size == 1 ? "was read, and is" : "were read, and are");
}

void
loop_run(struct loop *loop)
{
	while (!engine_done(loop->engine))
		turn(loop);
	pass_over_rest(loop);
	loop->stopped = true;
	drain(loop);
	reader_give_back(loop->reader);
	if (loop->failed || loop->refused)
		name_rest(reader_data(loop->reader).size);
	if (loop->sink->ops->close(loop->sink) < 0)
		loop->failed = true;
	run_tickers(loop, nsec_add(loop->started, loop_totals(loop).elapsed), true);
}
