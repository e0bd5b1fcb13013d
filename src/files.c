#include <config.h>

#include "files.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "diag.h"
#include "wholefile.h"

static struct files *
files_of(struct sink *sink)
{
	return (struct files *)sink;
}

static bool
files_ready(struct sink *sink)
{
	(void)sink;
	return true;
}

static int
write_batch(struct files *files, const struct batch *batch, struct buf *path,
	    struct buf *data)
{
	if (template_append_name(files->name, batch, &files->frame->times, path) < 0 ||
	    buf_append_byte(path, '\0') < 0 ||
	    frame_append(files->frame, batch, data) < 0)
		return -1;
	return wholefile_write(path->data, buf_slice(data), files->replace);
}

/* Whether the name has got its end. */
static bool
is_whole(const struct buf *path)
{
	return path->size > 0 && path->data[path->size - 1] == '\0';
}

/* What to do about the error, in brackets. */
static const char *
hint_of(const struct files *files, int error)
{
	if (error != EEXIST)
		return wholefile_hint(error);
	return template_has_index(files->name)
		       ? " (see --force)"
		       : " (see --force; with {index} in the name each batch has its own)";
}

static int
files_put(struct sink *sink, const struct batch *batch)
{
	struct files *files = files_of(sink);
	struct buf path = { 0 }, data = { 0 };
	int result = write_batch(files, batch, &path, &data);

	if (result < 0)
		files->failed = true;
	if (result < 0 && toll_add(&files->toll, batch->count))
		diag_say("batch %" PRIu64 " (%" PRIu64
			 " record%s) is lost: cannot write '%s': %s%s",
			 batch->index, batch->count, batch->count == 1 ? "" : "s",
			 is_whole(&path) ? path.data : "", strerror(errno),
			 hint_of(files, errno));
	buf_release(&path);
	buf_release(&data);
	return result;
}

static int
files_watermark(struct sink *sink, nsec time)
{
	(void)sink, (void)time;
	return 0;
}

static int
files_watch(struct sink *sink)
{
	(void)sink;
	return -1;
}

static nsec
files_deadline(struct sink *sink)
{
	(void)sink;
	return NSEC_MAX;
}

static int
files_step(struct sink *sink, const struct turn *turn)
{
	(void)sink, (void)turn;
	return 0;
}

static bool
files_busy(struct sink *sink)
{
	(void)sink;
	return false;
}

static bool
files_stopped(struct sink *sink)
{
	return files_of(sink)->failed;
}

static int
files_close(struct sink *sink)
{
	toll_tell(&files_of(sink)->toll);
	return 0;
}

void
files_init(struct files *files, const struct template *name, const struct frame *frame,
	   bool replace)
{
	static const struct sink_ops ops = {
		.ready = files_ready,
		.put = files_put,
		.watermark = files_watermark,
		.watch = files_watch,
		.deadline = files_deadline,
		.step = files_step,
		.busy = files_busy,
		.stopped = files_stopped,
		.close = files_close,
	};

	*files = (struct files){
		.sink = { &ops }, .name = name, .frame = frame, .replace = replace
	};
}
