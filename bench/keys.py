"""What many keys cost, in time and in memory."""
import os

from common import Live, in_turn, median, progress, run, table

MAWK = '''{ held[$1] = held[$1] $0 "\\n" }
++count[$1] == 10 { printf "%s\\n", held[$1]; delete held[$1]; delete count[$1] }
END { for (key in held) printf "%s\\n", held[key] }'''


def times(bench):
    """Nanoseconds a record, with a timer for each key."""
    count = 2000000 if bench.quick else 10000000
    tools = [
        ('volley -t', bench.volley + ['-k', '1', '-n', '10', '-t', '1h']),
        ('volley -i', bench.volley + ['-k', '1', '-n', '10', '-i', '1h']),
        ('volley, no timer', bench.volley + ['-k', '1', '-n', '10']),
        ('volley, no key', bench.volley + ['-n', '10', '-t', '1h']),
    ]
    # Apart: while it runs, the host of a virtual machine may take the memory of the others back.
    slow = [('mawk', ['mawk', MAWK])] if bench.has('mawk', 'keys') else []
    rows = []
    for keys in (10, 10000, 1000000):
        path = bench.records('keys', count, keys)
        walls, costs = {}, {}
        for name, command in [*in_turn(bench.rounds, tools), *in_turn(bench.rounds, slow)]:
            progress('keys: %d, %s' % (keys, name))
            took = run(command, path)
            walls.setdefault(name, []).append(took.wall / count * 1e9)
            costs.setdefault(name, []).append(took.cpu / count * 1e9)
        bench.forget(path)
        for name, _ in tools + slow:
            bench.note('keys/%d/%s' % (keys, name), ns_a_record=median(walls[name]),
                       ns_a_record_CPU=median(costs[name]))
            rows.append(['%s, %d keys' % (name, keys), median(walls[name]), median(costs[name])])
    table('%d M records of 19 bytes at random among the keys, batches of 10' % (count // 1000000),
          ['', 'ns a record', 'CPU'], rows)


def held_memory(bench, options, path):
    """Resident bytes of volley with all records of the file."""
    with Live(bench.volley + options) as live:
        live.give(bench, path)
        return live.status('VmRSS')


def memory(bench):
    """Bytes a key that are not its records."""
    options = ['-k', '1', '-n', '100', '-t', '1h']
    rows = []
    path = bench.records('each', 1, 1)
    empty = held_memory(bench, options, path)
    bench.forget(path)
    for keys in (10000, 1000000):
        for each in (1, 10):
            progress('memory: %d keys' % keys)
            path = bench.records('each', keys * each, keys)
            resident = held_memory(bench, options, path)
            beside = (resident - empty - os.path.getsize(path)) / keys
            bench.forget(path)
            bench.note('memory/%d keys/%d records' % (keys, each), bytes_a_key=beside,
                       resident_MB=resident / 1e6)
            rows.append(['%d keys with %d records each' % (keys, each), resident / 1e6, beside])
    table('Memory of keys, each with a timer',
          ['', 'resident MB', 'bytes a key beside the records'], rows)


def expiry(bench):
    """Memory after all keys have expired, again and again with other keys."""
    keys = 100000 if bench.quick else 1000000
    rows = []
    with Live(bench.volley + ['-k', '1', '-t', '50ms']) as live:
        for number in range(6):
            progress('memory: expiry %d' % number)
            path = bench.records('each', keys, keys, number * keys)
            live.give(bench, path)
            bench.forget(path)
            rows.append(live.status('VmRSS') / 1e6)
    bench.note('memory/expired/volley', first_MB=rows[0], last_MB=rows[-1],
               growth=rows[-1] / rows[1])
    table('Memory after so many times %d keys, all expired, in MB' % keys,
          [''] + [str(i + 1) for i in range(len(rows))], [['resident'] + rows])


def plain(bench):
    """The most memory that a run had in which nothing was held for long."""
    rows = []
    for size in (10, 100, 1000):
        path = bench.records('plain', 100000 // size, size)
        with Live(bench.volley + ['-n', '1000']) as live:
            live.give(bench, path, 20 * 1000 * 1000 if bench.quick else 400 * 1000 * 1000)
            peak = live.status('VmHWM') / 1e6
        bench.forget(path)
        bench.note('memory/plain/%d B' % size, peak_MB=peak)
        rows.append(['records of %d B' % size, peak])
    table('Memory of a plain run, batches of 1000', ['', 'peak MB'], rows)


def measure(bench):
    """All of it."""
    times(bench)
    if not os.path.exists('/proc/self/status'):
        bench.skipped.append('memory: there is no /proc/PID/status')
        return
    memory(bench)
    expiry(bench)
    plain(bench)
