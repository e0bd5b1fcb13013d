/*
 * Runs as large as the quota allows do what the same records do one at a time: for triggers,
 * records and clocks at random, of the trigger alone and of the whole engine. VOLLEY_SEED sets
 * the first seed; a case that fails says its own.
 */
#include <config.h>

#include "intake.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "trees.h"
#include "unit.h"

#define TRIGGER_CASES 4000
#define ENGINE_CASES 3000
#define DEPTH 4
#define CHILDREN 3
#define PROBES 2
#define TURNS 12
#define RECORDS_A_TURN 12
#define FIRINGS 256

static uint64_t
first_seed(void)
{
	const char *seed = getenv("VOLLEY_SEED");

	return seed ? strtoull(seed, NULL, 10) : 0;
}

/* Triggers at random */

static struct trigger *
roll_timer(struct dice *dice)
{
	nsec period = dice_hits(dice, 2) ? dice_between(dice, 1, 7) : 0;

	switch (dice_below(dice, 7)) {
	case 0:
		return DELAY(dice_between(dice, -2, 0));
	case 1:
		return DELAY(dice_between(dice, 1, 8));
	case 2:
		return DELAY_ALIGNED(dice_between(dice, 0, 5), period,
				     dice_between(dice, 0, 7));
	case 3:
		return dice_hits(dice, 3) ? IDLE_QUIET : IDLE(dice_between(dice, 0, 5));
	case 4:
		return EVERY(dice_between(dice, 1, 8), dice_between(dice, 0, 8));
	case 5:
		return AT_TIME(dice_between(dice, 0, 40));
	default:
		return AT_TIME_OF_DAY(dice_between(dice, 0, 40));
	}
}

static struct trigger *
roll_leaf(struct dice *dice, bool probing)
{
	switch (dice_below(dice, probing ? 10 : 8)) {
	case 0:
	case 1:
		return COUNT((uint64_t)dice_between(dice, 1, 6));
	case 2:
		return BYTES((uint64_t)dice_between(dice, 1, 30));
	case 3:
		return dice_hits(dice, 2) ? WATERMARK : NEVER;
	case 8:
		return MATCH(dice_below(dice, PROBES));
	case 9:
		return DELTA(dice_below(dice, PROBES), (double)dice_below(dice, 4));
	default:
		return roll_timer(dice);
	}
}

static struct trigger *
roll_tree(struct dice *dice, unsigned depth, bool probing)
{
	static const enum trigger_kind kinds[] = { TRIGGER_ANY,    TRIGGER_ANY,
						   TRIGGER_ALL,    TRIGGER_EACH,
						   TRIGGER_REPEAT, TRIGGER_UNTIL };
	enum trigger_kind kind = kinds[dice_below(dice, LENGTH(kinds))];
	struct trigger *children[CHILDREN];
	size_t count = 1 + dice_below(dice, CHILDREN);

	if (depth == 0 || dice_hits(dice, 3))
		return roll_leaf(dice, probing);
	if (kind == TRIGGER_REPEAT)
		count = 1;
	if (kind == TRIGGER_UNTIL)
		count = 2;
	for (size_t i = 0; i < count; i++)
		children[i] = roll_tree(dice, depth - 1, probing);
	return trigger_combine(kind, children, count);
}

/* Mostly one that goes on. */
static struct trigger *
roll_trigger(struct dice *dice, bool probing)
{
	struct trigger *trigger;

	if (dice_hits(dice, 4))
		trigger = roll_tree(dice, DEPTH, probing);
	else
		trigger = REPEAT(roll_tree(dice, DEPTH - 1, probing));
	DEMAND(trigger != NULL, "no memory");
	return trigger;
}

/* The trigger alone */

struct record {
	uint64_t bytes;
	struct finding findings[PROBES];
};

struct firing {
	nsec now;
	uint64_t record; /* admitted so far */
	enum reason reason;
	bool finished;
};

/* A trigger's life. */
struct life {
	const struct trigger *trigger;
	union trigger_word *state;
	uint64_t admitted;
	struct firing firings[FIRINGS];
	size_t count;
	bool finished;
};

