/*
 * lateness FIRINGS [COMMAND...]: how late timeouts of 1 to 20 ms are. Prints, for each firing,
 * the timeout and what it was late by, in nanoseconds; less than 0 is early.
 *
 * There is a command for each of the 20 timeouts, with "-t Nms" behind it. Of one of them after
 * another a record is given to it, and all that it writes for it is read. The time runs from
 * before the record is written until after the batch has come, so it has two changes of process
 * in it; and no tool that counts from when it saw the record can be early.
 *
 * Without a command it is how late a plain ppoll of so long is: what the machine does.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 20, MS = 1000000 };

static const char record[] = "record\n";

struct child {
	int in;  /* to write its input to */
	int out; /* to read its output from */
};

static int64_t
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (int64_t)time.tv_sec * 1000 * MS + time.tv_nsec;
}

static void
fail(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void
be_command(int in, int out, char **words, int count, int ms)
{
	char **argv = calloc((size_t)count + 3, sizeof *argv);
	char timeout[16];

	if (!argv)
		fail("lateness");
	memcpy(argv, words, (size_t)count * sizeof *argv);
	snprintf(timeout, sizeof timeout, "%dms", ms);
	argv[count] = "-t";
	argv[count + 1] = timeout;
	if (dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		fail("dup2");
	execvp(argv[0], argv);
	fail(argv[0]);
}

static struct child
start(char **words, int count, int ms)
{
	int in[2], out[2];
	pid_t pid;

	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		fail("pipe");
	pid = fork();
	if (pid < 0)
		fail("fork");
	if (pid == 0)
		be_command(in[0], out[1], words, count, ms);
	close(in[0]);
	close(out[1]);
	return (struct child){ in[1], out[0] };
}

/* Waits for the record and the empty line behind it. */
static void
exchange(const struct child *child)
{
	char answer[64];
	size_t size = 0;

	if (write(child->in, record, sizeof record - 1) < 0)
		fail("write");
	while (size < sizeof record) {
		ssize_t more = read(child->out, answer, sizeof answer);

		if (more <= 0)
			fail("read");
		size += (size_t)more;
	}
}

static void
pause_for(int64_t ns)
{
	struct timespec time = { 0, (long)ns };

	ppoll(NULL, 0, &time, NULL);
}

int
main(int argc, char **argv)
{
	struct child children[LONGEST];
	long firings = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	if (firings <= 0) {
		fprintf(stderr, "usage: lateness FIRINGS [COMMAND...]\n");
		return 2;
	}
	for (int i = 0; i < LONGEST && argc > 2; i++) {
		children[i] = start(argv + 2, argc - 2, i + 1);
		exchange(&children[i]);
	}
	srandom(1);
	for (long i = 0; i < firings; i++) {
		int ms = (int)(i % LONGEST) + 1;
		int64_t begun;

		/* So that no firing is in step with the machine's ticks. */
		pause_for(random() % MS);
		begun = now();
		if (argc > 2)
			exchange(&children[ms - 1]);
		else
			pause_for((int64_t)ms * MS);
		printf("%d %lld\n", ms, (long long)(now() - begun - (int64_t)ms * MS));
	}
	return EXIT_SUCCESS;
}
