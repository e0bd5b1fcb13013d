/*
 * However the input comes in pieces, the engine does what it does with single records: for
 * triggers, inputs and clocks at random.
 */
#include <config.h>

#include "intake.h"

#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "rolls.h"

#define CASES 3000
#define TURNS 12

/* An engine with its sink. */
struct rig {
	struct recorder recorder;
	struct engine *engine;
	struct intake intake;
};

static void
rig_up(struct rig *rig, const struct engine_config *config, bool takes)
{
	struct intake_config intake = { .delimiter = '\n',
					.max_record = UINT64_MAX,
					.event = config->event,
					.timestamp = { .form = { .unit = TIME_NS } } };

	recorder_init(&rig->recorder, '\n');
	rig->recorder.takes = takes;
	rig->engine = engine_new(config, &rig->recorder.sink);
	DEMAND(rig->engine != NULL, "no memory");
	intake_init(&rig->intake, &intake, rig->engine);
}

static void
take_down(struct rig *rig)
{
	engine_free(rig->engine);
	recorder_release(&rig->recorder);
}

/* Feeds all of input from *used to end, in pieces. */
static void
feed_chopped(struct rig *rig, struct dice *dice, struct slice input, size_t *used,
	     size_t end)
{
	size_t shown = *used;

	while (shown < end) {
		size_t taken;

		shown += 1 + dice_below(dice, end - shown);
		DEMAND(intake_feed(&rig->intake,
				   (struct slice){ input.data + *used, shown - *used },
				   &taken) == 0,
		       "an error");
		*used += taken;
	}
}

static void
admit_line(struct rig *rig, struct slice line, bool event)
{
	nsec time = engine_now(rig->engine);
	char *rest;

	if (event) {
		time = strtoll(line.data, &rest, 10);
		DEMAND(engine_see_time(rig->engine, time) == 0, "an error");
		if (engine_done(rig->engine) || *rest == '\n')
			return;
		line = slice_from(line, (size_t)(rest + 1 - line.data));
	}
	DEMAND(engine_admit_one(rig->engine, line, time) >= 0, "an error");
}

/* Admits the whole records of input from *used to end. */
static void
feed_singly(struct rig *rig, struct slice input, size_t *used, size_t end, bool event)
{
	const char *stop;

	while (engine_ready(rig->engine) &&
	       (stop = memchr(input.data + *used, '\n', end - *used))) {
		size_t next = (size_t)(stop - input.data) + 1;

		admit_line(rig, (struct slice){ input.data + *used, next - *used },
			   event);
		*used = next;
	}
}

static void
compare_facts(const struct batch *a, const struct batch *b, uint64_t seed)
{
	DEMAND(a->index == b->index && a->count == b->count && a->bytes == b->bytes &&
		       a->reason == b->reason && a->fired == b->fired &&
		       a->pane == b->pane && a->timing == b->timing &&
		       (a->count == 0 || (a->first == b->first && a->last == b->last)),
	       "seed %" PRIu64 ": facts of batch %" PRIu64, seed, a->index);
}

static void
compare_rigs(struct rig *a, struct rig *b, uint64_t seed)
{
	const struct counters *x = engine_counters(a->engine);
	const struct counters *y = engine_counters(b->engine);
	const char *one = recorder_text(&a->recorder, 0);
	const char *other = recorder_text(&b->recorder, 0);

	DEMAND(strcmp(one, other) == 0, "seed %" PRIu64 ": '%s', not '%s'", seed, one,
	       other);
	for (size_t i = 0; i < a->recorder.count; i++)
		compare_facts(&a->recorder.batch[i], &b->recorder.batch[i], seed);
	DEMAND(engine_done(a->engine) == engine_done(b->engine), "seed %" PRIu64 ": done",
	       seed);
	DEMAND(engine_deadline(a->engine) == engine_deadline(b->engine),
	       "seed %" PRIu64 ": due at %" PRId64 ", not %" PRId64, seed,
	       engine_deadline(a->engine), engine_deadline(b->engine));
	DEMAND(engine_wants_quiet(a->engine) == engine_wants_quiet(b->engine),
	       "seed %" PRIu64 ": quiet", seed);
	DEMAND(x->records == y->records && x->bytes == y->bytes &&
		       x->batches == y->batches,
	       "seed %" PRIu64 ": counters", seed);
}

/* Short records, with a time before each in the event domain. */
static void
roll_input(struct dice *dice, bool event, struct buf *input)
{
	size_t count = dice_below(dice, 80);
	nsec time = 0;

	for (size_t i = 0; i < count; i++) {
		size_t size = dice_below(dice, dice_hits(dice, 6) ? 30 : 5);
		char text[32];

		time += dice_between(dice, -2, 4);
		snprintf(text, sizeof text, "%" PRId64 " ", time);
		if (event && buf_append(input, slice_of(text)) < 0)
			ck_abort();
		for (size_t j = 0; j < size; j++)
			buf_append_byte(input, (char)((i % 3 ? 'a' : '0') +
						      (i + j) % (i % 3 ? 26 : 10)));
		if (event && dice_hits(dice, 9))
			input->size -= size + 1;
		buf_append_byte(input, '\n');
	}
}

/* What the triggers ask of records, and what cuts. */
struct tools {
	struct probes probes;
	struct pattern *break_before;
};

