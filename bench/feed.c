/*
 * feed FILE SIZE: writes the file, which has to fit into memory, over and over, SIZE bytes in all,
 * in blocks of 128 KiB as cat would. A producer that costs as little as one can.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK ((size_t)128 << 10)

/* The whole file, in memory of its own, so that no write has to fetch a page. */
static char *
load(const char *name, size_t *size)
{
	struct stat status;
	char *data;
	int fd = open(name, O_RDONLY);

	if (fd < 0 || fstat(fd, &status) < 0 || status.st_size == 0)
		return NULL;
	*size = (size_t)status.st_size;
	data = malloc(*size);
	if (data && read(fd, data, *size) != (ssize_t)*size) {
		free(data);
		data = NULL;
	}
	close(fd);
	return data;
}

static size_t
least(size_t a, size_t b)
{
	return a < b ? a : b;
}

int
main(int argc, char **argv)
{
	size_t size, place = 0;
	unsigned long long left;
	char *data;

	if (argc != 3) {
		fprintf(stderr, "usage: feed FILE SIZE\n");
		return 2;
	}
	left = strtoull(argv[2], NULL, 10);
	data = load(argv[1], &size);
	if (!data) {
		perror(argv[1]);
		return EXIT_FAILURE;
	}
	while (left > 0) {
		size_t block = least(least(BLOCK, size - place), left);
		ssize_t written = write(STDOUT_FILENO, data + place, block);

		if (written < 0) {
			perror("feed");
			return EXIT_FAILURE;
		}
		left -= (size_t)written;
		place = (place + (size_t)written) % size;
	}
	free(data);
	return EXIT_SUCCESS;
}