static void
begin(struct life *life, const struct trigger *trigger)
{
	*life = (struct life){ .trigger = trigger };
	life->state = calloc(trigger->words + 1, sizeof *life->state);
	DEMAND(life->state != NULL, "no memory");
	trigger_init(trigger, life->state);
}

static void
take_verdict(struct life *life, const struct moment *moment, enum verdict verdict)
{
	struct firing *firing = &life->firings[life->count];

	if (verdict != FIRE)
		return;
	DEMAND(life->count++ < FIRINGS, "too many firings");
	firing->now = moment->now;
	firing->record = life->admitted;
	firing->reason = trigger_reason(life->trigger, life->state, moment);
	firing->finished = trigger_fire(life->trigger, life->state, moment);
	life->finished = firing->finished;
}

static void
expire(struct life *life, const struct moment *moment)
{
	struct deadline deadline;

	while (!life->finished &&
	       (deadline = trigger_deadline(life->trigger, life->state, moment)).set &&
	       deadline.when <= moment->now)
		take_verdict(life, moment,
			     trigger_expire(life->trigger, life->state, moment));
}

static void
admit_singly(struct life *life, const struct moment *moment, const struct record *records,
	     size_t count)
{
	for (size_t i = 0; i < count && !life->finished; i++) {
		struct run run = { .records = 1,
				   .bytes = records[i].bytes,
				   .first = moment->now,
				   .last = moment->now,
				   .order = life->admitted,
				   .findings = records[i].findings };

		life->admitted++;
		take_verdict(life, moment,
			     trigger_advance(life->trigger, life->state, moment, &run));
	}
}

/* One run; returns how many of the records are left. */
static size_t
admit_run(struct life *life, const struct moment *moment, const struct record *records,
	  size_t count)
{
	struct quota quota = QUOTA_UNLIMITED;
	struct run run = { .first = moment->now,
			   .last = moment->now,
			   .order = life->admitted };

	trigger_quota(life->trigger, life->state, moment, &quota);
	DEMAND(quota.records >= 1 && quota.bytes >= 1, "an empty quota");
	if (quota.inspect || moment->now >= quota.deadline)
		quota.records = 1;
	if (quota.inspect)
		run.findings = records->findings;
	while (run.records < count && run.records < quota.records &&
	       run.bytes < quota.bytes)
		run.bytes += records[run.records++].bytes;
	life->admitted += run.records;
	take_verdict(life, moment,
		     trigger_advance(life->trigger, life->state, moment, &run));
	return count - run.records;
}

static void
admit_in_runs(struct life *life, const struct moment *moment,
	      const struct record *records, size_t count)
{
	size_t left = count;

	while (left > 0 && !life->finished)
		left = admit_run(life, moment, records + (count - left), left);
}

static void
compare(const struct life *a, const struct life *b, const struct moment *moment,
	uint64_t seed)
{
	struct deadline x = trigger_deadline(a->trigger, a->state, moment);
	struct deadline y = trigger_deadline(b->trigger, b->state, moment);

	DEMAND(a->count == b->count, "seed %" PRIu64 ": %zu firings, %zu", seed, a->count,
	       b->count);
	for (size_t i = 0; i < a->count; i++) {
		const struct firing *f = &a->firings[i], *g = &b->firings[i];

		DEMAND(f->now == g->now && f->record == g->record &&
			       f->reason == g->reason && f->finished == g->finished,
		       "seed %" PRIu64 ": '%s' at record %" PRIu64
		       ", '%s' at record %" PRIu64,
		       seed, reason_name(f->reason), f->record, reason_name(g->reason),
		       g->record);
	}
	DEMAND(a->admitted == b->admitted, "seed %" PRIu64, seed);
	DEMAND(x.set == y.set && (!x.set || (x.when == y.when && x.order == y.order)),
	       "seed %" PRIu64 ": due at %" PRId64 " (%" PRIu64 "), %" PRId64 " (%" PRIu64
	       ")",
	       seed, x.when, x.order, y.when, y.order);
	DEMAND(trigger_wants_quiet(a->trigger, a->state) ==
		       trigger_wants_quiet(b->trigger, b->state),
	       "seed %" PRIu64 ": quiet", seed);
}

