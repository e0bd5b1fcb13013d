#include <config.h>

#include "setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "expr.h"
#include "joblog.h"
#include "parser.h"
#include "spell.h"
#include "wholefile.h"

/* An option that has no effect unless another is given. */
struct need {
	const char *option;
	const char *other;
};

/* What --trigger can say itself. */
static const char *const in_trigger[] = { "count", "timeout", "idle", "every",
					  "align", "match",   "once" };

static const struct need needs[] = {
	{ "align", "timeout" }, { "max-keys", "key" }, { "allowed-lateness", "window" },
	{ "late", "window" },   { "force", "output" }, { "backoff", "attempts" },
};

/* Options that are about a command. */
static const char *const of_commands[] = { "args",     "max-procs",   "keep-order",
					   "attempts", "backoff",     "exec-timeout",
					   "halt",     "dead-letter", "grace",
					   "joblog" };

/* Options that say what a batch looks like, which arguments do not. */
static const char *const of_frames[] = { "batch-delimiter", "join",   "header",
					 "footer",          "format", "json-records" };

static int
complain_of_need(const char *option, const char *needed)
{
	diag_say("--%s: has no effect without %s", option, needed);
	return -1;
}

static int
check_needs(const struct options *options)
{
	static const char *const event_only[] = { "timestamp", "time-format",
						  "out-of-orderness", "bad-timestamp",
						  "emit-watermarks" };
	static const char *const fire_only[] = { "keep-last", "keep-for" };

	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (options_given(options, needs[i].option) &&
		    !options_given(options, needs[i].other)) {
			diag_say("--%s: has no effect without --%s", needs[i].option,
				 needs[i].other);
			return -1;
		}
	for (size_t i = 0; i < sizeof event_only / sizeof *event_only; i++)
		if (options_given(options, event_only[i]) && !options->event)
			return complain_of_need(event_only[i], "--time-domain event");
	for (size_t i = 0; i < sizeof fire_only / sizeof *fire_only; i++)
		if (options_given(options, fire_only[i]) && options->mode != MODE_FIRE)
			return complain_of_need(fire_only[i], "--mode fire");
	if (options_given(options, "evict") && !options->eviction.keep_last &&
	    !options->eviction.keep_for)
		return complain_of_need("evict", "--keep-last or --keep-for");
	return 0;
}

static int
check_windows(const struct options *options)
{
	static const char *const of_windows[] = { "allowed-lateness", "late" };

	for (size_t i = 0; i < sizeof of_windows / sizeof *of_windows; i++)
		if (options_given(options, of_windows[i]) &&
		    options->window.kind == WINDOW_GLOBAL)
			return complain_of_need(of_windows[i], "a window that ends");
	if (options->output_timestamp == OUTPUT_END &&
	    options->window.kind == WINDOW_GLOBAL) {
		diag_say(
			"--output-timestamp: 'end': the global window has none (use --window)");
		return -1;
	}
	if (options->event && !options_given(options, "timestamp")) {
		diag_say("--time-domain: 'event': needs the records' times "
			 "(use --timestamp prefix)");
		return -1;
	}
	return 0;
}

static int
check_sinks(const struct options *options)
{
	for (size_t i = 0; i < sizeof of_commands / sizeof *of_commands; i++)
		if (!options->command && options_given(options, of_commands[i]))
			return complain_of_need(of_commands[i], "a command (behind --)");
	for (size_t i = 0; i < sizeof of_frames / sizeof *of_frames; i++)
		if (options->args && options_given(options, of_frames[i])) {
			diag_say("--%s: has no effect with --args", of_frames[i]);
			return -1;
		}
	if (options_given(options, "backoff") && options->attempts == 1)
		return complain_of_need("backoff", "--attempts of at least 2");
	if (options->output && options->command) {
		diag_say("--output: not together with a command (use one of them)");
		return -1;
	}
	if (options->emit_watermarks && (options->output || options->command)) {
		diag_say("--emit-watermarks: only to standard output (leave out %s)",
			 options->output ? "--output" : "the command");
		return -1;
	}
	return 0;
}

