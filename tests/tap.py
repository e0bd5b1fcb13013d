"""End-to-end tests in TAP, for what needs real processes: signals, descriptors, time.

    from tap import LIMIT, Volley, case, expect, finish

    @case
    def a_batch_comes_out_when_it_is_full():
        with Volley('-n', '2') as volley:
            volley.write(b'a\nb\n')
            expect('output', volley.read(5), b'a\nb\n\n')

    finish()

A case runs at once; its name is the function's. It has passed when it returns. The environment's
VOLLEY is a command line, perhaps that of valgrind, so waits are long and only "not before" is
strict; wait for a sign of the program, never just for a while, before doing something to it.
"""
import atexit
import fcntl
import os
import select
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import traceback

LIMIT = 20                              # seconds after which something does not come any more
SETTLED = 0.3                           # seconds without a change, when it is a change that counts

DIRECTORY = tempfile.mkdtemp()          # empty, the current one of all cases


def _command():
    """As in tap.sh: by hand it is the volley of this directory or of build/."""
    words = shlex.split(os.environ.get('VOLLEY') or '')
    if not words:
        words = ['volley' if os.access('volley', os.X_OK) else 'build/volley']
    if len(words) == 1:
        words[0] = os.path.abspath(words[0])
    return words


def _is_instrumented():
    """Under another program, or with sanitizers: memory and wake-ups are not volley's own."""
    if len(COMMAND) > 1:
        return True
    with open(COMMAND[0], 'rb') as file:
        program = file.read()
    return any(name in program
               for name in (b'__asan_init', b'__ubsan_', b'__tsan_init', b'__msan_init'))


COMMAND = _command()
INSTRUMENTED = _is_instrumented()
atexit.register(shutil.rmtree, DIRECTORY, ignore_errors=True)
os.chdir(DIRECTORY)

_count = 0
_failed = 0


class Failure(Exception):
    """A case came out wrong."""


class Skip(Exception):
    """A case cannot be run here."""


def expect(what, got, wanted):
    """Fails the case unless got is what is wanted."""
    if got != wanted:
        raise Failure('%s: %s\nexpected: %s' % (what, _shorten(got), _shorten(wanted)))


def require(condition, message):
    """Fails the case unless the condition holds."""
    if not condition:
        raise Failure(message)


def _shorten(value):
    text = repr(value)
    return text if len(text) < 400 else text[:200] + ' ... ' + text[-180:]


def skip_if(condition, why):
    """Skips the case if the condition holds."""
    if condition:
        raise Skip(why)


def build_library(name):
    """Makes tests/NAME.c a library to be preloaded into volley, and returns its path; skips the
    case where that cannot be."""
    skip_if(INSTRUMENTED, 'volley runs under another program, or with sanitizers')
    path = os.path.join(DIRECTORY, name + '.so')
    if not os.path.exists(path):
        compiler = shlex.split(os.environ.get('CC') or 'cc')
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + '.c')
        words = [*compiler, '-shared', '-fPIC', '-o', path, source, '-ldl']
        skip_if(not shutil.which(compiler[0]) or
                subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               check=False).returncode != 0, 'tests/%s.c cannot be built' % name)
    return path


def run_case(name, function, *arguments):
    """Runs one case under this name."""
    global _count, _failed
    _count += 1
    try:
        function(*arguments)
        print('ok %d - %s' % (_count, name), flush=True)
    except Skip as skip:
        print('ok %d - %s # SKIP %s' % (_count, name, skip), flush=True)
    except Exception as error:                          # whatever it is, the case has failed
        _failed += 1
        print('not ok %d - %s' % (_count, name))
        text = str(error) if isinstance(error, Failure) else traceback.format_exc()
        print('# ' + text.strip().replace('\n', '\n# '), flush=True)


def case(function):
    """Runs the function as a case."""
    run_case(function.__name__.replace('_', ' '), function)
    return function


def case_for(*values):
    """Runs the function as a case for each of the values, which stand behind its name."""
    def run(function):
        for value in values:
            label = value.name if isinstance(value, signal.Signals) else str(value)
            run_case('%s: %s' % (function.__name__.replace('_', ' '), label), function, value)
        return function
    return run


def finish():
    """The plan. Always last; without it the test has failed."""
    print('1..%d' % _count)
    sys.exit(1 if _failed else 0)


def wait_until(condition, message, limit=LIMIT):
    """Waits until condition() is true; fails when it does not become true."""
    end = time.monotonic() + limit
    while not condition():
        require(time.monotonic() < end, 'not within %d s: %s' % (limit, message))
        time.sleep(0.005)


def wait_until_settled(*measures):
    """Waits until what the functions measure does not change any more."""
    before, since = None, time.monotonic()
    end = since + LIMIT
    while time.monotonic() < since + SETTLED:
        now = [measure() for measure in measures]
        if now != before:
            before, since = now, time.monotonic()
        require(time.monotonic() < end, 'does not come to rest')
        time.sleep(0.02)


