#!/usr/bin/env python3
"""--format json, ndjson and netstring, read back by other programs' means."""
import json
import math
import random
import re
import time

from tap import INSTRUMENTED, case, case_for, expect, finish, require, run

EVENT = ['--time-domain', 'event', '--timestamp', 'prefix']
FACTS = ['index', 'count', 'bytes', 'reason', 'key', 'fired', 'first', 'last', 'start', 'end',
         'timing', 'pane', 'timestamp', 'records']


def good(*options, data):
    """The output of a run that went well and had nothing to say."""
    output, messages, status = run(*options, data=data)
    expect('status and messages', (status, messages), (0, ''))
    return output


def objects(*options, data):
    """The batches that ndjson writes, each as it was read back."""
    lines = good('-f', 'ndjson', *options, data=data).decode().splitlines()
    return [json.loads(line) for line in lines]


# json

@case
def json_is_an_array_of_strings_on_a_line():
    expect('output', good('-f', 'json', '-n', '2', data=b'a\nb\nc\n'), b'["a","b"]\n["c"]\n')


@case
def json_of_an_empty_record():
    expect('output', good('-f', 'json', data=b'\n\n'), b'["",""]\n')


@case
def the_batch_delimiter_ends_json():
    expect('output', good('-f', 'json', '-D', '\\0', data=b'a\n'), b'["a"]\0')
    expect('output', good('-f', 'json', '-D', '', '-n', '1', data=b'a\nb\n'), b'["a"]["b"]')


@case
def json_escapes_are_short():
    expect('output', good('-f', 'json', '-0', data=b'"\\\b\f\n\r\t/\x01\x1f\x7f\0'),
           b'["\\"\\\\\\b\\f\\n\\r\\t/\\u0001\\u001f\x7f"]\n')


@case
def a_nul_byte_in_json():
    expect('output', good('-f', 'json', data=b'a\0b\n'), b'["a\\u0000b"]\n')


@case
def utf_8_stays_as_it_is():
    text = 'ä€𝄞\u2028\ufeff\uffff\U0010ffff'
    expect('output', good('-f', 'json', data=(text + '\n').encode()), ('["%s"]\n' % text).encode())


@case_for(b'\xff', b'\x80', b'\xc3', b'\xc3(', b'\xe2\x82', b'\xe2(', b'\xf0\x9f\x92', b'\xc0\xaf',
          b'\xe0\x80\xaf', b'\xed\xa0\x80', b'\xf4\x90\x80\x80', b'\xf8\x88\x80\x80\x80')
def what_is_not_utf_8_becomes_u_fffd_and_is_counted(data):
    # Python replaces as Unicode recommends: the longest beginning of a character, or one byte.
    wanted = 'x%sy' % data.decode(errors='replace')
    for form in ('json', 'ndjson'):
        output, messages, status = run('-f', form, data=b'x' + data + b'y\n')
        read = json.loads(output)
        expect('records', read if form == 'json' else read['records'], [wanted])
        expect('status', status, 0)
        pieces = wanted.count('\ufffd')
        require(re.match(r'volley: %d pieces? of text ' % pieces, messages),
                'not counted: %r, expected %d' % (messages, pieces))


@case
def a_character_that_two_records_share_is_two_pieces():
    output, _, _ = run('-f', 'json', '-d', '|', data=b'\xc3|\xa4|')
    expect('output', json.loads(output), ['\ufffd', '\ufffd'])


@case
def random_text_can_be_read_back():
    for seed in range(2 if INSTRUMENTED else 20):
        chance = random.Random(seed)
        records = [''.join(chance.choice('ab"\\\t\r\x00\x1b\x7fäß€𝄞/\'') for _ in range(chance.randrange(9)))
                   for _ in range(50)]
        data = ''.join(record + '\n' for record in records).encode()
        rows = [json.loads(line) for line in
                good('-f', 'json', '-n', '7', data=data).decode().split('\n')[:-1]]
        expect('records', [record for row in rows for record in row], records)
        rows = objects('-n', '7', data=data)
        expect('records', [record for row in rows for record in row['records']], records)