/* What a format has no place for. */
static int
check_format(const struct options *options)
{
	static const char *const in_text[] = { "join", "header", "footer" };
	bool json = options->format == FORMAT_JSON || options->format == FORMAT_NDJSON;

	for (size_t i = 0; i < sizeof in_text / sizeof *in_text; i++)
		if (json && options_given(options, in_text[i])) {
			diag_say("--%s: has no effect with --format json or ndjson",
				 in_text[i]);
			return -1;
		}
	if (options->json_records && !json)
		return complain_of_need("json-records", "--format json or ndjson");
	if (options->json_records && options->oversize == OVERSIZE_TRUNCATE) {
		diag_say("--oversize: what is truncated is not JSON (use fail or skip)");
		return -1;
	}
	if (options->format == FORMAT_NETSTRING &&
	    options_given(options, "batch-delimiter")) {
		diag_say("--batch-delimiter: has no effect with --format netstring");
		return -1;
	}
	if (options->emit_watermarks && options->format != FORMAT_TEXT)
		return complain_of_need("emit-watermarks", "--format text");
	return 0;
}

static int
check_trigger_alone(const struct options *options)
{
	for (size_t i = 0; i < sizeof in_trigger / sizeof *in_trigger; i++)
		if (options->trigger && options_given(options, in_trigger[i])) {
			diag_say(
				"--%s: not together with --trigger (say it in the expression)",
				in_trigger[i]);
			return -1;
		}
	return 0;
}

static struct trigger *
parse_trigger(struct setup *setup, const struct options *options)
{
	struct expr_context context = {
		.times = &options->time_format,
		.event = options->event,
		.separator = buf_slice(&options->field_separator),
		.probes = &setup->probes,
	};
	struct expr_error error;
	struct trigger *trigger = expr_parse(options->trigger, &context, &error);
	struct buf lines = { 0 };

	if (trigger)
		return trigger;
	if (parser_point_out(options->trigger, &error, &lines) < 0)
		lines.size = 0;
	diag_lines("--trigger: %s%.*s", error.complaint.text, (int)lines.size,
		   lines.data ? lines.data : "");
	buf_release(&lines);
	return NULL;
}

static struct trigger *
match_leaf(struct setup *setup, const char *text)
{
	struct leaf leaf = { .kind = LEAF_MATCH };
	struct complaint why;
	struct pattern *pattern = pattern_new(text, &why);

	if (!pattern || probes_add(&setup->probes, pattern, NULL, &leaf.probe) < 0)
		return NULL;
	leaf.text = strdup(text);
	return leaf.text ? trigger_leaf(&leaf) : NULL;
}

/* The leaves that the flags stand for, in their order. Returns how many. */
static size_t
leaves_of_flags(struct setup *setup, const struct options *options,
		struct trigger **leaves)
{
	struct leaf count = { .kind = LEAF_COUNT, .least = options->count };
	struct leaf delay = { .kind = LEAF_DELAY, .delay = options->align };
	struct leaf idle = { .kind = LEAF_IDLE, .delay.offset = options->idle };
	struct leaf every = { .kind = LEAF_EVERY, .delay = options->every };
	size_t number = 0;

	delay.delay.offset = options->timeout;
	idle.on_quiet = options->idle == 0 && !options->event;
	if (options_given(options, "count"))
		leaves[number++] = trigger_leaf(&count);
	if (options_given(options, "timeout"))
		leaves[number++] = trigger_leaf(&delay);
	if (options_given(options, "idle"))
		leaves[number++] = trigger_leaf(&idle);
	if (options_given(options, "every"))
		leaves[number++] = trigger_leaf(&every);
	if (options_given(options, "match"))
		leaves[number++] = match_leaf(setup, options->match);
	return number;
}

/* Without a trigger there is one batch: at the end of the window, or of the input. */
static enum leaf_kind
without_flags(const struct options *options)
{
	return options->window.kind == WINDOW_GLOBAL ? LEAF_NEVER : LEAF_WATERMARK;
}

static bool
is_never(const struct trigger *trigger)
{
	return trigger->kind == TRIGGER_LEAF && trigger->leaf.kind == LEAF_NEVER;
}

