#include <config.h>

#include "stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "diag.h"

static const char *
plural(uint64_t count)
{
	return count == 1 ? "" : "s";
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

static void
print_text(const struct totals *totals)
{
	const struct counters *counters = totals->counters;
	double seconds = (double)totals->elapsed / 1e9;
	double rate = totals->elapsed > 0 ? 1 / seconds : 0;
	char reasons[512];

	print_reasons(counters, reasons, sizeof reasons);
	diag_say("%" PRIu64 " record%s, %" PRIu64
		 " byte%s in %.3f s (%.0f records/s, %.0f bytes/s)",
		 counters->records, plural(counters->records), counters->bytes,
		 plural(counters->bytes), seconds, (double)counters->records * rate,
		 (double)counters->bytes * rate);
	diag_say("%" PRIu64 " batch%s%s", counters->batches,
		 counters->batches == 1 ? "" : "es", reasons);
	if (counters->keyless > 0)
		diag_say("%" PRIu64 " record%s without a key", counters->keyless,
			 plural(counters->keyless));
	stats_print_losses(totals);
}

static json_t *
reasons_of(const struct counters *counters)
{
	json_t *reasons = json_object();

	for (int i = REASON_NONE + 1; i < REASONS; i++)
		if (counters->by_reason[i] > 0)
			json_object_set_new(
				reasons, reason_name((enum reason)i),
				json_integer((json_int_t)counters->by_reason[i]));
	return reasons;
}

static json_t *
drops_of(const struct totals *totals)
{
	json_t *drops = json_object();

	for (size_t i = 0; i < DROPS; i++) {
		struct drop drop = drop_of(totals, i);

		json_object_set_new(drops, drop.cause,
				    json_integer((json_int_t)drop.count));
	}
	return drops;
}

static void
print_json(const struct totals *totals)
{
	const struct counters *counters = totals->counters;
	const struct losses *losses = totals->losses;
	json_t *all = json_pack(
		"{s:I, s:I, s:f, s:I, s:o, s:o, s:I, s:I, s:I, s:I}", "records",
		(json_int_t)counters->records, "bytes", (json_int_t)counters->bytes,
		"seconds", (double)(totals->elapsed / NSEC_PER_MS) / 1000, "batches",
		(json_int_t)counters->batches, "reasons", reasons_of(counters), "dropped",
		drops_of(totals), "truncated", (json_int_t)losses->truncated, "keyless",
		(json_int_t)counters->keyless, "replaced", (json_int_t)losses->replaced,
		"given_up", (json_int_t)losses->given_up);
	char *text = all ? json_dumps(all, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;

	if (text)
		diag_bare("%s", text);
	else
		diag_say("cannot print the totals: out of memory");
	free(text);
	json_decref(all);
}

void
stats_print(const struct totals *totals, enum stats_format format)
{
	if (format == STATS_JSON)
		print_json(totals);
	else
		print_text(totals);
}

/* What happened to records that were not dropped. */
static void
print_if_any(uint64_t count, const char *one, const char *several)
{
	if (count > 0)
		diag_say("%" PRIu64 " %s", count, count == 1 ? one : several);
}

void
stats_print_losses(const struct totals *totals)
{
	const struct losses *losses = totals->losses;

	for (size_t i = 0; i < DROPS; i++) {
		struct drop drop = drop_of(totals, i);

		if (drop.count > 0)
			diag_say("%" PRIu64 " record%s %s", drop.count,
				 plural(drop.count), drop.words);
	}
	print_if_any(losses->truncated, "record longer than --max-record truncated",
		     "records longer than --max-record truncated");
	print_if_any(losses->given_up,
		     "record taken not to match: the regular expression took too long",
		     "records taken not to match: the regular expression took too long");
	print_if_any(losses->replaced, "piece of text not UTF-8, written as U+FFFD",
		     "pieces of text not UTF-8, written as U+FFFD");
}
