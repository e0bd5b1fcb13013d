/*
 * The engine behind the intake: options, then bytes.
 *
 * The input is lines of an option each (count 3), an empty line, and what is read. In that a
 * byte of 1 to 8 is what happens between two reads: 1 to 3 move the clock, 4 says that the
 * input is quiet, 5 is USR1, 6 and 7 step the wall clock, 8 is TERM.
 *
 * The same is fed whole to a sink that takes many batches at once, and in random pieces to one
 * that takes the memory of batches and is not always ready. Both must give the same batches
 * and the same text, and each record must be in a batch or be counted.
 */
#include "fuzz.h"

#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>

#include "record.h"
#include "setup.h"
#include "totals.h"

#define OPTIONS 16

/* Those that have to do with commands, files and the end of the process are left out. */
static const char *const allowed[] = {
	"count",
	"timeout",
	"idle",
	"every",
	"align",
	"match",
	"max-bytes",
	"break-before",
	"break-on",
	"trigger",
	"once",
	"mode",
	"keep-last",
	"keep-for",
	"evict",
	"emit-empty",
	"delimiter",
	"null",
	"max-record",
	"oversize",
	"key",
	"field-separator",
	"max-keys",
	"window",
	"time-domain",
	"timestamp",
	"time-format",
	"out-of-orderness",
	"allowed-lateness",
	"late",
	"bad-timestamp",
	"output-timestamp",
	"emit-watermarks",
	"format",
	"json-records",
	"batch-delimiter",
	"join",
	"header",
	"footer",
};

/* A run of the same input in one of the ways. */
struct rig {
	struct sink sink;
	bool pieces; /* in random pieces; else whole */
	uint64_t dice;
	bool busy;
	struct setup *setup;
	struct engine *engine;
	struct intake intake;
	struct reading clock;
	struct buf pending; /* not taken yet */
	struct buf facts;   /* of all batches */
	struct buf text;    /* that they look like */
	struct buf records; /* of all of them, as they came */
	uint64_t emitted;
	uint64_t taken; /* bytes of the input */
	uint64_t late;  /* records emitted by themselves */
	bool failed;
};

static struct rig *
rig_of(struct sink *sink)
{
	return (struct rig *)sink;
}

static bool
rig_ready(struct sink *sink)
{
	return !rig_of(sink)->busy;
}

static void
append(struct buf *buf, struct slice slice)
{
	MUST(buf_append(buf, slice) == 0, "no memory");
}

static size_t
delimiters_in(struct slice records, char delimiter)
{
	size_t count = 0;

	for (size_t i = 0; i < records.size; i++)
		count += records.data[i] == delimiter;
	return count;
}

/* What a batch says of itself is so. */
static void
check_batch(const struct rig *rig, const struct batch *batch)
{
	char delimiter = rig->setup->intake.delimiter;

	MUST(batch->held.size + batch->tail.size == batch->bytes, "%zu, %zu, %" PRIu64,
	     batch->held.size, batch->tail.size, batch->bytes);
	MUST(delimiters_in(batch->held, delimiter) +
			     delimiters_in(batch->tail, delimiter) ==
		     batch->count,
	     "%" PRIu64, batch->count);
	MUST(batch->held.size == 0 || batch->held.data[batch->held.size - 1] == delimiter,
	     "held");
	MUST(batch->count > 0 || rig->setup->engine.emit_empty, "an empty batch");
}

static void
check_json(const struct rig *rig, struct slice text)
{
	enum format format = rig->setup->frame.format;
	json_t *value;

	if (format != FORMAT_JSON && format != FORMAT_NDJSON)
		return;
	value = json_loadb(text.data, text.size,
			   JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_DISABLE_EOF_CHECK,
			   NULL);
	MUST(value, "not JSON: %.*s", (int)text.size, text.data);
	json_decref(value);
}

static void
note_facts(struct rig *rig, const struct batch *batch)
{
	char text[512];

	snprintf(text, sizeof text,
		 "%" PRIu64 " %" PRIu64 " %" PRIu64 " %s %d f%" PRId64 " %" PRId64
		 " %" PRId64 " w%" PRId64 " %" PRId64 " %s %" PRIu64 " %d %" PRId64 " ",
		 batch->index, batch->count, batch->bytes, reason_name(batch->reason),
		 batch->has_key, batch->fired, batch->count ? batch->first : 0,
		 batch->count ? batch->last : 0, batch->start, batch->end,
		 timing_name(batch->timing), batch->pane, batch->has_timestamp,
		 batch->has_timestamp ? batch->timestamp : 0);
	append(&rig->facts, slice_of(text));
	append(&rig->facts, batch->key);
	append(&rig->facts, slice_of("\n"));
}

