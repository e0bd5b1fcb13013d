/*
 * The event time of a record: a prefix of its line, a time and one blank or tab, which is not
 * part of the record. A line with a time alone has no record: it moves the clock.
 */
#ifndef VOLLEY_TIMESTAMP_H
#define VOLLEY_TIMESTAMP_H

#include <stdbool.h>

#include "buf.h"
#include "units.h"

/* A prefix is never longer; so much of a line decides whether there is one. */
#define TIMESTAMP_MAX 64

struct timestamped {
	nsec time;
	bool has_record;
	struct slice record; /* borrows from the line */
};

/* Of a line without its delimiter. 0, or -1 when it does not begin with a time. */
int
timestamp_split(struct slice line, enum time_format format, struct timestamped *result);

#endif
