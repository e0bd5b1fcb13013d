#!/usr/bin/env python3
"""Under load, with all that disturbs it, no record vanishes or comes twice without being said.

A generator numbers the records and cuts them into pieces at random; what comes out is compared
with what was taken in. Meanwhile there are stalls on both sides, signals, commands that fail.
What is still in the pipe after the end was not taken; half a record at the end is a record.

    tests/loss.test.py [--seconds N] [--seed N]

goes on for so long (4 s); the seed, which is printed, gives the same options and pieces again.
"""
import argparse
import glob
import os
import random
import re
import select
import shutil
import signal
import subprocess
import threading
import time

from tap import COMMAND, INSTRUMENTED, LIMIT, expect, finish, require, run_case, wait_until

arguments = argparse.ArgumentParser()
arguments.add_argument('--seconds', type=float, default=4)
arguments.add_argument('--seed', type=int, default=random.SystemRandom().randrange(1 << 32))
ARGUMENTS = arguments.parse_args()
ROUND = 0.4                             # seconds of input
MOST = 8 << 20                          # bytes of input in a round
TOTAL = {'rounds': 0, 'records': 0, 'signals': 0, 'ended by TERM': 0, 'dead letters': 0,
         'named': 0}


class Source(threading.Thread):
    """Writes numbered records into a pipe, until told to stop."""

    def __init__(self, dice, most):
        super().__init__(daemon=True)
        self.dice, self.most, self.sent, self.stopping = dice, most, bytearray(), False
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.writer, False)
        self.made = 0
        self.fast = dice.random() < 0.5

    def piece(self):
        """Some records, cut anywhere at the end of what is sent at once."""
        count = self.dice.choice((1, 2, 30, 5000) if self.fast else (1, 1, 2, 3))
        # With a sign at the end, so that half a record is like no other.
        text = b''.join(b'%d;\n' % number for number in range(self.made, self.made + count))
        self.made += count
        return text

    def run(self):
        rest = b''
        end = time.monotonic() + ROUND
        while not self.stopping and time.monotonic() < end and len(self.sent) < self.most:
            rest = rest or self.piece()
            size = self.dice.choice((len(rest), 1 + self.dice.randrange(len(rest))))
            if not select.select([], [self.writer], [], 0.01)[1]:
                continue
            try:
                size = os.write(self.writer, rest[:size])
            except BlockingIOError:
                continue
            self.sent += rest[:size]
            rest = rest[size:]
            if self.dice.random() < (0.02 if self.fast else 0.3):
                time.sleep(self.dice.random() * 0.01)
        os.close(self.writer)

    def untaken(self):
        """What was sent but is in the pipe yet. The process has ended."""
        self.stopping = True
        self.join()
        with open(self.reader, 'rb') as pipe:
            return pipe.read()


class Target(threading.Thread):
    """Reads all that comes, with stalls."""

    def __init__(self, dice, descriptor):
        super().__init__(daemon=True)
        self.dice, self.descriptor, self.got = dice, descriptor, bytearray()
        self.slow = dice.random() < 0.3

    def run(self):
        while True:
            data = os.read(self.descriptor, self.dice.choice((1, 100, 4096, 1 << 20)))
            if not data:
                return
            self.got += data
            if self.dice.random() < (0.1 if self.slow else 0.001):
                time.sleep(self.dice.random() * 0.02)


class Messages(threading.Thread):
    """Keeps what comes on standard error."""

    def __init__(self, file):
        super().__init__(daemon=True)
        self.file, self.text = file, ''

    def run(self):
        self.text = self.file.read().decode()


def catches_signals(pid):
    """Whether the process has got so far that USR1 does not end it."""
    try:
        with open('/proc/%d/status' % pid, encoding='ascii') as file:
            found = re.search(r'^SigCgt:\t(\w+)$', file.read(), re.M)
    except FileNotFoundError:
        return True
    return not found or int(found[1], 16) >> (signal.SIGUSR1 - 1) & 1


