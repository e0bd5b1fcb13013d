#include <config.h>

#include "buf.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CAPACITY 64

struct slice
slice_of(const char *string)
{
	return (struct slice){ string, strlen(string) };
}

struct slice
slice_from(struct slice slice, size_t size)
{
	/* Nothing may be added to NULL, not even nothing. */
	return (struct slice){ size > 0 ? slice.data + size : slice.data,
			       slice.size - size };
}

struct slice
buf_slice(const struct buf *buf)
{
	return (struct slice){ buf->data, buf->size };
}

void
buf_release(struct buf *buf)
{
	free(buf->data);
	*buf = (struct buf){ 0 };
}

int
buf_reserve(struct buf *buf, size_t extra)
{
	size_t capacity = buf->capacity < LEAST_CAPACITY ? LEAST_CAPACITY : buf->capacity;
	char *data;

	if (extra <= buf->capacity - buf->size)
		return 0;
	if (extra > SIZE_MAX / 2 - buf->size) {
		errno = ENOMEM;
		return -1;
	}
	while (capacity - buf->size < extra)
		capacity *= 2;
	data = realloc(buf->data, capacity);
	if (!data)
		return -1;
	buf->data = data;
	buf->capacity = capacity;
	return 0;
}

/* In pieces for which C libraries use plain loads and stores. What they have for large ones, one
 * instruction for all of it, some processors do at a fraction of the speed where the two places
 * are not aligned to each other. */
static void
copy(char *to, const char *from, size_t size)
{
	const size_t piece = 8192;

	for (; size > piece; size -= piece) {
		memcpy(to, from, piece);
		to += piece;
		from += piece;
	}
	memcpy(to, from, size);
}

int
buf_append(struct buf *buf, struct slice slice)
{
	if (slice.size == 0)
		return 0;
	if (buf_reserve(buf, slice.size) < 0)
		return -1;
	copy(buf->data + buf->size, slice.data, slice.size);
	buf->size += slice.size;
	return 0;
}

int
buf_append_byte(struct buf *buf, char byte)
{
	return buf_append(buf, (struct slice){ &byte, 1 });
}

void
buf_consume(struct buf *buf, size_t size)
{
	if (size == 0)
		return;
	buf->size -= size;
	memmove(buf->data, buf->data + size, buf->size);
}

void
buf_clear(struct buf *buf, size_t keep)
{
	buf->size = 0;
	if (buf->capacity > keep)
		buf_release(buf);
}
