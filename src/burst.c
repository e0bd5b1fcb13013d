#include <config.h>

#include "burst.h"

#include <stdlib.h>

/* Tries the trigger with a run that exhausts its first quota of records, and none of bytes. */
static bool
fires_again_and_again(struct burst *burst, const struct trigger *trigger,
		      union trigger_word *state, const struct moment *moment)
{
	struct run run = { burst->records, 0, moment->now, moment->now, 0, NULL };

	if (trigger_advance(trigger, state, moment, &run) != FIRE)
		return false;
	burst->reason = trigger_reason(trigger, state, moment);
	return !trigger_fire(trigger, state, moment) &&
	       trigger_is_initial(trigger, state);
}

int
burst_init(struct burst *burst, const struct trigger *trigger,
	   const struct moment *moment)
{
	union trigger_word *state = calloc(trigger->words + 1, sizeof *state);
	struct quota quota = QUOTA_UNLIMITED;
	struct moment some = *moment;

	if (!state)
		return -1;
	some.now = 0;
	trigger_init(trigger, state);
	trigger_quota(trigger, state, &some, &quota);
	*burst = (struct burst){ .records = quota.records, .bytes = quota.bytes };
	burst->possible = !quota.inspect && quota.records < UINT64_MAX &&
			  quota.deadline == NSEC_MAX &&
			  fires_again_and_again(burst, trigger, state, &some);
	free(state);
	return 0;
}
