#include <config.h>

#include "joblog.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "datetime.h"

int
joblog_open(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

/* The exit status, or null when a signal killed it or it never ran. */
static json_t *
exit_status(const struct outcome *outcome)
{
	bool exited = outcome->ran && WIFEXITED(outcome->status);

	return exited ? json_integer(WEXITSTATUS(outcome->status)) : json_null();
}

static json_t *
signal_number(const struct outcome *outcome)
{
	bool killed = outcome->ran && WIFSIGNALED(outcome->status);

	return killed ? json_integer(WTERMSIG(outcome->status)) : json_null();
}

static json_t *
entry_of(const struct job *job, nsec started, nsec duration)
{
	char start[64];

	datetime_print(start, sizeof start, started);
	return json_pack("{s:I, s:I, s:s, s:f, s:o, s:o, s:b, s:I, s:I, s:s, s:o}",
			 "index", (json_int_t)job->index, "attempt",
			 (json_int_t)job->attempts, "start", start, "duration",
			 (double)(duration / NSEC_PER_MS) / 1000, "status",
			 exit_status(&job->outcome), "signal",
			 signal_number(&job->outcome), "timeout", job->outcome.timed_out,
			 "count", (json_int_t)job->count, "bytes", (json_int_t)job->bytes,
			 "reason", job->reason, "key", job_key_as_json(job));
}

static int
write_line(int fd, const char *text)
{
	struct buf line = { 0 };
	size_t written = 0;
	int result = -1;

	if (buf_append(&line, slice_of(text)) == 0 && buf_append_byte(&line, '\n') == 0)
		result = 0;
	while (result == 0 && written < line.size) {
		ssize_t size = write(fd, line.data + written, line.size - written);

		if (size > 0)
			written += (size_t)size;
		else if (size == 0 || errno != EINTR)
			result = -1;
	}
	buf_release(&line);
	return result;
}

int
joblog_add(int fd, const struct job *job, nsec started, nsec duration)
{
	json_t *entry = entry_of(job, started, duration);
	char *text =
		entry ? json_dumps(entry, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
	int result = -1;

	if (text)
		result = write_line(fd, text);
	else
		errno = ENOMEM;
	free(text);
	json_decref(entry);
	return result;
}
