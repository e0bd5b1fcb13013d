/*
 * drain: reads standard input to its end and prints how many bytes and how many newlines came.
 * With -c it does not count the newlines: then it costs as little as a consumer can.
 * With -n LINES it ends after so many newlines.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char block[256 << 10];

static unsigned long long
lines_in(const char *data, size_t size)
{
	unsigned long long lines = 0;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	return lines;
}

int
main(int argc, char **argv)
{
	int count = !(argc == 2 && strcmp(argv[1], "-c") == 0);
	unsigned long long bytes = 0, lines = 0, enough = 0;
	ssize_t size;

	if (argc == 3 && strcmp(argv[1], "-n") == 0)
		enough = strtoull(argv[2], NULL, 10);
	while ((size = read(STDIN_FILENO, block, sizeof block)) > 0) {
		bytes += (unsigned long long)size;
		if (count)
			lines += lines_in(block, (size_t)size);
		if (enough > 0 && lines >= enough)
			break;
	}
	if (size < 0) {
		perror("drain");
		return EXIT_FAILURE;
	}
	printf("%llu %llu\n", bytes, lines);
	return EXIT_SUCCESS;
}
