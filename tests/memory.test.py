#!/usr/bin/env python3
"""Memory follows what is held, not what has passed. The bounds are generous."""
import subprocess
from signal import SIGUSR1

from tap import INSTRUMENTED, Volley, bytes_in, case, expect, finish, require, skip_if, wait_until

MIB = 1 << 10                           # in the units of /proc


def peak_of(data, times, *options):
    """Gives volley the data so many times. Returns the memory that it had at most."""
    skip_if(INSTRUMENTED, 'not the memory of volley alone')
    with Volley(*options, stdout=subprocess.DEVNULL) as volley:
        for _ in range(times):
            volley.write(data)
        wait_until(lambda: bytes_in(volley.stdin.fileno()) == 0, 'the input is taken')
        peak = volley.status_field('VmHWM')
        expect('end', volley.finish(), (None, '', 0))
        return peak


def require_at_most(peak, limit):
    """Fails when the peak is above the limit, in MiB."""
    require(peak <= limit * MIB, 'it had %d MiB, expected at most %d' % (peak / MIB, limit))


@case
def many_small_batches():
    require_at_most(peak_of(b'y\n' * (1 << 19), 200, '-n', '1000'), 16)


@case
def many_small_batches_of_joined_records_with_their_facts():
    options = ['-n', '1000', '-j', ' ', '--header', '{count} ']
    require_at_most(peak_of(b'y\n' * (1 << 19), 10, *options), 16)


@case
def many_batches_by_size():
    require_at_most(peak_of(b'y\n' * (1 << 19), 100, '-b', '64K'), 16)


@case
def a_record_of_20_mb_is_held_a_few_times_at_most():
    require_at_most(peak_of(b'x' * (20 << 20) + b'\n', 1, '-n', '1'), 100)


@case
def large_records_one_after_another():
    require_at_most(peak_of(b'x' * (5 << 20) + b'\n', 20, '-n', '1'), 40)


@case
def what_is_skipped_is_not_held():
    data = b'x' * (1 << 20)
    skip_if(INSTRUMENTED, 'not the memory of volley alone')
    with Volley('--max-record', '1K', '--oversize', 'skip') as volley:
        for _ in range(100):
            volley.write(data)
        volley.write(b'\na\n')
        wait_until(lambda: bytes_in(volley.stdin.fileno()) == 0, 'the input is taken')
        require_at_most(volley.status_field('VmHWM'), 16)
        output, messages, status = volley.finish()
        expect('output', output, b'a\n\n')
        expect('messages', messages, 'volley: 1 record longer than --max-record dropped\n')
        expect('status', status, 0)


@case
def after_a_large_batch_the_memory_goes_back():
    skip_if(INSTRUMENTED, 'not the memory of volley alone')
    with Volley('-n', str((15 << 20) + 1), '-v', stdout=subprocess.DEVNULL) as volley:
        volley.give(b'y\n' * (15 << 20))
        wait_until(lambda: volley.status_field('VmRSS') > 28 * MIB, 'the batch is held')
        volley.give(b'y\n')
        require(', count, ' in volley.read_message(), 'no batch')
        wait_until(lambda: volley.status_field('VmRSS') < 16 * MIB, 'the memory goes back')


@case
def after_many_keys_the_memory_goes_back_each_time():
    skip_if(INSTRUMENTED, 'not the memory of volley alone')
    with Volley('-k', '1', '-n', '2', stdout=subprocess.DEVNULL) as volley:
        for number in range(5):
            keys = range(number * 300000, (number + 1) * 300000)
            volley.give(b''.join(b'%d\n' % key for key in keys))
            require(volley.status_field('VmRSS') > 50 * MIB, 'the keys are not there')
            volley.kill(SIGUSR1)
            wait_until(lambda: volley.status_field('VmRSS') < 32 * MIB, 'the memory goes back')


finish()
