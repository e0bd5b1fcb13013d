#!/usr/bin/env python3
"""Calls of the system that fail: no record is lost without a word, and volley does not hang.

Each run has one fault, made by tests/faults.c, which is preloaded. Its input is a pipe that holds
all records before it starts; what is still in there at the end was not taken. For all others:

    taken = delivered + dead letters + named in messages

Delivered to a command is what it was given: the commands here keep that in a file each.
and where one is missing the status is not 0. A run in which the fault was never reached fails.
"""
import glob
import os
import re
import shlex
import shutil
import subprocess
from signal import SIGPIPE, SIGTERM, SIGUSR2

from tap import (COMMAND, INSTRUMENTED, Failure, case, expect, finish, require, run_case,
                 skip_if, wait_until)

SOURCE = os.environ.get('abs_top_srcdir') or os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))
LIBRARY = os.path.abspath('faults.so')
REACHED = os.path.abspath('reached')
LIMIT = 10                              # seconds, after which it hangs
SIZE = 8
RECORDS = [b'%07d\n' % number for number in range(60)]

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


def build():
    """Why the library cannot be had here; nothing if it can."""
    if INSTRUMENTED:
        return 'volley runs under another program, or with sanitizers'
    compiler = shlex.split(os.environ.get('CC') or 'cc')
    made = subprocess.run([*compiler, '-shared', '-fPIC', '-o', LIBRARY,
                           os.path.join(SOURCE, 'tests', 'faults.c'), '-ldl'],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if made.returncode != 0:
        return 'the library of faults cannot be built'
    # A static program takes no library.
    run_with('standard output', 'pipe:1:EMFILE')
    return None if os.path.exists(REACHED) else 'volley takes no preloaded library'


WHY_NOT = None


class Outcome:
    """What became of the records."""

    def __init__(self, sink, untaken, output, messages, status):
        self.signal_is_word = sink in ('standard output', 'keys', 'large batches') and status == -SIGPIPE
        self.taken = len(RECORDS) - len(untaken) // SIZE
        self.messages, self.status = messages, status
        self.output = whole_records(output)
        self.delivered = records_in('got/*') if sink in COMMANDS else self.output + records_in('out/*')
        self.dead = records_in('dead/*.batch')
        self.reached = os.path.exists(REACHED)

    def named(self):
        """How many records the messages name as not delivered and not kept."""
        count = 0
        for line in self.messages.splitlines():
            for pattern, size in ((r'batch \d+ \((\d+) records?\)(?!.* kept as )', 1),
                                  (r'^volley: (\d+) records? .*\blost', 1),
                                  (r'(\d+) bytes\b.*\blost', SIZE)):
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


def whole_records(data):
    """The records in there; what is not whole was not delivered."""
    return re.findall(rb'^\d{7}\n', data, re.M)


def records_in(pattern):
    """The records in the files."""
    found = []
    for path in sorted(glob.glob(pattern)):
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


def run_with(sink, fault):
    """Runs volley with the fault."""
    clear()
    reader, writer = os.pipe()
    os.write(writer, b''.join(RECORDS))
    os.close(writer)
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, VOLLEY_FAULT=fault, VOLLEY_FAULT_LOG=REACHED)
    with subprocess.Popen([*COMMAND, *SINKS[sink]], stdin=reader, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment) as process:
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
    (('job log',), ('write@+:2:EINTR', 'write@+:1+:short')),
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
    (('dead letters',), ('link:1:EIO', 'link:2:ENOSPC', 'unlink:1:EIO')),
    (('files',), ('unlink:1:EIO', 'unlink:3:EIO')),
    (('job log',), ('write@+:2:ENOSPC',)),
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
for name in ('standard output', 'keys', 'files', 'commands', 'arguments', 'dead letters'):
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
def a_signal_that_comes_while_another_is_looked_at_is_not_lost():
    skip_if(WHY_NOT, WHY_NOT)
    clear()
    # The handler of USR2 sets an alarm, and when the signal is looked at that is taken back.
    environment = dict(os.environ, LD_PRELOAD=LIBRARY, VOLLEY_FAULT='alarm:2:TERM',
                       VOLLEY_FAULT_LOG=REACHED)
    with subprocess.Popen([*COMMAND, '-n', '3', '-v'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, env=environment) as process:
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


finish()
