#include <config.h>

#include "diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "volley: "

/* Longer messages are cut; the values that they quote are the user's and may be of any length. */
#define LINE_SIZE 2048

static size_t
length_of(int printed, size_t room)
{
	if (printed < 0)
		return 0;
	return (size_t)printed < room ? (size_t)printed : room - 1;
}

static void
put_line(const char *format, va_list arguments, const char *reason, bool lines)
{
	char line[LINE_SIZE] = PREFIX;
	size_t size = strlen(PREFIX), room = sizeof line - 1;
	const char *rest = line;

	size += length_of(vsnprintf(line + size, room - size, format, arguments),
			  room - size);
	if (reason)
		size += length_of(snprintf(line + size, room - size, ": %s", reason),
				  room - size);
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)line[i] < ' ' && !(lines && line[i] == '\n'))
			line[i] = '?';
	line[size++] = '\n';
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
	put_line(format, arguments, NULL, false);
	va_end(arguments);
	errno = saved;
}

void
diag_lines(const char *format, ...)
{
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	put_line(format, arguments, NULL, true);
	va_end(arguments);
	errno = saved;
}

void
diag_errno(const char *format, ...)
{
	va_list arguments;
	int saved = errno;

	va_start(arguments, format);
	put_line(format, arguments, strerror(saved), false);
	va_end(arguments);
	errno = saved;
}
