#include <config.h>

#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr.h"

int
set_count(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->count, why);
}

int
set_timeout(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->timeout, why);
}

int
set_idle(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->idle, why);
}

/* A size of which none is nonsense. */
static int
set_some(const char *value, uint64_t *size, struct complaint *why)
{
	if (units_parse_size(value, size, why) < 0)
		return -1;
	return *size > 0 ? 0 : complain(why, "too small (the least is 1)");
}

int
set_max_bytes(struct options *options, const char *value, struct complaint *why)
{
	return set_some(value, &options->max_bytes, why);
}

int
set_max_record(struct options *options, const char *value, struct complaint *why)
{
	return set_some(value, &options->max_record, why);
}

int
set_every(struct options *options, const char *value, struct complaint *why)
{
	return expr_parse_period(value, &options->every, why);
}

int
set_align(struct options *options, const char *value, struct complaint *why)
{
	return expr_parse_period(value, &options->align, why);
}

/* Compiled here for the sake of the error message; the trigger has an expression of its own. */
int
set_match(struct options *options, const char *value, struct complaint *why)
{
	struct pattern *pattern = pattern_new(value, why);

	options->match = value;
	pattern_free(pattern);
	return pattern ? 0 : -1;
}

int
set_trigger(struct options *options, const char *value, struct complaint *why)
{
	(void)why;
	options->trigger = value;
	return 0;
}

int
set_break_before(struct options *options, const char *value, struct complaint *why)
{
	pattern_free(options->break_before);
	options->break_before = pattern_new(value, why);
	return options->break_before ? 0 : -1;
}

/* Keys are looked up with the field separator, which may come later: here it is only seen
 * whether they are good. */
static int
check_key(const char *key, struct complaint *why)
{
	struct field *field = field_new(key, (struct slice){ NULL, 0 }, why);

	field_free(field);
	return field ? 0 : -1;
}

int
set_break_on(struct options *options, const char *value, struct complaint *why)
{
	options->break_on = value;
	return check_key(value, why);
}

int
set_key(struct options *options, const char *value, struct complaint *why)
{
	options->key = value;
	return check_key(value, why);
}

int
set_max_keys(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->max_keys, why);
}

int
set_keep_last(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->eviction.keep_last, why);
}

int
set_keep_for(struct options *options, const char *value, struct complaint *why)
{
	if (units_parse_duration(value, &options->eviction.keep_for, why) < 0)
		return -1;
	return options->eviction.keep_for > 0
		       ? 0
		       : complain(why, "too short (the least is 1ns)");
}

int
set_window(struct options *options, const char *value, struct complaint *why)
{
	return window_parse(value, &options->window, why);
}

int
set_allowed_lateness(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->allowed_lateness, why);
}

/* A word, and what it stands for. */
struct choice {
	const char *word;
	int value;
};

/* The choice that the value names. Returns -1 with the hint in the complaint when none does. */
static int
choose(const char *value, const struct choice *choices, const char *hint,
       struct complaint *why)
{
	for (; choices->word; choices++)
		if (strcmp(choices->word, value) == 0)
			return choices->value;
	return complain(why, "unknown (use %s)", hint);
}

int
set_mode(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice modes[] = {
		{ "fire-and-purge", MODE_FIRE_AND_PURGE },
		{ "discarding", MODE_FIRE_AND_PURGE },
		{ "fire", MODE_FIRE },
		{ "accumulating", MODE_FIRE },
		{ NULL, 0 },
	};
	int mode = choose(value, modes, "fire-and-purge or fire", why);

	options->mode = (enum mode)mode;
	return mode < 0 ? -1 : 0;
}

int
set_oversize(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice policies[] = {
		{ "fail", OVERSIZE_FAIL },
		{ "skip", OVERSIZE_SKIP },
		{ "truncate", OVERSIZE_TRUNCATE },
		{ NULL, 0 },
	};
	int policy = choose(value, policies, "fail, skip or truncate", why);

	options->oversize = (enum oversize)policy;
	return policy < 0 ? -1 : 0;
}

int
set_evict(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice moments[] = {
		{ "before", false },
		{ "after", true },
		{ NULL, 0 },
	};
	int after = choose(value, moments, "before or after", why);

	options->eviction.after = after > 0;
	return after < 0 ? -1 : 0;
}

int
set_late(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice policies[] = {
		{ "drop", LATE_DROP },
		{ "emit", LATE_EMIT },
		{ "fail", LATE_FAIL },
		{ NULL, 0 },
	};
	int policy = choose(value, policies, "drop, emit or fail", why);

	options->late = (enum late)policy;
	return policy < 0 ? -1 : 0;
}

int
set_bad_timestamp(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice policies[] = {
		{ "fail", false },
		{ "skip", true },
		{ NULL, 0 },
	};
	int skip = choose(value, policies, "fail or skip", why);

	options->skip_bad_times = skip > 0;
	return skip < 0 ? -1 : 0;
}

int
set_output_timestamp(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice times[] = {
		{ "first", OUTPUT_FIRST },
		{ "last", OUTPUT_LAST },
		{ "fired", OUTPUT_FIRED },
		{ "end", OUTPUT_END },
		{ NULL, 0 },
	};
	int which = choose(value, times, "first, last, fired or end", why);

	options->output_timestamp = (enum output_timestamp)which;
	return which < 0 ? -1 : 0;
}

int
set_time_domain(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice domains[] = {
		{ "processing", false },
		{ "event", true },
		{ NULL, 0 },
	};
	int event = choose(value, domains, "processing or event", why);

	options->event = event > 0;
	return event < 0 ? -1 : 0;
}

