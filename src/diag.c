#include <config.h>

#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "volley: "

/* To the beginning of the line, and clear it. */
#define CLEAR "\r\033[K"

/* Longer messages are cut; the values that they quote are the user's and may be of any length. */
#define LINE_SIZE 2048

static size_t
length_of(int printed, size_t room)
{
	if (printed < 0)
		return 0;
	return (size_t)printed < room ? (size_t)printed : room - 1;
}

/* A live line stands on the terminal. */
static bool live;

static void
put_all(const char *rest, size_t size)
{
	while (size > 0) {
		ssize_t written = write(STDERR_FILENO, rest, size);

		if (written < 0 && errno != EINTR)
			return;
		if (written > 0) {
			rest += written;
			size -= (size_t)written;
		}
	}
}

static void
put_line(const char *prefix, const char *format, va_list arguments, const char *reason,
	 bool lines) DIAG_PRINTF(2, 0);

static void
put_line(const char *prefix, const char *format, va_list arguments, const char *reason,
	 bool lines)
{
	char line[LINE_SIZE];
	size_t size = 0, room = sizeof line - 1, start;

	if (live)
		size += length_of(snprintf(line, room, CLEAR), room);
	start = size;
	live = false;
	size += length_of(snprintf(line + size, room - size, "%s", prefix), room - size);
	size += length_of(vsnprintf(line + size, room - size, format, arguments),
			  room - size);
	if (reason)
		size += length_of(snprintf(line + size, room - size, ": %s", reason),
				  room - size);
	for (size_t i = start; i < size; i++)
		if ((unsigned char)line[i] < ' ' && !(lines && line[i] == '\n'))
			line[i] = '?';
	line[size++] = '\n';
	put_all(line, size);
}

int
complain(struct complaint *why, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(why->text, sizeof why->text, format, arguments);
	va_end(arguments);
	return -1;
}

void
diag_say(const char *format, ...)
{
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	put_line(PREFIX, format, arguments, NULL, false);
	va_end(arguments);
	errno = saved;
}

void
diag_lines(const char *format, ...)
{
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	put_line(PREFIX, format, arguments, NULL, true);
	va_end(arguments);
	errno = saved;
}

void
diag_bare(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	put_line("", format, arguments, NULL, false);
	va_end(arguments);
}

void
diag_live(bool last, const char *format, ...)
{
	char line[256] = CLEAR;
	size_t size = strlen(CLEAR), room = sizeof line - 1;
	va_list arguments;

	va_start(arguments, format);
	size += length_of(vsnprintf(line + size, room - size, format, arguments),
			  room - size);
	va_end(arguments);
	if (last)
		line[size++] = '\n';
	put_all(line, size);
	live = !last;
}

void
diag_errno(const char *format, ...)
{
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	put_line(PREFIX, format, arguments, strerror(saved), false);
	va_end(arguments);
	errno = saved;
}
