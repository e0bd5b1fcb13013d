#!/usr/bin/env python3
"""Clocks that misbehave: a wall clock that is set, a monotonic one that stands still, a process
that is stopped. No batch is lost, comes twice, or comes before its time.

The clocks that volley sees are those of tests/clocks.c, which is preloaded; the true wall clock
is never touched. "In time" is by the machine's own clock, which the test reads.
"""
import calendar
import mmap
import os
import select
import struct
import time
from signal import SIGCONT, SIGSTOP

from tap import Volley, build_library, case, case_for, expect, finish, read_line, require, wait_until

NS = 10 ** 9
HOUR = 3600
LATE = 8                                # seconds that a batch may be late on a busy machine
SHOWN = ['-j', ' ', '--header', '{reason} ']

# A full hour, by the wall clock that volley is given.
NOON = calendar.timegm((2030, 6, 1, 12, 0, 0))


class Clocks:
    """The clocks of one volley. They go right until told otherwise."""

    def __init__(self):
        self.path = os.path.abspath('clocks')
        with open(self.path, 'wb') as file:
            file.write(bytes(24))
        self.file = open(self.path, 'r+b')
        self.words = mmap.mmap(self.file.fileno(), 24)
        if not os.path.exists(self.path + '.set'):
            os.mkfifo(self.path + '.set')
        # Whatever an earlier volley has left in there goes when nobody has it open.
        self.set = os.open(self.path + '.set', os.O_RDWR | os.O_NONBLOCK)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.set)
        self.words.close()
        self.file.close()

    def volley(self, *options):
        """A volley that lives by these clocks."""
        environment = {'LD_PRELOAD': build_library('clocks'), 'VOLLEY_CLOCKS': self.path}
        return Volley(*options, environment=environment)

    def _put(self, place, value):
        self.words[8 * place:8 * place + 8] = struct.pack('q', value)

    def _get(self, place):
        return struct.unpack('q', self.words[8 * place:8 * place + 8])[0]

    def set_wall(self, seconds, told=True):
        """Sets the wall clock; the kernel tells those who want to know."""
        self._put(0, round(seconds * NS) - time.time_ns())
        if told:
            os.write(self.set, bytes(8))

    def stop(self):
        """From now on the monotonic clock stands still."""
        self._put(2, time.monotonic_ns() - self._get(1))

    def go(self):
        """It goes on from where it stood."""
        self._put(1, time.monotonic_ns() - self._get(2))
        self._put(2, 0)


def require_nothing(volley, seconds, message):
    """Fails when there is output within that time."""
    if select.select([volley.stdout], [], [], seconds)[0]:
        require(False, '%s: %r' % (message, read_line(volley.stdout.fileno())))


def read_batch(volley):
    """The line of a batch."""
    return read_line(volley.stdout.fileno()).decode()


# A wall clock that is set

@case_for('every(1h)', 'at(13:00)', 'delay(1m, align=1h)')
def what_is_due_by_the_calendar_comes_when_the_clock_is_set_beyond_it(trigger):
    with Clocks() as clocks:
        clocks.set_wall(NOON + 60)
        with clocks.volley('-T', 'repeat(%s)' % trigger, *SHOWN) as volley:
            volley.give(b'a\nb\n')
            clocks.set_wall(NOON + HOUR + 60)
            require(read_batch(volley).endswith(' a b\n'), 'not the batch')
            # It was the one that was due; the next is due in another hour, or day.
            volley.give(b'c\n')
            require_nothing(volley, 0.1, 'a batch that is not due')
            expect('end', volley.finish(), (b'eof c\n', '', 0))


@case_for('every(1h)', 'at(13:00)', 'delay(1ms, align=1h)')
def when_the_clock_is_set_back_what_is_due_waits_for_its_time(trigger):
    with Clocks() as clocks:
        clocks.set_wall(NOON + 1800)
        with clocks.volley('-T', 'repeat(%s)' % trigger, *SHOWN) as volley:
            volley.give(b'a\n')
            clocks.set_wall(NOON + HOUR - 0.3)
            clocks.set_wall(NOON + 1800)
            volley.give(b'b\n')
            require_nothing(volley, 0.4, 'before its time')
            before = time.monotonic()
            clocks.set_wall(NOON + HOUR - 0.2)
            require(read_batch(volley).endswith(' a b\n'), 'not the batch')
            since = time.monotonic() - before
            require(0.199 <= since < LATE, 'after %.3f s' % since)
            expect('end', volley.finish(), (b'', '', 0))


