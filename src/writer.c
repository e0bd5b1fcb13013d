#include <config.h>

#include "writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "diag.h"

/* With so much queued, records wait. */
#define QUEUE_LIMIT ((size_t)256 << 10)

/* A pipe of this size costs the fewest turns of producer and consumer. */
#define PIPE_SIZE (1 << 20)

/* A batch of so many bytes is not copied into the queue: the queue takes over its memory. */
#define LARGE ((size_t)256 << 10)

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

	writer->queue = *batch->holder;
	*batch->holder = empty;
	return frame_append_rest(writer->frame, batch, &writer->queue);
}

static int
writer_put(struct sink *sink, const struct batch *batch)
{
	struct writer *writer = writer_of(sink);
	int result;

	writer->pending += batch->count;
	if (writer->broken)
		return 0;
	if (may_take_over(writer, batch))
		result = take_over(writer, batch);
	else
		result = frame_append(writer->frame, batch, &writer->queue);
	if (result < 0)
		diag_errno("batch %" PRIu64 " (%" PRIu64 " record%s) is lost",
			   batch->index, batch->count, batch->count == 1 ? "" : "s");
	return result;
}

static bool
writer_put_many(struct sink *sink, const struct batch *batch, const size_t *sizes,
		size_t count)
{
	struct writer *writer = writer_of(sink);

	if (writer->broken || !frame_is_bare(writer->frame) ||
	    frame_append_many(writer->frame, batch->tail, sizes, count, &writer->queue) <
		    0)
		return false;
	writer->pending += batch->count * count;
	return true;
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
