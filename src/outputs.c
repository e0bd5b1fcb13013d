#include <config.h>

#include "outputs.h"

#include <errno.h>
#include <poll.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

/* So much at once, where that does not wait. */
#define PIECE_MAX 65536

void
outputs_init(struct outputs *outputs, int fd, bool keep_order)
{
	struct stat status;

	*outputs =
		(struct outputs){ .fd = fd, .keep_order = keep_order, .piece = PIPE_BUF };
	if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
		outputs->piece = PIECE_MAX;
	joblist_init(&outputs->jobs);
}

int
outputs_add(struct outputs *outputs, struct job *job)
{
	job->output = job_open_file();
	if (job->output < 0)
		return -1;
	joblist_append(&outputs->jobs, job);
	return 0;
}

/* The output that is half passed on, or comes next; NULL when none does. */
static struct job *
next_output(const struct outputs *outputs)
{
	struct job *first = outputs->jobs.first, *job = first;

	if (outputs->keep_order)
		return first && first->done ? first : NULL;
	while (job && job->flushed == 0)
		job = job->next;
	if (job)
		return job;
	for (job = first; job && !job->done; job = job->next)
		continue;
	return job;
}

int
outputs_watch(const struct outputs *outputs)
{
	return next_output(outputs) ? outputs->fd : -1;
}

/* Passes on a piece of the job's output. Returns 1 when it was taken, 0 when nothing can be, or
 * is left, -1 with errno. */
static int
pass_piece(struct outputs *outputs, struct job *job)
{
	char bytes[PIECE_MAX];
	ssize_t size = pread(job->output, bytes, outputs->piece, job->flushed), written;

	if (size < 0 && errno == EINTR)
		return 1;
	if (size <= 0 || outputs->broken) {
		joblist_remove(&outputs->jobs, job);
		job_free(job);
		return size < 0 ? -1 : 1;
	}
	/* A pipe that is writable takes PIPE_BUF bytes; more could wait in the kernel. */
	written = write(outputs->fd, bytes, (size_t)size);
	if (written < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -1;
	job->flushed += written;
	return written == size && outputs->piece == PIECE_MAX;
}

bool
outputs_are_unread(const struct outputs *outputs)
{
	struct pollfd fd = { .fd = outputs->fd, .events = POLLOUT };

	return poll(&fd, 1, 0) == 1 && (fd.revents & POLLERR) != 0;
}

int
outputs_pass(struct outputs *outputs)
{
	struct job *job;
	int result = 1;

	while (result > 0 && (job = next_output(outputs)))
		result = pass_piece(outputs, job);
	if (result < 0)
		outputs->broken = true;
	return result < 0 ? -1 : 0;
}
