"""How the time of a record grows with the size of the input and with what is held."""
import os

from common import progress, run, table

PATIENCE = 20                           # seconds for a run; larger sizes are not tried then
STEEP = 3.0                             # times as long a record, at ten times the size


def cases(bench):
    """A name, the options, the sizes, and for a size the words for records and their number."""
    small, large = ([10**4, 10**5], 10**6) if bench.quick else ([10**4, 10**5, 10**6], 10**7)
    event = ['--time-domain', 'event', '--timestamp', 'prefix']
    late = event + ['--out-of-orderness', '100000d']
    keyed = ['-k', '1', '--max-keys', '20000000']

    def plain(size):
        return ('plain', size, 10)

    def each(size):
        return ('each', 2 * size, size)

    def clock(size):
        return ('clock', 2 * size, size)

    def spread(size):
        return ('spread', 2 * size, size)

    return [
        ('records, batches of 10', lambda _: ['-n', '10'], small + [large], plain),
        ('records in one batch', lambda _: [], small + [large], plain),
        ('records as ndjson', lambda _: ['-f', 'ndjson'], small + [large], plain),
        ('keys', lambda _: keyed + ['-n', '10'], small, each),
        ('timers', lambda size: event + keyed + ['-t', '%dms' % size], small, clock),
        ('idle timers', lambda size: event + keyed + ['-i', '%dms' % size], small, clock),
        ('windows', lambda _: late + ['-w', 'tumbling(1s)'], small, spread),
        ('sliding windows', lambda _: late + ['-w', 'sliding(2s,1s)'], small, spread),
        ('sessions', lambda _: late + ['-w', 'session(500ms)'], small, spread),
    ]


def fastest(bench, command, path):
    """Seconds of processor time, as others disturb them least; None if it takes too long."""
    runs = []
    for _ in range(max(1, bench.rounds // 2)):
        took = run(command, path, limit=PATIENCE)
        if not took:
            return None
        runs.append(took.cpu)
    return min(runs)


def measure(bench):
    """All of it."""
    rows, sizes_seen = [], [10**4, 10**5, 10**6] + ([] if bench.quick else [10**7])
    start = min(run(bench.volley, os.devnull).cpu for _ in range(5))
    for name, options, sizes, kind in cases(bench):
        each, given_up = {}, None
        for size in sizes:
            progress('growth: %s, %d' % (name, size))
            words = kind(size)
            path = bench.records(*words)
            took = fastest(bench, bench.volley + options(size), path)
            bench.forget(path)
            if took is None:
                given_up = size
                break
            each[size] = max(took - start, 0) / words[1] * 1e9
        seen = list(each.values())
        steepest = max((after / max(before, 1) for before, after in zip(seen, seen[1:])), default=0)
        bench.note('growth/%s/volley' % name, steepest=steepest, given_up_at=given_up,
                   **{'ns at %d' % size: value for size, value in each.items()})
        rows.append([name] + [each.get(size) for size in sizes_seen] +
                    ['took too long at %d' % given_up if given_up else
                     'steep' if steepest > STEEP else ''])
    table('Growth: ns of processor time a record, at so many records, keys, timers, windows',
          [''] + [str(size) for size in sizes_seen] + [''], rows)
