/*
 * copy: standard input to standard output, with nothing but read and write. Both are made pipes
 * of 1 MiB, if they are pipes; a larger buffer than this brings nothing. What a filter can reach
 * on this machine, if it does no work.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define PIPE_SIZE (1 << 20)

static char block[256 << 10];

static int
write_all(const char *data, size_t size)
{
	while (size > 0) {
		ssize_t written = write(STDOUT_FILENO, data, size);

		if (written < 0)
			return -1;
		data += written;
		size -= (size_t)written;
	}
	return 0;
}

int
main(void)
{
	ssize_t size;

#ifdef F_SETPIPE_SZ
	fcntl(STDIN_FILENO, F_SETPIPE_SZ, PIPE_SIZE);
	fcntl(STDOUT_FILENO, F_SETPIPE_SZ, PIPE_SIZE);
#endif
	while ((size = read(STDIN_FILENO, block, sizeof block)) > 0)
		if (write_all(block, (size_t)size) < 0)
			break;
	if (size == 0)
		return EXIT_SUCCESS;
	perror("copy");
	return EXIT_FAILURE;
}
