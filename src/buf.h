/*
 * Bytes: a slice borrows them, a buf owns them.
 *
 * A slice is valid as long as what it was taken from is not changed; it never outlives the
 * call that it is handed to. A buf is zeroed at first, grows by doubling, and is released
 * with buf_release(), which leaves it empty and usable again.
 */
#ifndef VOLLEY_BUF_H
#define VOLLEY_BUF_H

#include <stddef.h>

struct slice {
	const char *data;
	size_t size;
};

struct buf {
	char *data;
	size_t size;     /* bytes in use */
	size_t capacity; /* bytes allocated */
};

struct slice
slice_of(const char *string);

/* What is left of the slice after its first size bytes; size <= slice.size. */
struct slice
slice_from(struct slice slice, size_t size);

struct slice
buf_slice(const struct buf *buf);

void
buf_release(struct buf *buf);

/* Makes room for extra more bytes. 0, or -1 with errno ENOMEM and the buf unchanged. */
int
buf_reserve(struct buf *buf, size_t extra);

/* 0, or -1 with errno ENOMEM and the buf unchanged. */
int
buf_append(struct buf *buf, struct slice slice);

int
buf_append_byte(struct buf *buf, char byte);

/* Drops the first size bytes; size <= buf->size. */
void
buf_consume(struct buf *buf, size_t size);

/* Empties the buf; memory beyond keep bytes goes back to the system. */
void
buf_clear(struct buf *buf, size_t keep);

#endif
