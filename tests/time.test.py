#!/usr/bin/env python3
"""Time that passes for real: few cases, strict on "not before", generous on "not after"."""
import re
import select
import subprocess
import threading
import time
from signal import SIGCONT, SIGSTOP

from tap import (INSTRUMENTED, Volley, case, expect, finish, read_all, read_line, require,
                 skip_if, wait_until_settled)

LATE = 8                                # seconds that a batch may be late on a busy machine


def age_of(message):
    """The age that a line of --verbose states, in seconds."""
    found = re.search(r', age (\d+\.\d{3})s$', message)
    require(found, 'no age in: ' + message)
    return float(found[1])


def require_between(what, value, least, most):
    """Fails unless it is in that range."""
    require(least <= value < most, '%s: %.3f s, expected %.3f to %.3f' % (what, value, least, most))


@case
def timeout_counts_from_the_first_record():
    with Volley('-t', '2000', '-v', '-j', ' ', '--header', '{reason} ') as volley:
        start = time.monotonic()
        volley.give(b'a\n')
        time.sleep(1)
        volley.give(b'b\n')
        expect('output', volley.read(12), b'timeout a b\n')
        require_between('the batch', time.monotonic() - start, 2, 2 + LATE)
        # One that counts from the second record has an age of 3 s.
        require_between('its age', age_of(volley.read_message()), 2, 2.9)
        expect('end', volley.finish()[0], b'')


@case
def a_batch_that_is_full_comes_at_once_and_the_rest_after_the_timeout():
    with Volley('-n', '2', '-t', '500', '-j', ' ', '--header', '{reason} ') as volley:
        start = time.monotonic()
        volley.write(b'1\n2\n3\n')
        expect('output', volley.read(10), b'count 1 2\n')
        expect('output', volley.read(10), b'timeout 3\n')
        require_between('the rest', time.monotonic() - start, 0.5, 0.5 + LATE)


@case
def after_a_timeout_the_next_one_counts_from_the_next_record():
    with Volley('-t', '300', '-j', ' ', '--header', '{reason} ') as volley:
        volley.write(b'a\n')
        expect('output', volley.read(10), b'timeout a\n')
        time.sleep(0.4)
        start = time.monotonic()
        volley.write(b'b\n')
        expect('output', volley.read(10), b'timeout b\n')
        require_between('the second', time.monotonic() - start, 0.3, 0.3 + LATE)


@case
def a_record_does_not_join_a_batch_that_was_due_before_it_came():
    with Volley('-t', '300', '-j', ' ', '--header', '{reason} ') as volley:
        volley.give(b'a\n')
        # Both wait when volley is looked after again: the timeout goes first.
        volley.kill(SIGSTOP)
        time.sleep(0.5)
        volley.write(b'b\n')
        volley.kill(SIGCONT)
        expect('output', volley.read(10), b'timeout a\n')
        expect('output', volley.read(10), b'timeout b\n')


@case
def a_batch_that_was_due_before_the_end_of_the_input_has_timed_out():
    with Volley('-t', '300', '-j', ' ', '--header', '{reason} ') as volley:
        volley.give(b'a\n')
        volley.kill(SIGSTOP)
        time.sleep(0.5)
        volley.stdin.close()
        volley.kill(SIGCONT)
        expect('output', read_all(volley.stdout.fileno()), b'timeout a\n')


@case
def idle_counts_from_the_last_record():
    with Volley('-i', '1500', '-v', '-j', ' ', '--header', '{reason} ') as volley:
        for record in (b'a\n', b'b\n', b'c\n', b'd\n'):
            start = time.monotonic()
            volley.give(record)
            if record != b'd\n':
                time.sleep(0.6)
        expect('output', volley.read(13), b'idle a b c d\n')
        require_between('the batch', time.monotonic() - start, 1.5, 1.5 + LATE)
        require_between('its age', age_of(volley.read_message()), 3.3, 3.3 + LATE)