def bytes_in(descriptor):
    """How many bytes wait in the pipe of which this is either end."""
    answer = fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4))
    return struct.unpack('i', answer)[0]


def read_exactly(descriptor, size):
    """Reads so many bytes, or fewer if the end comes first; fails when neither comes."""
    data = b''
    end = time.monotonic() + LIMIT
    while len(data) < size:
        left = end - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise Failure('after %s nothing more comes; expected %d bytes' %
                          (_shorten(data), size))
        piece = os.read(descriptor, size - len(data))
        if not piece:
            break
        data += piece
    return data


def read_line(descriptor):
    """Reads up to a newline and not beyond."""
    line = b''
    while not line.endswith(b'\n'):
        byte = read_exactly(descriptor, 1)
        if not byte:
            break
        line += byte
    return line


def read_all(descriptor):
    """Reads to the end."""
    data = b''
    while True:
        piece = read_exactly(descriptor, 1 << 16)
        data += piece
        if len(piece) < 1 << 16:
            return data


def set_nonblocking(descriptor, on=True):
    """Changes O_NONBLOCK for all who share what is open there."""
    flags = fcntl.fcntl(descriptor, fcntl.F_GETFL)
    flags = flags | os.O_NONBLOCK if on else flags & ~os.O_NONBLOCK
    fcntl.fcntl(descriptor, fcntl.F_SETFL, flags)


class Volley:
    """A running volley; leaving the with-statement ends it. stdin, stdout and stderr are pipes
    unless a descriptor is given. Signals have their defaults, but for those ignored. It can run
    under another command, and with more in its environment."""

    def __init__(self, *options, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                 stderr=subprocess.PIPE, ignored=(), closed=(), under=(), environment=None):
        def prepare():
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE,
                           signal.SIGUSR1, signal.SIGUSR2):
                signal.signal(number, signal.SIG_IGN if number in ignored else signal.SIG_DFL)
            for descriptor in closed:
                os.close(descriptor)

        self.process = subprocess.Popen(
            [*under, *COMMAND, *options], bufsize=0, stdin=stdin, stdout=stdout, stderr=stderr,
            preexec_fn=prepare, env=dict(os.environ, **(environment or {})))
        self.pid = self.process.pid
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.stderr = self.process.stderr

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for file in (self.stdin, self.stdout, self.stderr):
            if file and not file.closed:
                file.close()

    def write(self, data):
        """Writes all of it."""
        while data:
            data = data[os.write(self.stdin.fileno(), data):]

    def give(self, data):
        """Writes it and waits until volley has taken it and waits for more."""
        self.write(data)
        wait_until(lambda: bytes_in(self.stdin.fileno()) == 0 and self.is_asleep(),
                   'the input is taken')

    def stuff(self, data):
        """Writes as much of it as goes in, until volley takes no more. Returns how much. Whole
        pages, so that the records in them stay whole when their size divides 4096."""
        descriptor, done = self.stdin.fileno(), 0
        set_nonblocking(descriptor)
        since = time.monotonic()
        while time.monotonic() < since + SETTLED and done < len(data):
            try:
                done += os.write(descriptor, data[done:done + 4096])
                since = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
        set_nonblocking(descriptor, False)
        return done

    def read(self, size):
        """So many bytes of its output."""
        return read_exactly(self.stdout.fileno(), size)

    def read_message(self):
        """A line of its standard error."""
        return read_line(self.stderr.fileno()).decode()

    def kill(self, number):
        """Sends it a signal."""
        self.process.send_signal(number)

    def _stat(self):
        """The fields of /proc/PID/stat behind the program's name."""
        with open('/proc/%d/stat' % self.pid, encoding='ascii') as file:
            return file.read().rpartition(')')[2].split()

    def is_asleep(self):
        """Whether it waits for something, and not for the processor."""
        return self._stat()[0] == 'S'

    def ticks(self):
        """The processor time that it has used."""
        return sum(int(field) for field in self._stat()[11:13])

    def is_running(self):
        """Whether it has not ended yet."""
        return self.process.poll() is None

    def wait(self):
        """Waits for its end. Returns the status, or minus the signal that it died by."""
        try:
            return self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            raise Failure('volley does not end') from None

    def finish(self, data=b''):
        """Gives it the rest of its input, reads the rest of its output, waits for its end.
        Returns the output, what it said on standard error, and its status; None for what is no pipe."""
        try:
            output, messages = self.process.communicate(data, LIMIT)
        except subprocess.TimeoutExpired:
            raise Failure('volley does not end') from None
        messages = None if messages is None else messages.decode()
        return output, messages, self.process.returncode

    def status_field(self, name):
        """A number from /proc/PID/status."""
        with open('/proc/%d/status' % self.pid, encoding='ascii') as file:
            for line in file:
                if line.startswith(name + ':'):
                    return int(line.split()[1])
        raise Failure('no %s in /proc' % name)


def run(*options, data=b'', **arguments):
    """Runs volley on this input. Returns output, messages, status."""
    with Volley(*options, **arguments) as volley:
        return volley.finish(data)
