#include <config.h>

#include "reader.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define READ_SIZE ((size_t)512 << 10)

/* A pipe of this size costs the fewest turns of producer and consumer. */
#define PIPE_SIZE (1 << 20)

void
reader_init(struct reader *reader, int fd)
{
	*reader = (struct reader){ .fd = fd };
#ifdef F_SETPIPE_SZ
	/* Fails for what is no pipe, and where the user has many: then it stays as it is. */
	fcntl(fd, F_SETPIPE_SZ, PIPE_SIZE);
#endif
}

void
reader_release(struct reader *reader)
{
	buf_release(&reader->buf);
}

int
reader_fill(struct reader *reader)
{
	struct buf *buf = &reader->buf;
	ssize_t size;

	buf_consume(buf, reader->start);
	reader->start = 0;
	if (buf_reserve(buf, READ_SIZE) < 0)
		return -1;
	size = read(reader->fd, buf->data + buf->size, READ_SIZE);
	if (size < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -1;
	reader->ended = size == 0;
	buf->size += (size_t)size;
	return 0;
}

int
reader_finish(struct reader *reader, char delimiter)
{
	if (buf_append_byte(&reader->buf, delimiter) < 0)
		return -1;
	reader->finished = true;
	return 0;
}

struct slice
reader_data(const struct reader *reader)
{
	return slice_from(buf_slice(&reader->buf), reader->start);
}

void
reader_consume(struct reader *reader, size_t size)
{
	reader->start += size;
}

bool
reader_can_give_back(const struct reader *reader)
{
	return lseek(reader->fd, 0, SEEK_CUR) >= 0;
}

void
reader_give_back(struct reader *reader)
{
	size_t rest = reader_data(reader).size;

	if (rest > 0 && reader->finished)
		rest--;
	if (rest > 0 && lseek(reader->fd, -(off_t)rest, SEEK_CUR) >= 0)
		reader_consume(reader, rest);
}
