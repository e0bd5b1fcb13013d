"""When timeouts fire, and that volley sleeps until then."""
import os
import subprocess
import sys
import time

from common import Live, median, percentile, progress, table


class busy:
    """With this, each processor has something else to do."""

    def __init__(self, wanted):
        self.count = (os.cpu_count() or 1) if wanted else 0

    def __enter__(self):
        self.processes = [subprocess.Popen([sys.executable, '-c', 'while True: pass'])
                          for _ in range(self.count)]

    def __exit__(self, *_):
        for process in self.processes:
            process.kill()
            process.wait()


def firings(bench, command):
    """How late each of many timeouts was, in milliseconds."""
    count = 200 if bench.quick else 2000
    output = subprocess.run([bench.helper('lateness'), str(count)] + command, check=True,
                            stdout=subprocess.PIPE).stdout
    return [int(line.split()[1]) / 1e6 for line in output.splitlines()]


def timeouts(bench):
    """Beside a plain ppoll, on this machine as it is, and busy."""
    rows = []
    for load in ('idle', 'busy'):
        for name, command in (('ppoll', []), ('volley -t', bench.volley)):
            progress('lateness: %s, %s' % (name, load))
            with busy(load == 'busy'):
                late = firings(bench, command)
            bench.require(min(late) >= 0, '%s, %s: early by %.3f ms' % (name, load, -min(late)))
            measures = {'p50': median(late), 'p99': percentile(late, 0.99), 'max': max(late),
                        'least': min(late)}
            bench.note('lateness/%s/%s' % (load, name), **measures)
            rows.append(['%s, %s' % (name, load), str(len(late))] +
                        ['%.3f' % value for value in measures.values()])
    table('Lateness of timeouts of 1 to 20 ms, in ms',
          ['', 'firings', 'p50', 'p99', 'max', 'least'], rows)


def wake_ups(bench):
    """How often volley goes to sleep again while a timeout is pending, or none is."""
    rows = []
    for name, options in (('a pending timeout', ['-t', '1h']), ('a pending idle', ['-i', '1h']),
                          ('a timer each hour', ['-e', '1h']), ('no timer', ['-n', '10'])):
        with Live(bench.volley + options) as live:
            os.write(live.input, b'record\n')
            live.settle()
            before = live.status('voluntary_ctxt_switches')
            time.sleep(1 if bench.quick else 3)
            count = live.status('voluntary_ctxt_switches') - before
        bench.note('wake-ups/%s/volley' % name, count=count)
        bench.require(count == 0, '%s: %d wake-ups before it' % (name, count))
        rows.append([name, str(count)])
    table('Wake-ups while nothing comes', ['', 'wake-ups'], rows)


def measure(bench):
    """All of it."""
    timeouts(bench)
    if os.path.exists('/proc/self/status'):
        wake_ups(bench)
    else:
        bench.skipped.append('wake-ups: there is no /proc/PID/status')