# ndjson

@case
def all_facts_in_order():
    text = good('-f', 'ndjson', '-n', '2', data=b'a\nb\n').decode()
    expect('names', [name for name, _ in json.loads(text, object_pairs_hook=list)], FACTS)
    require(' ' not in text and text.endswith(']}\n'), 'not compact: ' + text)


@case
def facts_of_batches():
    rows = objects(*EVENT, '-n', '2', data=b'1 a\n3 bb\n5 c\n')
    expect('the first', rows[0], {
        'index': 0, 'count': 2, 'bytes': 5, 'reason': 'count', 'key': None, 'fired': 3, 'first': 1,
        'last': 3, 'start': None, 'end': None, 'timing': 'early', 'pane': 0, 'timestamp': 1,
        'records': ['a', 'bb']})
    expect('the second', rows[1], {
        'index': 1, 'count': 1, 'bytes': 2, 'reason': 'eof', 'key': None, 'fired': 5, 'first': 5,
        'last': 5, 'start': None, 'end': None, 'timing': 'on-time', 'pane': 1, 'timestamp': 5,
        'records': ['c']})


@case
def facts_of_windows_and_keys():
    rows = objects(*EVENT, '-w', 'tumbling(10)', '-k', 're:^[xy]', '--output-timestamp', 'end',
                   '--late', 'emit', data=b'1 x1\n2 z\n12 y1\n3 x2\n')
    facts = [[row[name] for name in ('key', 'start', 'end', 'reason', 'timing', 'timestamp', 'records')]
             for row in rows]
    expect('facts', facts, [
        ['x', 0, 10, 'window', 'on-time', 10, ['x1']], ['', 0, 10, 'window', 'on-time', 10, ['z']],
        ['x', 0, 10, 'late', 'late', 10, ['x2']], ['y', 10, 20, 'window', 'on-time', 20, ['y1']]])


@case
def facts_agree_with_those_of_templates():
    template = '\x01'.join('{%s}' % name for name in FACTS[:-1])
    options = [*EVENT, '-w', 'sliding(20,10)', '-k', 're:^.', '-n', '2', '-M', 'fire']
    data = b''.join(b'%d %c%d\n' % (i * 3, b'xyz'[i % 3], i) for i in range(40))
    rows = objects(*options, data=data)
    lines = good(*options, '-j', '', '-D', '\n', '--header', template + '\x02', data=data).decode()
    texts = [line.split('\x02')[0].split('\x01') for line in lines.splitlines()]
    expect('facts', [[str(row[name]) for name in FACTS[:-1]] for row in rows], texts)


@case_for('ms', 'us', 'ns', 's')
def times_are_numbers_in_the_unit(unit):
    row = objects(*EVENT, '--time-format', unit, data=b'-5 a\n12 b\n')[0]
    expect('times', [row['first'], row['last'], row['fired']], [-5, 12, 12])


@case
def seconds_have_their_fraction():
    text = good('-f', 'ndjson', *EVENT, '--time-format', 's', data=b'-0.25 a\n1.000000001 b\n')
    require(b'"first":-0.25,"last":1.000000001,' in text, 'times: %r' % text)


@case
def times_as_text_are_strings():
    row = objects(*EVENT, '--time-format', 'rfc3339', '-w', 'tumbling(1m)',
                  data=b'2026-11-30T12:00:30.5+01:00 a\n')[0]
    expect('times', [row[name] for name in ('first', 'start', 'end')],
           ['2026-11-30T11:00:30.500Z', '2026-11-30T11:00:00Z', '2026-11-30T11:01:00Z'])
    row = objects(*EVENT, '--time-format', '"%Y"', data=b'"1970" a\n')[0]
    expect('times', row['first'], '"1970"')


@case
def by_the_wall_clock_times_are_milliseconds():
    before = int(time.time() * 1000)
    row = objects(data=b'a\n')[0]
    after = int(time.time() * 1000) + 1
    for name in ('first', 'last', 'fired', 'timestamp'):
        require(before <= row[name] <= after, '%s: %r' % (name, row[name]))


