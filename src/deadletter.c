#include <config.h>

#include "deadletter.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "wholefile.h"

int
deadletter_open(const struct deadletter *letters)
{
	struct buf path = { 0 };
	int result = -1;

	if (mkdir(letters->directory, 0777) < 0 && errno != EEXIST)
		return -1;
	if (buf_append(&path, slice_of(letters->directory)) == 0 &&
	    buf_append(&path, slice_of("/")) == 0 && buf_append_byte(&path, '\0') == 0)
		result = wholefile_try(path.data, false);
	buf_release(&path);
	return result;
}

/* DIRECTORY/RUN-NUMBER, and a NUL. */
static int
append_name(const struct deadletter *letters, struct buf *path)
{
	char name[64];

	snprintf(name, sizeof name, "-%06" PRIu64, letters->kept);
	if (buf_append(path, slice_of(letters->directory)) < 0 ||
	    buf_append_byte(path, '/') < 0 ||
	    buf_append(path, slice_of(letters->run)) < 0 ||
	    buf_append(path, slice_of(name)) < 0)
		return -1;
	return 0;
}

static char *
facts_of(const struct job *job)
{
	char outcome[512];
	json_t *facts;
	char *text = NULL;

	job_describe(job, outcome, sizeof outcome);
	facts = json_pack("{s:I, s:I, s:I, s:s, s:o, s:s, s:s, s:I, s:o}", "index",
			  (json_int_t)job->index, "count", (json_int_t)job->count,
			  "bytes", (json_int_t)job->bytes, "reason", job->reason, "key",
			  job_key_as_json(job), "first", job->first.data, "last",
			  job->last.data, "attempts", (json_int_t)job->attempts,
			  "outcome", job_text_as_json(slice_of(outcome)));
	if (facts)
		text = json_dumps(facts, JSON_COMPACT);
	else
		errno = ENOMEM;
	json_decref(facts);
	return text;
}

static int
write_suffixed(const struct buf *path, const char *suffix, struct slice data)
{
	struct buf name = { 0 };
	int result = -1;

	if (buf_append(&name, buf_slice(path)) == 0 &&
	    buf_append(&name, slice_of(suffix)) == 0 && buf_append_byte(&name, '\0') == 0)
		result = wholefile_write(name.data, data, false);
	buf_release(&name);
	return result;
}

/* What the command would have read; of arguments, each with its delimiter. */
static int
append_data(const struct job *job, char delimiter, struct buf *out)
{
	if (buf_append(out, buf_slice(&job->data)) < 0)
		return -1;
	for (size_t i = 0; job->args && i < out->size; i++)
		if (out->data[i] == '\0')
			out->data[i] = delimiter;
	return 0;
}

int
deadletter_keep(struct deadletter *letters, const struct job *job, char delimiter,
		struct buf *path)
{
	struct buf data = { 0 }, text = { 0 };
	char *facts = facts_of(job);
	int result = -1;

	letters->kept++;
	if (facts && buf_append(&text, slice_of(facts)) == 0 &&
	    buf_append_byte(&text, '\n') == 0 && append_name(letters, path) == 0 &&
	    append_data(job, delimiter, &data) == 0 &&
	    write_suffixed(path, ".batch", buf_slice(&data)) == 0)
		result = write_suffixed(path, ".json", buf_slice(&text));
	free(facts);
	buf_release(&data);
	buf_release(&text);
	return result < 0 || buf_append(path, slice_of(".batch")) < 0 ? -1 : 0;
}
