#include <config.h>

#include "expr.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "datetime.h"
#include "parser.h"

struct form;

/* Reads what stands between the brackets. */
typedef struct trigger *
read_form(struct parser *parser, const struct form *form);

/* A word of the language. */
struct form {
	const char *name;
	read_form *read;
	int kind; /* of the leaf, or of the combinator */
	const char *example;
};

static read_form read_count, read_bytes, read_delay, read_idle, read_every, read_at,
	read_match, read_delta, read_watermark, read_never, read_list, read_repeat,
	read_until;

static const struct form forms[] = {
	{ "count", read_count, LEAF_COUNT, "count(10)" },
	{ "bytes", read_bytes, LEAF_BYTES, "bytes(64K)" },
	{ "delay", read_delay, LEAF_DELAY, "delay(1s) or delay(1s, align=1m)" },
	{ "idle", read_idle, LEAF_IDLE, "idle(200ms)" },
	{ "every", read_every, LEAF_EVERY, "every(1m) or every(1h+5m)" },
	{ "at", read_at, LEAF_AT, "at(18:00) or at(2026-01-31T12:00:00Z)" },
	{ "match", read_match, LEAF_MATCH, "match('^END')" },
	{ "delta", read_delta, LEAF_DELTA, "delta(2, 0.5)" },
	{ "watermark", read_watermark, LEAF_WATERMARK, "watermark(early=count(10))" },
	{ "never", read_never, LEAF_NEVER, "never()" },
	{ "any", read_list, TRIGGER_ANY, "any(count(10), delay(1s))" },
	{ "all", read_list, TRIGGER_ALL, "all(count(10), delay(1s))" },
	{ "each", read_list, TRIGGER_EACH, "each(count(1), count(10))" },
	{ "repeat", read_repeat, TRIGGER_REPEAT, "repeat(count(10))" },
	{ "until", read_until, TRIGGER_UNTIL, "until(repeat(count(10)), delay(1m))" },
};

#define FORMS (sizeof forms / sizeof *forms)

static struct trigger *
new_leaf(struct parser *parser, const struct leaf *leaf)
{
	struct trigger *trigger = trigger_leaf(leaf);

	return trigger ? trigger
		       : parser_fail(parser, strerror(errno), "a smaller expression");
}

static struct trigger *
read_count(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_COUNT };
	const char *start = parser->at;
	char *value = parser_read_value(parser, form->example);
	int result;

	if (!value)
		return NULL;
	result = units_parse_count(value, 1, &leaf.least, &parser->error->complaint);
	free(value);
	return result < 0 ? parser_fail_value(parser, start) : new_leaf(parser, &leaf);
}

static struct trigger *
read_bytes(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_BYTES };
	const char *start = parser->at;
	char *value = parser_read_value(parser, form->example);
	int result;

	if (!value)
		return NULL;
	result = units_parse_size(value, &leaf.least, &parser->error->complaint);
	if (result == 0 && leaf.least == 0)
		result =
			complain(&parser->error->complaint, "too small (the least is 1)");
	free(value);
	return result < 0 ? parser_fail_value(parser, start) : new_leaf(parser, &leaf);
}

static bool
read_duration(struct parser *parser, nsec *duration, const char *example)
{
	const char *start = parser->at;
	char *value = parser_read_value(parser, example);
	int result;

	if (!value)
		return false;
	result = units_parse_duration(value, duration, &parser->error->complaint);
	free(value);
	if (result < 0)
		parser_fail_value(parser, start);
	return result == 0;
}

static bool
read_period(struct parser *parser, struct delay *delay, const char *example)
{
	const char *start = parser->at;
	char *value = parser_read_value(parser, example);
	int result;

	if (!value)
		return false;
	result = expr_parse_period(value, delay, &parser->error->complaint);
	free(value);
	if (result < 0)
		parser_fail_value(parser, start);
	return result == 0;
}

static struct trigger *
read_delay(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_DELAY };

	if (!read_duration(parser, &leaf.delay.offset, form->example))
		return NULL;
	if (parser_accept(parser, ',')) {
		if (!parser_is_next(parser, "align"))
			return parser_fail(parser, "expected 'align='", form->example);
		parser->at += strlen("align");
		if (!parser_expect(parser, '=', form->example) ||
		    !read_period(parser, &leaf.delay, form->example))
			return NULL;
	}
	return new_leaf(parser, &leaf);
}

static struct trigger *
read_idle(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_IDLE };

	if (!read_duration(parser, &leaf.delay.offset, form->example))
		return NULL;
	leaf.on_quiet = leaf.delay.offset == 0 && !parser->context->event;
	return new_leaf(parser, &leaf);
}

static struct trigger *
read_every(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_EVERY };

	if (!read_period(parser, &leaf.delay, form->example))
		return NULL;
	return new_leaf(parser, &leaf);
}