def disturb(dice, processes, term):
    """Sends signals to the processes until they have ended. Returns whether TERM was among them."""
    sent_term = False
    for process in processes:
        wait_until(lambda pid=process.pid: catches_signals(pid), 'it catches signals')
    begin = time.monotonic()
    term_at = begin + dice.random() * ROUND * 1.2
    often = dice.choice((0.001, 0.02, 0.1))
    while processes[0].poll() is None:
        if time.monotonic() > begin + LIMIT:
            return sent_term
        time.sleep(dice.random() * often)
        if term and not sent_term and time.monotonic() > term_at:
            processes[0].send_signal(signal.SIGTERM)
            sent_term = True
            continue
        process = dice.choice(processes)
        number = dice.choice((signal.SIGUSR1, signal.SIGUSR1, signal.SIGUSR2, signal.SIGSTOP))
        # One that has not been waited for is there, if only as a zombie.
        if process.poll() is None:
            process.send_signal(number)
            TOTAL['signals'] += 1
            if number == signal.SIGSTOP:
                time.sleep(dice.random() * 0.01)
                process.send_signal(signal.SIGCONT)
    return sent_term


def trigger_of(dice):
    """Some way to make batches."""
    options = []
    if dice.random() < 0.8:
        options += ['-n', str(dice.choice((1, 2, 7, 100, 1000)))]
    if dice.random() < 0.5:
        options += ['-t', '%dms' % dice.choice((0, 1, 5, 50))]
    if dice.random() < 0.3:
        options += ['-i', '%dms' % dice.choice((0, 1, 3))]
    if dice.random() < 0.3:
        options += ['-b', str(dice.choice((1, 20, 1000, 100000)))]
    if dice.random() < 0.2:
        options += ['-k', 're:(.);']
    return options


class Run:
    """What one round has come to."""

    def __init__(self, dice, stages, term, most=MOST):
        self.source = Source(dice, most)
        processes, stdin = [], self.source.reader
        messages = []
        for options in stages:
            process = subprocess.Popen([*COMMAND, *options], stdin=stdin, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, restore_signals=True)
            if processes:
                stdin.close()
            processes.append(process)
            messages.append(Messages(process.stderr))
            stdin = process.stdout
        target = Target(dice, stdin.fileno())
        for thread in (*messages, target, self.source):
            thread.start()
        try:
            self.termed = disturb(dice, processes, term)
            for process in processes:
                process.wait(LIMIT)
        finally:
            for process in processes:
                process.kill()
                process.wait()
        for thread in (target, *messages):
            thread.join()
        for process in processes:
            process.stdout.close()
            process.stderr.close()
        self.untaken = self.source.untaken()
        self.output = bytes(target.got)
        self.messages = ''.join(thread.text for thread in messages)
        self.statuses = [process.returncode for process in processes]
        require(bytes(self.source.sent).endswith(self.untaken), 'the pipe holds something else')
        more = re.findall(r'(\d+) bytes? more of the input', self.messages)
        self.taken = bytes(self.source.sent[:len(self.source.sent) - len(self.untaken)])
        # What is named so is the end of what was taken; after a halt, the beginning of a record.
        self.taken = self.taken[:len(self.taken) - sum(map(int, more))]
        self.records = whole(self.taken).splitlines()
        TOTAL['rounds'] += 1
        TOTAL['records'] += len(self.records)
        TOTAL['ended by TERM'] += self.termed

    def named(self):
        """How many records the messages name."""
        named = sum(int(count) for count in
                    re.findall(r'batch \d+ \((\d+) records?\): (?!.*kept as)', self.messages) +
                    re.findall(r'(\d+) records? of \d+ more batch', self.messages))
        TOTAL['named'] += named
        return named


def whole(data):
    """With the delimiter that the last record must have."""
    return data if not data or data.endswith(b'\n') else data + b'\n'


def content(paths):
    """What is in the files, one behind the other."""
    data = []
    for path in paths:
        with open(path, 'rb') as file:
            data.append(file.read())
    return b''.join(data)


def difference(got, wanted):
    """Says where two lists of records differ."""
    first = next((i for i, (a, b) in enumerate(zip(got, wanted)) if a != b),
                 min(len(got), len(wanted)))
    return 'differs from record %d on: %r, not %r (%d and %d records)' % (
        first, got[first:first + 3], wanted[first:first + 3], len(got), len(wanted))


def check_delivered(run, data, keyed):
    """All that was taken is there, and nothing else; in order when there are no keys."""
    got = data.splitlines()
    if keyed:
        got, wanted = sorted(got), sorted(run.records)
    else:
        wanted = run.records
    require(got == wanted, difference(got, wanted) + '\n' + run.messages)
    expect('status', run.statuses[0] in (0, -signal.SIGTERM) and run.statuses[1:] in ([], [0]), True)


