#include <config.h>

#include "civil.h"

#include <time.h>

#define DAY (86400 * NSEC_PER_S)

/* Whole seconds, rounded down; *rest is what is above them. */
static time_t
seconds_of(nsec time, nsec *rest)
{
	nsec whole = time / NSEC_PER_S;

	*rest = time % NSEC_PER_S;
	if (*rest < 0) {
		*rest += NSEC_PER_S;
		whole--;
	}
	return (time_t)whole;
}

/* The local reading of a wall time, as if it were UTC; the time itself where there is none. */
static nsec
local_of(nsec wall)
{
	nsec rest;
	time_t seconds = seconds_of(wall, &rest);
	struct tm local;

	if (!localtime_r(&seconds, &local))
		return wall;
	return nsec_add(wall, (nsec)local.tm_gmtoff * NSEC_PER_S);
}

static nsec
offset_at(nsec wall)
{
	return nsec_sub(local_of(wall), wall);
}

/* The first moment after before, and up to after, at which the offset is another. */
static nsec
change_between(nsec before, nsec after)
{
	nsec offset = offset_at(before);

	while (after - before > 1) {
		nsec middle = before + (after - before) / 2;

		if (offset_at(middle) == offset)
			before = middle;
		else
			after = middle;
	}
	return after;
}

nsec
civil_boundary_after(nsec wall, nsec period, nsec phase)
{
	nsec local = local_of(wall);
	nsec boundary = nsec_align(nsec_add(local, 1), period, phase);
	nsec time = nsec_add(wall, nsec_sub(boundary, local)), change;

	if (offset_at(time) == offset_at(wall))
		return time;
	/* The local clock jumps on the way. Behind the jump it goes on from another reading, but
	 * for a boundary that it jumps over. */
	change = change_between(wall, time);
	local = local_of(change);
	if (boundary <= local)
		return change;
	return nsec_add(change, nsec_sub(nsec_align(local, period, phase), local));
}

nsec
civil_time_of_day_after(nsec wall, nsec time_of_day)
{
	return civil_boundary_after(wall, DAY, time_of_day);
}
