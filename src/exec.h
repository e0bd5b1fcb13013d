/*
 * The run of a command for a job: how it is started, what it finds, how it is ended. The only
 * place that spawns and waits.
 *
 * The command finds the batch's facts in its environment as VOLLEY_INDEX and so on, three
 * descriptors of volley's making, no blocked signals, and itself the leader of a process group.
 */
#ifndef VOLLEY_EXEC_H
#define VOLLEY_EXEC_H

#include "job.h"

/* For arguments that are added to the command. */
struct arg_room
exec_room(char *const *command);

/* Starts the command for the job: standard input is its data, or nothing; standard output is
 * its output file, or volley's own. In place of an argument {}, or else at the end, stand the
 * job's arguments. 0, or the errno for which it cannot be started; *stored tells whether its data
 * could be put into a file. */
int
exec_start(struct job *job, char *const *command, bool *stored);

/* Sends a signal to the process group of the job's run. */
void
exec_signal(const struct job *job, int number);

/* The next child that has ended, and how; 0 when there is none now. As the first process of a
 * name space volley gets the orphans of others, too. */
pid_t
exec_reap(int *status);

#endif