def to_standard_output(dice):
    """Through a pipe."""
    trigger = trigger_of(dice)
    run = Run(dice, [[*trigger, '-D', '']], dice.random() < 0.5)
    check_delivered(run, run.output, '-k' in trigger)


def through_two(dice):
    """Through two of them; TERM is for the first."""
    triggers = [trigger_of(dice), trigger_of(dice)]
    run = Run(dice, [[*trigger, '-D', ''] for trigger in triggers], dice.random() < 0.5)
    check_delivered(run, run.output, '-k' in triggers[0] + triggers[1])


def to_files(dice):
    """A file for each batch."""
    shutil.rmtree('out', ignore_errors=True)
    os.mkdir('out')
    trigger = ['-n', str(dice.choice((50, 1000)))] + (['-k', 're:(.);'] if dice.random() < 0.3 else [])
    run = Run(dice, [[*trigger, '-o', 'out/{index}']], dice.random() < 0.5)
    paths = sorted(glob.glob('out/*'), key=lambda path: int(path[4:]))
    check_delivered(run, content(paths), '-k' in trigger)
    expect('other files', glob.glob('out/.*'), [])


# It has taken its records when the file has its name.
TAKE = 'cat >"got/$VOLLEY_INDEX.new" && mv "got/$VOLLEY_INDEX.new" "got/$VOLLEY_INDEX"'


def to_commands(dice):
    """Commands of which some fail, with and without dead letters."""
    for directory in ('got', 'dead'):
        shutil.rmtree(directory, ignore_errors=True)
        os.mkdir(directory)
    bad = dice.choice(('false', 'false', 'case $VOLLEY_INDEX in *[37]) true;; *) false;; esac',
                       'case $VOLLEY_ATTEMPT in 1) true;; *) false;; esac',
                       'case $VOLLEY_INDEX in *5) kill -9 $$;; *[02468]) true;; *) false;; esac'))
    records = dice.choice((20, 200, 3000))
    options = ['-n', str(records), '-P', dice.choice(('1', '4')), '--grace',
               dice.choice(('10ms', '10s'))]
    if dice.random() < 0.5:
        options += ['--attempts', '2', '--backoff', '1ms']
    if dice.random() < 0.5:
        options += ['--dead-letter', 'dead']
    if dice.random() < 0.2:
        options += ['--halt', dice.choice(('soon', 'now'))]
    run = Run(dice, [[*options, '--', 'sh', '-c', 'if %s; then exit 1; fi; %s' % (bad, TAKE)]],
              dice.random() < 0.5, 200 * 7 * records)
    got = content(glob.glob('got/*[0-9]')).splitlines()
    dead = content(glob.glob('dead/*.batch')).splitlines()
    TOTAL['dead letters'] += len(dead)
    check_accounted(run, got, dead)


def check_accounted(run, got, dead):
    """What was taken was delivered, kept or named."""
    wanted, named = set(run.records), run.named()
    require(set(got) <= wanted and set(dead) <= wanted, 'records that never were')
    expect('delivered twice', len(got), len(set(got)))
    expect('kept twice', len(dead), len(set(dead)))
    both = len(set(got) & set(dead))
    # A command that was ended may have done its work; that it was ended is said.
    killed = any(words in run.messages
                 for words in ('killed by signal', 'took longer than', 'was ended'))
    require(both == 0 or killed, '%d records delivered, and kept\n%s' % (both, run.messages))
    missing = len(wanted - set(got) - set(dead))
    require(missing == named or (missing <= named and killed),
            '%d records are missing, %d are named; statuses %r\n%s' %
            (missing, named, run.statuses, run.messages))
    require(missing + len(dead) == 0 or run.statuses != [0], 'status 0')


SINKS = (to_standard_output, through_two, to_files, to_commands)


def rounds(sink, seconds):
    """Rounds of one way out, for so long."""
    dice = random.Random('%d %s' % (ARGUMENTS.seed, sink.__name__))
    end = time.monotonic() + seconds
    number = 0
    while number == 0 or time.monotonic() < end:
        number += 1
        try:
            sink(dice)
        except Exception:
            print('# round %d' % number)
            raise


print('# seed %d' % ARGUMENTS.seed)
if INSTRUMENTED:
    ROUND = 2
for way in SINKS:
    run_case('no record is lost: %s' % way.__name__.replace('_', ' '), rounds, way,
             ARGUMENTS.seconds / len(SINKS))
print('# ' + ', '.join('%d %s' % (count, what) for what, count in TOTAL.items()))
finish()
