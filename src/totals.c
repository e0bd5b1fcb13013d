#include <config.h>

#include "totals.h"

struct drop
drop_of(const struct totals *totals, size_t index)
{
	const struct drop drops[DROPS] = {
		{ "oversize", "longer than --max-record dropped",
		  totals->losses->skipped },
		{ "bad-timestamp", "without a time dropped", totals->losses->bad_times },
		{ "late", "too late for their window dropped", totals->counters->late },
		{ "finished", "dropped that came after the end of their trigger",
		  totals->counters->finished },
	};

	return drops[index];
}
