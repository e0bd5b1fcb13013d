#include <config.h>

#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdint.h>
#include <sys/uio.h>
#include <unistd.h>

#include "diag.h"

/* With so much queued, records wait. */
#define QUEUE_LIMIT ((size_t)256 << 10)

/* A pipe of this size costs the fewest turns of producer and consumer. */
#define PIPE_SIZE (1 << 20)

/* A batch of so many bytes is not copied into the queue: the queue takes over its memory. */
#define LARGE ((size_t)256 << 10)

/* So many bytes or more are not copied into the queue either, if they can be written at once. */
#define DIRECT ((size_t)32 << 10)

/* Nor are batches that go together, unless they are smaller than this on the average: then to
 * tell of each costs more than to copy them. */
#define LEAST_SPAN ((size_t)4 << 10)

/* So many parts, the queue and two of each batch, go into one call. */
#define PARTS 257

/* The queue keeps so much memory when it is empty. */
#define KEPT_MEMORY ((size_t)1 << 20)

static struct writer *
writer_of(struct sink *sink)
{
	return (struct writer *)sink;
}

static size_t
queued(const struct writer *writer)
{
	return writer->queue.size - writer->written;
}

static bool
writer_ready(struct sink *sink)
{
	return queued(writer_of(sink)) < QUEUE_LIMIT;
}

/* Has the records that the batch holds become the queue as they are, when they are many. False
 * when nothing was done. */
static bool
take_over(struct writer *writer, const struct batch *batch)
{
	struct slice delimiter = writer->frame->batch_delimiter;
	struct buf empty = writer->queue;

	if (!batch->holder || batch->holder->size < LARGE || empty.size > 0 ||
	    !frame_is_bare(writer->frame) ||
	    buf_reserve(batch->holder, batch->tail.size + delimiter.size) < 0)
		return false;
	/* One with little memory would not be worth its keep. */
	if (empty.capacity < LARGE)
		buf_release(&empty);
	writer->queue = *batch->holder;
	*batch->holder = empty;
	buf_append(&writer->queue, batch->tail);
	buf_append(&writer->queue, delimiter);
	return true;
}

/* So many bytes more are written. What is before the rest is dropped when it outweighs it. */
static void
forget(struct writer *writer, size_t size)
{
	writer->written += size;
	if (queued(writer) == 0) {
		buf_clear(&writer->queue, KEPT_MEMORY);
	} else if (writer->written >= queued(writer)) {
		buf_consume(&writer->queue, writer->written);
	} else {
		return;
	}
	writer->written = 0;
}

/* What is to be written, in its order; the first part is the queue's. */
struct parts {
	struct iovec iov[PARTS];
	int count;
	size_t size; /* but for the queue's */
};

/* Most of it is left as it is: that would be much to clear for a small batch. */
static void
begin_parts(struct parts *parts)
{
	parts->count = 1;
	parts->size = 0;
}

static void
add_part(struct parts *parts, struct slice slice)
{
	if (slice.size == 0)
		return;
	parts->iov[parts->count].iov_base = (void *)(uintptr_t)slice.data;
	parts->iov[parts->count++].iov_len = slice.size;
	parts->size += slice.size;
}

