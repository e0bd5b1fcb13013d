/*
 * The one writer to standard error.
 *
 * Every line is "volley: " and the message, and leaves in one write, so that lines of several
 * processes do not mix. Control bytes in what it quotes become '?'. A message is lower case, quotes what the user gave, has no full stop.
 */
#ifndef VOLLEY_DIAG_H
#define VOLLEY_DIAG_H

#include <stdbool.h>

#ifdef __GNUC__
#define DIAG_PRINTF(text, values) __attribute__((__format__(__printf__, text, values)))
#else
#define DIAG_PRINTF(text, values)
#endif

/* What is wrong with a value, for whoever knows what the value belongs to; and, in brackets,
 * what would be right. */
struct complaint {
	char text[256];
};

/* Fills the complaint in. Returns -1, for the caller to return. */
int
complain(struct complaint *why, const char *format, ...) DIAG_PRINTF(2, 3);

void
diag_say(const char *format, ...) DIAG_PRINTF(1, 2);

/* As diag_say(), with the ends of lines as they are. */
void
diag_lines(const char *format, ...) DIAG_PRINTF(1, 2);

/* A line without "volley: ", for programs. */
void
diag_bare(const char *format, ...) DIAG_PRINTF(1, 2);

/* A line that the next one takes the place of, on a terminal; the last one stays. */
void
diag_live(bool last, const char *format, ...) DIAG_PRINTF(2, 3);

/* As diag_say(), with ": " and the text of errno behind it. Keeps errno. */
void
diag_errno(const char *format, ...) DIAG_PRINTF(1, 2);

#endif
