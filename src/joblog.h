/*
 * The job log: a JSON line for each run of a command.
 */
#ifndef VOLLEY_JOBLOG_H
#define VOLLEY_JOBLOG_H

#include "job.h"

/* Opens the file to append to it. The descriptor, or -1 with errno. */
int
joblog_open(const char *path);

/* Appends the run that has just ended: when it started, by the wall clock, and how long it took.
 * 0, or -1 with errno. */
int
joblog_add(int fd, const struct job *job, nsec started, nsec duration);

#endif
