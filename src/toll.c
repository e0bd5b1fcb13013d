#include <config.h>

#include "toll.h"

#include <inttypes.h>

#include "diag.h"

#define NAMED 20

bool
toll_add(struct toll *toll, uint64_t records)
{
	if (toll->named < NAMED) {
		toll->named++;
		return true;
	}
	toll->batches++;
	toll->records += records;
	return false;
}

void
toll_tell(const struct toll *toll)
{
	if (toll->batches > 0)
		diag_say("%" PRIu64 " record%s of %" PRIu64 " more batch%s %s lost",
			 toll->records, toll->records == 1 ? "" : "s", toll->batches,
			 toll->batches == 1 ? "" : "es",
			 toll->records == 1 ? "is" : "are");
}
