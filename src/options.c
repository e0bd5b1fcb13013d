#include <config.h>

#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "diag.h"
#include "expr.h"

#define DEFAULT_MAX_RECORD ((uint64_t)64 << 20)
#define DEFAULT_MAX_KEYS 1000000

/* A set_ function takes an option's value. 0, or -1 with what is wrong with the value. */

static int
set_count(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->count, why);
}

static int
set_timeout(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->timeout, why);
}

static int
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

static int
set_max_bytes(struct options *options, const char *value, struct complaint *why)
{
	return set_some(value, &options->max_bytes, why);
}

static int
set_max_record(struct options *options, const char *value, struct complaint *why)
{
	return set_some(value, &options->max_record, why);
}

static int
set_every(struct options *options, const char *value, struct complaint *why)
{
	return expr_parse_period(value, &options->every, why);
}

static int
set_align(struct options *options, const char *value, struct complaint *why)
{
	return expr_parse_period(value, &options->align, why);
}

/* Compiled here for the sake of the error message; the trigger has an expression of its own. */
static int
set_match(struct options *options, const char *value, struct complaint *why)
{
	struct pattern *pattern = pattern_new(value, why);

	options->match = value;
	pattern_free(pattern);
	return pattern ? 0 : -1;
}

static int
set_trigger(struct options *options, const char *value, struct complaint *why)
{
	(void)why;
	options->trigger = value;
	return 0;
}

static int
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

static int
set_break_on(struct options *options, const char *value, struct complaint *why)
{
	options->break_on = value;
	return check_key(value, why);
}

static int
set_key(struct options *options, const char *value, struct complaint *why)
{
	options->key = value;
	return check_key(value, why);
}

static int
set_max_keys(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->max_keys, why);
}

static int
set_keep_last(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_count(value, 1, &options->eviction.keep_last, why);
}

static int
set_keep_for(struct options *options, const char *value, struct complaint *why)
{
	if (units_parse_duration(value, &options->eviction.keep_for, why) < 0)
		return -1;
	return options->eviction.keep_for > 0
		       ? 0
		       : complain(why, "too short (the least is 1ns)");
}

static int
set_window(struct options *options, const char *value, struct complaint *why)
{
	return window_parse(value, &options->window, why);
}

static int
set_allowed_lateness(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->allowed_lateness, why);
}

static int
set_emit_watermarks(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->emit_watermarks = true;
	return 0;
}

static int
set_once(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->once = true;
	return 0;
}

