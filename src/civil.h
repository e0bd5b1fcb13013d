/*
 * The calendar as people at the machine's place read it: boundaries and times of day in local
 * civil time, given and returned as the wall clock's nanoseconds since 1970 (UTC).
 *
 * Across a change of the local offset a boundary is where the local reading is one, and so may
 * come twice; where the change skips it, it is the moment of the change. The result is always
 * after the time given.
 */
#ifndef VOLLEY_CIVIL_H
#define VOLLEY_CIVIL_H

#include "clock.h"

/* The first time strictly after wall whose local reading is a boundary: (t - phase) mod
 * period = 0. A period of one day means local midnight. */
nsec
civil_boundary_after(nsec wall, nsec period, nsec phase);

/* The first time strictly after wall at which the local time of day is that, in ns. */
nsec
civil_time_of_day_after(nsec wall, nsec time_of_day);

#endif
