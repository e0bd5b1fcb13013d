/*
 * The dead-letter directory: where a batch that failed for good is kept whole, as a file NAME.batch
 * with what the command would have read, and its facts beside it in NAME.json.
 */
#ifndef VOLLEY_DEADLETTER_H
#define VOLLEY_DEADLETTER_H

#include "job.h"

struct deadletter {
	const char *directory; /* borrowed; NULL: nothing is kept */
	const char *run;       /* a name that no other run has */
	uint64_t kept;         /* so far */
};

/* Makes the directory if it is not there, and sees whether files can be made in it. 0, or -1 with
 * errno. */
int
deadletter_open(const struct deadletter *letters);

/* Keeps the batch; the path of its file is appended. 0, or -1 with errno. */
int
deadletter_keep(struct deadletter *letters, const struct job *job, char delimiter,
		struct buf *path);

#endif
