"""How many commands a second are run, beside xargs."""
import os
import subprocess
import time

from common import Live, in_turn, median, progress, ratios, table

HELD = 9                                # large records that wait, one less than a batch
LARGE = 58 * 1000 * 1000                # bytes of each


class Tool:
    """A command line that runs a command for a number of records."""

    def __init__(self, name, command, per_run, lines=1, held=False):
        self.name = name
        self.command = command
        self.per_run = per_run          # records
        self.lines = lines              # that a run writes
        self.held = held                # with large records that wait


def tools_for(bench, batch, procs):
    """The first is what all are compared with."""
    volley = bench.volley + ['-n', str(batch), '-P', str(procs)]
    run = ['-x', '--', '/bin/echo']
    tools = [
        Tool('xargs', ['xargs', '-n', str(batch), '-P', str(procs), '/bin/echo'], batch),
        Tool('volley -x', volley + run, batch),
        Tool('volley, cat', volley + ['--', '/bin/cat'], batch, batch),
    ]
    if batch > 1:
        tools.append(Tool('volley -x, 500 MB held', volley + ['-k', '1'] + run, batch, held=True))
    return tools


def runs_a_second(bench, tool, runs):
    """From the first record that comes until the output of so many runs is there. Large records
    are there before."""
    out = os.pipe()
    drain = subprocess.Popen([bench.helper('drain'), '-n', str(runs * tool.lines)],
                             stdin=out[0], stdout=subprocess.DEVNULL)
    with Live(tool.command, out[1]) as live:
        os.close(out[0])
        os.close(out[1])
        if tool.held:
            for _ in range(HELD):
                for piece in (b'held ', b'x' * LARGE, b'\n'):
                    while piece:
                        piece = piece[os.write(live.input, piece):]
            live.settle()
        else:
            time.sleep(0.05)
        begun = time.monotonic()
        os.write(live.input, b's\n' * (runs * tool.per_run))
        if not tool.held:
            live.process.stdin.close()
        drain.wait()
        took = time.monotonic() - begun
    return runs / took


def measure(bench):
    """All of it."""
    runs = 300 if bench.quick else 2000
    for procs in (1, 2):
        for batch in (1, 10):
            case = '-P %d -n %d' % (procs, batch)
            tools, speeds = tools_for(bench, batch, procs), {}
            for tool in in_turn(bench.rounds, tools):
                progress('commands: %s: %s' % (case, tool.name))
                speeds.setdefault(tool.name, []).append(runs_a_second(bench, tool, runs))
            rows = []
            for tool in tools:
                speed = median(speeds[tool.name])
                ratio = ratios(speeds[tool.name], speeds['xargs'])
                bench.note('commands/%s/%s' % (case, tool.name), runs_a_second=speed,
                           of_xargs=ratio)
                rows.append([tool.name, speed, ratio])
            table('Commands, %s' % case, ['', 'runs/s', 'of xargs'], rows)
