/*
 * The command line: what the user gave, value by value.
 *
 * One table in options.c drives parsing, --help and, by a test, the manual and the completion.
 * What the values mean together is setup's business.
 */
#ifndef VOLLEY_OPTIONS_H
#define VOLLEY_OPTIONS_H

#include "engine.h"
#include "frame.h"
#include "intake.h"
#include "runner.h"
#include "stats.h"
#include "template.h"

/* runner.h has those of commands. */
enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

struct options {
	uint64_t given; /* a bit for each row of the table; see options_given() */

	uint64_t count;
	nsec timeout;
	nsec idle;
	struct delay every; /* a period and a phase */
	struct delay align;
	const char *match; /* borrowed from the command line, as all strings here */
	const char *trigger;
	uint64_t max_bytes;
	struct pattern *break_before;
	const char *break_on;
	bool once;
	enum mode mode;
	struct eviction eviction;
	bool emit_empty;

	char delimiter;
	uint64_t max_record;
	enum oversize oversize;
	const char *key;
	struct buf field_separator;
	uint64_t max_keys;
	struct window_config window;
	bool event;
	const char *timestamp; /* NULL: the prefix */
	struct timeform time_format;
	nsec out_of_orderness;
	nsec allowed_lateness;
	enum late late;
	bool skip_bad_times;
	enum output_timestamp output_timestamp;
	bool emit_watermarks;

	enum format format;
	bool json_records;
	struct buf batch_delimiter;
	bool join;
	struct buf joiner;
	struct template *header;
	struct template *footer;

	struct template *output;
	bool force;
	char *const *command; /* ends with NULL; NULL: none */
	bool args;
	uint64_t max_procs; /* 0: one for each processor */
	bool keep_order;
	uint64_t attempts;
	nsec backoff;
	nsec max_backoff;
	nsec exec_timeout;
	enum halt halt;
	const char *dead_letter;
	nsec grace;
	const char *joblog;

	bool verbose;
	enum stats_format stats;
	bool progress;
	const char *metrics;
	bool explain;
};

/* Parses the command line. 0, or -1 when a line that says what is wrong was printed. --help and
 * --version print and end the process. The options may be released in any case. */
int
options_parse(struct options *options, int argc, char **argv);

void
options_release(struct options *options);

/* Whether the option with this long name was given. */
bool
options_given(const struct options *options, const char *name);

#endif
