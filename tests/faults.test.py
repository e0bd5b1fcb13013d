#!/usr/bin/env python3
"""Calls of the system that fail: no record is lost without a word, and volley does not hang.

Each run has one fault, made by tests/faults.c, which is preloaded. Its input is a pipe that holds
all records before it starts; what is still in there at the end was not taken. For all others:

    taken = delivered + dead letters + named in messages

Delivered to a command is what it was given: the commands here keep that in a file each.
and where one is missing the status is not 0. A run in which the fault was never reached fails.
"""
import glob
import json
import os
import random
import re
import shutil
import subprocess
from signal import SIGPIPE, SIGTERM, SIGUSR2

from tap import (COMMAND, Failure, Skip, bytes_in, build_library, case, case_for, expect, finish,
                 read_line, require, run_case, skip_if, wait_until)

REACHED = os.path.abspath('reached')
LIMIT = 10                              # seconds, after which it hangs
SIZE = 8
RECORDS = [b'%07d\n' % number for number in range(60)]
SHUFFLED = random.Random(1).sample(RECORDS, len(RECORDS))

# What each way out is asked for. Batches of odd numbers fail where commands may.
GIVEN = 'tee "got/$VOLLEY_INDEX"'
GIVEN_ARGUMENTS = 'printf "%s\\n" "$@" | tee "got/$VOLLEY_INDEX"'
FAILING = 'test $((VOLLEY_INDEX % 2)) = 0 || exit 1; ' + GIVEN
SINKS = {
    'standard output': ['-n', '7', '-D', ''],
    'keys': ['-k', r're:(.)$', '-n', '3', '-D', ''],
    'large batches': ['-n', '7', '-D', 'x' * 40000 + '\n'],
    'files': ['-n', '7', '-o', 'out/{index}'],
    'one command': ['-n', '7', '--', 'sh', '-c', GIVEN],
    'commands': ['-n', '7', '-P', '2', '--', 'sh', '-c', GIVEN],
    'arguments': ['-n', '7', '-P', '2', '-x', '--', 'sh', '-c', GIVEN_ARGUMENTS, 'sh'],
    'job log': ['-n', '7', '--joblog', 'log', '--', 'sh', '-c', GIVEN],
    'dead letters': ['-n', '7', '-P', '2', '--dead-letter', 'dead', '--', 'sh', '-c', FAILING],
}

COMMANDS = ('one command', 'commands', 'arguments', 'job log', 'dead letters')
SLOW_COMMANDS = ('slow commands', 'slow and tried again')

# Others, for some faults alone.
MORE = {
    'slow commands': ['-n', '7', '-P', '2', '--', 'sh', '-c', 'sleep 1; ' + GIVEN],
    'slow and tried again': ['-n', '7', '-P', '2', '--attempts', '3', '--backoff', '1h',
                             '--', 'sh', '-c', 'test $VOLLEY_INDEX != 1 || exit 1; sleep 1; ' + GIVEN],
    'metrics': ['-n', '7', '-D', '', '--metrics', 'metrics'],
    'by the calendar': ['-n', '7', '-D', '', '-e', '1h'],
    'truncated': ['-n', '7', '--max-record', '6', '--oversize', 'truncate'],
}

# What takes memory in other places. These records come shuffled, each with a time.
TIMED = ['--time-domain', 'event', '--timestamp', '1', '--out-of-orderness', '100']
SHAPES = {
    'windows as objects': [*TIMED, '-w', 'tumbling(10)', '-k', r're:(.)$', '-f', 'ndjson'],
    'sessions as netstrings': [*TIMED, '-w', 'session(3)', '-f', 'netstring',
                               '--header', '{start} {key}\n'],
    'few keys, as arrays': ['-k', r're:(.)$', '--max-keys', '3', '--break-on', r're:(.).$', '-f', 'json'],
    'joined, told and counted': [*TIMED, '-v', '-n', '7', '-e', '1h', '-m', '[37]$', '-j', r'\n',
                                 '--footer', r'\n{count}{first}\n', '--emit-watermarks',
                                 '--metrics', 'metrics'],
}

OPTIONS = {**SINKS, **MORE, **SHAPES}


def build():
    """Why the library cannot be had here; nothing if it can."""
    try:
        build_library('faults')
    except Skip as skip:
        return str(skip)
    # A static program takes no library.
    run_with('standard output', 'pipe:1:EMFILE')
    return None if os.path.exists(REACHED) else 'volley takes no preloaded library'