/* repeat(any(count, delay, idle, every, match)), as far as given. */
static struct trigger *
build_trigger(struct setup *setup, const struct options *options)
{
	struct trigger *leaves[sizeof in_trigger / sizeof *in_trigger], *trigger;
	size_t number = leaves_of_flags(setup, options, leaves);

	if (number == 0) {
		leaves[0] =
			trigger_leaf(&(struct leaf){ .kind = without_flags(options) });
		number = leaves[0] ? 1 : 0;
	}
	trigger = number == 1 ? leaves[0] : trigger_combine(TRIGGER_ANY, leaves, number);
	if (trigger && !is_never(trigger) && !options->once)
		trigger = trigger_combine(TRIGGER_REPEAT, &trigger, 1);
	if (!trigger)
		diag_errno("cannot build the trigger");
	return trigger;
}

static bool
uses_separator(const struct setup *setup)
{
	const struct field *fields[] = { setup->break_on, setup->key, setup->timestamp };

	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (fields[i] && field_uses_separator(fields[i]))
			return true;
	for (size_t i = 0; i < setup->probes.count; i++)
		if (setup->probes.list[i].field &&
		    field_uses_separator(setup->probes.list[i].field))
			return true;
	return false;
}

/* The field for a key that was given; options have seen that it is good. */
static int
make_field(struct field **field, const char *option, const char *key,
	   const struct options *options)
{
	struct complaint why;

	if (!key)
		return 0;
	*field = field_new(key, buf_slice(&options->field_separator), &why);
	if (*field)
		return 0;
	diag_say("--%s: '%s': %s", option, key, why.text);
	return -1;
}

static int
make_fields(struct setup *setup, const struct options *options)
{
	if (make_field(&setup->break_on, "break-on", options->break_on, options) < 0 ||
	    make_field(&setup->key, "key", options->key, options) < 0 ||
	    make_field(&setup->timestamp, "timestamp", options->timestamp, options) < 0)
		return -1;
	if (options->field_separator.size > 0 && !uses_separator(setup))
		return complain_of_need("field-separator",
					"a field's number to look up (as in --key 1)");
	return 0;
}

/* Whether the window can have the trigger. */
static int
check_merging(const struct options *options, const struct trigger *trigger)
{
	const struct trigger *wrong = trigger_find_unmergeable(trigger);
	struct buf text = { 0 };

	if (options->window.kind != WINDOW_SESSION || !wrong)
		return 0;
	if (spell_trigger(wrong, &text) < 0)
		text.size = 0;
	diag_say("--window: sessions merge, and %.*s cannot (use count, delay, idle and "
		 "watermark() under repeat, any and all)",
		 (int)text.size, text.data ? text.data : "");
	buf_release(&text);
	return -1;
}

static int
make_trigger(struct setup *setup, const struct options *options)
{
	setup->trigger = options->trigger ? parse_trigger(setup, options)
					  : build_trigger(setup, options);
	return setup->trigger ? check_merging(options, setup->trigger) : -1;
}

/* A batch that is by itself needs nothing behind it; but one line ends as lines do. */
static struct slice
batch_delimiter(const struct options *options)
{
	bool alone = options->command || options->output;

	if (alone && options->format == FORMAT_TEXT && !options->join &&
	    !options_given(options, "batch-delimiter"))
		return (struct slice){ "", 0 };
	return buf_slice(&options->batch_delimiter);
}

/* One for each processor that is there. */
static size_t
procs_of(const struct options *options)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);

	if (options->max_procs > 0)
		return (size_t)options->max_procs;
	return processors > 0 ? (size_t)processors : 1;
}

static void
fill_in_runner(struct setup *setup, const struct options *options)
{
	setup->runner = (struct runner_config){
		.command = options->command,
		.procs = procs_of(options),
		.keep_order = options->keep_order,
		.attempts = options->attempts,
		.backoff = options->backoff,
		.max_backoff = options->max_backoff,
		.timeout = options->exec_timeout,
		.grace = options->grace,
		.halt = options->halt,
		.joblog = setup->joblog,
		.joblog_name = options->joblog,
		.delimiter = options->delimiter,
	};
	setup->letters = (struct deadletter){ .directory = options->dead_letter };
}

