#include <config.h>

#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "clock.h"

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

#define ENDS (sizeof ends / sizeof *ends)

/* A signal that comes so soon after the first is the same one again: timeout(1) sends it to its
 * child, and then to all of the child's process group. */
#define ECHO (100 * NSEC_PER_MS)

static volatile sig_atomic_t end_signal, flush_wanted, stats_wanted;
static bool ending; /* of the handler alone, as is the time */
static nsec ending_since;
static bool pipe_is_ours;
static int wake[2] = { -1, -1 };

static void
set_action(int number, void (*action)(int))
{
	struct sigaction new = { .sa_handler = action };

	sigfillset(&new.sa_mask);
	sigaction(number, &new, NULL);
}

static void
unblock(int number)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* A write to a full pipe waits in the kernel. A signal that comes just before it would not be
 * noticed until the reader reads, so the alarm interrupts again until signals_take(). */
static void
on_alarm(int number)
{
	(void)number;
	alarm(1);
}

/* Makes the descriptor readable. When the pipe is full the loop has enough to wake up for. */
static void
make_readable(void)
{
	while (write(wake[1], "", 1) < 0 && errno == EINTR)
		continue;
}

static void
wake_up(void)
{
	int saved = errno;

	make_readable();
	set_action(SIGALRM, on_alarm);
	alarm(1);
	errno = saved;
}

/* The first begins the end; one that is not its echo ends it at once. */
static void
on_end(int number)
{
	struct reading reading = { 0, 0 };

	clock_read(&reading);
	if (!ending) {
		ending = true;
		ending_since = reading.now;
		end_signal = number;
		wake_up();
	} else if (nsec_sub(reading.now, ending_since) >= ECHO) {
		/* It waits until this handler is over. */
		set_action(number, SIG_DFL);
		raise(number);
	}
}

static void
on_flush(int number)
{
	(void)number;
	flush_wanted = 1;
	wake_up();
}

static void
on_stats(int number)
{
	(void)number;
	stats_wanted = 1;
	wake_up();
}

/* Returns whether it was: a signal that is ignored stays so. */
static bool
install(int number, void (*action)(int))
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) < 0 || old.sa_handler == SIG_IGN)
		return false;
	set_action(number, action);
	return true;
}

static int
open_wake(void)
{
	if (pipe(wake) < 0)
		return -1;
	for (size_t i = 0; i < 2; i++)
		if (fcntl(wake[i], F_SETFD, FD_CLOEXEC) < 0 ||
		    fcntl(wake[i], F_SETFL, O_NONBLOCK) < 0)
			return -1;
	return 0;
}

int
signals_install(void)
{
	if (open_wake() < 0)
		return -1;
	unblock(SIGALRM);
	/* A file that may not grow is an error like a full disk. */
	set_action(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < ENDS; i++)
		install(ends[i], on_end);
	install(SIGUSR1, on_flush);
	install(SIGUSR2, on_stats);
	return wake[0];
}

static void
on_child(int number)
{
	int saved = errno;

	(void)number;
	make_readable();
	errno = saved;
}

void
signals_watch_children(void)
{
	set_action(SIGCHLD, on_child);
	unblock(SIGCHLD);
}

void
signals_catch_pipe(void)
{
	struct sigaction old;

	if (sigaction(SIGPIPE, NULL, &old) < 0 || old.sa_handler == SIG_IGN)
		return;
	set_action(SIGPIPE, SIG_IGN);
	pipe_is_ours = true;
}

bool
signals_pipe_is_ours(void)
{
	return pipe_is_ours;
}

struct signals
signals_take(void)
{
	struct signals signals;
	char bytes[64];
	sigset_t all, old;

	while (read(wake[0], bytes, sizeof bytes) > 0)
		continue;
	/* None may come between the look at the flags and their clearing. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	signals = (struct signals){ end_signal, flush_wanted, stats_wanted };
	end_signal = flush_wanted = stats_wanted = 0;
	if (signals.end || signals.flush || signals.stats)
		alarm(0);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return signals;
}

void
signals_die(int number)
{
	set_action(number, SIG_DFL);
	unblock(number);
	raise(number);
}
