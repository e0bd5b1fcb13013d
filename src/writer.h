/*
 * The sink that writes batches to a descriptor.
 *
 * Batches gather in a queue and leave together, in one write a turn of the loop. Writing waits
 * until the descriptor takes something; it may be shared with strangers, so it is never made
 * non-blocking, and a write of much may wait in the kernel: a signal ends that wait.
 */
#ifndef VOLLEY_WRITER_H
#define VOLLEY_WRITER_H

#include "frame.h"
#include "ledger.h"
#include "sink.h"
#include "toll.h"

struct writer {
	struct sink sink;
	int fd;
	const char *name;          /* for messages */
	const struct frame *frame; /* borrowed */
	struct buf queue;
	size_t written;       /* bytes of the queue */
	bool broken;          /* an error was reported; nothing more is written */
	struct ledger ledger; /* of what is queued, or came after the error */
	struct toll toll;     /* of batches that there was no memory for */
};

void
writer_init(struct writer *writer, int fd, const char *name, const struct frame *frame);

void
writer_release(struct writer *writer);

#endif
