/*
 * The event time of a record: a prefix of its line, a time and one blank or tab, which is not
 * part of the record; or a KEY of the record. A line with a time alone has no record: it moves
 * the clock.
 */
#ifndef VOLLEY_TIMESTAMP_H
#define VOLLEY_TIMESTAMP_H

#include "field.h"
#include "timeform.h"

struct timestamp_source {
	struct timeform form;
	struct field *key; /* NULL: the prefix of the line. Borrowed */
};

struct timestamped {
	nsec time;
	bool has_record;
	struct slice record; /* borrows from the line */
};

/* Of a line without its delimiter. 0, or -1 when it has no time, or what should be one does not
 * parse. */
int
timestamp_find(const struct timestamp_source *source, struct slice line,
	       struct timestamped *result);

#endif
