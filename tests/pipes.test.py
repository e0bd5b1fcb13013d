#!/usr/bin/env python3
"""Whatever is at the two ends of volley, and however they go about it, the same bytes come out: large
and small batches, chopped input, a reader that takes its time, a pipe that does not wait, signals."""
import os
import random
import signal
import subprocess
import threading
import time

from tap import COMMAND, LIMIT, case_for, expect, finish

OPTIONS = ([], [], [], ['--header', 'h\\n', '--footer', 'f\\n'])


def records(dice, total):
    """Numbered records of about so many bytes in all, and none of them like another."""
    most = dice.choice((20, 200, 3000, 60000))
    made, size = [], 0
    while size < total:
        made.append(b'%d ' % len(made) + b'x' * dice.randrange(most) + b'\n')
        size += len(made[-1])
    return made


def expected(made, count, options):
    """What comes out of them in batches of so many."""
    before, after = (b'h\n', b'f\n') if options else (b'', b'')
    return b''.join(before + b''.join(made[i:i + count]) + after + b'\n'
                    for i in range(0, len(made), count))


def give(dice, data, stdin):
    """Writes the data in pieces of any size."""
    with stdin:
        while data:
            size = dice.choice((1, 100, 70000, 1000000))
            stdin.write(data[:size])
            stdin.flush()
            data = data[size:]


def take(dice, descriptor, process):
    """Reads all that comes, now and then with a break or a signal that asks for statistics."""
    got = []
    # Until the pipe is full.
    time.sleep(dice.choice((0, 0.05)))
    while data := os.read(descriptor, dice.choice((1000, 70000, 1000000))):
        got.append(data)
        if dice.random() < 0.1:
            time.sleep(0.002)
        if dice.random() < 0.02:
            process.send_signal(signal.SIGUSR2)
    return b''.join(got)


@case_for(*range(24))
def all_that_went_in_comes_out(seed):
    dice = random.Random(seed)
    made = records(dice, dice.choice((100000, 3000000)))
    count, options = dice.choice((1, 3, 30, 100, 1000, 5000)), dice.choice(OPTIONS)
    reader, writer = os.pipe()
    os.set_blocking(writer, dice.random() < 0.4)
    with subprocess.Popen([*COMMAND, '-n', str(count), *options], stdin=subprocess.PIPE,
                          stdout=writer, stderr=subprocess.DEVNULL) as process:
        os.close(writer)
        feeder = threading.Thread(target=give, args=(random.Random(seed), b''.join(made),
                                                     process.stdin))
        feeder.start()
        got = take(dice, reader, process)
        os.close(reader)
        feeder.join(LIMIT)
        status = process.wait(LIMIT)
    expect('status', status, 0)
    expect('output', got, expected(made, count, options))


finish()
