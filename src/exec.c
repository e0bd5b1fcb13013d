#include <config.h>

#include "exec.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "signals.h"

extern char **environ;

/* Left for what the system itself adds. */
#define SPARE_ROOM 4096

/* Linux takes no longer string; for others it is a limit as good as any. */
#define LONGEST_STRING ((size_t)128 << 10)

/* What our own variables may take: a key is cut at its share. */
#define LONGEST_KEY ((size_t)32 << 10)
#define OUR_VARIABLES (LONGEST_KEY + 1024)

static size_t
size_of_strings(char *const *strings)
{
	size_t size = 0;

	for (; *strings; strings++)
		size += strlen(*strings) + ARG_COST;
	return size;
}

struct arg_room
exec_room(char *const *command)
{
	long limit = sysconf(_SC_ARG_MAX);
	size_t all = limit > 0 ? (size_t)limit : LONGEST_STRING;
	size_t taken = size_of_strings(environ) + size_of_strings(command) +
		       OUR_VARIABLES + SPARE_ROOM;

	return (struct arg_room){ all > taken ? all - taken : 0, LONGEST_STRING };
}

/* A list of strings that ends with NULL; what it holds is borrowed but for its own texts. */
struct strings {
	char **list;
	size_t count;
	char *own[8]; /* texts to be freed */
	size_t owned;
};

static void
strings_release(struct strings *strings)
{
	while (strings->owned > 0)
		free(strings->own[--strings->owned]);
	free(strings->list);
}

static bool
is_ours(const char *variable)
{
	return strncmp(variable, "VOLLEY_", strlen("VOLLEY_")) == 0;
}

static int
add_variable(struct strings *strings, const char *name, const char *value)
{
	size_t size = strlen(name) + strnlen(value, LONGEST_KEY) + 2;
	char *text = malloc(size);

	if (!text)
		return -1;
	snprintf(text, size, "%s=%s", name, value);
	strings->own[strings->owned++] = text;
	strings->list[strings->count++] = text;
	return 0;
}

static int
add_number(struct strings *strings, const char *name, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRIu64, number);
	return add_variable(strings, name, text);
}

/* The environment: ours, and the facts of the job's batch. */
static int
make_environment(const struct job *job, struct strings *strings)
{
	size_t count = 0;

	while (environ[count])
		count++;
	strings->list = calloc(count + 9, sizeof(char *));
	if (!strings->list)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (!is_ours(environ[i]))
			strings->list[strings->count++] = environ[i];
	if (add_number(strings, "VOLLEY_INDEX", job->index) < 0 ||
	    add_number(strings, "VOLLEY_COUNT", job->count) < 0 ||
	    add_number(strings, "VOLLEY_BYTES", job->bytes) < 0 ||
	    add_variable(strings, "VOLLEY_REASON", job->reason) < 0 ||
	    add_variable(strings, "VOLLEY_KEY", job->key.data) < 0 ||
	    add_number(strings, "VOLLEY_ATTEMPT", job->attempts) < 0 ||
	    add_variable(strings, "VOLLEY_FIRST", job->first.data) < 0 ||
	    add_variable(strings, "VOLLEY_LAST", job->last.data) < 0)
		return -1;
	return 0;
}

static size_t
count_strings(const struct buf *texts)
{
	size_t count = 0;

	for (size_t i = 0; i < texts->size; i++)
		count += texts->data[i] == '\0';
	return count;
}

static void
add_arguments(struct strings *strings, const struct buf *texts)
{
	for (size_t at = 0; at < texts->size; at += strlen(texts->data + at) + 1)
		strings->list[strings->count++] = texts->data + at;
}

/* The command with the job's arguments in their place. */
static int
make_arguments(const struct job *job, char *const *command, struct strings *strings)
{
	size_t count = job->args ? count_strings(&job->data) : 0;
	bool placed = !job->args;

	for (size_t i = 0; command[i]; i++)
		count++;
	strings->list = calloc(count + 1, sizeof(char *));
	if (!strings->list)
		return -1;
	for (size_t i = 0; command[i]; i++)
		if (i > 0 && !placed && strcmp(command[i], "{}") == 0) {
			add_arguments(strings, &job->data);
			placed = true;
		} else {
			strings->list[strings->count++] = command[i];
		}
	if (!placed)
		add_arguments(strings, &job->data);
	return 0;
}

/* Standard input and output as the job has them. Returns an errno. */
static int
add_descriptors(const struct job *job, int input, posix_spawn_file_actions_t *actions)
{
	int error = posix_spawn_file_actions_adddup2(actions, input, STDIN_FILENO);

	if (error == 0 && job->output >= 0)
		error = posix_spawn_file_actions_adddup2(actions, job->output,
							 STDOUT_FILENO);
	return error;
}

static int
set_attributes(posix_spawnattr_t *attributes)
{
	sigset_t none, ours;
	int error;

	sigemptyset(&none);
	sigemptyset(&ours);
	sigaddset(&ours, SIGXFSZ);
	if (signals_pipe_is_ours())
		sigaddset(&ours, SIGPIPE);
	error = posix_spawnattr_setsigmask(attributes, &none);
	if (error == 0)
		error = posix_spawnattr_setsigdefault(attributes, &ours);
	if (error == 0)
		error = posix_spawnattr_setpgroup(attributes, 0);
	if (error == 0)
		error = posix_spawnattr_setflags(
			attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK |
					    POSIX_SPAWN_SETPGROUP);
	return error;
}

static int
spawn(struct job *job, int input, char *const *arguments, char *const *environment)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = arguments[0] ? posix_spawn_file_actions_init(&actions) : ENOENT;

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error == 0) {
		error = add_descriptors(job, input, &actions);
		if (error == 0)
			error = set_attributes(&attributes);
		if (error == 0)
			error = posix_spawnp(&job->pid, arguments[0], &actions,
					     &attributes, arguments, environment);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	if (error != 0)
		job->pid = 0;
	return error;
}

/* A file that may be run and is no program is a script for the shell, as execvp() has it. */
static int
spawn_by_shell(struct job *job, int input, const struct strings *arguments,
	       char *const *environment)
{
	static char shell[] = "/bin/sh", option[] = "-c", script[] = "\"$0\" \"$@\"";
	char **list = calloc(arguments->count + 4, sizeof(char *));
	int error;

	if (!list)
		return errno;
	list[0] = shell;
	list[1] = option;
	list[2] = script;
	for (size_t i = 0; i < arguments->count; i++)
		list[i + 3] = arguments->list[i];
	error = spawn(job, input, list, environment);
	free(list);
	return error;
}

int
exec_start(struct job *job, char *const *command, bool *stored)
{
	struct strings environment = { 0 }, arguments = { 0 };
	int input = job_open_data(job);
	int error = errno;

	*stored = input >= 0;
	if (*stored) {
		if (make_environment(job, &environment) < 0 ||
		    make_arguments(job, command, &arguments) < 0)
			error = errno;
		else
			error = spawn(job, input, arguments.list, environment.list);
		if (error == ENOEXEC)
			error = spawn_by_shell(job, input, &arguments, environment.list);
		close(input);
	}
	strings_release(&environment);
	strings_release(&arguments);
	return error;
}

void
exec_signal(const struct job *job, int number)
{
	kill(-job->pid, number);
}

pid_t
exec_reap(int *status)
{
	pid_t pid;

	do
		pid = waitpid(-1, status, WNOHANG);
	while (pid < 0 && errno == EINTR);
	return pid > 0 ? pid : 0;
}
