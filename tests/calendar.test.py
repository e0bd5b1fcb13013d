#!/usr/bin/env python3
"""What is aligned to the calendar, by the real clock: --every, --align and at()."""
import datetime
import os
import random
import re
import select
import shutil
import subprocess
import time

from tap import (INSTRUMENTED, LIMIT, Skip, Volley, case, case_for, expect, finish, read_line,
                 require, run, skip_if)

SHOWN = ['-j', ' ', '--header', '{reason} {fired} {first} ']
CLOSE = 0.3                             # seconds after a boundary, on a machine that is not busy
PAUSE = 0.05 if not INSTRUMENTED else 0.3


def seconds(text):
    """RFC 3339 with an offset as seconds since the epoch."""
    return datetime.datetime.fromisoformat(text).timestamp()


def read_batch(volley):
    """The reason, when it fired and when its first record came, the records."""
    reason, fired, first, *records = read_line(volley.stdout.fileno()).decode().split()
    return reason, seconds(fired), seconds(first), records


def wait_for_phase(low, high):
    """Waits until the clock stands there within a second."""
    while not low <= time.time() % 1 < high:
        time.sleep(0.01)


def explain(zone, *options, under=()):
    """{leaf: when its timer goes off, as text} for a batch that begins now, which is ''."""
    os.environ['TZ'] = zone
    output, messages, status = run(*options, '--explain', under=under)
    os.environ['TZ'] = 'UTC'
    expect('status', (status, messages), (0, ''))
    now = re.search(r'begins at (\S+):$', output.decode(), re.M)
    require(now, 'no time: %r' % output)
    times = {leaf: when for when, leaf in re.findall(r'^  (\S+)  (.*)$', output.decode(), re.M)}
    times[''] = now[1]
    return times


def require_batch_at_full_second(volley, reason, records):
    """Whether a batch that came is close to its boundary; never before it."""
    got, fired, first, names = read_batch(volley)
    expect('the batch', (got, names), (reason, records))
    boundary = first // 1 + 1
    require(fired >= boundary, 'fired %.3f s before the full second' % (boundary - fired))
    return fired - boundary < CLOSE


