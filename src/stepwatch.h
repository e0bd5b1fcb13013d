/*
 * A descriptor that becomes readable when the wall clock is stepped, as it is after the machine
 * was suspended, too: for what waits for a time of the calendar.
 */
#ifndef VOLLEY_STEPWATCH_H
#define VOLLEY_STEPWATCH_H

/* The descriptor; -1 where the system has no such thing: then a step is noticed with the next
 * thing that happens. */
int
stepwatch_open(void);

/* Makes it readable no more, until the next step. */
void
stepwatch_rearm(int fd);

#endif
