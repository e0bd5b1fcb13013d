#!/usr/bin/env python3
"""The line that shows progress: on a terminal alone, one line, and out of the way of messages."""
import os
import pty
import re
import select
import time
from signal import SIGUSR2

from tap import LIMIT, Volley, case, case_for, expect, finish, require

CLEAR = b'\r\x1b[K'
SHOWN = rb'0:00:(\d\d)  (\S+) records  (\S+)B  (\S+) batches  (\S+) records/s'


class Terminal:
    """A terminal for standard error."""

    def __enter__(self):
        self.master, self.slave = pty.openpty()
        self.text = b''
        return self

    def __exit__(self, *_):
        os.close(self.master)
        os.close(self.slave)

    def wait_for(self, pattern):
        """Waits until the pattern is in what was written there. Returns what it found."""
        end = time.monotonic() + LIMIT
        while not (found := re.search(pattern, self.text)):
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                require(False, 'not within %d s: %r in %r' % (LIMIT, pattern, self.text))
            self.text += os.read(self.master, 4096)
        return found

    def rest(self):
        """All that was written there; the process has ended."""
        while select.select([self.master], [], [], 0.1)[0]:
            self.text += os.read(self.master, 4096)
        return self.text.replace(b'\r\n', b'\n')


@case
def the_line_is_there_at_once_and_is_written_anew():
    with Terminal() as terminal, Volley('-n', '2', '--progress', stderr=terminal.slave) as volley:
        terminal.wait_for(SHOWN)
        volley.write(b'a\nb\nc\n')
        expect('output', volley.read(5), b'a\nb\n\n')
        found = terminal.wait_for(rb'0:00:(\d\d)  3 records  6B  1 batches  (\d+) records/s')
        require(int(found[1]) >= 1, 'before a second has passed')
        expect('end', volley.finish(b'd\n'), (b'c\nd\n\n', None, 0))
        text = terminal.rest()
        lines = text.split(CLEAR)
        expect('before the first', lines[0], b'')
        for line in lines[1:-1]:
            require(re.fullmatch(SHOWN, line), 'a line: %r' % line)
        require(re.fullmatch(rb'0:00:\d\d  4 records  8B  2 batches  \d+ records/s\n', lines[-1]),
                'the last line: %r' % lines[-1])


@case
def a_message_takes_the_place_of_the_line():
    with Terminal() as terminal, Volley('-n', '2', '--progress', stderr=terminal.slave) as volley:
        volley.write(b'a\nb\n')
        expect('output', volley.read(5), b'a\nb\n\n')
        terminal.wait_for(SHOWN)
        volley.kill(SIGUSR2)
        terminal.wait_for(rb'\(1 count\)')
        volley.finish()
        text = terminal.rest()
        require(re.search(SHOWN + re.escape(CLEAR) + rb'volley: 2 records, 4 bytes in .*\n'
                          rb'volley: 1 batch \(1 count\)\n' + re.escape(CLEAR) + rb'0:', text),
                'all: %r' % text)


@case
def the_line_of_a_batch_and_the_errors_at_the_end_stand_alone():
    with Terminal() as terminal, \
            Volley('-n', '1', '-v', '--max-record', '3', '--progress', stderr=terminal.slave) as volley:
        volley.write(b'a\n')
        terminal.wait_for(rb'\n')
        volley.finish(b'aaaa\n')
        text = terminal.rest()
        for line in text.replace(CLEAR, b'\n').splitlines():
            require(line == b'' or re.fullmatch(SHOWN, line) or line.startswith(b'volley: '),
                    'a line: %r' % line)
        expect('the error', text.count(b'volley: record 2 is longer'), 1)


@case
def large_numbers_are_short():
    with Terminal() as terminal, Volley('-n', '1', '--progress', '-D', '', stderr=terminal.slave,
                                        stdout=os.open('/dev/null', os.O_WRONLY)) as volley:
        volley.write(b'0123456789\n' * 200000)
        volley.finish()
        terminal.rest()
        terminal.wait_for(rb'  200k records  2200kB  200k batches  ')


@case_for('file', 'pipe')
def elsewhere_there_is_none(kind):
    if kind == 'file':
        with open('err', 'w+b') as file, Volley('-n', '1', '--progress', stderr=file) as volley:
            expect('end', volley.finish(b'a\n'), (b'a\n\n', None, 0))
            file.seek(0)
            expect('messages', file.read(), b'')
    else:
        with Volley('-n', '1', '--progress') as volley:
            expect('end', volley.finish(b'a\n'), (b'a\n\n', '', 0))


finish()
