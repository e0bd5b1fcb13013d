/*
 * A sink that stands before another and tells of each batch that passes, on standard error.
 */
#ifndef VOLLEY_TAP_H
#define VOLLEY_TAP_H

#include "sink.h"

struct tap {
	struct sink sink;
	struct sink *next; /* borrowed */
};

void
tap_init(struct tap *tap, struct sink *next);

#endif