@case
def an_empty_batch_lacks_facts():
    rows = objects(*EVENT, '-w', 'tumbling(10)', '-T', 'watermark(early=count(1))', '--emit-empty',
                   data=b'1 a\n10\n')
    expect('facts', [rows[1][name] for name in ('count', 'bytes', 'first', 'last', 'timestamp', 'records')],
           [0, 0, None, None, None, []])


@case
def keys_are_escaped():
    rows = objects('-k', 're:(?s).*', '-0', data=b'a"\n\\\0')
    expect('key', rows[0]['key'], 'a"\n\\')


# --json-records

@case
def records_that_are_json_are_put_in_as_they_are():
    data = b'{"a": 1.10}\n [1, 2] \n"x"\nnull\n1e3\n18446744073709551615\n1e999\n'
    expect('output', good('-f', 'json', '--json-records', data=data),
           b'[{"a": 1.10}, [1, 2] ,"x",null,1e3,18446744073709551615,1e999]\n')
    expect('records', objects('--json-records', data=data)[0]['records'],
           [{'a': 1.1}, [1, 2], 'x', None, 1000, 18446744073709551615, math.inf])


@case
def json_that_has_newlines_is_one_line():
    data = b'{"a":\n1}\0"\\n"\0\n[\n2\n]\n\0'
    expect('output', good('-0', '-f', 'json', '--json-records', data=data),
           b'[{"a": 1},"\\n", [ 2 ] ]\n')
    expect('records', objects('-0', '--json-records', data=data)[0]['records'], [{'a': 1}, '\n', [2]])


@case_for(b'', b'x', b'{"a":1', b'{} {}', b'[1,]', b"{'a':1}", b'nan', b'"\xff"', b'01', b'"a\tb"', b'1\0')
def a_record_that_is_not_json_is_an_error(record):
    output, messages, status = run('-f', 'json', '--json-records', '-n', '1',
                                   data=b'1\n' + record + b'\n3\n')
    expect('output', output, b'[1]\n')
    expect('status', status, 1)
    require(messages.startswith('volley: record 2 is not JSON: '), 'the message: ' + messages)


@case
def in_the_event_domain_the_time_is_no_part_of_the_json():
    expect('output', good('-f', 'json', '--json-records', *EVENT, data=b'1 {"a":1}\n2 2\n'),
           b'[{"a":1},2]\n')


# netstring

def netstrings(data):
    """What each of them holds."""
    texts = []
    while data:
        size, _, rest = data.partition(b':')
        require(size.isdigit() and str(int(size)).encode() == size, 'no length: %r' % data[:40])
        texts.append(rest[:int(size)])
        expect('what follows', rest[int(size):int(size) + 1], b',')
        data = rest[int(size) + 1:]
    return texts


@case
def a_netstring_holds_the_records_with_their_delimiters():
    expect('output', good('-f', 'netstring', '-n', '2', data=b'a\nb\nc\n'), b'4:a\nb\n,2:c\n,')


@case
def a_netstring_holds_what_is_joined():
    expect('output', good('-f', 'netstring', '-n', '2', '-j', '+', data=b'a\nb\nc\n'), b'3:a+b,1:c,')


@case
def a_netstring_holds_header_and_footer():
    expect('output', good('-f', 'netstring', '--header', '{count}:', '--footer', '.', '-j', '',
                          data=b'a\nb\n'), b'5:2:ab.,')


@case
def a_netstring_of_nothing():
    expect('output', good('-f', 'netstring', '-j', '', data=b'\n'), b'0:,')


@case
def netstrings_hold_any_bytes():
    chance = random.Random(1)
    data = bytes(chance.randrange(256) for _ in range(20000)) + b'\n'
    texts = netstrings(good('-f', 'netstring', '-n', '5', data=data))
    expect('bytes', b''.join(texts) == data, True)
    require(all(text.count(b'\n') == 5 for text in texts[:-1]), 'not five in each')


finish()
