/*
 * Records: the bytes up to a delimiter. Finds whole ones at the front of a buffer, as many as
 * a quota allows, without a call for each; their bytes are never interpreted.
 */
#ifndef VOLLEY_RECORD_H
#define VOLLEY_RECORD_H

#include <stdint.h>

#include "buf.h"

/* How many records to take. Sizes count each record with its delimiter. */
struct record_limit {
	uint64_t records; /* at most so many, at least 1 */
	uint64_t
		enough; /* none after the one with which they make so many bytes; at least 1 */
	uint64_t most; /* never more bytes than this */
};

/* Records that stand one behind the other. */
struct record_span {
	uint64_t records;
	size_t bytes;
};

/* The whole records at the front of in that the limit allows; none when there is no whole
 * one, or the first is larger than limit->most. */
struct record_span
record_scan(struct slice in, char delimiter, const struct record_limit *limit);

/* Cuts the front of in into spans of just limit->records records each, which make less than
 * limit->enough bytes and no more than limit->most, and stores the size of each. Returns how
 * many there are, room at the most. */
size_t
record_split(struct slice in, char delimiter, const struct record_limit *limit,
	     size_t *sizes, size_t room);

/* The size of the first record without its delimiter; in.size when it is not whole. */
size_t
record_size(struct slice in, char delimiter);

#endif
