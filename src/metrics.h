/*
 * The metrics file: totals in Prometheus' text format, replaced as a whole.
 */
#ifndef VOLLEY_METRICS_H
#define VOLLEY_METRICS_H

#include "ticker.h"

struct metrics {
	struct ticker ticker;
	const char *path; /* borrowed */
};

void
metrics_init(struct metrics *metrics, const char *path);

#endif
