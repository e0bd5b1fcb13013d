#include <config.h>

#include "stats.h"

#include <inttypes.h>
#include <stdio.h>

#include "diag.h"

static struct tap *
tap_of(struct sink *sink)
{
	return (struct tap *)sink;
}

static bool
tap_ready(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->ready(next);
}

static const char *
plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static int
tap_put(struct sink *sink, const struct batch *batch)
{
	struct sink *next = tap_of(sink)->next;
	char age[40] = "";

	if (batch->count > 0) {
		nsec ms = nsec_sub(batch->fired, batch->first) / NSEC_PER_MS;

		snprintf(age, sizeof age, ", age %s%" PRId64 ".%03ds", ms < 0 ? "-" : "",
			 (ms < 0 ? -ms : ms) / 1000, (int)((ms < 0 ? -ms : ms) % 1000));
	}
	diag_say("batch %" PRIu64 ": %" PRIu64 " record%s, %" PRIu64 " byte%s, %s%s",
		 batch->index, batch->count, plural(batch->count), batch->bytes,
		 plural(batch->bytes), reason_name(batch->reason), age);
	return next->ops->put(next, batch);
}

static int
tap_watermark(struct sink *sink, nsec time)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->watermark(next, time);
}

static int
tap_watch(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->watch(next);
}

static nsec
tap_deadline(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->deadline(next);
}

static int
tap_step(struct sink *sink, const struct turn *turn)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->step(next, turn);
}

static bool
tap_busy(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->busy(next);
}

static bool
tap_stopped(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->stopped(next);
}

static int
tap_close(struct sink *sink)
{
	struct sink *next = tap_of(sink)->next;

	return next->ops->close(next);
}

void
tap_init(struct tap *tap, struct sink *next)
{
	static const struct sink_ops ops = {
		.ready = tap_ready,
		.put = tap_put,
		.watermark = tap_watermark,
		.watch = tap_watch,
		.deadline = tap_deadline,
		.step = tap_step,
		.busy = tap_busy,
		.stopped = tap_stopped,
		.close = tap_close,
	};

	*tap = (struct tap){ { &ops }, next };
}

/* " (2 count, 1 eof)", or nothing. */
static void
print_reasons(const struct counters *counters, char *text, size_t room)
{
	size_t size = 0;

	text[0] = '\0';
	for (int reason = 0; reason < REASONS && size < room; reason++)
		if (counters->by_reason[reason] > 0)
			size += (size_t)snprintf(
				text + size, room - size, "%s%" PRIu64 " %s",
				size > 0 ? ", " : " (", counters->by_reason[reason],
				reason_name((enum reason)reason));
	if (size > 0 && size < room)
		snprintf(text + size, room - size, ")");
}

void
stats_print(const struct counters *counters, const struct losses *losses, nsec elapsed)
{
	double seconds = (double)elapsed / 1e9;
	double rate = elapsed > 0 ? 1 / seconds : 0;
	char reasons[512];

	print_reasons(counters, reasons, sizeof reasons);
	diag_say("%" PRIu64 " record%s, %" PRIu64
		 " byte%s in %.3f s (%.0f records/s, %.0f bytes/s)",
		 counters->records, plural(counters->records), counters->bytes,
		 plural(counters->bytes), seconds, (double)counters->records * rate,
		 (double)counters->bytes * rate);
	diag_say("%" PRIu64 " batch%s%s", counters->batches,
		 counters->batches == 1 ? "" : "es", reasons);
	diag_say("%" PRIu64 " too long, %" PRIu64 " truncated, %" PRIu64
		 " without a time, %" PRIu64 " late, %" PRIu64
		 " after the end of their trigger, %" PRIu64 " without a key",
		 losses->skipped, losses->truncated, losses->bad_times, counters->late,
		 counters->finished, counters->keyless);
}

void
stats_print_losses(const struct counters *counters, const struct losses *losses)
{
	const struct {
		uint64_t count;
		const char *what;
	} lines[] = {
		{ losses->skipped, "longer than --max-record dropped" },
		{ losses->truncated, "longer than --max-record truncated" },
		{ losses->bad_times, "without a time dropped" },
		{ counters->late, "too late for their window dropped" },
		{ counters->finished,
		  "dropped that came after the end of their trigger" },
		{ losses->given_up,
		  "taken not to match: the regular expression took too long" },
	};

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (lines[i].count > 0)
			diag_say("%" PRIu64 " record%s %s", lines[i].count,
				 plural(lines[i].count), lines[i].what);
	if (losses->replaced > 0)
		diag_say("%" PRIu64 " piece%s of text not UTF-8, written as U+FFFD",
			 losses->replaced, plural(losses->replaced));
}