static struct trigger *
read_at(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_AT };
	const char *start = parser->at;
	char *value = parser_read_value(parser, form->example);
	size_t size;
	bool good;

	if (!value)
		return NULL;
	size = strlen(value);
	leaf.time_of_day = datetime_parse_time_of_day(value, size, &leaf.at) == 0;
	good = leaf.time_of_day ||
	       timeform_parse(parser->context->times, (struct slice){ value, size },
			      &leaf.at) == 0 ||
	       datetime_parse(value, size, &leaf.at) == 0;
	free(value);
	if (good)
		return new_leaf(parser, &leaf);
	complain(
		&parser->error->complaint,
		"not a time (use HH:MM[:SS], a time as --time-format has it, or RFC 3339)");
	return parser_fail_value(parser, start);
}

/* Makes the leaf with its probe; takes over the text, the pattern and the field. */
static struct trigger *
probe_leaf(struct parser *parser, struct leaf *leaf, struct pattern *pattern,
	   struct field *field)
{
	if (probes_add(parser->context->probes, pattern, field, &leaf->probe) == 0)
		return new_leaf(parser, leaf);
	free(leaf->text);
	return parser_fail(parser, strerror(errno), "a smaller expression");
}

static struct trigger *
read_match(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_MATCH };
	const char *start = parser->at;
	struct pattern *pattern;

	leaf.text = parser_read_value(parser, form->example);
	if (!leaf.text)
		return NULL;
	pattern = pattern_new(leaf.text, &parser->error->complaint);
	if (pattern)
		return probe_leaf(parser, &leaf, pattern, NULL);
	free(leaf.text);
	return parser_fail_value(parser, start);
}

static bool
read_distance(struct parser *parser, double *distance, const char *example)
{
	/* A constant in an expression may have more digits than a double, on x87. */
	static const double most = 1e300;
	const char *start = parser->at;
	char *value = parser_read_value(parser, example), *end;
	bool good;

	if (!value)
		return false;
	good = strspn(value, "0123456789.eE+-") == strlen(value) && *value != '-';
	*distance = strtod(value, &end);
	good = good && *end == '\0' && *distance <= most;
	free(value);
	if (good)
		return true;
	complain(&parser->error->complaint,
		 "not a distance (use a number from 0, such as 0.5)");
	parser_fail_value(parser, start);
	return false;
}

static struct trigger *
read_delta(struct parser *parser, const struct form *form)
{
	struct leaf leaf = { .kind = LEAF_DELTA };
	const char *start = parser->at;
	struct field *field;

	leaf.text = parser_read_value(parser, form->example);
	if (!leaf.text)
		return NULL;
	field = field_new(leaf.text, parser->context->separator,
			  &parser->error->complaint);
	if (!field) {
		free(leaf.text);
		return parser_fail_value(parser, start);
	}
	if (parser_expect(parser, ',', form->example) &&
	    read_distance(parser, &leaf.distance, form->example))
		return probe_leaf(parser, &leaf, NULL, field);
	free(leaf.text);
	field_free(field);
	return NULL;
}

static struct trigger *
read_never(struct parser *parser, const struct form *form)
{
	(void)form;
	return new_leaf(parser, &(struct leaf){ .kind = LEAF_NEVER });
}

static struct trigger *
read_expression(struct parser *parser);

static struct trigger *
combine(struct parser *parser, enum trigger_kind kind, struct trigger *const *children,
	size_t count)
{
	struct trigger *trigger = trigger_combine(kind, children, count);

	return trigger ? trigger
		       : parser_fail(parser, strerror(errno), "a smaller expression");
}

/* Reads children up to the bracket that closes, into a list of its own. Returns how many; 0
 * with the error. */
static size_t
read_children(struct parser *parser, struct trigger **children, size_t room)
{
	size_t count = 0;

	do {
		struct trigger *child = read_expression(parser);

		if (!child || count == room) {
			if (child)
				parser_fail(parser, "too many triggers",
					    "a smaller expression");
			trigger_free(child);
			while (count > 0)
				trigger_free(children[--count]);
			return 0;
		}
		children[count++] = child;
	} while (parser_accept(parser, ','));
	return count;
}

static struct trigger *
read_list(struct parser *parser, const struct form *form)
{
	struct trigger **children = malloc(EXPR_NODES_MAX * sizeof(struct trigger *));
	struct trigger *trigger = NULL;
	size_t count;

	if (!children)
		return parser_fail(parser, strerror(errno), "a smaller expression");
	count = read_children(parser, children, EXPR_NODES_MAX);
	if (count > 0)
		trigger = combine(parser, (enum trigger_kind)form->kind, children, count);
	free(children);
	return trigger;
}

static struct trigger *
read_repeat(struct parser *parser, const struct form *form)
{
	struct trigger *child = read_expression(parser);

	(void)form;
	return child ? combine(parser, TRIGGER_REPEAT, &child, 1) : NULL;
}