@case
def every_second_what_came_to_a_growing_file():
    skip_if(not shutil.which('tail'), 'tail is not installed')
    chance = random.Random(1)
    with open('growing', 'w', encoding='utf-8') as file:
        tail = subprocess.Popen(['tail', '-n', '+1', '-F', 'growing'], stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL)
        try:
            with Volley('-e', '1s', *SHOWN, stdin=tail.stdout) as volley:
                written, close, batches, number = [], 0, [], 0
                end = time.monotonic() + 2.3
                while time.monotonic() < end:
                    file.write('%d\n' % number)
                    file.flush()
                    written.append(str(number))
                    number += 1
                    if select.select([volley.stdout], [], [], chance.uniform(0.05, 0.3))[0]:
                        batches.append(read_batch(volley))
                while sum(len(batch[3]) for batch in batches) < len(written):
                    batches.append(read_batch(volley))
                expect('records', [name for batch in batches for name in batch[3]], written)
                require(2 <= len(batches) <= 6, 'batches: %d' % len(batches))
                for reason, fired, first, _ in batches:
                    expect('reason', reason, 'every')
                    require(fired >= first // 1 + 1, 'before the full second')
                    close += fired - (first // 1 + 1) < CLOSE
                require(close * 2 >= len(batches) or INSTRUMENTED, 'not at full seconds')
                # Nothing comes: there is no batch.
                require(not select.select([volley.stdout], [], [], 1.4)[0], 'a batch of nothing')
        finally:
            tail.kill()
            tail.wait()
            tail.stdout.close()


@case_for('-e 1s', '-t 100ms -a 1s')
def at_the_next_full_second(options):
    options = options.split(' ')
    reason = 'every' if options[0] == '-e' else 'timeout'
    for _ in range(5):
        with Volley(*options, *SHOWN) as volley:
            wait_for_phase(0.2, 0.6)
            volley.write(b'a\n')
            time.sleep(PAUSE)
            volley.write(b'b\n')
            if require_batch_at_full_second(volley, reason, ['a', 'b']):
                return
    raise Skip('the machine is too busy')


@case
def every_with_a_phase():
    for _ in range(5):
        with Volley('-e', '1s+500ms', *SHOWN) as volley:
            wait_for_phase(0.7, 0.95)
            volley.write(b'a\n')
            _, fired, first, _ = read_batch(volley)
            boundary = (first - 0.5) // 1 + 1.5
            require(fired >= boundary, 'too early')
            if fired - boundary < CLOSE:
                return
    raise Skip('the machine is too busy')


def require_batch_at(zone, form, offset):
    """A trigger that waits for a time a little ahead, later if volley is slow to start."""
    for ahead in (2, 4, 10):
        then = int(time.time()) + ahead
        text = time.strftime(form, time.gmtime(then + offset))
        os.environ['TZ'] = zone
        with Volley('-T', 'at(%s)' % text, *SHOWN) as volley:
            os.environ['TZ'] = 'UTC'
            volley.give(b'a\nb\n')
            if time.time() >= then:
                continue
            reason, fired, _, records = read_batch(volley)
            expect('the batch', (reason, records), ('at', ['a', 'b']))
            require(then <= fired < then + LIMIT / 2, 'fired %.3f s after it' % (fired - then))
            expect('the end', volley.wait(), 0)
            return
    raise Skip('the machine is too busy')


@case
def at_a_time_of_day():
    require_batch_at('XYZ-5:30', '%H:%M:%S', 19800)


@case
def at_a_time_with_a_date():
    require_batch_at('XYZ-5:30', '%Y-%m-%dT%H:%M:%SZ', 0)


def midnight(zone_offset, now, phase=0):
    """The first midnight, plus the phase, after now, in a zone so many seconds east."""
    return ((now + zone_offset - phase) // 86400 + 1) * 86400 + phase - zone_offset


@case_for(('UTC', 0), ('XYZ-5:30', 19800), ('XYZ+11', -39600), ('XYZ-14', 50400))
def a_day_begins_at_local_midnight(zone):
    name, offset = zone
    times = explain(name, '-T', 'any(every(1d), every(1d+6h), every(1h))')
    now = seconds(times[''])
    expect('midnight', seconds(times['every(1d)']), midnight(offset, now))
    expect('six', seconds(times['every(1d+6h)']), midnight(offset, now, 6 * 3600))
    expect('the hour', seconds(times['every(1h)']), ((now + offset) // 3600 + 1) * 3600 - offset)


@case_for(('UTC', 0), ('XYZ-5:30', 19800), ('XYZ+11', -39600))
def a_time_of_day_is_local_and_the_next(zone):
    name, offset = zone
    times = explain(name, '-T', 'any(at(00:00), at(12:34:56), at(23:59))')
    now = seconds(times[''])
    for text, phase in (('00:00', 0), ('12:34:56', 45296), ('23:59', 86340)):
        expect(text, seconds(times['at(%s)' % text]), midnight(offset, now, phase))


def faked(when):
    """The words that run a program at another time."""
    skip_if(not shutil.which('faketime'), 'faketime is not installed')
    skip_if(INSTRUMENTED, 'faketime and what volley is run with do not go together')
    skip_if(not os.path.exists('/usr/share/zoneinfo/Europe/Berlin'), 'there are no time zones')
    return ['faketime', when]


@case_for(('2026-10-25 00:30:00 +0200', '2026-10-26T00:00:00.000+01:00'),
          ('2026-03-29 00:30:00 +0100', '2026-03-30T00:00:00.000+02:00'),
          ('2026-03-28 00:30:00 +0100', '2026-03-29T00:00:00.000+01:00'))
def a_day_on_which_the_clock_changes_has_another_length(times):
    now, wanted = times
    expect('midnight', explain('Europe/Berlin', '-e', '1d', under=faked(now))['every(1d)'], wanted)


@case_for(('2026-03-29 01:30:00 +0100', '2026-03-29T03:00:00.000+02:00'),
          ('2026-10-25 02:30:00 +0200', '2026-10-25T02:00:00.000+01:00'),
          ('2026-10-25 02:30:00 +0100', '2026-10-25T03:00:00.000+01:00'))
def hours_go_on_when_the_clock_changes(times):
    now, wanted = times
    expect('the hour', explain('Europe/Berlin', '-e', '1h', under=faked(now))['every(1h)'], wanted)


@case
def a_time_of_day_that_does_not_exist():
    times = explain('Europe/Berlin', '-T', 'at(02:30)', under=faked('2026-03-28 03:00:00 +0100'))
    # On the next day there is no 02:30; whatever is taken for it is between 01:30 and 04:00.
    require('2026-03-29T01:30' <= times['at(02:30)'] < '2026-03-29T04:00', 'at %r' % times)


finish()
