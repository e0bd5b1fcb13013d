#include <config.h>

#include "tap.h"

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
