"""How fast records pass, beside other programs that read and write all of them."""
import os

from common import in_turn, median, progress, pump, ratios, run, table

SIZES = (10, 100, 1000)                 # bytes of a record
LARGEST = 8 << 30                       # bytes in one run


def name_of(size):
    """10 B, 1 KB."""
    return '%d B' % size if size < 1000 else '%d KB' % (size // 1000)


def tools_for(bench, size, pipe):
    """Pairs of a name and a command; the first is what all are compared with."""
    volley = bench.volley
    mawk = '{ print } NR % 1000 == 0 { print "" }'
    tools = [
        ('cat', ['cat']),
        ('copy', [bench.helper('copy')]),
        ('wc -l', ['wc', '-l']),
        ('volley -n 1000', volley + ['-n', '1000']),
        ('volley -n 1000 -t 1s', volley + ['-n', '1000', '-t', '1s']),
        ('volley -n 10', volley + ['-n', '10']),
        ('volley -n 10 -t 1s', volley + ['-n', '10', '-t', '1s']),
        ('volley -n 1000 -f ndjson', volley + ['-n', '1000', '-f', 'ndjson']),
    ]
    others = [
        ('mawk', ['mawk', mawk]),
        ('xargs -n 1000', ['xargs', '-n', '1000', 'echo']),
        ('split --filter', ['split', '-l', '1000', '--filter=cat']),
        ('parallel --pipe', ['parallel', '--pipe', '-N', '1000', 'cat']),
    ]
    if not pipe:
        others = others[:1]
    return tools + [(name, command) for name, command in others
                    if bench.has(command[0], 'throughput of %s records' % name_of(size))]


def expected(name, count, size):
    """The size of the output for so many records, where it is known."""
    if name in ('cat', 'copy'):
        return count * size
    if name.startswith('volley') and 'ndjson' not in name:
        batch = int(name.split()[2])
        return count * size + (count + batch - 1) // batch
    return None


def amount(measure, size, seconds):
    """How many bytes are to be moved so that it takes about so long: a power of two of blocks
    of 1000 records."""
    least = moved = size * 1000
    while True:
        took = measure(moved)
        if took.wall >= seconds / 4 or moved >= LARGEST:
            return max(least, min(LARGEST, int(moved * seconds / took.wall)) // least * least)
        moved *= 4


def compare(bench, title, case, size, tools, measure):
    """Measures the tools in turn; measure takes a command and a number of bytes."""
    seconds = 0.2 if bench.quick else 1
    amounts, speeds, costs = {}, {}, {}
    for name, command in tools:
        progress('%s: %s' % (case, name))
        amounts[name] = amount(lambda moved, command=command: measure(command, moved), size,
                               seconds)
    for name, command in in_turn(bench.rounds, tools):
        progress('%s: %s' % (case, name))
        took = measure(command, amounts[name])
        known = expected(name, amounts[name] // size, size)
        bench.require(known is None or took.output is None or took.output == known,
                      '%s: %s: %s bytes came, not %s' % (case, name, took.output, known))
        speeds.setdefault(name, []).append(amounts[name] / took.wall / 1e6)
        costs.setdefault(name, []).append(amounts[name] / max(took.cpu, 1e-3) / 1e6)
    rows = []
    for name, _ in tools:
        measures = {
            'MB/s': median(speeds[name]),
            'of cat': ratios(speeds[name], speeds['cat']),
            'of copy': ratios(speeds[name], speeds['copy']),
            'of cat, CPU': ratios(costs[name], costs['cat']),
        }
        plain = name.removesuffix(' -t 1s')
        if plain != name:
            measures['of that without -t'] = ratios(speeds[name], speeds[plain])
        bench.note('throughput/%s/%s' % (case, name), **measures)
        rows.append([name, median(speeds[name]) * 1e6 / size / 1e6] + list(measures.values())[:4])
    table(title, ['', 'M records/s', 'MB/s', 'of cat', 'of copy', 'of cat, CPU'], rows)


def from_pipe(bench, pin):
    """Producer, tool and consumer, all on one processor or each where it likes."""
    sizes = SIZES if pin else (100,)
    for size in sizes:
        path = bench.records('plain', 1000000 // size // 10 * 10, size)
        case = '%s, %s' % ('pipe' if pin else 'pipe, not pinned', name_of(size))
        tools = tools_for(bench, size, pin)
        compare(bench, 'Pipe to pipe, %s, records of %s' %
                ('all on one processor' if pin else 'not pinned', name_of(size)), case, size,
                tools, lambda command, moved, path=path: pump(bench, command, path, moved, pin))
        bench.forget(path)


def from_file(bench):
    """From one file into another; the input is as large as the fastest tool needs it."""
    size, count = 100, 400000 if bench.quick else 4000000
    path = bench.records('plain', count, size)
    output = os.path.join(bench.directory, 'output')

    def measure(command, _):
        with open(output, 'wb') as file:
            took = run(command, path, file)
        return took._replace(output=os.path.getsize(output))

    tools = tools_for(bench, size, False)
    walls, costs = {}, {}
    for name, command in tools:
        measure(command, None)
    for name, command in in_turn(max(3, bench.rounds), tools):
        progress('file: %s' % name)
        took = measure(command, None)
        known = expected(name, count, size)
        bench.require(known is None or took.output == known,
                      'file: %s: %s bytes came, not %s' % (name, took.output, known))
        walls.setdefault(name, []).append(1 / took.wall)
        costs.setdefault(name, []).append(1 / max(took.cpu, 1e-3))
    rows = []
    for name, _ in tools:
        speed = median(walls[name]) * count * size / 1e6
        measures = {'MB/s': speed, 'of cat': ratios(walls[name], walls['cat']),
                    'of copy': ratios(walls[name], walls['copy']),
                    'of cat, CPU': ratios(costs[name], costs['cat'])}
        bench.note('throughput/file, %s/%s' % (name_of(size), name), **measures)
        rows.append([name, speed / size] + list(measures.values()))
    os.unlink(output)
    bench.forget(path)
    table('File to file, records of %s' % name_of(size),
          ['', 'M records/s', 'MB/s', 'of cat', 'of copy', 'of cat, CPU'], rows)


def measure(bench):
    """All of it."""
    from_pipe(bench, True)
    from_pipe(bench, False)
    from_file(bench)