/* Text with escapes. */
static int
set_text(struct buf *text, const char *value, struct complaint *why)
{
	long size;

	text->size = 0;
	if (buf_append(text, slice_of(value)) < 0)
		return complain(why, "%s", strerror(errno));
	size = units_unescape(text->data, text->size, why);
	if (size < 0)
		return -1;
	text->size = (size_t)size;
	return 0;
}

int
set_field_separator(struct options *options, const char *value, struct complaint *why)
{
	if (set_text(&options->field_separator, value, why) < 0)
		return -1;
	return options->field_separator.size > 0
		       ? 0
		       : complain(why, "empty (use a tab: '\\t')");
}

int
set_timestamp(struct options *options, const char *value, struct complaint *why)
{
	if (strcmp(value, "prefix") == 0) {
		options->timestamp = NULL;
		return 0;
	}
	options->timestamp = value;
	if (check_key(value, why) == 0)
		return 0;
	/* What is wrong with one of these was said. */
	if (strncmp(value, "re:", 3) == 0 || strncmp(value, "json:", 5) == 0)
		return -1;
	return complain(why,
			"neither prefix nor a key (use prefix, a field's number from 1, "
			"re:REGEX or json:/POINTER)");
}

int
set_time_format(struct options *options, const char *value, struct complaint *why)
{
	return timeform_choose(&options->time_format, value, why);
}

int
set_out_of_orderness(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->out_of_orderness, why);
}

int
set_delimiter(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_char(value, &options->delimiter, why);
}

int
set_null(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->delimiter = '\0';
	return 0;
}

int
set_batch_delimiter(struct options *options, const char *value, struct complaint *why)
{
	return set_text(&options->batch_delimiter, value, why);
}

int
set_join(struct options *options, const char *value, struct complaint *why)
{
	options->join = true;
	return set_text(&options->joiner, value, why);
}

static int
set_template(struct template **template, const char *value, struct complaint *why)
{
	template_free(*template);
	*template = template_new(value, why);
	return *template ? 0 : -1;
}

int
set_header(struct options *options, const char *value, struct complaint *why)
{
	return set_template(&options->header, value, why);
}

int
set_footer(struct options *options, const char *value, struct complaint *why)
{
	return set_template(&options->footer, value, why);
}

int
set_output(struct options *options, const char *value, struct complaint *why)
{
	if (*value == '\0')
		return complain(why, "empty (use a name such as batch-{index})");
	if (set_template(&options->output, value, why) < 0)
		return -1;
	return template_is_name(options->output)
		       ? 0
		       : complain(why, "a name cannot hold a NUL");
}

int
set_max_procs(struct options *options, const char *value, struct complaint *why)
{
	if (units_parse_count(value, 0, &options->max_procs, why) < 0)
		return -1;
	return options->max_procs <= 10000
		       ? 0
		       : complain(why, "too many (the most is 10000)");
}

int
set_attempts(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->attempts, why);
}

/* DUR, or DUR,MAX. */
int
set_backoff(struct options *options, const char *value, struct complaint *why)
{
	options->max_backoff = NSEC_MAX;
	if (units_parse_pair(value, ',', "1s,1m", &options->backoff,
			     &options->max_backoff, why) < 0)
		return -1;
	return options->max_backoff >= options->backoff
		       ? 0
		       : complain(why, "the most is less than the first (use DUR,MAX)");
}

int
set_exec_timeout(struct options *options, const char *value, struct complaint *why)
{
	if (units_parse_duration(value, &options->exec_timeout, why) < 0)
		return -1;
	return options->exec_timeout > 0
		       ? 0
		       : complain(why, "too short (leave it out for no limit)");
}

int
set_halt(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice policies[] = {
		{ "never", HALT_NEVER },
		{ "soon", HALT_SOON },
		{ "now", HALT_NOW },
		{ NULL, 0 },
	};
	int policy = choose(value, policies, "never, soon or now", why);

	options->halt = (enum halt)policy;
	return policy < 0 ? -1 : 0;
}

int
set_dead_letter(struct options *options, const char *value, struct complaint *why)
{
	options->dead_letter = value;
	return *value ? 0 : complain(why, "empty (use the name of a directory)");
}

int
set_grace(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->grace, why);
}

int
set_joblog(struct options *options, const char *value, struct complaint *why)
{
	options->joblog = value;
	return *value ? 0 : complain(why, "empty (use the name of a file)");
}

int
set_format(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice formats[] = {
		{ "text", FORMAT_TEXT },
		{ "json", FORMAT_JSON },
		{ "ndjson", FORMAT_NDJSON },
		{ "netstring", FORMAT_NETSTRING },
		{ NULL, 0 },
	};
	int format = choose(value, formats, "text, json, ndjson or netstring", why);

	options->format = (enum format)format;
	return format < 0 ? -1 : 0;
}

int
set_stats(struct options *options, const char *value, struct complaint *why)
{
	static const struct choice formats[] = {
		{ "text", STATS_TEXT },
		{ "json", STATS_JSON },
		{ NULL, 0 },
	};
	int format = value ? choose(value, formats, "text or json", why) : STATS_TEXT;

	options->stats = format < 0 ? STATS_NONE : (enum stats_format)format;
	return format < 0 ? -1 : 0;
}

int
set_metrics(struct options *options, const char *value, struct complaint *why)
{
	options->metrics = value;
	return *value ? 0 : complain(why, "empty (use the name of a file)");
}
