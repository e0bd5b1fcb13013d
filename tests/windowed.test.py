#!/usr/bin/env python3
"""Windows, with many random inputs, and with time that passes for real."""
import calendar
import os
import random
import re
import time

from tap import (INSTRUMENTED, Volley, case, case_for, expect, finish, read_line, require,
                 run)

EVENT = ['--time-domain', 'event', '--timestamp', 'prefix']
ROUNDS = 3 if INSTRUMENTED else 12


def lines_of(seed, count=200, disorder=15):
    """Lines of a time and a record, some of them out of order; (time, record) of each."""
    chance, now, pairs = random.Random(seed), 0, []
    for number in range(count):
        now += chance.choice([0, 0, 1, 2, 5, 30])
        pairs.append((now - chance.randrange(disorder + 1), '%s%d' % (chance.choice('xyz'), number)))
    return pairs


def text_of(pairs):
    """The lines as volley reads them."""
    return ''.join('%d %s\n' % pair for pair in pairs).encode()


def output_of(options, data):
    """What volley writes; it must have gone well."""
    output, messages, status = run(*EVENT, *options, data=data)
    expect('status', (status, messages), (0, ''))
    return output


@case_for('tumbling(10)', 'sliding(20,5)', 'session(7)')
def how_writes_are_cut_up_does_not_show(window):
    """Each byte of the input may be the first of a write."""
    for seed in range(max(1, ROUNDS // 4)):
        data, chance = text_of(lines_of(seed)), random.Random(seed)
        options = [*EVENT, '-w', window, '-k', 're:^.', '-j', ' ', '--out-of-orderness', '10',
                   '-T', 'repeat(any(watermark(), count(4), delay(9)))', '--late', 'emit',
                   '--header', '{start} {end} {key} {reason} {fired} {first} {timing} {pane} ']
        if seed == 0:
            options += ['-M', 'fire', '--keep-last', '3']
        whole, messages, status = run(*options, data=data)
        expect('status', status, 0)
        with Volley(*options) as volley:
            while data:
                size = chance.choice([1, 2, 3, 7, 40, 400])
                volley.write(data[:size])
                data = data[size:]
                if chance.random() < 0.3:
                    time.sleep(0.002)
            expect('in pieces', volley.finish(), (whole, messages, 0))


def expected_tumbling(pairs, size):
    """{start: records in input order}."""
    windows = {}
    for when, record in pairs:
        windows.setdefault(when // size * size, []).append(record)
    return windows


def windows_in(output):
    """{start: records} of lines of a start and records."""
    rows = [line.split() for line in output.decode().splitlines()]
    expect('a window comes once', len({row[0] for row in rows}), len(rows))
    return {int(row[0]): row[1:] for row in rows}


@case
def tumbling_windows_hold_what_belongs_to_them():
    for seed in range(ROUNDS):
        pairs = lines_of(seed)
        output = output_of(['-w', 'tumbling(10)', '--out-of-orderness', '15', '-j', ' ',
                            '--header', '{start} '], text_of(pairs))
        expect('windows', windows_in(output), expected_tumbling(pairs, 10))
        starts = list(windows_in(output))
        expect('their order', starts, sorted(starts))


@case
def sliding_windows_hold_what_belongs_to_them():
    for seed in range(ROUNDS):
        pairs, wanted = lines_of(seed), {}
        for when, record in pairs:
            for start in range(when // 4 * 4, when - 10, -4):
                wanted.setdefault(start, []).append(record)
        output = output_of(['-w', 'sliding(10,4)', '--out-of-orderness', '15', '-j', ' ',
                            '--header', '{start} '], text_of(pairs))
        expect('windows', windows_in(output), wanted)


@case
def sessions_hold_what_belongs_to_them():
    for seed in range(ROUNDS):
        pairs, wanted = lines_of(seed), {}
        times = sorted({when for when, _ in pairs})
        start = {}
        for before, when in zip([None] + times, times):
            start[when] = start[before] if before is not None and when - before < 7 else when
        for when, record in pairs:
            wanted.setdefault(start[when], []).append(record)
        output = output_of(['-w', 'session(7)', '--out-of-orderness', '15', '-j', ' ',
                            '--header', '{start} '], text_of(pairs))
        expect('sessions', windows_in(output), wanted)


@case
def every_record_comes_out_once_however_late_it_is():
    for seed in range(ROUNDS):
        pairs = lines_of(seed, disorder=80)
        for window in ('tumbling(10)', 'session(7)'):
            output = output_of(['-w', window, '--late', 'emit', '-D', '', '-k', 're:^.',
                                '--allowed-lateness', '20'], text_of(pairs))
            expect('records', sorted(output.decode().split()), sorted(name for _, name in pairs))


@case
def two_volleys_in_a_row_give_the_windows_of_one():
    # The first makes small batches, the second puts them together: the watermark is handed on.
    for seed in range(ROUNDS):
        pairs = lines_of(seed)
        small = output_of(['-w', 'tumbling(5)', '--out-of-orderness', '15', '-j', ' ',
                           '--header', '{timestamp} ', '--emit-watermarks'], text_of(pairs))
        require(re.search(rb'^-?\d+$', small, re.M), 'no watermark in between')
        output = output_of(['-w', 'tumbling(20)', '-j', ' ', '--late', 'fail',
                            '--header', '{start} '], small)
        got = {start: sorted(records) for start, records in windows_in(output).items()}
        wanted = {start: sorted(records)
                  for start, records in expected_tumbling(pairs, 20).items()}
        expect('windows', got, wanted)


@case
def the_watermark_that_is_handed_on_never_passes_a_record_that_follows():
    for seed in range(ROUNDS):
        for trigger in ('repeat(watermark())', 'repeat(any(watermark(), count(3)))'):
            output = output_of(['-w', 'sliding(20,10)', '--out-of-orderness', '15', '-T', trigger,
                                '-j', ' ', '--header', '{timestamp} ', '--emit-watermarks'],
                               text_of(lines_of(seed)))
            mark = None
            for line in output.decode().splitlines():
                when, *records = line.split()
                if not records:
                    require(mark is None or int(when) > mark, 'it did not grow: ' + line)
                    mark = int(when)
                require(mark is None or int(when) >= mark, 'behind the watermark: ' + line)


def local_window(text):
    """The start of a window as seconds since the epoch, from RFC 3339 in UTC."""
    found = re.match(r'(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{3})\+00:00$', text)
    require(found, 'not a time: ' + text)
    return calendar.timegm([int(part) for part in found.groups()[:6]]) + int(found[7]) / 1000


@case
def by_the_wall_clock_a_window_ends_at_a_full_second():
    os.environ['TZ'] = 'UTC'
    with Volley('-w', 'tumbling(1s)', '-j', ' ', '--header', '{start} {end} {reason} ') as volley:
        for record in (b'a\n', b'b\n'):
            before = time.time()
            volley.write(record)
            start, end, reason, name = read_line(volley.stdout.fileno()).decode().split()
            after = time.time()
            expect('the batch', (reason, name), ('window', record.decode().strip()))
            start, end = local_window(start), local_window(end)
            expect('it is a full second', (start % 1, end - start), (0, 1))
            require(before - 0.01 < end <= after + 0.01, 'not before it has ended')
            require(start <= after, 'a window of the future')
        expect('end', volley.finish(), (b'', '', 0))


@case
def by_the_wall_clock_a_session_ends_after_the_gap():
    with Volley('-w', 'session(2s)', '-j', ' ', '--header', '{reason} ') as volley:
        volley.give(b'a\n')
        time.sleep(0.3)
        since = time.monotonic()
        volley.write(b'b\n')
        expect('output', read_line(volley.stdout.fileno()), b'window a b\n')
        require(time.monotonic() - since >= 2, 'too early')


finish()
