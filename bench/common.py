"""What the parts of the benchmark share: helpers, processes, medians, tables."""
import fcntl
import os
import shlex
import shutil
import signal
import statistics
import struct
import subprocess
import sys
import termios
import threading
import time
from collections import namedtuple

HERE = os.path.dirname(os.path.abspath(__file__))
HELPERS = ('copy', 'drain', 'feed', 'lateness', 'records')
LIMIT = 300                             # seconds after which something is stuck

Took = namedtuple('Took', 'wall cpu output')    # seconds, seconds of all processes, bytes


def volley_command():
    """VOLLEY is a command line; by hand it is the volley of this directory or of build/."""
    words = shlex.split(os.environ.get('VOLLEY') or '')
    if not words:
        words = ['volley' if os.access('volley', os.X_OK) else 'build/volley']
    if os.path.sep in words[0] or os.path.exists(words[0]):
        words[0] = os.path.abspath(words[0])
    if not shutil.which(words[0]):
        sys.exit('bench: %s is not there; build it, or set VOLLEY' % words[0])
    return words


def compile_helpers(directory, names=HELPERS):
    """Compiles the C files beside this one into the directory."""
    compiler = shlex.split(os.environ.get('CC') or 'cc')
    for name in names:
        subprocess.run(compiler + ['-O2', '-o', os.path.join(directory, name),
                                   os.path.join(HERE, name + '.c')], check=True)


class Bench:
    """One run of the benchmark: how it is to be done, and what came of it."""

    def __init__(self, directory, rounds, quick):
        self.directory = directory
        self.rounds = rounds
        self.quick = quick
        self.volley = volley_command()
        self.results = {}               # 'part/case/tool' -> {measure: number}
        self.skipped = []               # lines
        self.broken = []                # lines: what must hold on any machine, and did not
        compile_helpers(directory)

    def helper(self, name):
        """The path of a compiled helper."""
        return os.path.join(self.directory, name)

    def records(self, *words):
        """The path of a file of records; the words are the arguments of the helper."""
        words = [str(word) for word in words]
        path = os.path.join(self.directory, 'data-' + '-'.join(words))
        if not os.path.exists(path):
            with open(path, 'wb') as file:
                subprocess.run([self.helper('records')] + words, stdout=file, check=True)
        return path

    def forget(self, path):
        """Removes a file of records, since some are large."""
        os.unlink(path)

    def has(self, command, what):
        """Whether a tool is there; if not, this is said."""
        if shutil.which(command):
            return True
        line = '%s: %s is not installed' % (what, command)
        if line not in self.skipped:
            self.skipped.append(line)
        return False

    def note(self, name, **measures):
        """Keeps the measures of a case."""
        self.results.setdefault(name, {}).update(
            {measure.replace('_', ' '): value for measure, value in measures.items()})

    def require(self, holds, line):
        """What must hold on any machine, however busy."""
        if not holds:
            self.broken.append(line)


# Processes

class pinned:
    """With this, new processes run on one processor. Without a way to do that, anywhere."""

    def __init__(self, wanted=True):
        self.wanted = wanted and hasattr(os, 'sched_setaffinity')

    def __enter__(self):
        if self.wanted:
            self.before = os.sched_getaffinity(0)
            os.sched_setaffinity(0, {max(self.before)})

    def __exit__(self, *_):
        if self.wanted:
            os.sched_setaffinity(0, self.before)


def _reap(process):
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def _check(process):
    if process.returncode != 0:
        sys.exit('bench: %s: status %d' % (shlex.join(process.args), process.returncode))


def run(command, stdin, stdout=subprocess.DEVNULL, pin=True, limit=LIMIT):
    """Runs a command on a file. Returns what it took; None after so many seconds."""
    with open(stdin, 'rb') as file, pinned(pin):
        begun = time.monotonic()
        process = subprocess.Popen(command, stdin=file, stdout=stdout)
        watch = threading.Timer(limit, process.kill)
        watch.start()
        cpu = _reap(process)
        watch.cancel()
        wall = time.monotonic() - begun
    if process.returncode == -signal.SIGKILL and wall >= limit:
        return None
    _check(process)
    return Took(wall, cpu, None)


