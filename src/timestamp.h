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

/* The time of a line that goes on behind this front of it, by its KEY. What reaches to the end of
 * the front may go on, too, and is not taken; nor is a part of JSON that is not whole. 0, or -1. */
int
timestamp_find_in_front(const struct timestamp_source *source, struct slice front,
			nsec *time);

#endif
