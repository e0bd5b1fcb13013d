/*
 * The command line, as a configuration.
 *
 * One table in options.c drives parsing, --help and, by a test, the manual and the completion.
 */
#ifndef VOLLEY_OPTIONS_H
#define VOLLEY_OPTIONS_H

#include "engine.h"
#include "frame.h"
#include "intake.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2 };

struct options {
	struct engine_config engine; /* its trigger is owned by the options */
	struct intake_config intake;
	struct frame frame; /* its strings and templates too */
	bool verbose;       /* a line for each batch */
	bool stats;         /* totals at exit */

	/* As given; what comes of them is above. */
	uint64_t given; /* a bit for each row of the table */
	uint64_t count;
	nsec timeout;
	nsec idle;
	struct buf joiner;
	struct buf batch_delimiter;
	struct template *header;
	struct template *footer;
};

/* Parses the command line. 0, or -1 when a line that says what is wrong was printed. --help and
 * --version print and end the process. The options may be released in any case. */
int
options_parse(struct options *options, int argc, char **argv);

void
options_release(struct options *options);

#endif
