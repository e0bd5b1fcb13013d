/*
 * A job: one batch that a command is to be run for, from the time when the batch is whole until
 * it was delivered, kept, or named in an error.
 *
 * Its data are in a file without a name, or are the arguments to be added; its facts are kept
 * as text, as the command finds them in its environment.
 */
#ifndef VOLLEY_JOB_H
#define VOLLEY_JOB_H

#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "batch.h"
#include "outcome.h"
#include "timeform.h"

struct job {
	struct job *next;    /* of the list that it is in: it waits, or its output does */
	const char *program; /* that it is for; borrowed */
	nsec limit;          /* of how long a run may take; 0: none */
	uint64_t index;      /* the batch's facts: */
	uint64_t count;
	uint64_t bytes;
	const char *reason;
	bool has_key;
	struct buf key;   /* ended with a NUL */
	struct buf first; /* the same; empty when the batch has no records */
	struct buf last;

	struct buf data; /* what the command is to read, or its further arguments: */
	bool args;       /* each argument ends with a NUL */
	int output;      /* a file with what the command has written; -1: not kept */
	off_t flushed;   /* so much of the output was passed on */

	uint64_t attempts; /* begun so far */
	unsigned tries;    /* of beginning it, that failed for a passing reason */
	pid_t pid;         /* of the run that is under way; 0: none */
	nsec started;      /* that run */
	nsec due; /* when the next run may begin; or when this one is to be ended */
	bool ended_early;       /* TERM was sent: the next thing is KILL */
	bool done;              /* no more runs */
	struct outcome outcome; /* of the last run */
};

/* Jobs, first to last. */
struct joblist {
	struct job *first;
	struct job **end;
	size_t count;
};

void
joblist_init(struct joblist *list);

void
joblist_append(struct joblist *list, struct job *job);

void
joblist_prepend(struct joblist *list, struct job *job);

void
joblist_remove(struct joblist *list, struct job *job);

/* A job for the batch, with the facts alone. NULL with errno. */
struct job *
job_new(const struct batch *batch, const struct timeform *times);

void
job_free(struct job *job);

/* What an argument takes beside its bytes: its NUL, and a pointer. A kernel of 64 bits counts its
 * own, for a program of 32 bits too. */
#define ARG_COST (1 + sizeof(uint64_t))

/* How many bytes of arguments can be added to a command. */
struct arg_room {
	size_t all; /* in all, each with its NUL and a pointer */
	size_t one; /* one of them, with its NUL */
};

/* The longest record that can be an argument. */
size_t
arg_room_longest(const struct arg_room *room);

/* Moves records from the front of the slice into the job's arguments, as many as there is room
 * for; none when the first cannot be one: errno is E2BIG, or EINVAL for a NUL in it. The job's
 * count and bytes become theirs. 0, or -1 with errno ENOMEM. */
int
job_add_args(struct job *job, struct slice *records, char delimiter,
	     const struct arg_room *room);

/* A file without a name, to be written and read. The descriptor, or -1 with errno. */
int
job_open_file(void);

/* A descriptor from which the job's data can be read, and nothing else: no run can change what
 * the next one reads. -1 with errno. */
int
job_open_data(const struct job *job);

/* A text for a JSON object, what is not UTF-8 in it replaced. NULL without memory. */
json_t *
job_text_as_json(struct slice text);

/* The same for the key; null when there are no keys. */
json_t *
job_key_as_json(const struct job *job);

/* Says in words how the last run ended. */
void
job_describe(const struct job *job, char *text, size_t room);

#endif
