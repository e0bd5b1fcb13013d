/*
 * A live line on a terminal: what has come and gone so far.
 */
#ifndef VOLLEY_PROGRESS_H
#define VOLLEY_PROGRESS_H

#include "ticker.h"

struct progress {
	struct ticker ticker;
	uint64_t records; /* at the last line, and then: */
	nsec elapsed;
};

void
progress_init(struct progress *progress);

#endif
