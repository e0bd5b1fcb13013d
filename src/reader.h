/*
 * Bytes from a descriptor, through one buffer.
 *
 * reader_fill() reads once, reader_data() shows what is there, reader_consume() drops what
 * was used. The buffer grows only when what it holds is not used: with a long record.
 */
#ifndef VOLLEY_READER_H
#define VOLLEY_READER_H

#include <stdbool.h>

#include "buf.h"

struct reader {
	int fd;
	bool ended;    /* the input has ended */
	bool finished; /* a delimiter was put behind what was read */
	struct buf buf;
	size_t start; /* bytes of the buffer that were used */
};

void
reader_init(struct reader *reader, int fd);

void
reader_release(struct reader *reader);

/* Reads once. 0 at the end of the input, and when there was nothing to read yet; -1 with errno
 * when it cannot be read. */
int
reader_fill(struct reader *reader);

/* Ends an incomplete last record with the delimiter. 0, or -1 with errno ENOMEM. */
int
reader_finish(struct reader *reader, char delimiter);

struct slice
reader_data(const struct reader *reader);

void
reader_consume(struct reader *reader, size_t size);

/* Whether the input can be had again. */
bool
reader_can_give_back(const struct reader *reader);

/* Gives what was not used back to the input, where that can be: it is left just behind what
 * was. */
void
reader_give_back(struct reader *reader);

#endif