WHY_NOT = None


class Outcome:
    """What became of the records."""

    def __init__(self, sink, untaken, output, messages, status):
        self.signal_is_word = (sink in ('standard output', 'keys', 'large batches', 'commands') and
                               status == -SIGPIPE)
        self.taken = len(RECORDS) - len(untaken) // SIZE
        self.messages, self.status = messages, status
        self.output = whole_records(plain(sink, output))
        self.delivered = (records_in('got/*') if sink in COMMANDS + SLOW_COMMANDS else
                          self.output + records_in('out/*'))
        self.dead = records_in('dead/*.batch')
        self.reached = os.path.exists(REACHED)

    def named(self):
        """How many records the messages name as not delivered and not kept."""
        count = 0
        for line in self.messages.splitlines():
            for pattern, size in ((r'batch \d+ \((\d+) records?\)(?!.* kept as )', 1),
                                  (r'^volley: (\d+) records? .*\blost', 1),
                                  (r'(\d+) bytes?\b.*\blost', SIZE)):
                found = re.search(pattern, line)
                if found:
                    count += -(-int(found[1]) // size)
                    break
        return count

    def check(self):
        """Nothing is lost, or comes twice, without being said."""
        got = self.delivered + self.dead
        expect('records that came twice', sorted({record for record in got
                                                  if got.count(record) > 1}), [])
        require(set(got) <= set(RECORDS), 'records that never were: %r' % got)
        missing = self.taken - len(got)
        require(self.messages.isascii(), 'a message is not text: %r' % self.messages)
        # To die of SIGPIPE says that nobody reads any more.
        require(missing <= self.named() or self.signal_is_word, '%d records are missing, %d were named; status %d\n%s' %
                (missing, self.named(), self.status, self.messages))
        require(missing == 0 or self.status != 0, 'status 0, but %d records are missing' % missing)
        require(self.status <= 0 or self.messages, 'status %d without a word' % self.status)


def plain(sink, output):
    """The output as text; what is not whole in its format was not delivered."""
    if sink.endswith('as netstrings'):
        text = b''
        while found := re.match(rb'(\d+):', output):
            end = found.end() + int(found[1])
            if output[end:end + 1] != b',':
                break
            text, output = text + output[found.end():end], output[end + 1:]
        return text
    if sink.endswith(('as objects', 'as arrays')):
        batches = [json.loads(line) for line in output.splitlines(True) if line.endswith(b'\n')]
        records = [batch['records'] if isinstance(batch, dict) else batch for batch in batches]
        return ''.join(record + '\n' for batch in records for record in batch).encode()
    return output


def whole_records(data):
    """The records in there; what is not whole was not delivered."""
    return re.findall(rb'^\d{7}\n', data, re.M)


def records_in(pattern):
    """The records in the files."""
    found = []
    for path in sorted(filter(os.path.isfile, glob.glob(pattern))):
        with open(path, 'rb') as file:
            found += whole_records(file.read())
    return found


def clear():
    """Takes away what the run before has left."""
    for directory in ('out', 'got', 'dead'):
        shutil.rmtree(directory, ignore_errors=True)
    os.mkdir('out')
    os.mkdir('got')
    if os.path.exists(REACHED):
        os.remove(REACHED)


def with_fault(fault):
    """The environment that makes the fault."""
    return dict(os.environ, LD_PRELOAD=build_library('faults'), VOLLEY_FAULT=fault,
                VOLLEY_FAULT_LOG=REACHED)


def run_with(sink, fault, before=None, **environment):
    """Runs volley with the fault. Something can be done before, when all is cleared."""
    clear()
    if before:
        before()
    reader, writer = os.pipe()
    os.write(writer, b''.join(SHUFFLED if sink in SHAPES else RECORDS))
    os.close(writer)
    environment = dict(with_fault(fault), **environment)
    with subprocess.Popen([*COMMAND, *OPTIONS[sink]], stdin=reader,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        try:
            output, messages = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Failure('volley hangs') from None
    with open(reader, 'rb') as rest:
        return Outcome(sink, rest.read(), output, messages.decode('latin-1'), process.returncode)


def harmless(sink, fault):
    """It must go on as if nothing had been."""
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with(sink, fault)
    require(outcome.reached, 'the fault was never reached')
    outcome.check()
    wanted = 123 if sink == 'dead letters' else 0
    expect('status', outcome.status, wanted)
    expect('records', sorted(outcome.delivered + outcome.dead), RECORDS)
    if sink in COMMANDS:
        expect('what commands have written', sorted(outcome.output), sorted(outcome.delivered))


def accounted(sink, fault):
    """What is lost must be named."""
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with(sink, fault)
    require(outcome.reached, 'the fault was never reached')
    outcome.check()


HARMLESS = (
    (SINKS, ('read@0:1:EINTR', 'read@0:2:EINTR', 'read@0:1:EAGAIN', 'read@0:1+:short',
             'ppoll:1:EINTR', 'ppoll:2:EINTR', 'ppoll:1:EAGAIN', 'ppoll:2:ENOMEM',
             'fcntl@0:2:EPERM')),
    (COMMANDS, ('read@+:1:EINTR',)),
    (('standard output', 'keys'), ('write@1:1:EINTR', 'write@1:1:EAGAIN', 'write@1:1+:short')),
    (('large batches',), ('poll:1:EINTR', 'writev@1:1:EINTR', 'writev@1:1:EAGAIN',
                          'writev@1:1:short', 'writev@1:1:EIO')),
    (('files', *COMMANDS[:2], 'dead letters'), ('write@+:1:EINTR', 'write@+:3:EINTR',
                                                'write@+:1+:short')),
    (('files',), ('link:1:EPERM', 'link:2:ENOSYS')),
    (COMMANDS, ('waitpid:1:EINTR', 'waitpid:2:EINTR')),
    (('one command', 'commands', 'dead letters'), ('memfd_create:1:EMFILE',
                                                   'memfd_create:1+:ENOSYS')),
    (('commands', 'arguments', 'dead letters'), ('write@1:1:EINTR', 'write@1:1:EAGAIN',
                                                 'write@1:1+:short', 'pread:1:EINTR',
                                                 'pread:1+:short')),
    (('dead letters',), ('link:1:EPERM', 'link:3:ENOSYS')),
    (('job log',), ('write@/log:1:EINTR', 'write@/log:1+:short')),
    (('keys', 'commands', 'dead letters'), ('getentropy:1:ENOSYS',)),
    (('by the calendar',), ('timerfd_create:1:EMFILE',)),
)

ACCOUNTED = (
    (SINKS, ('read@0:1:EIO', 'read@0:2:EIO', 'ppoll:1:EINVAL',
             'pipe:1:EMFILE', 'fcntl@+:1:EIO', 'fcntl@+:2:EIO')),
    (('standard output', 'commands'), ('ppoll:1+:EINVAL', 'ppoll:2+:EINVAL')),
    (('standard output', 'keys'), ('write@1:1:EIO', 'write@1:1:ENOSPC', 'write@1:1:EPIPE',
                                   'write@1:1+:ENOSPC', 'close@1:1:EIO')),
    (('files',), ('open:1:EMFILE', 'open:3:ENOSPC', 'open:1+:EACCES', 'write@+:1:ENOSPC',
                  'write@+:4:EIO', 'close@+:2:EIO', 'link:1:EIO', 'link:3:ENOSPC')),
    (COMMANDS, ('posix_spawnp:1:EAGAIN', 'posix_spawnp:3:ENOMEM', 'posix_spawnp:2+:EMFILE')),
    (('one command', 'commands'), ('write@+:1:ENOSPC', 'write@+:4:ENOSPC')),
    (('commands', 'arguments', 'dead letters'), ('write@1:1:ENOSPC', 'write@1:2:EIO',
                                                 'pread:1:EIO')),
    (('dead letters',), ('link:1:EIO', 'link:2:ENOSPC', 'unlink:1:EIO', 'unlink:2:EIO',
                         'open:1:EACCES')),
    (('files',), ('unlink:1:EIO', 'unlink:3:EIO')),
    (('job log',), ('write@/log:1:ENOSPC', 'write@/log:3:EIO', 'open:1:EACCES')),
    (('standard output', 'keys', 'files', 'one command', 'dead letters'),
     ('clock_gettime:3:EINVAL', 'clock_gettime:9:EINVAL', 'clock_gettime:1+:EINVAL')),
    (('commands',), ('write@1:1:EPIPE', 'write@1:2:EPIPE')),
    (SLOW_COMMANDS, ('ppoll:6+:EINVAL',)),
)


def the_tables():
    """Each fault of the tables, for each of its sinks."""
    for kind, table in ((harmless, HARMLESS), (accounted, ACCOUNTED)):
        for sinks, faults in table:
            for sink in sinks:
                for fault in faults:
                    run_case('%s: %s: %s' % (sink, kind.__name__, fault), kind, sink, fault)


def every_allocation(sink):
    """Each allocation of a run fails, one in each run."""
    skip_if(WHY_NOT, WHY_NOT)
    failures = []
    number = 0
    while number < 400:
        number += 1
        try:
            outcome = run_with(sink, 'malloc:%d:ENOMEM' % number)
            if not outcome.reached:
                break
            outcome.check()
        except Failure as failure:
            failures.append('%d: %s' % (number, failure))
    require(number > 8, 'only %d allocations' % number)
    require(not failures, '%d of %d\n%s' % (len(failures), number, '\n'.join(failures)[:2000]))


WHY_NOT = build()
the_tables()
for name in ('standard output', 'keys', 'files', 'commands', 'arguments', 'dead letters', *SHAPES):
    run_case('%s: each allocation fails in turn' % name, every_allocation, name)


@case
def all_allocations_fail_from_one_on():
    skip_if(WHY_NOT, WHY_NOT)
    number = 1
    while (outcome := run_with('keys', 'malloc:%d+:ENOMEM' % number)).reached:
        outcome.check()
        # The last are for the order in which batches go out at the end.
        require(outcome.status != 0 or sorted(outcome.delivered) == RECORDS, 'status 0')
        number += 2
    require(number > 20, 'only %d allocations' % number)


@case
def a_message_that_cannot_be_written_leaves_the_status():
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with('dead letters', 'write@2:1+:EIO')
    expect('end', (outcome.reached, outcome.messages, outcome.status), (True, '', 123))
    expect('records', sorted(outcome.delivered + outcome.dead), RECORDS)


@case
def a_job_log_that_cannot_be_written_is_an_error_of_its_own():
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with('job log', 'write@/log:2+:ENOSPC')
    expect('end', (outcome.reached, outcome.messages, outcome.status),
           (True, "volley: cannot write to the job log 'log': No space left on device\n", 1))
    expect('records', sorted(outcome.delivered), RECORDS)


@case
def a_record_that_there_is_no_memory_to_take_is_named():
    skip_if(WHY_NOT, WHY_NOT)
    number, messages = 1, ''
    while (outcome := run_with('truncated', 'malloc:%d:ENOMEM' % number)).reached:
        require(outcome.status == 0 or outcome.messages, 'status %d without a word' % outcome.status)
        messages += outcome.messages
        number += 1
    require('volley: cannot take record 1: Cannot allocate memory\n' in messages, messages)


# The first file that is opened is the one that is tried at the start.
@case_for('open:2+:EACCES', 'write@+:1+:ENOSPC', 'rename:1+:EIO')
def metrics_that_cannot_be_written_are_an_error_of_their_own(fault):
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with('metrics', fault)
    require(outcome.reached, 'the fault was never reached')
    expect('messages', len(outcome.messages.splitlines()), 1)
    require("'metrics'" in outcome.messages, outcome.messages)
    expect('status', outcome.status, 1)
    expect('records', outcome.delivered, RECORDS)


@case_for('file', 'link')
def where_files_cannot_be_linked_what_is_there_already_stays(kind):
    skip_if(WHY_NOT, WHY_NOT)

    def put_in_the_way():
        if kind == 'file':
            with open('out/2', 'wb') as file:
                file.write(b'old\n')
        else:
            os.symlink('nowhere', 'out/2')

    outcome = run_with('files', 'link:1+:EPERM', put_in_the_way)
    require(outcome.reached, 'the fault was never reached')
    outcome.check()
    expect('status', outcome.status, 1)
    require("batch 2 (7 records) is lost: cannot write 'out/2': File exists" in outcome.messages,
            outcome.messages)
    expect('what is there', sorted(os.listdir('out')), ['0', '1', '2'])
    if kind == 'link':
        expect('the link', os.readlink('out/2'), 'nowhere')
    else:
        expect('the file', os.path.getsize('out/2'), 4)


@case_for('one command', 'commands')
def where_nothing_can_be_kept_for_a_command_that_is_not_to_say_that_there_is_none(sink):
    skip_if(WHY_NOT, WHY_NOT)
    outcome = run_with(sink, 'memfd_create:1+:ENOSYS', TMPDIR='/nowhere')
    require(outcome.reached, 'the fault was never reached')
    outcome.check()
    require('cannot run' not in outcome.messages, outcome.messages)
    require(outcome.status not in (0, 126, 127), 'status %d' % outcome.status)


def run_alone(fault, *options):
    """Runs volley without input. Returns whether the fault was reached, output, messages, status."""
    clear()
    done = subprocess.run([*COMMAND, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=with_fault(fault), timeout=LIMIT, check=False)
    return os.path.exists(REACHED), done.stdout, done.stderr.decode(), done.returncode


EXPLAINED = ['-T', "repeat(any(count(10), all(delay(1s, align=1m), match('a\"b')), each(idle(2s), every(1d))))",
             '-k', 'json:/a', '--header', '{count}']


@case_for('tumbling(1h)', 'session(1m)')
def what_there_is_no_memory_to_explain_is_explained_not_at_all(window):
    skip_if(WHY_NOT, WHY_NOT)
    options = ['--explain', '-w', window, *EXPLAINED]
    if window == 'session(1m)':
        options[4] = 'repeat(any(count(10), idle(2s)))'
    number = 1
    while (found := run_alone('malloc:%d:ENOMEM' % number, *options))[0]:
        _, output, messages, status = found
        if status == 0:
            require(output.endswith(b'emits what is left\n'), 'not all: %r' % output)
        else:
            expect('output and status', (output, status in (1, 2)), (b'', True))
            require('memory' in messages, messages)
        number += 1
    require(number > 20, 'only %d allocations' % number)
    expect('without a fault', found[2:], ('', 0))


@case
def an_error_that_there_is_no_memory_to_point_out_is_told_all_the_same():
    skip_if(WHY_NOT, WHY_NOT)
    number = 1
    while (found := run_alone('malloc:%d:ENOMEM' % number, '-T', 'any(count(1), delay(2x), idle(3))'))[0]:
        expect('output and status', found[1::2], (b'', 2))
        require(found[2].startswith('volley: '), 'messages: %r' % found[2])
        number += 1
    require(number > 5, 'only %d allocations' % number)
    require("unknown unit 'x'" in found[2], found[2])


@case
def a_write_that_waits_in_the_kernel_is_left_for_a_signal():
    # Somebody else has filled the pipe since volley saw room in it; USR2 came in between.
    skip_if(WHY_NOT, WHY_NOT)
    clear()
    with subprocess.Popen([*COMMAND, '-n', '3', '-D', ''], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=with_fault('write@1:1:full')) as process:
        try:
            os.write(process.stdin.fileno(), b''.join(RECORDS[:3]))
            line = read_line(process.stderr.fileno())
            filled = bytes_in(process.stdout.fileno())
            output, messages = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    require(os.path.exists(REACHED), 'the fault was never reached')
    require(line.startswith(b'volley: 3 records'), 'no statistics: %r' % line)
    require(b'records' not in output[:filled], 'the pipe was not full')
    expect('output', output[filled:], b''.join(RECORDS[:3]))
    expect('status', process.returncode, 0)


@case
def a_signal_that_comes_while_another_is_looked_at_is_not_lost():
    skip_if(WHY_NOT, WHY_NOT)
    clear()
    # The handler of USR2 sets an alarm, and when the signal is looked at that is taken back.
    with subprocess.Popen([*COMMAND, '-n', '3', '-v'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=with_fault('alarm:2:TERM')) as process:
        try:
            os.write(process.stdin.fileno(), b''.join(RECORDS[:3]))
            process.stderr.readline()
            process.send_signal(SIGUSR2)
            wait_until(lambda: os.path.exists(REACHED), 'the fault is reached')
            status = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            status = 'it goes on'
        finally:
            process.kill()
    expect('end', status, -SIGTERM)


@case
def a_signal_that_comes_with_the_end_of_the_input_is_why_it_ended():
    # As when Ctrl-C ends all of a pipeline: it came after the wait, and before the read.
    skip_if(WHY_NOT, WHY_NOT)
    clear()
    done = subprocess.run([*COMMAND, '-n', '100', '--header', '{reason} '], input=b'a\n', check=False,
                          stdout=subprocess.PIPE, env=with_fault('read@0:2:TERM'), timeout=LIMIT)
    require(os.path.exists(REACHED), 'the fault was never reached')
    expect('end', (done.stdout, done.returncode), (b'signal a\n\n', -SIGTERM))


finish()