static int
set_emit_empty(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->emit_empty = true;
	return 0;
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

static int
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

static int
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

static int
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

static int
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

static int
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

static int
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

static int
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

static int
set_field_separator(struct options *options, const char *value, struct complaint *why)
{
	if (set_text(&options->field_separator, value, why) < 0)
		return -1;
	return options->field_separator.size > 0
		       ? 0
		       : complain(why, "empty (use a tab: '\\t')");
}

static int
set_timestamp(struct options *options, const char *value, struct complaint *why)
{
	if (strcmp(value, "prefix") == 0) {
		options->timestamp = NULL;
		return 0;
	}
	options->timestamp = value;
	if (check_key(value, why) == 0)
		return 0;
	return complain(why,
			"neither prefix nor a key (use prefix, a field's number from 1, "
			"re:REGEX or json:/POINTER)");
}

static int
set_time_format(struct options *options, const char *value, struct complaint *why)
{
	return timeform_choose(&options->time_format, value, why);
}

static int
set_out_of_orderness(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_duration(value, &options->out_of_orderness, why);
}

static int
set_delimiter(struct options *options, const char *value, struct complaint *why)
{
	return units_parse_char(value, &options->delimiter, why);
}

static int
set_null(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->delimiter = '\0';
	return 0;
}

static int
set_batch_delimiter(struct options *options, const char *value, struct complaint *why)
{
	return set_text(&options->batch_delimiter, value, why);
}

static int
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

static int
set_header(struct options *options, const char *value, struct complaint *why)
{
	return set_template(&options->header, value, why);
}

static int
set_footer(struct options *options, const char *value, struct complaint *why)
{
	return set_template(&options->footer, value, why);
}

static int
set_verbose(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->verbose = true;
	return 0;
}

static int
set_explain(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->explain = true;
	return 0;
}

static int
set_stats(struct options *options, const char *value, struct complaint *why)
{
	(void)value, (void)why;
	options->stats = true;
	return 0;
}

static int
print_help(struct options *options, const char *value, struct complaint *why);

static int
print_version(struct options *options, const char *value, struct complaint *why);

static const struct row rows[] = {
	{ "When a batch is due", 'n', "count", "N", "at N records", set_count },
	{ NULL, 't', "timeout", "DUR", "DUR after the batch's first record",
	  set_timeout },
	{ NULL, 'i', "idle", "DUR",
	  "when no record came for DUR; 0: when nothing more is on offer", set_idle },
	{ NULL, 'e', "every", "DUR[+PHASE]",
	  "at the next wall-clock boundary: 1m, each full minute", set_every },
	{ NULL, 'a', "align", "DUR[+PHASE]",
	  "moves the timeout's end up to such a boundary", set_align },
	{ NULL, 'm', "match", "REGEX", "after a record that matches", set_match },
	{ NULL, 'b', "max-bytes", "SIZE", "before the batch would exceed SIZE",
	  set_max_bytes },
	{ NULL, 0, "break-before", "REGEX", "before a record that matches",
	  set_break_before },
	{ NULL, 0, "break-on", "KEY", "before a record whose key is another",
	  set_break_on },
	{ NULL, 'T', "trigger", "EXPR",
	  "any combination: 'repeat(any(count(10), delay(1s)))'", set_trigger },
	{ NULL, 0, "once", NULL, "stop after the first batch", set_once },
	{ NULL, 'M', "mode", "MODE",
	  "fire-and-purge: empty the batch (default); fire: add to it", set_mode },
	{ NULL, 0, "keep-last", "N", "with --mode fire: keep the last N records",
	  set_keep_last },
	{ NULL, 0, "keep-for", "DUR", "with --mode fire: keep those of the newest DUR",
	  set_keep_for },
	{ NULL, 0, "evict", "WHEN",
	  "let the others go before (default) or after each batch", set_evict },
	{ NULL, 0, "emit-empty", NULL, "also emit a firing that has nothing new",
	  set_emit_empty },

	{ "Records, keys, time", 'd', "delimiter", "CHAR",
	  "what ends a record (default \\n)", set_delimiter },
	{ NULL, '0', "null", NULL, "records end with a NUL byte", set_null },
	{ NULL, 0, "max-record", "SIZE", "the longest record (default 64MiB)",
	  set_max_record },
	{ NULL, 0, "oversize", "WHAT",
	  "of a longer one: fail (default), skip or truncate", set_oversize },
	{ NULL, 'k', "key", "KEY", "a batch of its own for each key", set_key },
	{ NULL, 'F', "field-separator", "SEP", "what is between fields (default: blanks)",
	  set_field_separator },
	{ NULL, 0, "max-keys", "N",
	  "live keys at once (default 1000000); emits the eldest", set_max_keys },
	{ NULL, 'w', "window", "WINDOW",
	  "tumbling(1m), sliding(10m,1m), session(30s) or global", set_window },
	{ NULL, 0, "time-domain", "DOMAIN",
	  "timers go by: processing (default) or event time", set_time_domain },
	{ NULL, 0, "timestamp", "SPEC",
	  "event time of a record: prefix (TIME, blank, record) or KEY", set_timestamp },
	{ NULL, 0, "time-format", "FMT",
	  "ms (default), s, us, ns, rfc3339 or as in strptime", set_time_format },
	{ NULL, 0, "out-of-orderness", "DUR",
	  "how far behind the newest time one may come", set_out_of_orderness },
	{ NULL, 0, "allowed-lateness", "DUR", "how long a window lives after its end",
	  set_allowed_lateness },
	{ NULL, 0, "late", "WHAT",
	  "of a record that is too late: drop (default), emit or fail", set_late },
	{ NULL, 0, "bad-timestamp", "WHAT",
	  "of a record without a time: fail (default) or skip", set_bad_timestamp },
	{ NULL, 0, "output-timestamp", "WHICH",
	  "a batch's {timestamp}: first (default), last, fired, end",
	  set_output_timestamp },
	{ NULL, 0, "emit-watermarks", NULL,
	  "pass the watermark on, as lines with a time alone", set_emit_watermarks },

	{ "What a batch looks like", 'D', "batch-delimiter", "STRING",
	  "after each batch (default \\n)", set_batch_delimiter },
	{ NULL, 'j', "join", "STRING", "one line a batch, STRING between the records",
	  set_join },
	{ NULL, 0, "header", "TEMPLATE",
	  "before the records; {count} and the like are facts", set_header },
	{ NULL, 0, "footer", "TEMPLATE", "after the records", set_footer },

	{ "Watching", 'v', "verbose", NULL, "a line on standard error for each batch",
	  set_verbose },
	{ NULL, 0, "stats", NULL, "totals on standard error at exit", set_stats },
	{ NULL, 0, "explain", NULL, "print what the trigger means, and read nothing",
	  set_explain },
	{ NULL, 0, "help", NULL, "print this help and exit", print_help },
	{ NULL, 0, "version", NULL, "print the version and exit", print_version },
};

#define ROWS (sizeof rows / sizeof *rows)

_Static_assert(ROWS <= CMDLINE_ROWS_MAX, "each option has a bit in the options given");

/* Ends the process; what cannot be printed is an error. */
static void
end_after_printing(void)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		diag_errno("cannot write to standard output");
		exit(STATUS_FAILED);
	}
	exit(STATUS_OK);
}

