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

#include "jsontext.h"
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
joblist_prepend(struct joblist *list, struct job *job)
{
	job->next = list->first;
	if (!list->first)
		list->end = &job->next;
	list->first = job;
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
	job->has_key = batch->has_key;
	job->output = -1;
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
	if (job->output >= 0)
		close(job->output);
	buf_release(&job->key);
	buf_release(&job->first);
	buf_release(&job->last);
	buf_release(&job->data);
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

static int
write_data(int fd, struct slice data)
{
	while (data.size > 0) {
		ssize_t size = write(fd, data.data, data.size);

		if (size < 0 && errno != EINTR)
			return -1;
		if (size > 0)
			data = slice_from(data, (size_t)size);
	}
	return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* The same file, for reading alone; where the system cannot say so, the descriptor itself. */
static int
open_again(int fd)
{
	char path[64];
	int again;

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	again = open(path, O_RDONLY | O_CLOEXEC);
	if (again < 0)
		return fd;
	close(fd);
	return again;
}

int
job_open_data(const struct job *job)
{
	int fd, saved;

	if (job->args)
		return open("/dev/null", O_RDONLY | O_CLOEXEC);
	fd = job_open_file();
	if (fd < 0)
		return -1;
	if (write_data(fd, buf_slice(&job->data)) == 0)
		return open_again(fd);
	saved = errno;
	close(fd);
	errno = saved;
	return -1;
}

size_t
arg_room_longest(const struct arg_room *room)
{
	size_t all = room->all > ARG_COST ? room->all - ARG_COST : 0;

	return all < room->one ? all : room->one - 1;
}

/* Whether the record can be an argument; if not, errno says why. */
static bool
can_be_argument(struct slice record, const struct arg_room *room)
{
	errno = memchr(record.data, '\0', record.size) ? EINVAL : E2BIG;
	return errno != EINVAL && record.size <= arg_room_longest(room);
}

int
job_add_args(struct job *job, struct slice *records, char delimiter,
	     const struct arg_room *room)
{
	size_t left = room->all;

	job->args = true;
	job->count = job->bytes = 0;
	while (records->size > 0) {
		struct slice record = { records->data, record_size(*records, delimiter) };
		size_t cost = record.size + ARG_COST;

		if (!can_be_argument(record, room) || cost > left)
			return 0;
		if (buf_append(&job->data, record) < 0 ||
		    buf_append_byte(&job->data, '\0') < 0)
			return -1;
		left -= cost;
		job->count++;
		job->bytes += record.size + 1;
		*records = slice_from(*records, record.size + 1);
	}
	return 0;
}

json_t *
job_text_as_json(struct slice text)
{
	struct buf json = { 0 };
	uint64_t replaced = 0;
	json_t *value = NULL;

	if (jsontext_append(text, &json, &replaced) == 0)
		value = json_loadb(json.data, json.size, JSON_DECODE_ANY | JSON_ALLOW_NUL,
				   NULL);
	buf_release(&json);
	return value;
}

json_t *
job_key_as_json(const struct job *job)
{
	if (!job->has_key)
		return json_null();
	return job_text_as_json((struct slice){ job->key.data, job->key.size - 1 });
}

static void
describe_start(const struct job *job, char *text, size_t room)
{
	int error = job->outcome.error;
	bool searched = error == ENOENT && !strchr(job->program, '/');

	if (job->outcome.unstored) {
		snprintf(text, room,
			 "cannot be stored for '%.200s' to read: %s (see TMPDIR)",
			 job->program, strerror(error));
		return;
	}
	snprintf(text, room, "cannot run '%.200s': %s%s", job->program,
		 searched ? "not found in PATH" : strerror(error),
		 error == ENOENT && !searched
			 ? " (it, or the interpreter in its first line)"
			 : "");
}

void
job_describe(const struct job *job, char *text, size_t room)
{
	const struct outcome *outcome = &job->outcome;
	char limit[UNITS_TEXT_MAX];

	units_print_duration(limit, job->limit);
	if (job->attempts == 0)
		snprintf(text, room, "not run");
	else if (!outcome->ran)
		describe_start(job, text, room);
	else if (outcome->timed_out)
		snprintf(text, room, "took longer than %s (see --exec-timeout)", limit);
	else if (outcome->ended)
		snprintf(text, room, "was ended");
	else if (WIFSIGNALED(outcome->status))
		snprintf(text, room, "killed by signal %d (%s)",
			 WTERMSIG(outcome->status), strsignal(WTERMSIG(outcome->status)));
	else
		snprintf(text, room, "exit status %d", WEXITSTATUS(outcome->status));
}
