#include <config.h>

#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record.h"

void
joblist_init(struct joblist *list)
{
	*list = (struct joblist){ NULL, &list->first, 0 };
}

void
joblist_append(struct joblist *list, struct job *job)
{
	job->next = NULL;
	*list->end = job;
	list->end = &job->next;
	list->count++;
}

void
joblist_remove(struct joblist *list, struct job *job)
{
	struct job **link = &list->first;

	while (*link != job)
		link = &(*link)->next;
	*link = job->next;
	if (!*link)
		list->end = link;
	list->count--;
}

static int
fill_time(struct buf *text, bool there, nsec time, const struct timeform *times)
{
	if (there && timeform_print(times, time, text) < 0)
		return -1;
	return buf_append_byte(text, '\0');
}

struct job *
job_new(const struct batch *batch, const struct timeform *times)
{
	struct job *job = calloc(1, sizeof *job);

	if (!job)
		return NULL;
	job->index = batch->index;
	job->count = batch->count;
	job->bytes = batch->bytes;
	job->reason = reason_name(batch->reason);
	job->data = job->output = -1;
	if (buf_append(&job->key, batch->key) == 0 &&
	    buf_append_byte(&job->key, '\0') == 0 &&
	    fill_time(&job->first, batch->count > 0, batch->first, times) == 0 &&
	    fill_time(&job->last, batch->count > 0, batch->last, times) == 0)
		return job;
	job_free(job);
	return NULL;
}

void
job_free(struct job *job)
{
	if (!job)
		return;
	if (job->data >= 0)
		close(job->data);
	if (job->output >= 0)
		close(job->output);
	buf_release(&job->key);
	buf_release(&job->first);
	buf_release(&job->last);
	buf_release(&job->args);
	free(job);
}

/* In memory where the system can, else in TMPDIR. */
int
job_open_file(void)
{
	const char *directory = getenv("TMPDIR");
	char path[4096];
	int fd;

#ifdef HAVE_MEMFD_CREATE
	fd = memfd_create("volley", MFD_CLOEXEC);
	if (fd >= 0)
		return fd;
#endif
	snprintf(path, sizeof path, "%s/volley.XXXXXX",
		 directory && *directory ? directory : "/tmp");
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int
job_open_again(int fd)
{
	char path[64];
	int again;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	again = open(path, O_RDONLY | O_CLOEXEC);
	if (again >= 0)
		return again;
	/* Without /proc it shares the offset, which is enough for one run at a time. */
	again = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (again >= 0 && lseek(again, 0, SEEK_SET) < 0) {
		close(again);
		return -1;
	}
	return again;
}

int
job_set_data(struct job *job, struct slice data)
{
	job->data = job_open_file();
	if (job->data < 0)
		return -1;
	while (data.size > 0) {
		ssize_t size = write(job->data, data.data, data.size);

		if (size < 0 && errno != EINTR)
			return -1;
		if (size > 0)
			data = slice_from(data, (size_t)size);
	}
	return 0;
}

/* Whether the record can be an argument; if not, errno says why. */
static bool
can_be_argument(struct slice record, const struct arg_room *room)
{
	size_t cost = record.size + 1 + sizeof(char *);

	errno = memchr(record.data, '\0', record.size) ? EINVAL : E2BIG;
	return errno != EINVAL && record.size < room->one && cost <= room->all;
}

int
job_add_args(struct job *job, struct slice *records, char delimiter,
	     const struct arg_room *room)
{
	size_t left = room->all;

	job->count = job->bytes = 0;
	while (records->size > 0) {
		struct slice record = { records->data, record_size(*records, delimiter) };
		size_t cost = record.size + 1 + sizeof(char *);

		if (!can_be_argument(record, room) || cost > left)
			return 0;
		if (buf_append(&job->args, record) < 0 ||
		    buf_append_byte(&job->args, '\0') < 0)
			return -1;
		left -= cost;
		job->count++;
		job->bytes += record.size + 1;
		*records = slice_from(*records, record.size + 1);
	}
	return 0;
}

static int
read_file(int fd, struct buf *out)
{
	for (off_t at = 0;;) {
		ssize_t size;

		if (buf_reserve(out, 65536) < 0)
			return -1;
		size = pread(fd, out->data + out->size, 65536, at);
		if (size < 0 && errno == EINTR)
			continue;
		if (size <= 0)
			return (int)size;
		out->size += (size_t)size;
		at += size;
	}
}

int
job_read_data(const struct job *job, char delimiter, struct buf *out)
{
	size_t size = out->size;

	if (job->data >= 0)
		return read_file(job->data, out);
	if (buf_append(out, buf_slice(&job->args)) < 0)
		return -1;
	for (; size < out->size; size++)
		if (out->data[size] == '\0')
			out->data[size] = delimiter;
	return 0;
}

void
job_describe(const struct job *job, char *text, size_t room)
{
	const struct outcome *outcome = &job->outcome;

	if (job->attempts == 0)
		snprintf(text, room, "not run");
	else if (!outcome->ran)
		snprintf(text, room, "cannot run '%.200s': %s", job->program,
			 strerror(outcome->error));
	else if (outcome->timed_out)
		snprintf(text, room, "took too long");
	else if (WIFSIGNALED(outcome->status))
		snprintf(text, room, "killed by signal %d (%s)",
			 WTERMSIG(outcome->status), strsignal(WTERMSIG(outcome->status)));
	else
		snprintf(text, room, "exit status %d", WEXITSTATUS(outcome->status));
}
