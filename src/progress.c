#include <config.h>

#include "progress.h"

#include <inttypes.h>
#include <stdio.h>

#include "diag.h"

#define INTERVAL NSEC_PER_S

/* With a letter for thousands, and three digits or more. */
static void
print_short(char *text, size_t room, uint64_t number)
{
	static const char letters[] = " kMGTPE";
	size_t power = 0;

	for (; number >= 100000; power++)
		number /= 1000;
	snprintf(text, room, "%" PRIu64 "%.*s", number, power > 0, letters + power);
}

static uint64_t
rate_of(const struct progress *progress, const struct totals *totals)
{
	nsec ms = (totals->elapsed - progress->elapsed) / NSEC_PER_MS;
	uint64_t records = totals->counters->records - progress->records;

	return ms > 0 ? records * 1000 / (uint64_t)ms : 0;
}

static int
print_line(struct ticker *ticker, const struct totals *totals, bool last)
{
	struct progress *progress = (struct progress *)ticker;
	nsec seconds = totals->elapsed / NSEC_PER_S;
	char records[32], bytes[32], batches[32], rate[32];

	print_short(records, sizeof records, totals->counters->records);
	print_short(bytes, sizeof bytes, totals->counters->bytes);
	print_short(batches, sizeof batches, totals->counters->batches);
	print_short(rate, sizeof rate, rate_of(progress, totals));
	diag_live(last,
		  "%" PRId64 ":%02d:%02d  %s records  %sB  %s batches  %s records/s",
		  seconds / 3600, (int)(seconds / 60 % 60), (int)(seconds % 60), records,
		  bytes, batches, rate);
	progress->records = totals->counters->records;
	progress->elapsed = totals->elapsed;
	return 0;
}

void
progress_init(struct progress *progress)
{
	*progress = (struct progress){ .ticker = { INTERVAL, NSEC_MIN, print_line } };
}