static struct trigger *
read_until(struct parser *parser, const struct form *form)
{
	struct trigger *children[2] = { read_expression(parser), NULL };

	if (!children[0])
		return NULL;
	if (parser_expect(parser, ',', form->example))
		children[1] = read_expression(parser);
	if (children[1])
		return combine(parser, TRIGGER_UNTIL, children, 2);
	trigger_free(children[0]);
	return NULL;
}

/*
 * watermark(early=A, late=B) is each(until(repeat(A), watermark()), repeat(B)); without A its
 * first child is watermark(), and without B there is only that.
 */
static struct trigger *
build_watermark(struct parser *parser, struct trigger *early, struct trigger *late)
{
	struct trigger *parts[2],
		*trigger = new_leaf(parser, &(struct leaf){ .kind = LEAF_WATERMARK });

	if (early) {
		parts[0] = trigger_combine(TRIGGER_REPEAT, &early, 1);
		parts[1] = trigger;
		trigger = combine(parser, TRIGGER_UNTIL, parts, 2);
	}
	if (late) {
		parts[0] = trigger;
		parts[1] = trigger_combine(TRIGGER_REPEAT, &late, 1);
		trigger = combine(parser, TRIGGER_EACH, parts, 2);
	}
	if (trigger)
		trigger->phases = (early ? TRIGGER_EARLY : 0) | (late ? TRIGGER_LATE : 0);
	return trigger;
}

/* Where the phase that is named next goes; NULL when none is, or it is there already. */
static struct trigger **
next_phase(struct parser *parser, struct trigger **early, struct trigger **late)
{
	struct trigger **phase = NULL;

	if (parser_is_next(parser, "early"))
		phase = early;
	else if (parser_is_next(parser, "late"))
		phase = late;
	if (!phase || *phase)
		return NULL;
	parser->at += parser_word_size(parser);
	return phase;
}

static struct trigger *
read_watermark(struct parser *parser, const struct form *form)
{
	struct trigger *early = NULL, *late = NULL;

	parser_skip_blanks(parser);
	if (*parser->at == ')')
		return build_watermark(parser, NULL, NULL);
	do {
		struct trigger **phase = next_phase(parser, &early, &late);

		if (!phase)
			parser_fail(parser, "expected early= or late=", form->example);
		else if (parser_expect(parser, '=', form->example))
			*phase = read_expression(parser);
		if (!phase || !*phase) {
			trigger_free(early);
			trigger_free(late);
			return NULL;
		}
	} while (parser_accept(parser, ','));
	return build_watermark(parser, early, late);
}

static const struct form *
find_form(const struct parser *parser)
{
	size_t size = parser_word_size(parser);

	for (size_t i = 0; i < FORMS; i++)
		if (strlen(forms[i].name) == size &&
		    strncmp(forms[i].name, parser->at, size) == 0)
			return &forms[i];
	return NULL;
}

#define FORM_HINT                                                                          \
	"count, bytes, delay, idle, every, at, match, delta, watermark, never, any, all, " \
	"each, repeat or until"

static struct trigger *
read_form_at(struct parser *parser)
{
	const struct form *form = find_form(parser);
	struct trigger *trigger;

	if (!form)
		return parser_fail(parser,
				   parser_word_size(parser) > 0 ? "unknown trigger"
								: "expected a trigger",
				   FORM_HINT);
	parser->at += strlen(form->name);
	if (!parser_expect(parser, '(', form->example))
		return NULL;
	trigger = form->read(parser, form);
	if (!trigger || parser_expect(parser, ')', form->example))
		return trigger;
	trigger_free(trigger);
	return NULL;
}

static struct trigger *
read_expression(struct parser *parser)
{
	struct trigger *trigger;

	parser_skip_blanks(parser);
	if (parser->depth == EXPR_DEPTH_MAX)
		return parser_fail(parser, "too deep", "at most 32 levels");
	if (parser->nodes == EXPR_NODES_MAX)
		return parser_fail(parser, "too many triggers", "at most 256");
	parser->depth++;
	parser->nodes++;
	trigger = read_form_at(parser);
	parser->depth--;
	return trigger;
}

struct trigger *
expr_parse(const char *text, const struct expr_context *context, struct expr_error *error)
{
	struct parser parser = { text, text, context, error, 0, 0 };
	struct trigger *trigger = read_expression(&parser);

	parser_skip_blanks(&parser);
	if (!trigger || *parser.at == '\0')
		return trigger;
	trigger_free(trigger);
	return parser_fail(&parser, "something stands behind the trigger",
			   "one, such as repeat(...)");
}

int
expr_parse_period(const char *text, struct delay *delay, struct complaint *why)
{
	const char *minus = strchr(text, '-');

	if (minus && minus != text && !strchr(text, '+'))
		return complain(why, "a phase cannot be less than 0 (use DUR+PHASE)");
	delay->phase = 0;
	if (units_parse_pair(text, '+', "1m+5s", &delay->period, &delay->phase, why) < 0)
		return -1;
	return delay->period > 0 ? 0 : complain(why, "a period of 0 (use 1m, for one)");
}
