/*
 * Signals, as the loop wants to know of them: a descriptor that becomes readable, and flags.
 *
 *   INT TERM HUP   end the run: what is held is emitted, then the program dies by that signal.
 *                  A second one ends it at once, if it is not just an echo of the first
 *   USR1           what is held is emitted, and the run goes on
 *   USR2           statistics are printed
 *
 * A signal that was ignored at start stays ignored.
 */
#ifndef VOLLEY_SIGNALS_H
#define VOLLEY_SIGNALS_H

#include <stdbool.h>

/* What has come since the last look. */
struct signals {
	int end; /* the signal that ends the run; 0: none */
	bool flush;
	bool stats;
};

/* Installs the handlers. The descriptor that becomes readable, or -1 with errno. */
int
signals_install(void);

/* The descriptor becomes readable, too, when a child has ended. */
void
signals_watch_children(void);

/* A broken pipe is an error of write() from now on, not a signal; unless it was ignored at
 * start. */
void
signals_catch_pipe(void);

/* Whether that is so: then it is not for the programs that are run. */
bool
signals_pipe_is_ours(void);

/* What has come since the last call; the descriptor is readable no more. */
struct signals
signals_take(void);

/* Dies by the signal, which has not been ignored. */
void
signals_die(int number);

#endif
