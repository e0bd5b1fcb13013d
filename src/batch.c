#include <config.h>

#include "batch.h"

const char *
timing_name(enum timing timing)
{
	switch (timing) {
	case TIMING_EARLY:
		return "early";
	case TIMING_ON_TIME:
		return "on-time";
	case TIMING_LATE:
		return "late";
	}
	return "";
}