static int
rig_put(struct sink *sink, const struct batch *batch)
{
	struct rig *rig = rig_of(sink);
	size_t before = rig->text.size;

	check_batch(rig, batch);
	note_facts(rig, batch);
	MUST(frame_append(&rig->setup->frame, batch, &rig->text) == 0, "no memory");
	check_json(rig, slice_from(buf_slice(&rig->text), before));
	append(&rig->records, batch->held);
	append(&rig->records, batch->tail);
	rig->emitted += batch->count;
	rig->late += batch->reason == REASON_LATE;
	if (rig->pieces && batch->holder) {
		MUST(batch->holder->data == batch->held.data, "another holder");
		buf_release(batch->holder);
	}
	rig->busy = rig->pieces && fuzz_random(&rig->dice) % 3 == 0;
	return 0;
}

static bool
rig_put_many(struct sink *sink, const struct batch *batch, const size_t *sizes,
	     size_t count)
{
	struct rig *rig = rig_of(sink);
	struct slice rest = batch->tail;
	nsec offset = nsec_sub(rig->clock.wall, rig->clock.now);
	uint64_t index = engine_counters(rig->engine)->batches;
	struct batch one = *batch;
	size_t before = rig->text.size;

	if (!frame_is_bare(&rig->setup->frame))
		return false;
	one.fired = one.first = one.last = nsec_add(batch->first, offset);
	one.pane = index;
	for (size_t i = 0; i < count; i++) {
		one.index = index + i;
		one.pane = index + i;
		one.tail = (struct slice){ rest.data, sizes[i] };
		one.bytes = sizes[i];
		one.has_timestamp = true;
		one.timestamp = one.first;
		check_batch(rig, &one);
		note_facts(rig, &one);
		rest = slice_from(rest, sizes[i]);
	}
	MUST(rest.size == 0, "%zu", rest.size);
	MUST(frame_append_many(&rig->setup->frame, batch->tail, sizes, count,
			       &rig->text) == 0,
	     "no memory");
	MUST(rig->text.size >= before, "%zu", before);
	append(&rig->records, batch->tail);
	rig->emitted += batch->count * count;
	return true;
}

static int
rig_watermark(struct sink *sink, nsec time)
{
	struct rig *rig = rig_of(sink);
	char text[64];

	snprintf(text, sizeof text, "~%" PRId64 "\n", time);
	append(&rig->facts, slice_of(text));
	MUST(frame_append_watermark(&rig->setup->frame, time, &rig->text) == 0,
	     "no memory");
	return 0;
}

static const struct sink_ops whole_ops = { .ready = rig_ready,
					   .put = rig_put,
					   .put_many = rig_put_many,
					   .watermark = rig_watermark };
static const struct sink_ops pieces_ops = { .ready = rig_ready,
					    .put = rig_put,
					    .watermark = rig_watermark };

static void
take(struct rig *rig)
{
	size_t used;

	do {
		rig->busy = false;
		if (intake_feed(&rig->intake, buf_slice(&rig->pending), &used) < 0)
			rig->failed = true;
		MUST(used <= rig->pending.size, "%zu of %zu", used, rig->pending.size);
		buf_consume(&rig->pending, used);
		rig->taken += used;
	} while (!rig->failed && rig->busy);
}

/* Whether anything may be taken still: the rest of a long record may be when all is done. */
static bool
goes_on(const struct rig *rig)
{
	return !engine_done(rig->engine) || rig->intake.skipping;
}

static void
feed(struct rig *rig, struct slice data)
{
	while (data.size > 0 && !rig->failed && goes_on(rig)) {
		size_t size = data.size;

		if (rig->pieces)
			size = 1 + fuzz_random(&rig->dice) %
					   (fuzz_random(&rig->dice) % 3 ? 8 : data.size);
		if (size > data.size)
			size = data.size;
		append(&rig->pending, (struct slice){ data.data, size });
		data = slice_from(data, size);
		take(rig);
	}
}

static void
check(struct rig *rig, int result)
{
	if (result < 0)
		rig->failed = true;
}

