/*
 * A rig for tests of the engine: an engine with a recorder for its sink, and what happens to it
 * in the words of a table.
 */
#ifndef VOLLEY_RIG_H
#define VOLLEY_RIG_H

#include "engine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "recorder.h"
#include "trees.h"
#include "unit.h"

/*
 * A turn of the loop, and the batches that it must give, as the recorder writes them. The input
 * is records of one line each, with a blank between, in the event domain TIME:RECORD; a word of
 * capital letters is what the loop does besides:
 *
 *     QUIET   the input has nothing more for now
 *     FLUSH   what is held goes out
 *     EOF     the input has ended
 *     SIGNAL  a signal ended the run
 *
 * The batches are words of the recorder, with ~TIME for a watermark that was passed on.
 */
struct act {
	nsec now;
	const char *input;
	const char *output;
};

/* An engine with its sink. */
struct rig {
	struct recorder recorder;
	struct engine *engine;
	struct trigger *trigger;
	bool event;
	nsec offset; /* of the wall clock */
};

static inline void
rig_up(struct rig *rig, struct engine_config config, struct trigger *trigger)
{
	ck_assert_ptr_nonnull(trigger);
	config.trigger = trigger;
	config.emitter.delimiter = '\n';
	if (config.max_keys == 0)
		config.max_keys = UINT64_MAX;
	if (config.cuts.max_bytes == 0)
		config.cuts.max_bytes = UINT64_MAX;
	recorder_init(&rig->recorder, '\n');
	rig->trigger = trigger;
	rig->event = config.event;
	rig->offset = 0;
	rig->engine = engine_new(&config, &rig->recorder.sink);
	ck_assert_ptr_nonnull(rig->engine);
}

static inline void
take_down(struct rig *rig)
{
	engine_free(rig->engine);
	recorder_release(&rig->recorder);
	trigger_free(rig->trigger);
}

static inline void
set_clock(struct rig *rig, nsec now)
{
	engine_set_clock(rig->engine, &(struct reading){ now, now + rig->offset });
}

/* As many records as go at once, or one; false when the engine takes none. */
static inline bool
admit_some(struct rig *rig, struct slice in, size_t *used)
{
	const char *end = memchr(in.data, '\n', in.size);
	size_t size = (size_t)(end - in.data) + 1;
	int taken;

	ck_assert_int_eq(engine_admit(rig->engine, in, used), 0);
	if (*used > 0)
		return true;
	taken = engine_admit_one(rig->engine, (struct slice){ in.data, size },
				 engine_now(rig->engine));
	ck_assert_int_ge(taken, 0);
	*used = taken > 0 ? size : 0;
	return taken > 0;
}

/* Returns how many bytes were taken. */
static inline size_t
admit(struct rig *rig, struct slice in)
{
	size_t taken = 0, used;

	while (taken < in.size && engine_ready(rig->engine) &&
	       admit_some(rig, slice_from(in, taken), &used))
		taken += used;
	return taken;
}

/* TIME:RECORD, or TIME: for a line that has none. */
static inline void
admit_event(struct rig *rig, const char *word)
{
	char *record, line[64];
	nsec time = strtoll(word, &record, 10);

	ck_assert_msg(*record == ':', "%s", word);
	ck_assert_int_eq(engine_see_time(rig->engine, time), 0);
	snprintf(line, sizeof line, "%s\n", record + 1);
	if (record[1] != '\0' && !engine_done(rig->engine))
		ck_assert_int_ge(engine_admit_one(rig->engine, slice_of(line), time), 0);
	ck_assert_int_eq(engine_end_lines(rig->engine, 1), 0);
}

static inline bool
do_command(struct rig *rig, const char *word)
{
	int result;

	if (strcmp(word, "QUIET") == 0)
		result = engine_quiet(rig->engine);
	else if (strcmp(word, "FLUSH") == 0)
		result = engine_flush(rig->engine, REASON_SIGNAL);
	else if (strcmp(word, "EOF") == 0)
		result = engine_end(rig->engine, REASON_EOF);
	else if (strcmp(word, "SIGNAL") == 0)
		result = engine_end(rig->engine, REASON_SIGNAL);
	else
		return false;
	ck_assert_int_eq(result, 0);
	return true;
}

/* Neighbouring records go in together. */
static inline void
take_input(struct rig *rig, const char *input)
{
	struct buf records = { 0 };
	char word[64];
	int size;

	for (; sscanf(input, "%63s%n", word, &size) == 1; input += size) {
		bool command = word[0] >= 'A' && word[0] <= 'Z';

		if (command) {
			admit(rig, buf_slice(&records));
			buf_clear(&records, 0);
			ck_assert_msg(do_command(rig, word), "%s", word);
		} else if (rig->event) {
			admit_event(rig, word);
		} else {
			ck_assert_int_eq(buf_append(&records, slice_of(word)), 0);
			ck_assert_int_eq(buf_append_byte(&records, '\n'), 0);
		}
	}
	if (records.size > 0)
		admit(rig, buf_slice(&records));
	buf_release(&records);
}

static inline void
play_turn(struct rig *rig, const struct act *turn, int line)
{
	size_t since = rig->recorder.text.size;
	const char *output;

	set_clock(rig, turn->now);
	ck_assert_int_eq(engine_expire(rig->engine), 0);
	take_input(rig, turn->input);
	output = recorder_text(&rig->recorder, since);
	ck_assert_msg(strcmp(output, turn->output) == 0,
		      "line %d, at %" PRId64 ", '%s': '%s', not '%s'", line, turn->now,
		      turn->input, output, turn->output);
}

static inline void
play_turns(struct rig *rig, const struct act *turns, size_t count, int line)
{
	for (size_t i = 0; i < count; i++)
		play_turn(rig, &turns[i], line);
}

static inline void
check_turns(struct engine_config config, struct trigger *trigger, const struct act *turns,
	    size_t count, int line)
{
	struct rig rig;

	rig_up(&rig, config, trigger);
	play_turns(&rig, turns, count, line);
	take_down(&rig);
}

#define CONFIG(...) ((struct engine_config){ __VA_ARGS__ })
#define PLAIN ((struct engine_config){ .once = false })
#define KEEPING CONFIG(.emitter = { .mode = MODE_FIRE })
#define EVENT CONFIG(.event = true)

#define TURN(now, input, output)   \
	(struct act)               \
	{                          \
		now, input, output \
	}
#define CHECK(config, trigger, ...)                                       \
	check_turns(config, trigger, (const struct act[]){ __VA_ARGS__ }, \
		    LENGTH(((const struct act[]){ __VA_ARGS__ })), __LINE__)
#define PLAY(rig, ...)                                       \
	play_turns(rig, (const struct act[]){ __VA_ARGS__ }, \
		   LENGTH(((const struct act[]){ __VA_ARGS__ })), __LINE__)

#endif
