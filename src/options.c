#include <config.h>

#include "options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "diag.h"
#include "settings.h"

#define DEFAULT_MAX_RECORD ((uint64_t)64 << 20)
#define DEFAULT_MAX_KEYS 1000000

static int
print_help(struct options *options, const char *value, struct complaint *why);

static int
print_version(struct options *options, const char *value, struct complaint *why);

static const struct row rows[] = {
	{ "When a batch is due", 'n', "count", "N", "at N records", set_count, 0 },
	{ NULL, 't', "timeout", "DUR", "DUR after the batch's first record", set_timeout,
	  0 },
	{ NULL, 'i', "idle", "DUR",
	  "when no record came for DUR; 0: when nothing more is on offer", set_idle, 0 },
	{ NULL, 'e', "every", "DUR[+PHASE]",
	  "at the next wall-clock boundary: 1m, each full minute", set_every, 0 },
	{ NULL, 'a', "align", "DUR[+PHASE]",
	  "moves the timeout's end up to such a boundary", set_align, 0 },
	{ NULL, 'm', "match", "REGEX", "after a record that matches", set_match, 0 },
	{ NULL, 'b', "max-bytes", "SIZE", "before the batch would exceed SIZE",
	  set_max_bytes, 0 },
	{ NULL, 0, "break-before", "REGEX", "before a record that matches",
	  set_break_before, 0 },
	{ NULL, 0, "break-on", "KEY", "before a record whose key is another",
	  set_break_on, 0 },
	{ NULL, 'T', "trigger", "EXPR",
	  "any combination: 'repeat(any(count(10), delay(1s)))'", set_trigger, 0 },
	{ NULL, 0, "once", NULL, "stop after the first batch", NULL,
	  offsetof(struct options, once) },
	{ NULL, 'M', "mode", "MODE",
	  "fire-and-purge: empty the batch (default); fire: add to it", set_mode, 0 },
	{ NULL, 0, "keep-last", "N", "with --mode fire: keep the last N records",
	  set_keep_last, 0 },
	{ NULL, 0, "keep-for", "DUR", "with --mode fire: keep those of the newest DUR",
	  set_keep_for, 0 },
	{ NULL, 0, "evict", "WHEN",
	  "let the others go before (default) or after each batch", set_evict, 0 },
	{ NULL, 0, "emit-empty", NULL, "also emit a firing that has nothing new", NULL,
	  offsetof(struct options, emit_empty) },

	{ "Records, keys, time", 'd', "delimiter", "CHAR",
	  "what ends a record (default \\n)", set_delimiter, 0 },
	{ NULL, '0', "null", NULL, "records end with a NUL byte", set_null, 0 },
	{ NULL, 0, "max-record", "SIZE", "the longest record (default 64MiB)",
	  set_max_record, 0 },
	{ NULL, 0, "oversize", "WHAT",
	  "of a longer one: fail (default), skip or truncate", set_oversize, 0 },
	{ NULL, 'k', "key", "KEY", "a batch of its own for each key", set_key, 0 },
	{ NULL, 'F', "field-separator", "SEP", "what is between fields (default: blanks)",
	  set_field_separator, 0 },
	{ NULL, 0, "max-keys", "N", "live keys at once (default 1000000)", set_max_keys,
	  0 },
	{ NULL, 'w', "window", "WINDOW",
	  "tumbling(1m), sliding(10m,1m), session(30s) or global", set_window, 0 },
	{ NULL, 0, "time-domain", "DOMAIN",
	  "timers go by: processing (default) or event time", set_time_domain, 0 },
	{ NULL, 0, "timestamp", "SPEC",
	  "event time of a record: prefix (TIME, blank, record) or KEY", set_timestamp,
	  0 },
	{ NULL, 0, "time-format", "FMT",
	  "ms (default), s, us, ns, rfc3339 or as in strptime", set_time_format, 0 },
	{ NULL, 0, "out-of-orderness", "DUR",
	  "how far behind the newest time one may come", set_out_of_orderness, 0 },
	{ NULL, 0, "allowed-lateness", "DUR", "how long a window lives after its end",
	  set_allowed_lateness, 0 },
	{ NULL, 0, "late", "WHAT",
	  "of a record that is too late: drop (default), emit or fail", set_late, 0 },
	{ NULL, 0, "bad-timestamp", "WHAT",
	  "of a record without a time: fail (default) or skip", set_bad_timestamp, 0 },
	{ NULL, 0, "output-timestamp", "WHICH",
	  "a batch's {timestamp}: first (default), last, fired, end",
	  set_output_timestamp, 0 },
	{ NULL, 0, "emit-watermarks", NULL,
	  "pass the watermark on, as lines with a time alone", NULL,
	  offsetof(struct options, emit_watermarks) },

	{ "What a batch looks like", 'f', "format", "FORMAT",
	  "text (default), json, ndjson or netstring", set_format, 0 },
	{ NULL, 0, "json-records", NULL,
	  "the records are JSON values, put in as they are", NULL,
	  offsetof(struct options, json_records) },
	{ NULL, 'D', "batch-delimiter", "STRING", "after each batch (default \\n)",
	  set_batch_delimiter, 0 },
	{ NULL, 'j', "join", "STRING", "one line a batch, STRING between the records",
	  set_join, 0 },
	{ NULL, 0, "header", "TEMPLATE",
	  "before the records; {count} and the like are facts", set_header, 0 },
	{ NULL, 0, "footer", "TEMPLATE", "after the records", set_footer, 0 },

	{ NULL, 'o', "output", "TEMPLATE", "each batch to a file of its own", set_output,
	  0 },
	{ NULL, 0, "force", NULL, "with --output: replace files that are there", NULL,
	  offsetof(struct options, force) },

	{ "Commands", 'x', "args", NULL,
	  "records as arguments, in place of {} or at the end", NULL,
	  offsetof(struct options, args) },
	{ NULL, 'P', "max-procs", "N",
	  "runs at once (default 1); 0: one for each processor", set_max_procs, 0 },
	{ NULL, 0, "keep-order", NULL, "outputs in the order of the batches", NULL,
	  offsetof(struct options, keep_order) },
	{ NULL, 0, "attempts", "N", "runs in all for a batch that fails (default 1)",
	  set_attempts, 0 },
	{ NULL, 0, "backoff", "DUR[,MAX]",
	  "wait before the next run (default 1s), doubling", set_backoff, 0 },
	{ NULL, 0, "exec-timeout", "DUR", "how long a run may take", set_exec_timeout,
	  0 },
	{ NULL, 0, "halt", "WHEN",
	  "after a batch that failed: never (default), soon or now", set_halt, 0 },
	{ NULL, 0, "dead-letter", "DIR", "keep batches that failed there",
	  set_dead_letter, 0 },
	{ NULL, 0, "grace", "DUR",
	  "from a signal to TERM, from TERM to KILL (default 10s)", set_grace, 0 },
	{ NULL, 0, "joblog", "FILE", "append a JSON line for each run", set_joblog, 0 },

	{ "Watching", 'v', "verbose", NULL, "a line on standard error for each batch",
	  NULL, offsetof(struct options, verbose) },
	{ NULL, 0, "stats", "[=FORMAT]",
	  "totals on standard error at exit: text (default) or json", set_stats, 0 },
	{ NULL, 0, "progress", NULL, "a live line on standard error, on a terminal", NULL,
	  offsetof(struct options, progress) },
	{ NULL, 0, "metrics", "FILE", "totals as Prometheus text, every 5 s and at exit",
	  set_metrics, 0 },
	{ NULL, 0, "explain", NULL, "print what the trigger means, and read nothing",
	  NULL, offsetof(struct options, explain) },
	{ NULL, 0, "help", NULL, "print this help and exit", print_help, 0 },
	{ NULL, 0, "version", NULL, "print the version and exit", print_version, 0 },
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
	fputs("Usage: volley [OPTION]... [-- COMMAND [ARG]...]\n"
	      "Read records (lines) on standard input and pass them on in batches, when enough have\n"
	      "come or enough time has passed: to standard output, or to COMMAND, run for each.\n",
	      stdout);
	cmdline_print_rows(&(struct cmdline){ rows, ROWS, 0 });
	fputs("\n"
	      "DUR is a number with a unit (ns us ms s m h d), or several: 1m30s; a bare number is\n"
	      "milliseconds. SIZE is a number of bytes, with K M G T (1024) or KB MB GB TB (1000).\n"
	      "KEY is a field's number from 1, re:REGEX (its first group) or json:/POINTER.\n"
	      "Without a trigger there is one batch, at the end of the input.\n"
	      "\n"
	      "Exit status:\n"
	      "  0    all went well\n"
	      "  1    input or output failed, or a record was too long or had no time\n"
	      "  2    the command line is wrong; nothing was read\n"
	      "  123  a batch's command failed for good\n"
	      "  124  a command exited 255; no more were run\n"
	      "  125  a command was killed by a signal, or took too long\n"
	      "  126  the command cannot be run\n"
	      "  127  the command is not found\n"
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
		.max_procs = 1,
		.attempts = 1,
		.backoff = NSEC_PER_S,
		.max_backoff = NSEC_MAX,
		.grace = 10 * NSEC_PER_S,
	};
	if (buf_append_byte(&options->batch_delimiter, '\n') < 0) {
		diag_errno("cannot start");
		return -1;
	}
	result = cmdline_read(&cmdline, options, argc, argv, &options->command);
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
	template_free(options->output);
}