static void
begin_turn(struct rig *rig, nsec by, nsec step)
{
	rig->clock.now = nsec_add(rig->clock.now, by);
	rig->clock.wall = nsec_add(rig->clock.wall, nsec_add(by, step));
	engine_set_clock(rig->engine, &rig->clock);
	MUST(engine_deadline(rig->engine) != NSEC_MIN, "a timer at no time");
	check(rig, engine_expire(rig->engine));
	if (!rig->failed && !engine_done(rig->engine))
		MUST(engine_deadline(rig->engine) > rig->clock.now, "due, but not fired");
}

/* Returns whether the input goes on. */
static bool
happen(struct rig *rig, char what)
{
	static const nsec hour = 3600 * NSEC_PER_S;

	switch (what) {
	case 1:
		begin_turn(rig, NSEC_PER_MS, 0);
		break;
	case 2:
		begin_turn(rig, NSEC_PER_S, 0);
		break;
	case 3:
		begin_turn(rig, 7 * hour, 0);
		break;
	case 4:
		if (engine_wants_quiet(rig->engine))
			check(rig, engine_quiet(rig->engine));
		break;
	case 5:
		check(rig, engine_flush(rig->engine, REASON_SIGNAL));
		break;
	case 6:
		begin_turn(rig, 0, hour);
		break;
	case 7:
		begin_turn(rig, 0, -hour);
		break;
	case 8:
		return false;
	}
	return !rig->failed && !engine_done(rig->engine);
}

static bool
is_event(char byte)
{
	return byte >= 1 && byte <= 8;
}

static void
play(struct rig *rig, struct slice data)
{
	struct slice delimiter = { &rig->setup->intake.delimiter, 1 };
	bool going = true, by_signal = false;

	begin_turn(rig, 0, 0);
	while (data.size > 0 && going && !rig->failed && goes_on(rig)) {
		size_t size = 0;

		while (size < data.size && !is_event(data.data[size]))
			size++;
		feed(rig, (struct slice){ data.data, size });
		data = slice_from(data, size);
		if (data.size > 0) {
			going = !rig->failed && happen(rig, data.data[0]);
			by_signal = data.data[0] == 8;
			data = slice_from(data, 1);
		}
	}
	if (rig->pending.size > 0 && !rig->failed && !engine_done(rig->engine)) {
		append(&rig->pending, delimiter);
		take(rig);
		MUST(rig->failed || engine_done(rig->engine) || rig->pending.size == 0,
		     "%zu bytes are left", rig->pending.size);
	}
	check(rig, engine_end(rig->engine, by_signal ? REASON_SIGNAL : REASON_EOF));
}

/* What was taken was emitted, or is counted as dropped. */
static void
check_losses(const struct rig *rig, struct slice fed)
{
	const struct counters *counters = engine_counters(rig->engine);
	const struct losses *losses = &rig->intake.losses;
	const struct engine_config *config = &rig->setup->engine;
	uint64_t dropped = counters->late + counters->finished;
	uint64_t reasons = 0;
	bool purges = config->emitter.mode == MODE_FIRE_AND_PURGE;

	for (int i = 0; i < REASONS; i++)
		reasons += counters->by_reason[i];
	MUST(reasons == counters->batches, "%" PRIu64, reasons);
	/* Each of the windows that a record enters may drop it. */
	if (config->window.kind != WINDOW_SLIDING)
		MUST(counters->records >= dropped, "%" PRIu64, counters->records);
	if (config->window.kind == WINDOW_SLIDING) {
		if (purges && !rig->failed)
			MUST(rig->emitted + counters->late + counters->finished >=
				     counters->records,
			     "%" PRIu64 " emitted of %" PRIu64, rig->emitted,
			     counters->records);
	} else if (purges && !rig->failed) {
		MUST(rig->emitted + dropped == counters->records,
		     "%" PRIu64 " emitted, %" PRIu64 " dropped of %" PRIu64, rig->emitted,
		     dropped, counters->records);
	} else if (!rig->failed && !config->emitter.evicts) {
		MUST(rig->emitted + dropped >= counters->records, "%" PRIu64,
		     rig->emitted);
	}
	if (!config->event && !rig->failed)
		MUST(counters->lines == counters->records + losses->skipped,
		     "%" PRIu64 " lines", counters->lines);
	if (config->event || config->key || config->window.kind != WINDOW_GLOBAL ||
	    !purges || losses->skipped + losses->truncated > 0 || rig->intake.skipping)
		return;
	/* Byte for byte. */
	if (rig->taken > fed.size)
		MUST(rig->taken == fed.size + 1, "%" PRIu64, rig->taken);
	MUST(rig->records.size == rig->taken, "%zu of %" PRIu64, rig->records.size,
	     rig->taken);
	MUST(fed.size == 0 || rig->records.size == 0 ||
		     memcmp(rig->records.data, fed.data,
			    rig->taken < fed.size ? rig->taken : fed.size) == 0,
	     "other bytes");
}

