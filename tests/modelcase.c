#include <config.h>

#include "modelcase.h"

#include <stdio.h>
#include <string.h>

#include "trees.h"

static struct pattern *
new_pattern(const char *text)
{
	struct complaint why;
	struct pattern *pattern = pattern_new(text, &why);

	DEMAND(pattern != NULL, "%s", why.text);
	return pattern;
}

static struct field *
new_field(const char *key)
{
	struct complaint why;
	struct field *field = field_new(key, (struct slice){ NULL, 0 }, &why);

	DEMAND(field != NULL, "%s", why.text);
	return field;
}

void
tools_init(struct tools *tools)
{
	size_t match, delta;

	*tools = (struct tools){ .break_before = new_pattern("y"),
				 .break_on = new_field("3"),
				 .key = new_field("1") };
	DEMAND(probes_add(&tools->probes, new_pattern("x"), NULL, &match) == 0, "memory");
	DEMAND(probes_add(&tools->probes, NULL, new_field("2"), &delta) == 0, "memory");
	DEMAND(match == 0 && delta == 1, "%zu %zu", match, delta);
}

void
tools_release(struct tools *tools)
{
	probes_release(&tools->probes);
	pattern_free(tools->break_before);
	field_free(tools->break_on);
	field_free(tools->key);
}

/* Triggers at random */

static char *
copy_of(const char *text)
{
	char *copy = strdup(text);

	DEMAND(copy != NULL, "no memory");
	return copy;
}

/* One that sessions may have. */
static struct trigger *
roll_mergeable_leaf(struct dice *dice, bool event)
{
	switch (dice_below(dice, 4)) {
	case 0:
		return COUNT((uint64_t)dice_between(dice, 1, 5));
	case 1:
		if (dice_hits(dice, 3))
			return DELAY_ALIGNED(dice_between(dice, 0, 5),
					     dice_between(dice, 1, 7),
					     dice_between(dice, 0, 7));
		return DELAY(dice_between(dice, 0, 15));
	case 2:
		if (!event && dice_hits(dice, 3))
			return IDLE_QUIET;
		return IDLE(dice_between(dice, 0, 8));
	default:
		return WATERMARK;
	}
}

static struct trigger *
roll_leaf(struct dice *dice, bool event)
{
	switch (dice_below(dice, 12)) {
	case 0:
		return BYTES((uint64_t)dice_between(dice, 1, 30));
	case 1:
		return EVERY(dice_between(dice, 1, 9), dice_between(dice, 0, 9));
	case 2:
		return AT_TIME(dice_between(dice, 0, 60));
	case 3:
		return event ? NEVER : AT_TIME_OF_DAY(dice_between(dice, 0, 60));
	case 4:
		return LEAF(MATCH, .probe = 0, .text = copy_of("x"));
	case 5:
		return LEAF(DELTA, .probe = 1, .text = copy_of("2"),
			    .distance = (double)dice_below(dice, 5));
	default:
		return roll_mergeable_leaf(dice, event);
	}
}

static struct trigger *
roll_tree(struct dice *dice, unsigned depth, bool event, bool session)
{
	static const enum trigger_kind kinds[] = { TRIGGER_ANY,   TRIGGER_ALL,
						   TRIGGER_ANY,   TRIGGER_REPEAT,
						   TRIGGER_UNTIL, TRIGGER_EACH };
	enum trigger_kind kind = kinds[dice_below(dice, session ? 4 : 6)];
	struct trigger *children[3];
	size_t count = 1 + dice_below(dice, 3);

	if (depth == 0 || dice_hits(dice, 4))
		return session ? roll_mergeable_leaf(dice, event)
			       : roll_leaf(dice, event);
	if (kind == TRIGGER_REPEAT)
		count = 1;
	if (kind == TRIGGER_UNTIL)
		count = 2;
	for (size_t i = 0; i < count; i++)
		children[i] = roll_tree(dice, depth - 1, event, session);
	return trigger_combine(kind, children, count);
}