static struct pattern *
new_pattern(const char *text)
{
	struct complaint why;
	struct pattern *pattern = pattern_new(text, &why);

	DEMAND(pattern != NULL, "%s", why.text);
	return pattern;
}

static void
tools_init(struct tools *tools)
{
	struct field *number =
		field_new("1", (struct slice){ NULL, 0 }, &(struct complaint){ "" });
	size_t index;

	*tools = (struct tools){ .break_before = new_pattern("[x5]") };
	DEMAND(probes_add(&tools->probes, new_pattern("[aeiou]"), NULL, &index) == 0 &&
		       probes_add(&tools->probes, NULL, number, &index) == 0,
	       "no memory");
}

static void
tools_release(struct tools *tools)
{
	probes_release(&tools->probes);
	pattern_free(tools->break_before);
}

static struct engine_config
roll_config(struct dice *dice, const struct trigger *trigger, const struct tools *tools)
{
	struct engine_config config = { .trigger = trigger,
					.probes = &tools->probes,
					.max_keys = UINT64_MAX,
					.emitter = { .delimiter = '\n' } };

	config.cuts.max_bytes =
		dice_hits(dice, 2) ? UINT64_MAX : 1 + dice_below(dice, 40);
	config.cuts.break_before = dice_hits(dice, 5) ? tools->break_before : NULL;
	config.emitter.mode = dice_hits(dice, 3) ? MODE_FIRE : MODE_FIRE_AND_PURGE;
	config.once = dice_hits(dice, 8);
	config.emit_empty = dice_hits(dice, 4);
	config.event = dice_hits(dice, 3);
	config.out_of_orderness = config.event ? dice_between(dice, 0, 6) : 0;
	return config;
}

/* What a turn does to both, before its input and after it. */
static void
turn_both(struct rig *a, struct rig *b, const struct moment *moment)
{
	struct reading reading = { moment->now, moment->now + moment->offset };

	engine_set_clock(a->engine, &reading);
	engine_set_clock(b->engine, &reading);
	DEMAND(engine_expire(a->engine) == 0, "an error");
	DEMAND(engine_expire(b->engine) == 0, "an error");
}

static void
disturb_both(struct rig *a, struct rig *b, struct dice *dice)
{
	if (dice_hits(dice, 3) && engine_wants_quiet(a->engine)) {
		DEMAND(engine_quiet(a->engine) == 0, "an error");
		DEMAND(engine_quiet(b->engine) == 0, "an error");
	}
	if (dice_hits(dice, 9)) {
		DEMAND(engine_flush(a->engine, REASON_SIGNAL) == 0, "an error");
		DEMAND(engine_flush(b->engine, REASON_SIGNAL) == 0, "an error");
	}
}

/* In a turn both see the same bytes; the last record of them may not be whole yet. */
static void
play_turns(struct rig *chopped, struct rig *single, struct dice *dice, struct slice input,
	   uint64_t seed)
{
	struct moment moment = { .now = 0 };
	size_t shown = 0, used[2] = { 0, 0 };

	for (size_t turn = 0; turn < TURNS && !engine_done(single->engine); turn++) {
		shown += dice_below(dice, input.size - shown + 1);
		if (turn == TURNS - 1)
			shown = input.size;
		move_clock(dice, &moment);
		if (dice_hits(dice, 6))
			moment.offset += dice_between(dice, -9, 9) * NSEC_PER_MS;
		turn_both(chopped, single, &moment);
		compare_rigs(chopped, single, seed);
		feed_chopped(chopped, dice, input, &used[0], shown);
		feed_singly(single, input, &used[1], shown, chopped->intake.config.event);
		compare_rigs(chopped, single, seed);
		if (!engine_done(single->engine))
			disturb_both(chopped, single, dice);
		compare_rigs(chopped, single, seed);
	}
}

static void
try_engine(const struct tools *tools, uint64_t seed)
{
	static struct rig chopped, single;
	struct dice dice = dice_of(seed);
	struct trigger *trigger = roll_trigger(&dice, dice_hits(&dice, 3));
	struct engine_config config = roll_config(&dice, trigger, tools);
	enum reason end = dice_hits(&dice, 2) ? REASON_EOF : REASON_SIGNAL;
	struct buf input = { 0 };

	roll_input(&dice, config.event, &input);
	rig_up(&chopped, &config, dice_hits(&dice, 2));
	rig_up(&single, &config, dice_hits(&dice, 2));
	if (input.size > 0)
		play_turns(&chopped, &single, &dice, buf_slice(&input), seed);
	DEMAND(engine_end(chopped.engine, end) == 0, "an error");
	DEMAND(engine_end(single.engine, end) == 0, "an error");
	compare_rigs(&chopped, &single, seed);
	take_down(&chopped);
	take_down(&single);
	buf_release(&input);
	trigger_free(trigger);
}

START_TEST(input_in_pieces_is_as_single_records)
{
	uint64_t seed = first_seed();
	struct tools tools;

	unit_set_zone("UTC0");
	tools_init(&tools);
	for (size_t i = 0; i < CASES; i++)
		try_engine(&tools, seed + i);
	tools_release(&tools);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("pieces", input_in_pieces_is_as_single_records);
}