/* The bytes that are read, without what happens between. */
static struct slice
bytes_of(struct slice data)
{
	struct buf bytes = { 0 };

	for (size_t i = 0; i < data.size && data.data[i] != 8; i++)
		if (!is_event(data.data[i]))
			MUST(buf_append_byte(&bytes, data.data[i]) == 0, "no memory");
	return buf_slice(&bytes);
}

static void
rig_run(struct rig *rig, struct setup *setup, struct slice data, bool pieces)
{
	*rig = (struct rig){
		.sink = { pieces ? &pieces_ops : &whole_ops },
		.pieces = pieces,
		.dice = fuzz_hash(data),
		.setup = setup,
		.clock = { 1000 * NSEC_PER_S, INT64_C(1792900000) * NSEC_PER_S },
	};
	rig->engine = engine_new(&setup->engine, &rig->sink);
	MUST(rig->engine, "no memory");
	setup->frame.replaced = &rig->intake.losses.replaced;
	intake_init(&rig->intake, &setup->intake, rig->engine);
	play(rig, data);
}

static void
rig_release(struct rig *rig)
{
	engine_free(rig->engine);
	buf_release(&rig->pending);
	buf_release(&rig->facts);
	buf_release(&rig->text);
	buf_release(&rig->records);
}

static void
must_be_same(const char *what, const struct buf *a, const struct buf *b)
{
	MUST(a->size == b->size &&
		     (a->size == 0 || memcmp(a->data, b->data, a->size) == 0),
	     "%s:\nwhole\n%.*s\npieces\n%.*s", what, (int)a->size, a->data ? a->data : "",
	     (int)b->size, b->data ? b->data : "");
}

static void
compare(struct setup *setup, struct slice data)
{
	struct rig whole, pieces;
	struct slice fed = bytes_of(data);

	rig_run(&whole, setup, data, false);
	check_losses(&whole, fed);
	rig_run(&pieces, setup, data, true);
	check_losses(&pieces, fed);
	must_be_same("facts", &whole.facts, &pieces.facts);
	must_be_same("text", &whole.text, &pieces.text);
	MUST(whole.failed == pieces.failed, "%d", whole.failed);
	MUST(whole.taken == pieces.taken, "%" PRIu64 " and %" PRIu64, whole.taken,
	     pieces.taken);
	MUST(memcmp(&whole.intake.losses, &pieces.intake.losses,
		    sizeof whole.intake.losses) == 0,
	     "other losses");
	rig_release(&whole);
	rig_release(&pieces);
	free((void *)(uintptr_t)fed.data);
}

static bool
is_allowed(struct slice name)
{
	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (strlen(allowed[i]) == name.size &&
		    memcmp(allowed[i], name.data, name.size) == 0)
			return true;
	return false;
}

/* NAME or NAME VALUE as --NAME or --NAME=VALUE; NULL when it is none of those allowed. */
static char *
option_of(struct slice line)
{
	struct slice value = line, name = fuzz_cut(&value, ' ');
	struct buf option = { 0 };

	if (!is_allowed(name))
		return NULL;
	append(&option, slice_of("--"));
	append(&option, name);
	if (name.size < line.size) {
		append(&option, slice_of("="));
		append(&option, value);
	}
	append(&option, (struct slice){ "", 1 });
	return option.data;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct slice data = { (const char *)bytes, size }, line;
	char *arguments[OPTIONS + 2] = { (char[]){ "volley" } };
	struct options options;
	struct setup setup;
	int count = 1;

	while ((line = fuzz_cut(&data, '\n')).size > 0 && count <= OPTIONS)
		if ((arguments[count] = option_of(line)))
			count++;
	/* GNU's way to begin anew. */
	optind = 0;
	if (options_parse(&options, count, arguments) == 0 &&
	    setup_make(&setup, &options) == 0) {
		compare(&setup, data);
		setup_release(&setup);
	}
	options_release(&options);
	while (--count > 0)
		free(arguments[count]);
	return 0;
}