static bool
is_writable(const struct writer *writer)
{
	struct pollfd fd = { .fd = writer->fd, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && fd.revents == POLLOUT;
}

/* What of the parts is not written is queued, for which there is room. */
static void
queue_rest(struct writer *writer, const struct parts *parts, size_t written)
{
	for (int i = 1; i < parts->count; i++) {
		struct slice part = { parts->iov[i].iov_base, parts->iov[i].iov_len };
		size_t done = written < part.size ? written : part.size;

		written -= done;
		buf_append(&writer->queue, slice_from(part, done));
	}
}

/* Writes the queue and the parts as far as they go, and queues the rest. Returns how much was
 * written; 0 when nothing was done. An error is left for the time when the queue is written. */
static size_t
write_through(struct writer *writer, struct parts *parts)
{
	size_t front = queued(writer), done;
	ssize_t written;

	if (buf_reserve(&writer->queue, parts->size) < 0 || !is_writable(writer))
		return 0;
	parts->iov[0].iov_base = writer->queue.data + writer->written;
	parts->iov[0].iov_len = front;
	written = writev(writer->fd, parts->iov, parts->count);
	if (written <= 0)
		return 0;
	done = (size_t)written < front ? (size_t)written : front;
	queue_rest(writer, parts, (size_t)written - done);
	forget(writer, done);
	return (size_t)written;
}

static bool
put_through(struct writer *writer, const struct batch *batch)
{
	struct parts parts;
	size_t written;

	if (!frame_is_bare(writer->frame) ||
	    batch->bytes + writer->frame->batch_delimiter.size < DIRECT)
		return false;
	begin_parts(&parts);
	add_part(&parts, batch->held);
	add_part(&parts, batch->tail);
	add_part(&parts, writer->frame->batch_delimiter);
	written = write_through(writer, &parts);
	if (written == 0)
		return false;
	ledger_add(&writer->ledger, parts.size, batch->count);
	ledger_take(&writer->ledger, written);
	return true;
}

/* Enters batches that stand one behind the other, each of so many records. */
static void
enter_many(struct writer *writer, const size_t *sizes, size_t count, uint64_t records)
{
	ledger_add_many(&writer->ledger, sizes, count,
			writer->frame->batch_delimiter.size, records);
}

static bool
put_many_through(struct writer *writer, const struct batch *batch, const size_t *sizes,
		 size_t count)
{
	struct slice records = batch->tail;
	struct parts parts;
	size_t written;

	if (records.size < DIRECT || count > (PARTS - 1) / 2 ||
	    records.size / count < LEAST_SPAN)
		return false;
	begin_parts(&parts);
	for (size_t i = 0; i < count; i++) {
		add_part(&parts, (struct slice){ records.data, sizes[i] });
		add_part(&parts, writer->frame->batch_delimiter);
		records = slice_from(records, sizes[i]);
	}
	written = write_through(writer, &parts);
	if (written == 0)
		return false;
	enter_many(writer, sizes, count, batch->count);
	ledger_take(&writer->ledger, written);
	return true;
}

static int
append(struct writer *writer, const struct batch *batch)
{
	size_t size = writer->queue.size;

	if (!take_over(writer, batch) &&
	    frame_append(writer->frame, batch, &writer->queue) < 0)
		return -1;
	/* Of nothing all is written. */
	if (writer->queue.size > size)
		ledger_add(&writer->ledger, writer->queue.size - size, batch->count);
	return 0;
}

/* There is no memory for more: writes what is queued, however long that takes, and has its
 * memory to be used again. */
static bool
empty_queue(struct writer *writer)
{
	struct pollfd fd = { .fd = writer->fd, .events = POLLOUT };

	if (queued(writer) == 0)
		return false;
	while (queued(writer) > 0) {
		ssize_t size = write(writer->fd, writer->queue.data + writer->written,
				     queued(writer));

		if (size > 0) {
			writer->written += (size_t)size;
			ledger_take(&writer->ledger, (size_t)size);
		} else if (errno == EAGAIN) {
			poll(&fd, 1, -1);
		} else if (errno != EINTR) {
			return false;
		}
	}
	writer->queue.size = writer->written = 0;
	return true;
}

static int
writer_put(struct sink *sink, const struct batch *batch)
{
	struct writer *writer = writer_of(sink);
	int result;

	if (writer->broken)
		ledger_add(&writer->ledger, 0, batch->count);
	if (writer->broken || put_through(writer, batch))
		return 0;
	result = append(writer, batch);
	if (result < 0 && empty_queue(writer))
		result = append(writer, batch);
	if (result < 0 && toll_add(&writer->toll, batch->count))
		diag_errno("batch %" PRIu64 " (%" PRIu64 " record%s) is lost",
			   batch->index, batch->count, batch->count == 1 ? "" : "s");
	return result;
}

static bool
writer_put_many(struct sink *sink, const struct batch *batch, const size_t *sizes,
		size_t count)
{
	struct writer *writer = writer_of(sink);

	if (writer->broken || !frame_is_bare(writer->frame))
		return false;
	if (put_many_through(writer, batch, sizes, count))
		return true;
	if (frame_append_many(writer->frame, batch->tail, sizes, count, &writer->queue) <
	    0)
		return false;
	enter_many(writer, sizes, count, batch->count);
	return true;
}

static int
writer_watermark(struct sink *sink, nsec time)
{
	struct writer *writer = writer_of(sink);
	size_t size = writer->queue.size;
	int result = frame_append_watermark(writer->frame, time, &writer->queue);

	if (result < 0)
		diag_errno("cannot queue a watermark");
	ledger_add(&writer->ledger, writer->queue.size - size, 0);
	return result;
}

static int
writer_watch(struct sink *sink)
{
	struct writer *writer = writer_of(sink);

	return queued(writer) > 0 && !writer->broken ? writer->fd : -1;
}

static nsec
writer_deadline(struct sink *sink)
{
	(void)sink;
	return NSEC_MAX;
}

static bool
writer_busy(struct sink *sink)
{
	return writer_watch(sink) >= 0;
}

static bool
writer_stopped(struct sink *sink)
{
	return writer_of(sink)->broken;
}

static int
writer_step(struct sink *sink, const struct turn *turn)
{
	struct writer *writer = writer_of(sink);
	ssize_t size;

	if (queued(writer) == 0 || !turn->writable)
		return 0;
	size = write(writer->fd, writer->queue.data + writer->written, queued(writer));
	if (size < 0 && errno != EINTR && errno != EAGAIN) {
		diag_errno("cannot write to %s", writer->name);
		writer->broken = true;
		return -1;
	}
	if (size > 0) {
		forget(writer, (size_t)size);
		ledger_take(&writer->ledger, (size_t)size);
	}
	return 0;
}

static int
writer_close(struct sink *sink)
{
	struct writer *writer = writer_of(sink);
	uint64_t records = writer->ledger.records;

	toll_tell(&writer->toll);
	if (records > 0)
		diag_say("%" PRIu64 " record%s lost, or not written whole", records,
			 records == 1 ? " is" : "s are");
	if (close(writer->fd) == 0)
		return 0;
	diag_errno("cannot close %s", writer->name);
	return -1;
}

void
writer_init(struct writer *writer, int fd, const char *name, const struct frame *frame)
{
	static const struct sink_ops ops = {
		.ready = writer_ready,
		.put = writer_put,
		.put_many = writer_put_many,
		.watermark = writer_watermark,
		.watch = writer_watch,
		.deadline = writer_deadline,
		.step = writer_step,
		.busy = writer_busy,
		.stopped = writer_stopped,
		.close = writer_close,
	};

#ifdef F_SETPIPE_SZ
	/* Fails for what is no pipe, and where the user has many: then it stays as it is. */
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#endif
	*writer = (struct writer){
		.sink = { &ops }, .fd = fd, .name = name, .frame = frame
	};
}

void
writer_release(struct writer *writer)
{
	buf_release(&writer->queue);
	ledger_release(&writer->ledger);
}