/* Opens or tries what is written to beside the batches, so that it is known to be there. */
static int
open_files(struct setup *setup, const struct options *options)
{
	struct deadletter letters = { .directory = options->dead_letter };

	if (options->explain)
		return 0;
	if (letters.directory && deadletter_open(&letters) < 0) {
		diag_errno("--dead-letter: cannot use the directory '%s'",
			   letters.directory);
		return -1;
	}
	if (options->metrics && wholefile_try(options->metrics, true) < 0) {
		diag_say("--metrics: cannot write '%s': %s%s", options->metrics,
			 strerror(errno), wholefile_hint(errno));
		return -1;
	}
	if (options->joblog && (setup->joblog = joblog_open(options->joblog)) < 0) {
		diag_errno("--joblog: cannot open '%s'", options->joblog);
		return -1;
	}
	return 0;
}

static void
fill_in(struct setup *setup, const struct options *options)
{
	setup->engine = (struct engine_config){
		.trigger = setup->trigger,
		.probes = &setup->probes,
		.cuts = {
			.max_bytes = options->max_bytes,
			.break_before = options->break_before,
			.break_on = setup->break_on,
		},
		.emitter = {
			.mode = options->mode,
			.eviction = options->eviction,
			.evicts = options->eviction.keep_last || options->eviction.keep_for,
			.output_timestamp = options->output_timestamp,
			.delimiter = options->delimiter,
			.keyed = setup->key != NULL,
		},
		.once = options->once,
		.emit_empty = options->emit_empty,
		.event = options->event,
		.out_of_orderness = options->out_of_orderness,
		.key = setup->key,
		.max_keys = options->max_keys,
		.window = options->window,
		.allowed_lateness = options->allowed_lateness,
		.late = options->late,
		.emit_watermarks = options->emit_watermarks,
	};
	setup->intake = (struct intake_config){
		.delimiter = options->delimiter,
		.max_record = options->max_record,
		.oversize = options->oversize,
		.check_json = options->json_records,
		.event = options->event,
		.timestamp = { options->time_format, setup->timestamp },
		.skip_bad_times = options->skip_bad_times,
	};
	setup->frame = (struct frame){
		.format = options->format,
		.json_records = options->json_records,
		.delimiter = options->delimiter,
		.join = options->join,
		.joiner = buf_slice(&options->joiner),
		.batch_delimiter = batch_delimiter(options),
		.header = options->header,
		.footer = options->footer,
		.times = options->event ? options->time_format
					: (struct timeform){ .kind = TIMEFORM_WALL },
	};
}

int
setup_make(struct setup *setup, const struct options *options)
{
	*setup = (struct setup){ .joblog = -1 };
	if (check_needs(options) == 0 && check_sinks(options) == 0 &&
	    check_format(options) == 0 && check_trigger_alone(options) == 0 &&
	    check_windows(options) == 0 && make_trigger(setup, options) == 0 &&
	    make_fields(setup, options) == 0 && open_files(setup, options) == 0) {
		fill_in(setup, options);
		fill_in_runner(setup, options);
		return 0;
	}
	setup_release(setup);
	return -1;
}

void
setup_release(struct setup *setup)
{
	trigger_free(setup->trigger);
	probes_release(&setup->probes);
	field_free(setup->break_on);
	field_free(setup->key);
	field_free(setup->timestamp);
	if (setup->joblog >= 0)
		close(setup->joblog);
}

uint64_t
setup_given_up(const struct setup *setup)
{
	const struct cuts *cuts = &setup->engine.cuts;
	uint64_t count = probes_given_up(&setup->probes);

	if (cuts->break_before)
		count += pattern_given_up(cuts->break_before);
	if (setup->break_on)
		count += field_given_up(setup->break_on);
	if (setup->key)
		count += field_given_up(setup->key);
	if (setup->timestamp)
		count += field_given_up(setup->timestamp);
	return count;
}
