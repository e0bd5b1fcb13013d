/*
 * Something that is done at intervals while a run goes on, and once at its end.
 */
#ifndef VOLLEY_TICKER_H
#define VOLLEY_TICKER_H

#include "totals.h"

struct ticker {
	nsec interval;
	nsec next; /* when it is due; NSEC_MIN at first: at once */
	/* 0, or -1 after the error was reported; then it is not called again. */
	int (*tick)(struct ticker *ticker, const struct totals *totals, bool last);
};

#endif
