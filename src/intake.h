/*
 * The intake: bytes as they come -> records for the engine.
 *
 * It deals with what is not plain: records that are too long, records that are not whole yet,
 * and, in the event domain, the time before each record. All else goes to the engine in runs.
 */
#ifndef VOLLEY_INTAKE_H
#define VOLLEY_INTAKE_H

#include "engine.h"
#include "timestamp.h"

enum oversize { OVERSIZE_FAIL, OVERSIZE_SKIP, OVERSIZE_TRUNCATE };

struct intake_config {
	char delimiter;
	uint64_t max_record;    /* without its delimiter */
	enum oversize oversize; /* what happens to a longer one */
	bool check_json;        /* a record that is not a JSON value is an error */
	bool event;             /* each record has a time of its own: */
	struct timestamp_source timestamp;
	bool skip_bad_times; /* a line without one is passed over; else it is an error */
};

/* Records that did not come through as they should. */
struct losses {
	uint64_t skipped;   /* longer than max_record, and dropped */
	uint64_t truncated; /* longer than max_record, and cut */
	uint64_t bad_times; /* without a time that could be read, and dropped */
	uint64_t replaced;  /* pieces that were not UTF-8, in JSON */
	uint64_t given_up;  /* taken not to match: the regular expression took too long */
};

struct intake {
	struct intake_config config;
	struct engine *engine; /* borrowed */
	struct losses losses;
	size_t searched; /* bytes at the front of the input known to hold no delimiter */
	bool skipping;   /* the rest of a record that is too long is passed over */
};

void
intake_init(struct intake *intake, const struct intake_config *config,
	    struct engine *engine);

/* Takes records from the front of in, while the engine is ready, and the rest of one that was too
 * long in any case; sets *used to the bytes taken. What is left, an incomplete record perhaps, must
 * be the front of in at the next call. 0, or -1 after the error was reported. */
int
intake_feed(struct intake *intake, struct slice in, size_t *used);

#endif
