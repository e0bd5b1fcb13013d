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

/* Whether the records that the batch holds can become the queue as they are. */
static bool
may_take_over(const struct writer *writer, const struct batch *batch)
{
	return batch->holder && batch->holder->size >= LARGE && writer->queue.size == 0 &&
	       frame_is_plain(writer->frame);
}

static int
take_over(struct writer *writer, const struct batch *batch)
{
	struct buf empty = writer->queue;

	/* One with little memory would not be worth its keep. */
	if (empty.capacity < LARGE)
		buf_release(&empty);
	writer->queue = *batch->holder;
	*batch->holder = empty;
	return frame_append_rest(writer->frame, batch, &writer->queue);
}

/* So many bytes more are written. What is before the rest is dropped when it outweighs it. */
static void
forget(struct writer *writer, size_t size)
{
	writer->written += size;
	if (queued(writer) == 0) {
		buf_clear(&writer->queue, KEPT_MEMORY);
		writer->pending = 0;
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

/* Writes the queue and the parts, whose records are counted as pending, as far as they go, and
 * queues the rest. False when nothing was done. An error is left for the time when the queue is
 * written. */
static bool
write_through(struct writer *writer, struct parts *parts)
{
	size_t front = queued(writer), done;
	ssize_t written;

	if (buf_reserve(&writer->queue, parts->size) < 0 || !is_writable(writer))
		return false;
	parts->iov[0].iov_base = writer->queue.data + writer->written;
	parts->iov[0].iov_len = front;
	written = writev(writer->fd, parts->iov, parts->count);
	if (written < 0)
		return false;
	done = (size_t)written < front ? (size_t)written : front;
	queue_rest(writer, parts, (size_t)written - done);
	forget(writer, done);
	return true;
}

static bool
put_through(struct writer *writer, const struct batch *batch)
{
	struct parts parts;

	if (!frame_is_bare(writer->frame) ||
	    batch->bytes + writer->frame->batch_delimiter.size < DIRECT)
		return false;
	begin_parts(&parts);
	add_part(&parts, batch->held);
	add_part(&parts, batch->tail);
	add_part(&parts, writer->frame->batch_delimiter);
	return write_through(writer, &parts);
}

static bool
put_many_through(struct writer *writer, struct slice records, const size_t *sizes,
		 size_t count)
{
	struct parts parts;

	if (records.size < DIRECT || count > (PARTS - 1) / 2 ||
	    records.size / count < LEAST_SPAN)
		return false;
	begin_parts(&parts);
	for (size_t i = 0; i < count; i++) {
		add_part(&parts, (struct slice){ records.data, sizes[i] });
		add_part(&parts, writer->frame->batch_delimiter);
		records = slice_from(records, sizes[i]);
	}
	return write_through(writer, &parts);
}

static int
append(struct writer *writer, const struct batch *batch)
{
	if (may_take_over(writer, batch))
		return take_over(writer, batch);
	return frame_append(writer->frame, batch, &writer->queue);
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

		if (size > 0)
			writer->written += (size_t)size;
		else if (errno == EAGAIN)
			poll(&fd, 1, -1);
		else if (errno != EINTR)
			return false;
	}
	writer->queue.size = writer->written = 0;
	return true;
}

static int
writer_put(struct sink *sink, const struct batch *batch)
{
	struct writer *writer = writer_of(sink);
	int result;

	writer->pending += batch->count;
	if (writer->broken || put_through(writer, batch))
		return 0;
	result = append(writer, batch);
	if (result < 0 && empty_queue(writer)) {
		writer->pending = batch->count;
		result = append(writer, batch);
	}
	if (result < 0)
		writer->pending -= batch->count;
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
	uint64_t records = batch->count * count;

	if (writer->broken || !frame_is_bare(writer->frame))
		return false;
	writer->pending += records;
	if (put_many_through(writer, batch->tail, sizes, count) ||
	    frame_append_many(writer->frame, batch->tail, sizes, count, &writer->queue) ==
		    0)
		return true;
	writer->pending -= records;
	return false;
}

static int
writer_watermark(struct sink *sink, nsec time)
{
	struct writer *writer = writer_of(sink);
	int result = frame_append_watermark(writer->frame, time, &writer->queue);

	if (result < 0)
		diag_errno("cannot queue a watermark");
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
	if (size > 0)
		forget(writer, (size_t)size);
	return 0;
}

static int
writer_close(struct sink *sink)
{
	struct writer *writer = writer_of(sink);

	toll_tell(&writer->toll);
	if (writer->pending > 0)
		diag_say("%" PRIu64 " record%s lost, or not written whole",
			 writer->pending, writer->pending == 1 ? " is" : "s are");
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
}
