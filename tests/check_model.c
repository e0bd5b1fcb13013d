/*
 * The engine does what the rules say: for triggers, keys, windows, limits and inputs at random
 * it gives the batches, with all their facts, that a plain model of the rules gives.
 * VOLLEY_SEED sets the first seed; a case that fails says its own, and the input that it took.
 */
#include <config.h>

#include "modelcase.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "spell.h"
#include "trees.h"
#include "unit.h"

#define CASES 4000
#define LINES 60

/* The engine and the model side by side. */
struct pair {
	struct recorder recorder;
	struct engine *engine;
	struct model model;
	struct trigger *trigger;
	struct buf story; /* what has happened, for messages */
	uint64_t seed;
};

/* The story */

static void
tell(struct pair *pair, const char *format, ...) DIAG_PRINTF(2, 3);

static void
tell(struct pair *pair, const char *format, ...)
{
	char text[512];
	va_list values;

	va_start(values, format);
	vsnprintf(text, sizeof text, format, values);
	va_end(values);
	DEMAND(buf_append(&pair->story, slice_of(text)) == 0, "no memory");
}

static void
tell_config(struct pair *pair, const struct engine_config *config)
{
	static const char *const windows[] = { "global", "tumbling", "sliding",
					       "session" };
	const struct emitter_config *emitter = &config->emitter;

	DEMAND(spell_trigger(pair->trigger, &pair->story) == 0, "no memory");
	tell(pair, "\n%s %s(%" PRId64 ",%" PRId64 ",%" PRId64 ") lateness %" PRId64,
	     config->event ? "event" : "processing", windows[config->window.kind],
	     config->window.size, config->window.slide, config->window.phase,
	     config->allowed_lateness);
	tell(pair, "%s%s%s%s%s%s%s%s", config->key ? " keyed" : "",
	     config->once ? " once" : "", config->emit_empty ? " emit-empty" : "",
	     emitter->mode == MODE_FIRE ? " fire" : "",
	     config->cuts.break_before ? " break-before" : "",
	     config->cuts.break_on ? " break-on" : "",
	     config->late == LATE_EMIT ? " late-emit" : "",
	     config->emit_watermarks ? " watermarks" : "");
	if (config->cuts.max_bytes != UINT64_MAX)
		tell(pair, " max-bytes %" PRIu64, config->cuts.max_bytes);
	if (config->max_keys != UINT64_MAX)
		tell(pair, " max-keys %" PRIu64, config->max_keys);
	if (emitter->evicts)
		tell(pair, " keep-last %" PRIu64 " keep-for %" PRId64 "%s",
		     emitter->eviction.keep_last, emitter->eviction.keep_for,
		     emitter->eviction.after ? " after" : "");
	tell(pair, " timestamp %d behind %" PRId64 "\n", emitter->output_timestamp,
	     config->out_of_orderness);
}

/* Comparison */

static void
differ(struct pair *pair, const char *what, uint64_t batch)
{
	const char *theirs = recorder_text(&pair->recorder, 0);

	buf_append_byte(&pair->model.text, '\0');
	buf_append_byte(&pair->story, '\0');
	ck_abort_msg("seed %" PRIu64 ", %s %" PRIu64 ":\n%s\nengine: %s\nmodel:  %s",
		     pair->seed, what, batch, pair->story.data, theirs,
		     pair->model.text.data);
}

