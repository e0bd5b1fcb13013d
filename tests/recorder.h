/*
 * A sink that keeps what it is given, as a text of one word a batch and as the facts.
 *
 * The word is REASON@FIRED[RECORDS]: count@5[a b c]. The records' delimiter is a newline, or a
 * blank stands for whatever else ends them.
 */
#ifndef VOLLEY_RECORDER_H
#define VOLLEY_RECORDER_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sink.h"
#include "unit.h"

#define RECORDER_BATCHES 1024

struct recorder {
	struct sink sink;
	struct batch batch[RECORDER_BATCHES]; /* their slices are no longer there */
	size_t count;
	struct buf text;    /* words, with a blank between */
	struct buf records; /* of all batches, as they came */
	struct buf keys;    /* of all batches, each with a newline */
	char delimiter;
	bool takes; /* takes the bytes of a batch that may be taken */
	bool busy;  /* is not ready */
	bool fails; /* takes nothing */
};

static inline bool
recorder_ready(struct sink *sink)
{
	return !((struct recorder *)sink)->busy;
}

static inline void
recorder_append(struct recorder *recorder, struct slice records)
{
	DEMAND(buf_append(&recorder->records, records) == 0, "no memory");
	for (size_t i = 0; i < records.size; i++) {
		char byte = records.data[i];

		if (byte == recorder->delimiter)
			byte = ' ';
		DEMAND(buf_append_byte(&recorder->text, byte) == 0, "no memory");
	}
}

/* As a sink that keeps the bytes does: it leaves an empty buf behind. */
static inline void
recorder_take(struct buf *holder, struct buf *taken)
{
	*taken = *holder;
	*holder = (struct buf){ 0 };
}

static inline int
recorder_put(struct sink *sink, const struct batch *batch)
{
	struct recorder *recorder = (struct recorder *)sink;
	struct buf taken = { 0 };
	struct slice held = batch->held;
	char head[64];

	if (recorder->fails)
		return -1;
	DEMAND(recorder->count < RECORDER_BATCHES, "too many batches");
	DEMAND(held.size + batch->tail.size == batch->bytes, "%zu, %zu", held.size,
	       batch->tail.size);
	if (batch->holder) {
		DEMAND(batch->holder->data == held.data, "another holder");
		DEMAND(batch->holder->size == held.size, "%zu", held.size);
	}
	if (batch->holder && recorder->takes) {
		recorder_take(batch->holder, &taken);
		held = buf_slice(&taken);
	}
	snprintf(head, sizeof head, "%s%s@%" PRId64 "[",
		 recorder->text.size > 0 ? " " : "", reason_name(batch->reason),
		 batch->fired);
	DEMAND(buf_append(&recorder->text, slice_of(head)) == 0, "no memory");
	recorder_append(recorder, held);
	recorder_append(recorder, batch->tail);
	if (batch->bytes > 0)
		recorder->text.size--;
	DEMAND(buf_append_byte(&recorder->text, ']') == 0, "no memory");
	DEMAND(buf_append(&recorder->keys, batch->key) == 0, "no memory");
	DEMAND(buf_append_byte(&recorder->keys, '\n') == 0, "no memory");
	recorder->batch[recorder->count++] = *batch;
	buf_release(&taken);
	return 0;
}

static inline int
recorder_watch(struct sink *sink)
{
	(void)sink;
	return -1;
}

static inline nsec
recorder_deadline(struct sink *sink)
{
	(void)sink;
	return NSEC_MAX;
}

static inline int
recorder_step(struct sink *sink, const struct turn *turn)
{
	(void)sink;
	(void)turn;
	return 0;
}

static inline bool
recorder_no(struct sink *sink)
{
	(void)sink;
	return false;
}

static inline int
recorder_close(struct sink *sink)
{
	(void)sink;
	return 0;
}

/* As a word, ~TIME. */
static inline int
recorder_watermark(struct sink *sink, nsec time)
{
	struct recorder *recorder = (struct recorder *)sink;
	char word[32];

	snprintf(word, sizeof word, "%s~%" PRId64, recorder->text.size > 0 ? " " : "",
		 time);
	DEMAND(buf_append(&recorder->text, slice_of(word)) == 0, "no memory");
	return 0;
}

static inline void
recorder_init(struct recorder *recorder, char delimiter)
{
	static const struct sink_ops ops = {
		.ready = recorder_ready,
		.put = recorder_put,
		.watermark = recorder_watermark,
		.watch = recorder_watch,
		.deadline = recorder_deadline,
		.step = recorder_step,
		.busy = recorder_no,
		.stopped = recorder_no,
		.close = recorder_close,
	};

	memset(recorder, 0, sizeof *recorder);
	recorder->sink.ops = &ops;
	recorder->delimiter = delimiter;
}

static inline void
recorder_release(struct recorder *recorder)
{
	buf_release(&recorder->text);
	buf_release(&recorder->records);
	buf_release(&recorder->keys);
}

/* The words that came since the text had this length. */
static inline const char *
recorder_text(struct recorder *recorder, size_t since)
{
	DEMAND(buf_append_byte(&recorder->text, '\0') == 0, "no memory");
	recorder->text.size--;
	if (recorder->text.data[since] == ' ')
		since++;
	return recorder->text.data + since;
}

#endif
