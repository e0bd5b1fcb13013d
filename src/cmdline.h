/*
 * A command line read by a table of options; GNU's conventions, with volley's error messages.
 */
#ifndef VOLLEY_CMDLINE_H
#define VOLLEY_CMDLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "diag.h"

struct options;

/* An option. */
struct row {
	const char *heading; /* of the group that the row begins; NULL within one */
	char letter;         /* the short option; 0: none */
	const char *name;    /* the long option */
	const char *
		argument; /* what stands for its value in the help; NULL: it takes none */
	const char *help;
	/* Takes the value. 0, or -1 with what is wrong with it. NULL: the option is a flag. */
	int (*set)(struct options *options, const char *value, struct complaint *why);
	size_t flag; /* the offset in struct options of the bool that a flag sets */
};

/* At most so many rows, one bit each. */
#define CMDLINE_ROWS_MAX 64

struct cmdline {
	const struct row *rows;
	size_t count;
	uint64_t given; /* a bit for each row that was given */
};

/* Reads the options; what stands behind "--" is the command, which ends with NULL, or NULL when
 * there is none. 0, or -1 when a line that says what is wrong was printed. */
int
cmdline_read(struct cmdline *cmdline, struct options *options, int argc, char **argv,
	     char *const **command);

bool
cmdline_is_given(const struct cmdline *cmdline, const char *name);

/* Prints the table to standard output, as part of a help text. */
void
cmdline_print_rows(const struct cmdline *cmdline);

#endif