def pump(bench, command, path, size, pin=True):
    """Feeds so many bytes, the file over and over, to a command through a pipe; what it writes
    goes through a pipe too. Returns what all three processes took, and the size of the output."""
    source, sink = os.pipe(), os.pipe()
    with pinned(pin):
        drain = subprocess.Popen([bench.helper('drain'), '-c'], stdin=sink[0],
                                 stdout=subprocess.PIPE)
        tool = subprocess.Popen(command, stdin=source[0], stdout=sink[1],
                                stderr=subprocess.DEVNULL)
        begun = time.monotonic()
        feed = subprocess.Popen([bench.helper('feed'), path, str(size)], stdout=source[1])
        for descriptor in source + sink:
            os.close(descriptor)
        output = int(drain.stdout.readline().split()[0])
        wall = time.monotonic() - begun
        cpu = sum(_reap(process) for process in (feed, tool, drain))
    drain.stdout.close()
    for process in (feed, tool, drain):
        _check(process)
    return Took(wall, cpu, output)


class Live:
    """A process with a pipe as its input, which stays open."""

    def __init__(self, command, stdout=subprocess.DEVNULL):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=stdout, bufsize=0)
        self.input = self.process.stdin.fileno()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.stdin.close()
        self.process.wait()

    def give(self, bench, path, size=None):
        """The file, once or to that size, and waits until it has been taken in."""
        size = os.path.getsize(path) if size is None else size
        subprocess.run([bench.helper('feed'), path, str(size)], stdout=self.input, check=True)
        self.settle()

    def settle(self):
        """Waits until the input is read and there is nothing more to do."""
        before, limit = None, time.monotonic() + LIMIT
        while time.monotonic() < limit:
            with open('/proc/%d/stat' % self.process.pid) as file:
                ticks = file.read().rsplit(')', 1)[1].split()[11:13]
            waiting = struct.unpack('i', fcntl.ioctl(self.input, termios.FIONREAD, b'\0' * 4))[0]
            if waiting == 0 and ticks == before:
                return
            before = ticks
            time.sleep(0.2)
        sys.exit('bench: %s does not settle' % shlex.join(self.process.args))

    def status(self, field):
        """A number of /proc/PID/status; memory in bytes."""
        with open('/proc/%d/status' % self.process.pid) as file:
            for line in file:
                words = line.split()
                if words[0] == field + ':':
                    return int(words[1]) * (1024 if words[-1] == 'kB' else 1)
        raise KeyError(field)


# Numbers

def median(values):
    """The middle of the values, in any order."""
    return statistics.median(values)


def ratios(values, bases):
    """Median of the ratios of what was measured in the same round."""
    return median(value / base for value, base in zip(values, bases))


def percentile(values, share):
    """The least value that so large a share of them does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def in_turn(rounds, tools):
    """For each round all tools, each time beginning with another one."""
    for number in range(rounds):
        start = number % len(tools)
        for tool in tools[start:] + tools[:start]:
            yield tool


# Output

def progress(text):
    """What is being done, on a terminal only."""
    if sys.stderr.isatty():
        sys.stderr.write('\r\033[K' + text)
        sys.stderr.flush()


def table(title, head, rows):
    """Prints rows of text and numbers below a title, as wide as they need to be."""
    progress('')
    cells = [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    widths = [max(len(line[i]) for line in [head] + cells) for i in range(len(head))]
    print('\n' + title)
    for line in [head] + cells:
        print('  ' + line[0].ljust(widths[0]),
              *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:])), sep='  ')
    sys.stdout.flush()


def number(value):
    """A number with three figures, or a dash."""
    if value is None:
        return '-'
    if value == 0:
        return '0'
    if abs(value) >= 100:
        return '%.0f' % value
    return '%.*f' % (1 if abs(value) >= 10 else 2 if abs(value) >= 0.1 else 4, value)