struct trigger *
roll_trigger(struct dice *dice, const struct engine_config *config)
{
	bool session = config->window.kind == WINDOW_SESSION;
	struct trigger *trigger;

	if (config->once)
		trigger = ANY(roll_mergeable_leaf(dice, config->event),
			      roll_mergeable_leaf(dice, config->event));
	else if (dice_hits(dice, 6))
		trigger = REPEAT(WATERMARK);
	else
		trigger = roll_tree(dice, (unsigned)dice_below(dice, 4), config->event,
				    session);
	if (!config->once && trigger && !dice_hits(dice, 5))
		trigger = REPEAT(trigger);
	DEMAND(trigger != NULL, "no memory");
	return trigger;
}

/* Configurations at random */

static struct window_config
roll_window(struct dice *dice)
{
	struct window_config window = { .kind = (enum window_kind)dice_below(dice, 4) };

	if (window.kind == WINDOW_GLOBAL)
		return window;
	window.size = window.slide = dice_between(dice, 1, 20);
	if (window.kind == WINDOW_SLIDING)
		window.slide = dice_between(dice, (window.size + 3) / 4, window.size);
	if (window.kind != WINDOW_SESSION)
		window.phase = dice_between(dice, 0, 9);
	return window;
}

static struct emitter_config
roll_emitter(struct dice *dice, bool windowed)
{
	struct emitter_config emitter = { .delimiter = '\n' };

	emitter.mode = dice_hits(dice, 3) ? MODE_FIRE : MODE_FIRE_AND_PURGE;
	emitter.evicts = emitter.mode == MODE_FIRE && dice_hits(dice, 2);
	if (emitter.evicts) {
		emitter.eviction.after = dice_hits(dice, 2);
		emitter.eviction.keep_for =
			dice_hits(dice, 2) ? dice_between(dice, 1, 9) : 0;
		emitter.eviction.keep_last =
			emitter.eviction.keep_for == 0 || dice_hits(dice, 2)
				? 1 + dice_below(dice, 4)
				: 0;
	}
	emitter.output_timestamp =
		(enum output_timestamp)dice_below(dice, windowed ? 4 : 3);
	return emitter;
}

struct engine_config
roll_config(struct dice *dice, const struct tools *tools)
{
	struct engine_config config = { .probes = &tools->probes,
					.window = roll_window(dice),
					.max_keys = UINT64_MAX,
					.seed = dice_roll(dice) };
	bool windowed = config.window.kind != WINDOW_GLOBAL;

	config.emitter = roll_emitter(dice, windowed);
	config.cuts.max_bytes =
		dice_hits(dice, 3) ? 4 + dice_below(dice, 40) : UINT64_MAX;
	config.cuts.break_before = dice_hits(dice, 6) ? tools->break_before : NULL;
	config.cuts.break_on = dice_hits(dice, 6) ? tools->break_on : NULL;
	config.event = !dice_hits(dice, 4);
	config.out_of_orderness =
		config.event && dice_hits(dice, 2) ? dice_between(dice, 0, 8) : 0;
	config.emit_watermarks = config.event && dice_hits(dice, 3);
	config.emit_empty = dice_hits(dice, 4);
	config.once = dice_hits(dice, 10);
	if (dice_hits(dice, 2)) {
		config.key = tools->key;
		config.emitter.keyed = true;
		config.max_keys = dice_hits(dice, 2) ? UINT64_MAX
						     : (uint64_t)dice_between(dice, 1, 3);
	}
	if (windowed && dice_hits(dice, 2))
		config.allowed_lateness = dice_between(dice, 0, 25);
	config.late = dice_hits(dice, 2) ? LATE_EMIT : LATE_DROP;
	return config;
}

void
roll_record(struct dice *dice, char text[MODEL_RECORD])
{
	static const char *const words[] = { "",   " a",  " b",        " x",
					     " y", " xy", " long-word" };

	if (dice_hits(dice, 20))
		strcpy(text, "");
	else if (dice_hits(dice, 8))
		snprintf(text, MODEL_RECORD, "%c", (int)('a' + dice_below(dice, 4)));
	else
		snprintf(text, MODEL_RECORD, "%c %d%s", (int)('a' + dice_below(dice, 4)),
			 (int)dice_below(dice, 9),
			 words[dice_below(dice, LENGTH(words))]);
}
