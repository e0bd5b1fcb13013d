#include <config.h>

#include "metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "diag.h"
#include "wholefile.h"

#define INTERVAL (5 * NSEC_PER_S)

static int
append_head(struct buf *out, const char *name, const char *help, const char *type)
{
	char text[256];

	snprintf(text, sizeof text, "# HELP %s %s\n# TYPE %s %s\n", name, help, name,
		 type);
	return buf_append(out, slice_of(text));
}

static int
append_value(struct buf *out, const char *name, const char *label, const char *value,
	     uint64_t number)
{
	char text[256];

	if (label)
		snprintf(text, sizeof text, "%s{%s=\"%s\"} %" PRIu64 "\n", name, label,
			 value, number);
	else
		snprintf(text, sizeof text, "%s %" PRIu64 "\n", name, number);
	return buf_append(out, slice_of(text));
}

static int
append_batches(struct buf *out, const struct counters *counters)
{
	static const char name[] = "volley_batches_total";

	if (append_head(out, name, "Batches emitted, by reason.", "counter") < 0)
		return -1;
	for (int i = REASON_NONE + 1; i < REASONS; i++)
		if (append_value(out, name, "reason", reason_name((enum reason)i),
				 counters->by_reason[i]) < 0)
			return -1;
	return 0;
}

static int
append_drops(struct buf *out, const struct totals *totals)
{
	static const char name[] = "volley_dropped_records_total";

	if (append_head(out, name, "Records dropped, by cause.", "counter") < 0)
		return -1;
	for (size_t i = 0; i < DROPS; i++) {
		struct drop drop = drop_of(totals, i);

		if (append_value(out, name, "cause", drop.cause, drop.count) < 0)
			return -1;
	}
	return 0;
}

static int
append_single(struct buf *out, const char *name, const char *help, uint64_t number)
{
	if (append_head(out, name, help, "counter") < 0)
		return -1;
	return append_value(out, name, NULL, NULL, number);
}

static int
append_elapsed(struct buf *out, nsec elapsed)
{
	static const char name[] = "volley_run_seconds_total";
	char text[256];

	if (append_head(out, name, "How long the run has taken.", "counter") < 0)
		return -1;
	snprintf(text, sizeof text, "%s %" PRId64 ".%03d\n", name, elapsed / NSEC_PER_S,
		 (int)(elapsed / NSEC_PER_MS % 1000));
	return buf_append(out, slice_of(text));
}

static int
write_metrics(struct ticker *ticker, const struct totals *totals, bool last)
{
	const struct metrics *metrics = (const struct metrics *)ticker;
	struct buf text = { 0 };
	int result = -1;

	(void)last;
	if (append_single(&text, "volley_records_total", "Records taken.",
			  totals->counters->records) == 0 &&
	    append_single(&text, "volley_bytes_total", "Bytes of these, with delimiters.",
			  totals->counters->bytes) == 0 &&
	    append_batches(&text, totals->counters) == 0 &&
	    append_drops(&text, totals) == 0 &&
	    append_elapsed(&text, totals->elapsed) == 0)
		result = wholefile_write(metrics->path, buf_slice(&text), true);
	if (result < 0)
		diag_say("cannot write the metrics to '%s': %s%s", metrics->path,
			 strerror(errno), wholefile_hint(errno));
	buf_release(&text);
	return result;
}

void
metrics_init(struct metrics *metrics, const char *path)
{
	*metrics = (struct metrics){ { INTERVAL, NSEC_MIN, write_metrics }, path };
}