# The trigger itself need not follow the calendar for that.
@case
def a_window_ends_when_the_clock_is_set_beyond_its_end():
    with Clocks() as clocks:
        clocks.set_wall(NOON + 60)
        with clocks.volley('-w', 'tumbling(1h)', *SHOWN) as volley:
            volley.give(b'a\nb\n')
            clocks.set_wall(NOON + HOUR + 60)
            expect('the batch', read_batch(volley), 'window a b\n')
            expect('end', volley.finish(), (b'', '', 0))


@case_for('tumbling(1h)', 'sliding(1h, 1h)', 'session(1h)')
def no_record_of_a_window_is_lost_or_comes_twice_when_the_clock_is_set(window):
    with Clocks() as clocks:
        clocks.set_wall(NOON + 60)
        with clocks.volley('-w', window, '-n', '10', '-D', '') as volley:
            records = []
            for step in (0, HOUR, -HOUR, 5 * HOUR, 0, 0.5):
                clocks.set_wall(NOON + 60 + step)
                records += [b'%g %d\n' % (step, number) for number in range(12)]
                volley.give(b''.join(records[-12:]))
            output, messages, status = volley.finish()
            expect('end', (messages, status), ('', 0))
            expect('records', sorted(output.splitlines(True)), sorted(records))


@case_for(HOUR, -HOUR)
def a_timeout_does_not_mind_that_the_wall_clock_is_set(step):
    with Clocks() as clocks:
        clocks.set_wall(NOON)
        with clocks.volley('-t', '300', '-e', '1d', *SHOWN) as volley:
            start = time.monotonic()
            volley.give(b'a\n')
            clocks.set_wall(NOON + step)
            expect('the batch', read_batch(volley), 'timeout a\n')
            since = time.monotonic() - start
            require(0.3 <= since < 0.3 + LATE, 'after %.3f s' % since)
            expect('end', volley.finish(), (b'', '', 0))


@case_for('forward', 'back')
def with_each_key_none_is_lost_when_the_clock_is_set(direction):
    steps = (HOUR, 2 * HOUR) if direction == 'forward' else (-HOUR, -2 * HOUR)
    with Clocks() as clocks:
        clocks.set_wall(NOON + 1)
        options = ['-k', '1', '-T', 'repeat(any(every(1h), delay(1d)))', '-D', '']
        with clocks.volley(*options) as volley:
            records = []
            for step in (0, *steps):
                clocks.set_wall(NOON + step + 1)
                records += [b'%d %d\n' % (key, step) for key in range(200)]
                volley.give(b''.join(records[-200:]))
            output, messages, status = volley.finish()
            expect('end', (messages, status), ('', 0))
            expect('records', sorted(output.splitlines(True)), sorted(records))


@case
def a_wait_between_two_runs_does_not_mind_that_the_wall_clock_is_set():
    with Clocks() as clocks:
        clocks.set_wall(NOON)
        script = 'echo $VOLLEY_ATTEMPT; [ $VOLLEY_ATTEMPT = 2 ]'
        with clocks.volley('-n', '1', '--attempts', '2', '--backoff', '400', '--', 'sh', '-c',
                           script) as volley:
            start = time.monotonic()
            volley.give(b'a\n')
            expect('the first', volley.read(2), b'1\n')
            clocks.set_wall(NOON + HOUR)
            expect('the second', volley.read(2), b'2\n')
            require(0.2 <= time.monotonic() - start < 0.4 + LATE, 'not in time')
            expect('end', volley.finish(), (b'', '', 0))


# A clock that stands still