@case
def a_timeout_comes_though_the_input_is_never_idle():
    # A machine that is busy may well make the input seem idle: then it is tried again.
    scale = 5 if INSTRUMENTED else 1
    for _ in range(5):
        with Volley('--idle', str(200 * scale), '--timeout', str(1000 * scale), '-j', ' ',
                    '--header', '{reason} ') as volley:
            start, sent, first = time.monotonic(), 0, b''
            while not first and sent < 20:
                volley.write(b'%d\n' % sent)
                sent += 1
                if select.select([volley.stdout], [], [], 0.15 * scale)[0]:
                    first = read_line(volley.stdout.fileno())
            since = time.monotonic() - start
            if not first.startswith(b'idle '):
                break
    require(first.startswith(b'timeout 0 1 '), 'the first batch: %r' % first)
    require_between('the first batch', since, scale, scale + LATE)
    # The loop has ended, so the batch was cut off before the last record, or after it.
    numbers = [int(word) for word in first.split()[1:]]
    expect('its records', numbers, list(range(len(numbers))))
    require(sent - len(numbers) in (0, 1), 'records that are not in it: %r of %d' % (first, sent))


@case
def with_a_timeout_far_away_a_batch_comes_when_the_input_is_idle():
    with Volley('--idle', '200', '--timeout', '1000', '-j', ' ', '--header', '{reason} ') as volley:
        for record in (b'a', b'b'):
            start = time.monotonic()
            volley.write(record + b'\n')
            expect('output', read_line(volley.stdout.fileno()), b'idle ' + record + b'\n')
            require_between('the batch', time.monotonic() - start, 0.2, 0.2 + LATE)


@case
def idle_0_writes_at_once_all_that_was_offered():
    with Volley('-i', '0', '-j', ' ', '--header', '{reason} ') as volley:
        for _ in range(3):
            volley.write(b'a\nb\nc\n')
            expect('output', volley.read(11), b'idle a b c\n')


@case
def idle_0_writes_what_a_count_leaves():
    with Volley('-i', '0', '-n', '2', '-j', ' ', '--header', '{reason} ') as volley:
        volley.write(b'a\nb\nc\n')
        expect('output', volley.read(17), b'count a b\nidle c\n')


@case
def idle_0_does_not_write_an_unterminated_record():
    with Volley('-i', '0', '-j', ' ', '--header', '{reason} ') as volley:
        volley.write(b'a\nb')
        expect('output', volley.read(7), b'idle a\n')
        volley.write(b'c\n')
        expect('output', volley.read(8), b'idle bc\n')


def work_of(volley):
    """How often it has waited so far, and the ticks of processor time that it has used."""
    return volley.status_field('voluntary_ctxt_switches'), volley.ticks()


def require_rest(volley):
    """Fails if volley wakes up, or is awake, within a second, once it has come to rest."""
    wait_until_settled(lambda: work_of(volley))
    before = work_of(volley)
    time.sleep(1)
    expect('wake-ups and ticks', work_of(volley), before)


@case
def nothing_is_set_and_nothing_wakes_it():
    skip_if(INSTRUMENTED, 'not volley alone')
    with Volley('-n', '5') as volley:
        volley.give(b'a\n')
        require_rest(volley)


@case
def before_a_timeout_is_due_nothing_wakes_it():
    skip_if(INSTRUMENTED, 'not volley alone')
    with Volley('-t', '1h', '-i', '30m') as volley:
        volley.give(b'a\n')
        require_rest(volley)


@case
def after_a_batch_nothing_wakes_it():
    skip_if(INSTRUMENTED, 'not volley alone')
    with Volley('-t', '50', '-i', '0', '-j', '') as volley:
        volley.write(b'a\n')
        expect('output', volley.read(2), b'a\n')
        require_rest(volley)


@case
def a_timeout_fires_while_input_never_pauses():
    with Volley('-t', '100', '-v', stdout=subprocess.DEVNULL) as volley:
        def produce():
            try:
                while True:
                    volley.stdin.write(b'y\n' * 2048)
            except (OSError, ValueError):
                pass
        producer = threading.Thread(target=produce, daemon=True)
        producer.start()
        for _ in range(3):
            message = volley.read_message()
            require(', timeout, ' in message, 'not a timeout: ' + message)
            require_between('its age', age_of(message), 0.1, 0.1 + LATE)
        volley.process.kill()
        producer.join(LATE)


@case
def the_clock_does_not_stand_still_at_the_end_of_the_input():
    # The end comes first: the batch does not wait for its timeout.
    start = time.monotonic()
    with Volley('-t', '1h', '-i', '1h') as volley:
        expect('end', volley.finish(b'a\n'), (b'a\n\n', '', 0))
    require_between('the end', time.monotonic() - start, 0, 60)


finish()
