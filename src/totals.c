#include <config.h>

#include "totals.h"

struct drop
drop_of(const struct totals *totals, size_t index)
{
	uint64_t late = totals->counters->late, finished = totals->counters->finished;
	const struct drop drops[DROPS] = {
		{ "oversize", "longer than --max-record dropped",
		  totals->losses->skipped },
		{ "bad-timestamp", "without a time dropped", totals->losses->bad_times },
		{ "late",
		  late == 1 ? "too late for its window dropped"
			    : "too late for their window dropped",
		  late },
		{ "finished",
		  finished == 1 ? "dropped that came after the end of its trigger"
				: "dropped that came after the end of their trigger",
		  finished },
	};

	return drops[index];
}