static bool
same_bytes(const struct buf *a, const struct buf *b)
{
	return a->size == b->size &&
	       (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static const char *
difference(const struct batch *a, const struct batch *b)
{
	if (a->index != b->index || a->count != b->count || a->bytes != b->bytes)
		return "index, count or bytes of batch";
	if (a->reason != b->reason || a->fired != b->fired)
		return "reason or fired of batch";
	if (a->has_key != b->has_key)
		return "key of batch";
	if (a->count > 0 && (a->first != b->first || a->last != b->last))
		return "first or last of batch";
	if (a->start != b->start || a->end != b->end)
		return "window of batch";
	if (a->timing != b->timing)
		return "timing of batch";
	if (a->pane != b->pane)
		return "pane of batch";
	if (a->has_timestamp != b->has_timestamp ||
	    (a->has_timestamp && a->timestamp != b->timestamp))
		return "timestamp of batch";
	return NULL;
}

static void
compare(struct pair *pair)
{
	const struct counters *a = engine_counters(pair->engine);
	const struct counters *b = &pair->model.counters;

	if (!same_bytes(&pair->recorder.text, &pair->model.text))
		differ(pair, "batches", a->batches);
	if (!same_bytes(&pair->recorder.keys, &pair->model.batch_keys))
		differ(pair, "keys", 0);
	for (size_t i = 0; i < pair->recorder.count; i++) {
		const char *what =
			difference(&pair->recorder.batch[i], &pair->model.batches[i]);

		if (what)
			differ(pair, what, i);
	}
	if (a->records != b->records || a->bytes != b->bytes || a->late != b->late ||
	    a->finished != b->finished || a->keyless != b->keyless ||
	    memcmp(a->by_reason, b->by_reason, sizeof a->by_reason) != 0)
		differ(pair, "counters", 0);
	if (engine_done(pair->engine) != pair->model.done)
		differ(pair, "done", 0);
	if (engine_deadline(pair->engine) != model_deadline(&pair->model))
		differ(pair, "deadline", (uint64_t)engine_deadline(pair->engine));
}

/* A run */

static void
admit(struct pair *pair, const char *text, nsec time)
{
	char line[MODEL_RECORD + 1];

	snprintf(line, sizeof line, "%s\n", text);
	DEMAND(engine_admit_one(pair->engine, slice_of(line), time) >= 0, "an error");
	model_admit(&pair->model, text, time);
}

/* A line of the event domain. */
static void
play_line(struct pair *pair, struct dice *dice, nsec *time)
{
	char text[MODEL_RECORD];
	nsec its;

	*time += dice_between(dice, -1, dice_hits(dice, 6) ? 20 : 3);
	its = *time - (dice_hits(dice, 4) ? dice_between(dice, 0, 30) : 0);
	DEMAND(engine_see_time(pair->engine, its) == 0, "an error");
	model_see_time(&pair->model, its);
	if (dice_hits(dice, 9)) {
		tell(pair, "%" PRId64 ":\n", its);
	} else {
		roll_record(dice, text);
		tell(pair, "%" PRId64 ":%s\n", its, text);
		if (!engine_done(pair->engine))
			admit(pair, text, its);
	}
	DEMAND(engine_end_lines(pair->engine, 1) == 0, "an error");
	model_end_line(&pair->model);
}

/* What has come in a turn, as many records at once as go. */
static void
admit_all(struct pair *pair, struct slice in)
{
	size_t used;

	while (in.size > 0 && !engine_done(pair->engine)) {
		DEMAND(engine_admit(pair->engine, in, &used) == 0, "an error");
		if (used == 0) {
			const char *end = memchr(in.data, '\n', in.size);

			used = (size_t)(end - in.data) + 1;
			DEMAND(engine_admit_one(pair->engine,
						(struct slice){ in.data, used },
						engine_now(pair->engine)) >= 0,
			       "an error");
		}
		in = slice_from(in, used);
	}
}

/* A turn of the processing domain. */
static void
play_turn(struct pair *pair, struct dice *dice, nsec *time, nsec offset)
{
	char text[MODEL_RECORD];
	struct buf in = { 0 };

	*time += dice_between(dice, 0, dice_hits(dice, 6) ? 20 : 4);
	tell(pair, "at %" PRId64 ":", *time);
	engine_set_clock(pair->engine, &(struct reading){ *time, *time + offset });
	DEMAND(engine_expire(pair->engine) == 0, "an error");
	model_set_clock(&pair->model, *time, offset);
	for (size_t count = dice_below(dice, dice_hits(dice, 5) ? 12 : 4); count > 0;
	     count--) {
		roll_record(dice, text);
		tell(pair, " (%s)", text);
		buf_append(&in, slice_of(text));
		buf_append_byte(&in, '\n');
		model_admit(&pair->model, text, *time);
	}
	admit_all(pair, buf_slice(&in));
	buf_release(&in);
	if (dice_hits(dice, 3)) {
		tell(pair, " QUIET");
		DEMAND(engine_quiet(pair->engine) == 0, "an error");
		model_quiet(&pair->model);
	}
	tell(pair, "\n");
}

static void
play(struct pair *pair, struct dice *dice, bool event)
{
	nsec time = dice_between(dice, 0, 9);
	nsec offset = dice_hits(dice, 2) ? dice_between(dice, 0, 30) : 0;
	enum reason end = dice_hits(dice, 4) ? REASON_SIGNAL : REASON_EOF;
	size_t lines = dice_below(dice, LINES);

	for (size_t i = 0; i < lines && !engine_done(pair->engine); i++) {
		if (event)
			play_line(pair, dice, &time);
		else
			play_turn(pair, dice, &time, offset);
		compare(pair);
		if (dice_hits(dice, 20)) {
			tell(pair, "FLUSH\n");
			DEMAND(engine_flush(pair->engine, REASON_SIGNAL) == 0,
			       "an error");
			model_flush(&pair->model, REASON_SIGNAL);
			compare(pair);
		}
	}
	tell(pair, "END\n");
	DEMAND(engine_end(pair->engine, end) == 0, "an error");
	model_end(&pair->model, end);
	compare(pair);
}

static void
try_case(const struct tools *tools, uint64_t seed)
{
	static struct pair pair;
	struct dice dice = dice_of(seed);
	struct engine_config config = roll_config(&dice, tools);

	pair.seed = seed;
	pair.trigger = roll_trigger(&dice, &config);
	config.trigger = pair.trigger;
	recorder_init(&pair.recorder, '\n');
	pair.engine = engine_new(&config, &pair.recorder.sink);
	DEMAND(pair.engine != NULL, "no memory");
	model_init(&pair.model, &config);
	pair.story.size = 0;
	tell_config(&pair, &config);
	play(&pair, &dice, config.event);
	engine_free(pair.engine);
	model_release(&pair.model);
	recorder_release(&pair.recorder);
	trigger_free(pair.trigger);
	buf_release(&pair.story);
}

START_TEST(engine_does_what_the_rules_say)
{
	const char *first = getenv("VOLLEY_SEED");
	uint64_t seed = first ? strtoull(first, NULL, 10) : 0;
	struct tools tools;

	unit_set_zone("UTC0");
	tools_init(&tools);
	for (size_t i = 0; i < CASES; i++)
		try_case(&tools, seed + i);
	tools_release(&tools);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("model", engine_does_what_the_rules_say);
}
