#include <config.h>

#include "setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "expr.h"

/* An option that has no effect unless another is given. */
struct need {
	const char *option;
	const char *other;
};

/* What --trigger can say itself. */
static const char *const in_trigger[] = { "count", "timeout", "idle", "every",
					  "align", "match",   "once" };

static int
check_needs(const struct options *options)
{
	static const struct need needs[] = { { "align", "timeout" } };
	static const char *const event_only[] = { "timestamp", "time-format",
						  "out-of-orderness" };

	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (options_given(options, needs[i].option) &&
		    !options_given(options, needs[i].other)) {
			diag_say("--%s: has no effect without --%s", needs[i].option,
				 needs[i].other);
			return -1;
		}
	for (size_t i = 0; i < sizeof event_only / sizeof *event_only; i++)
		if (options_given(options, event_only[i]) && !options->event) {
			diag_say("--%s: has no effect without --time-domain event",
				 event_only[i]);
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
		.time_format = options->time_format,
		.event = options->event,
		.separator = buf_slice(&options->field_separator),
		.probes = &setup->probes,
	};
	struct expr_error error;
	struct trigger *trigger = expr_parse(options->trigger, &context, &error);
	struct buf lines = { 0 };

	if (trigger)
		return trigger;
	if (expr_point_out(options->trigger, &error, &lines) < 0)
		lines.size = 0;
	diag_say("--trigger: %s%.*s", error.complaint.text, (int)lines.size,
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

/* repeat(any(count, delay, idle, every, match)), as far as given. */
static struct trigger *
build_trigger(struct setup *setup, const struct options *options)
{
	struct trigger *leaves[sizeof in_trigger / sizeof *in_trigger], *trigger;
	size_t number = leaves_of_flags(setup, options, leaves);

	if (number == 0)
		trigger = trigger_leaf(&(struct leaf){ .kind = LEAF_NEVER });
	else
		trigger = number == 1 ? leaves[0]
				      : trigger_combine(TRIGGER_ANY, leaves, number);
	if (number > 0 && !options->once)
		trigger = trigger_combine(TRIGGER_REPEAT, &trigger, 1);
	if (!trigger)
		diag_errno("cannot build the trigger");
	return trigger;
}

static bool
uses_fields(const struct setup *setup, const struct options *options)
{
	bool uses = options->break_on != NULL;

	for (size_t i = 0; i < setup->probes.count; i++)
		uses = uses || setup->probes.list[i].field;
	return uses;
}

static int
make_trigger(struct setup *setup, const struct options *options)
{
	struct slice separator = buf_slice(&options->field_separator);
	struct complaint why;

	setup->trigger = options->trigger ? parse_trigger(setup, options)
					  : build_trigger(setup, options);
	if (!setup->trigger)
		return -1;
	if (options->break_on) {
		setup->break_on = field_new(options->break_on, separator, &why);
		if (!setup->break_on) {
			diag_say("--break-on: '%s': %s", options->break_on, why.text);
			return -1;
		}
	}
	if (separator.size > 0 && !uses_fields(setup, options)) {
		diag_say(
			"--field-separator: has no effect without a KEY (as in --break-on)");
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
		.mode = options->mode,
		.once = options->once,
		.emit_empty = options->emit_empty,
		.delimiter = options->delimiter,
		.event = options->event,
		.out_of_orderness = options->out_of_orderness,
	};
	setup->intake = (struct intake_config){
		.delimiter = options->delimiter,
		.max_record = options->max_record,
		.oversize = options->oversize,
		.event = options->event,
		.time_format = options->time_format,
	};
	setup->frame = (struct frame){
		.delimiter = options->delimiter,
		.join = options->join,
		.joiner = buf_slice(&options->joiner),
		.batch_delimiter = buf_slice(&options->batch_delimiter),
		.header = options->header,
		.footer = options->footer,
		.times = { !options->event, options->time_format },
	};
}

int
setup_make(struct setup *setup, const struct options *options)
{
	*setup = (struct setup){ 0 };
	if (check_needs(options) == 0 && check_trigger_alone(options) == 0 &&
	    make_trigger(setup, options) == 0) {
		fill_in(setup, options);
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
}

uint64_t
setup_given_up(const struct setup *setup)
{
	const struct cuts *cuts = &setup->engine.cuts;
	uint64_t count = probes_given_up(&setup->probes);

	if (cuts->break_before)
		count += pattern_given_up(cuts->break_before);
	if (cuts->break_on)
		count += field_given_up(cuts->break_on);
	return count;
}
