/*
 * Runs as large as the quota allows do what the same records do one at a time: for triggers,
 * records and clocks at random.
 */
#include <config.h>

#include "trigger.h"

#include <stdio.h>

#include "rolls.h"

#define CASES 4000
#define TURNS 12
#define RECORDS_A_TURN 12
#define FIRINGS 256

struct record {
	uint64_t bytes;
	struct finding findings[ROLL_PROBES];
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
		for (size_t j = 0; j < ROLL_PROBES; j++) {
			records[i].findings[j].found = dice_hits(dice, 4);
			records[i].findings[j].number = (double)dice_below(dice, 9);
		}
	}
	return count;
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
	for (size_t i = 0; i < CASES; i++)
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

int
main(void)
{
	return UNIT_RUN("quota", run_within_quota_is_as_single_records,
			quota_lets_long_runs_through);
}