@case_for('-t', '-i')
def while_the_clock_stands_still_no_timeout_comes(option):
    with Clocks() as clocks, clocks.volley(option, '300', *SHOWN) as volley:
        volley.give(b'a\n')
        clocks.stop()
        before = volley.ticks()
        require_nothing(volley, 0.5, 'a batch, though the clock stands')
        require(volley.ticks() - before <= 5, 'it does not rest meanwhile')
        volley.give(b'b\n')
        clocks.go()
        start = time.monotonic()
        require(read_batch(volley).endswith(' a b\n'), 'not the batch')
        # Some of the time had passed before.
        require(time.monotonic() - start < 0.3 + LATE, 'late')
        expect('end', volley.finish(), (b'', '', 0))


@case
def while_the_clock_stands_still_all_else_goes_on():
    with Clocks() as clocks, clocks.volley('-n', '3', '-t', '100', *SHOWN) as volley:
        clocks.stop()
        volley.write(b'a\nb\nc\nd\n')
        expect('the batch', read_batch(volley), 'count a b c\n')
        require_nothing(volley, 0.2, 'a timeout')
        expect('end', volley.finish(b'e\n'), (b'eof d e\n', '', 0))


@case
def when_the_clock_goes_on_a_timeout_has_its_whole_time():
    with Clocks() as clocks, clocks.volley('-t', '300', *SHOWN) as volley:
        clocks.stop()
        volley.give(b'a\n')
        time.sleep(0.4)
        start = time.monotonic()
        clocks.go()
        expect('the batch', read_batch(volley), 'timeout a\n')
        since = time.monotonic() - start
        require(0.3 <= since < 0.3 + LATE, 'after %.3f s' % since)
        expect('end', volley.finish(), (b'', '', 0))


# A process that is stopped

def is_stopped(volley):
    """Whether it has got as far as that."""
    with open('/proc/%d/stat' % volley.pid, encoding='ascii') as file:
        return file.read().rpartition(')')[2].split()[0] == 'T'


def suspend(volley, seconds):
    """Stops it for so long; returns the time at which it goes on."""
    volley.kill(SIGSTOP)
    wait_until(lambda: is_stopped(volley), 'it is stopped')
    time.sleep(seconds)
    volley.kill(SIGCONT)
    return time.monotonic()


@case_for('-t', '-i', '-e')
def what_was_due_while_it_was_stopped_comes_once_and_at_once(option):
    # Every 200 ms there was one; but there is nothing new for the others.
    with Volley(option, '200', *SHOWN) as volley:
        volley.give(b'a\nb\n')
        start = suspend(volley, 0.4)
        require(read_batch(volley).endswith(' a b\n'), 'not the batch')
        require(time.monotonic() - start < LATE, 'late')
        require_nothing(volley, 0.3, 'once more')
        volley.write(b'c\n')
        require(read_batch(volley).endswith(' c\n'), 'not the next batch')
        expect('end', volley.finish(), (b'', '', 0))


@case
def what_came_while_it_was_stopped_is_in_the_batch_after_the_one_that_was_due():
    with Volley('-t', '200', '-n', '3', *SHOWN) as volley:
        volley.give(b'a\n')
        volley.kill(SIGSTOP)
        wait_until(lambda: is_stopped(volley), 'it is stopped')
        time.sleep(0.3)
        volley.write(b'b\nc\nd\ne\n')
        volley.kill(SIGCONT)
        expect('batches', [read_batch(volley) for _ in range(2)], ['timeout a\n', 'count b c d\n'])
        expect('end', volley.finish(), (b'eof e\n', '', 0))


@case
def a_run_whose_time_was_over_while_volley_was_stopped_is_ended_once():
    script = '[ $VOLLEY_ATTEMPT != 1 ] || exec sleep 60; echo $VOLLEY_ATTEMPT'
    with Volley('-n', '1', '--exec-timeout', '200', '--attempts', '3', '--backoff', '1', '--', 'sh',
                '-c', script) as volley:
        volley.give(b'a\n')
        suspend(volley, 0.4)
        output, messages, status = volley.finish()
        # If the second is slow on a busy machine, there is a third.
        require(output in (b'2\n', b'3\n'), 'the output: %r' % output)
        expect('end', (messages, status), ('', 0))


finish()