static size_t
roll_records(struct dice *dice, struct record *records)
{
	size_t count = dice_below(dice, RECORDS_A_TURN);

	for (size_t i = 0; i < count; i++) {
		records[i].bytes = 1 + dice_below(dice, 9);
		for (size_t j = 0; j < PROBES; j++) {
			records[i].findings[j].found = dice_hits(dice, 4);
			records[i].findings[j].number = (double)dice_below(dice, 9);
		}
	}
	return count;
}

static void
move_clock(struct dice *dice, struct moment *moment)
{
	moment->now += dice_between(dice, 0, dice_hits(dice, 5) ? 20 : 3);
	if (dice_hits(dice, 6))
		moment->offset += dice_between(dice, -9, 9);
}

/* Both lives through the same turns. */
static void
try_trigger(uint64_t seed)
{
	struct dice dice = dice_of(seed);
	struct trigger *trigger = roll_trigger(&dice, true);
	struct moment moment = { .civil = dice_hits(&dice, 4) };
	struct record records[RECORDS_A_TURN];
	struct life single, runs;

	moment.end = dice_hits(&dice, 2) ? NSEC_MAX : dice_between(&dice, 0, 60);
	begin(&single, trigger);
	begin(&runs, trigger);
	for (size_t turn = 0; turn < TURNS && !single.finished; turn++) {
		size_t count = roll_records(&dice, records);

		move_clock(&dice, &moment);
		expire(&single, &moment);
		expire(&runs, &moment);
		compare(&single, &runs, &moment, seed);
		admit_singly(&single, &moment, records, count);
		admit_in_runs(&runs, &moment, records, count);
		compare(&single, &runs, &moment, seed);
		if (dice_hits(&dice, 4)) {
			trigger_reset(trigger, single.state);
			trigger_reset(trigger, runs.state);
		} else if (dice_hits(&dice, 3) && !single.finished) {
			take_verdict(&single, &moment,
				     trigger_quiet(trigger, single.state, &moment));
			take_verdict(&runs, &moment,
				     trigger_quiet(trigger, runs.state, &moment));
		}
		compare(&single, &runs, &moment, seed);
	}
	free(single.state);
	free(runs.state);
	trigger_free(trigger);
}

START_TEST(run_within_quota_is_as_single_records)
{
	uint64_t seed = first_seed();

	unit_set_zone("UTC0");
	for (size_t i = 0; i < TRIGGER_CASES; i++)
		try_trigger(seed + i);
}
END_TEST

START_TEST(quota_lets_long_runs_through)
{
	struct trigger *trigger = REPEAT(ANY(COUNT(1000), DELAY(10), IDLE(5)));
	struct record records[RECORDS_A_TURN] = { { .bytes = 1 } };
	struct moment moment = { .end = NSEC_MAX };
	struct life life;

	begin(&life, trigger);
	ck_assert_uint_eq(admit_run(&life, &moment, records, RECORDS_A_TURN), 0);
	ck_assert_uint_eq(admit_run(&life, &moment, records, RECORDS_A_TURN), 0);
	free(life.state);
	trigger_free(trigger);
}
END_TEST

/* The whole engine */

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
			buf_append_byte(input, (char)('a' + (i + j) % 26));
		if (event && dice_hits(dice, 9))
			input->size -= size + 1;
		buf_append_byte(input, '\n');
	}
}

static struct engine_config
roll_config(struct dice *dice, const struct trigger *trigger)
{
	struct engine_config config = { .trigger = trigger,
					.max_keys = UINT64_MAX,
					.emitter = { .delimiter = '\n' } };

	config.cuts.max_bytes =
		dice_hits(dice, 2) ? UINT64_MAX : 1 + dice_below(dice, 40);
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
try_engine(uint64_t seed)
{
	static struct rig chopped, single;
	struct dice dice = dice_of(seed);
	struct trigger *trigger = roll_trigger(&dice, false);
	struct engine_config config = roll_config(&dice, trigger);
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

	unit_set_zone("UTC0");
	for (size_t i = 0; i < ENGINE_CASES; i++)
		try_engine(seed + i);
}
END_TEST

int
main(void)
{
	return UNIT_RUN("quota", run_within_quota_is_as_single_records,
			quota_lets_long_runs_through,
			input_in_pieces_is_as_single_records);
}