static int
print_help(struct options *options, const char *value, struct complaint *why)
{
	(void)options, (void)value, (void)why;
	fputs("Usage: volley [OPTION]...\n"
	      "Read records (lines) on standard input and write them in batches: when enough\n"
	      "have come, or enough time has passed.\n",
	      stdout);
	cmdline_print_rows(&(struct cmdline){ rows, ROWS, 0 });
	fputs("\n"
	      "DUR is a number with a unit (ns us ms s m h d), or several: 1m30s; a bare number is\n"
	      "milliseconds. SIZE is a number of bytes, with K M G T (1024) or KB MB GB TB (1000).\n"
	      "KEY is a field's number from 1, re:REGEX (its first group) or json:/POINTER.\n"
	      "Without a trigger there is one batch, at the end of the input.\n"
	      "\n"
	      "Exit status:\n"
	      "  0  all went well\n"
	      "  1  input or output failed, or a record was too long or had no time\n"
	      "  2  the command line is wrong; nothing was read\n"
	      "A signal that ends volley (INT, TERM, HUP, PIPE) is its death, too.\n",
	      stdout);
	end_after_printing();
	return 0;
}

static int
print_version(struct options *options, const char *value, struct complaint *why)
{
	(void)options, (void)value, (void)why;
	puts(PACKAGE_STRING);
	end_after_printing();
	return 0;
}

bool
options_given(const struct options *options, const char *name)
{
	return cmdline_is_given(&(struct cmdline){ rows, ROWS, options->given }, name);
}

int
options_parse(struct options *options, int argc, char **argv)
{
	struct cmdline cmdline = { rows, ROWS, 0 };
	int result;

	*options = (struct options){
		.max_bytes = UINT64_MAX,
		.delimiter = '\n',
		.max_record = DEFAULT_MAX_RECORD,
		.max_keys = DEFAULT_MAX_KEYS,
	};
	if (buf_append_byte(&options->batch_delimiter, '\n') < 0) {
		diag_errno("cannot start");
		return -1;
	}
	result = cmdline_read(&cmdline, options, argc, argv);
	options->given = cmdline.given;
	return result;
}

void
options_release(struct options *options)
{
	pattern_free(options->break_before);
	buf_release(&options->field_separator);
	buf_release(&options->batch_delimiter);
	buf_release(&options->joiner);
	template_free(options->header);
	template_free(options->footer);
}
