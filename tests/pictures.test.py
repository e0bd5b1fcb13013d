#!/usr/bin/env python3
"""The pictures that doc/draw makes show what volley does."""
import glob
import json
import os
import re
import shlex
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

from tap import COMMAND, DIRECTORY, case, expect, finish, require

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)
SVG = '{http://www.w3.org/2000/svg}'

FIGURES = {
    'date': '2026-01-31', 'rounds': 7, 'quick': False,
    'machine': {'version': 'volley 1.2.3', 'processor': 'A & B', 'processors': 2,
                'system': 'Linux 6.1-x'},
    'results': {
        'throughput/pipe, 100 B/cat': {'MB/s': 1000, 'of cat': 1},
        'throughput/pipe, 100 B/volley -n 10': {'MB/s': 500, 'of cat': 0.5},
        'throughput/pipe, 10 B/cat': {'MB/s': 1},
        'lateness/idle/ppoll': {'least': 0.01, 'p50': 0.1, 'p99': 1, 'max': 10},
        'lateness/idle/volley -t': {'least': 0, 'p50': 0.1, 'p99.9': 1, 'max': 12},
        'lateness/busy/volley -t': {'p50': 0.2, 'p99': 2, 'max': 12},
    },
}

# What is right for a200 b500 c700 d1600 e2900 f3050 g3200 h3350 i4700 j5000: when a batch goes out,
# why, and what is in it.
TRIGGERS = {
    '-n 3': '700 count abc, 3050 count def, 4700 count ghi, 5000 eof j',
    '-t 1s': '1200 timeout abc, 2600 timeout d, 3900 timeout efgh, 5700 timeout ij',
    '-n 3 -t 1s': '700 count abc, 2600 timeout d, 3200 count efg, 4350 timeout h, 5700 timeout ij',
    '-i 400ms': '1100 idle abc, 2000 idle d, 3750 idle efgh, 5400 idle ij',
    '-e 2s': '2000 every abcd, 4000 every efgh, 6000 every ij',
    "-m '[dh]'": '1600 match abcd, 3350 match efgh, 5000 eof ij',
    '-n 3 -M fire': '700 count abc, 3050 count abcdef, 4700 count abcdefghi, 5000 eof abcdefghij',
    "-w 'session(600ms)'": '1300 window abc, 2200 window d, 3950 window efgh, 5600 window ij',
}
EXPRESSIONS = {
    'repeat(any(count(3), delay(1s)))': TRIGGERS['-n 3 -t 1s'],
    'repeat(all(count(3), delay(1s)))':
        '1200 count abc, 3050 count def, 4700 count ghi, 6000 eof j',
    'each(count(2), repeat(idle(400ms)))':
        '500 count ab, 1100 idle c, 2000 idle d, 3750 idle efgh, 5400 idle ij',
    'repeat(each(count(1), count(2),count(3)))':
        '200 count a, 700 count bc, 3050 count def, 3200 count g, 4700 count hi, 5000 eof j',
    "until(repeat(count(3)), match('h'))": '700 count abc, 3050 count def, 3350 match gh',
}
# How many timers there are, how often they are set, and how many are unset before they are due.
TIMERS = {
    '-n 3': (0, 0, 0), '-t 1s': (4, 4, 0), '-n 3 -t 1s': (5, 5, 2), '-i 400ms': (4, 10, 0),
    '-e 2s': (3, 3, 0), "-w 'session(600ms)'": (4, 10, 0),
}


def draw(name, *options):
    """Fills the directory with the pictures."""
    words = [sys.executable, '-B', os.path.join(TOP, 'doc', 'draw'), *options, name]
    done = subprocess.run(words, env=dict(os.environ, VOLLEY=shlex.join(COMMAND)),
                          stderr=subprocess.PIPE, check=False)
    require(done.returncode == 0, 'doc/draw failed: ' + done.stderr.decode())
    return done


def drawn():
    """The directory with all of them."""
    with open('figures.json', 'w', encoding='utf-8') as file:
        json.dump(FIGURES, file)
    draw('pictures', '--data', 'figures.json')
    return os.path.join(DIRECTORY, 'pictures')


PICTURES = drawn()


def read(*path):
    """A text."""
    with open(os.path.join(*path), encoding='utf-8') as file:
        return file.read()


def picture(name):
    """The elements of a picture, in order."""
    return ElementTree.parse(os.path.join(PICTURES, name + '.svg')).getroot()


def of_class(element, tag, kind):
    """What is of this kind in it."""
    return [part for part in element.iter(SVG + tag) if kind in part.get('class', '').split()]


def rows_of(root):
    """(label, [elements]) of each row: what stands to the left begins one, or goes on with it."""
    rows = []
    for element in root:
        if element.get('class') == 'code' and element.get('x') == '16':
            if rows and not rows[-1][1]:
                rows[-1] = (rows[-1][0] + element.text, [])
            else:
                rows.append((element.text, []))
        elif rows:
            rows[-1][1].append(element)
    return rows


def scale_of(root):
    """A function from a place to a time, as the axis has it."""
    axis = {text.text: float(text.get('x')) for text in of_class(root, 'text', 'quiet')}
    return lambda x: (float(x) - axis['0 s']) * 6000 / (axis['6 s'] - axis['0 s'])


def near(time, times):
    """The one of them that is drawn there: a place has one decimal."""
    return next((one for one in times if abs(one - time) < 2), time)


def batches_of(root):
    """What is drawn, in the form of the table: text, and places of brackets."""
    time_of, rows = scale_of(root), {}
    starts = [200, 500, 700, 1600, 2900, 3050, 3200, 3350, 4700, 5000]
    for label, elements in rows_of(root):
        told = []
        for element in elements:
            if element.tag != SVG + 'g':
                continue
            reason, names = element.find(SVG + 'title').text.split(': ')
            names = names.replace(' ', '')
            expect('the text beside the bracket', element.find(SVG + 'text').text, reason)
            way = element.find(SVG + 'path').get('d')
            begin, end = re.match(r'M(\S+) \S+v-6H(\S+)V', way).groups()
            expect('the beginning of ' + names, near(time_of(begin), starts),
                   starts['abcdefghij'.index(names[0])])
            told.append('%d %s %s' % (near(time_of(end), range(0, 6100, 50)), reason, names))
        rows[label] = ', '.join(told)
    return rows


@case
def pictures_are_well_formed_and_accessible():
    names = sorted(os.listdir(PICTURES))
    expect('pictures', names, ['expressions.svg', 'lateness.svg', 'throughput.svg', 'triggers.svg'])
    for name in names:
        root = ElementTree.parse(os.path.join(PICTURES, name)).getroot()
        ids = {root.find(SVG + tag).get('id') for tag in ('title', 'desc')}
        expect(name + ': what tells of it', set(root.get('aria-labelledby').split()), ids)
        require(len(root.find(SVG + 'desc').text) > 20, name + ': no description')


@case
def pictures_are_small_and_need_nothing_else():
    for path in glob.glob(PICTURES + '/*'):
        text = read(path)
        require(len(text) < 16000, '%s: %d bytes' % (path, len(text)))
        for word in ('href', 'url(', '@import', '<script', 'http://', 'https://'):
            require(word not in text.replace('xmlns="http://www.w3.org/2000/svg"', ''),
                    '%s has %s' % (path, word))


@case
def pictures_are_for_light_and_dark_and_have_no_tiny_text():
    for path in glob.glob(PICTURES + '/*'):
        text = read(path)
        require('@media(prefers-color-scheme:dark)' in text, path)
        light, dark = text[:text.index('</style>')].split('@media')
        kinds = set(' '.join(re.findall(r'class="([^"]*)"', text)).split())
        for kind in kinds - {'head', 'code', 'line', 'bare'}:
            require('.%s' % kind in light and '.%s' % kind in dark, '%s: %s' % (path, kind))
        for size in re.findall(r'(?:font|font-size):(\d+)px', text):
            require(int(size) >= 11, '%s: %s px' % (path, size))


@case
def the_same_picture_each_time():
    draw('again')
    for name in ('triggers.svg', 'expressions.svg'):
        expect(name, read('again', name) == read(PICTURES, name), True)


@case
def the_pictures_of_the_texts_are_what_volley_does():
    for name in ('triggers.svg', 'expressions.svg'):
        require(read(TOP, 'doc', 'pictures', name) == read(PICTURES, name),
                name + ' is of another volley; see "make pictures"')


@case
def batches_of_triggers():
    expect('batches', batches_of(picture('triggers')), TRIGGERS)


@case
def batches_of_expressions():
    expect('batches', batches_of(picture('expressions')), EXPRESSIONS)


@case
def timers_of_triggers():
    rows = dict(rows_of(picture('triggers')))
    for label, wanted in TIMERS.items():
        bars = [element for element in rows[label] if element.get('class') == 'timer']
        marks = [element.get('d') for element in rows[label] if element.get('class') == 'mark']
        if label == list(TRIGGERS)[-1]:                 # the legend stands behind it
            bars, marks = bars[:-1], marks[:-2]
        marks = ''.join(marks)
        expect(label, (len(bars), marks.count('v8'), marks.count('l8 8')), wanted)


@case
def timers_end_where_they_are_due():
    root = picture('triggers')
    time_of, wanted = scale_of(root), [700, 2600, 3200, 4350, 5700]
    bars = [re.fullmatch(r'M\S+ \S+H(\S+)', element.get('d'))[1]
            for element in dict(rows_of(root))['-n 3 -t 1s'] if element.get('class') == 'timer']
    expect('the ends', [near(time_of(end), wanted) for end in bars], wanted)


@case
def records_are_where_their_time_is():
    root = picture('triggers')
    time_of, wanted = scale_of(root), [200, 500, 700, 1600, 2900, 3050, 3200, 3350, 4700, 5000]
    dots = of_class(root, 'path', 'dots')
    expect('rows of dots, and the legend', len(dots), len(TRIGGERS) + 1)
    for row in dots[:-1]:
        places = re.findall(r'M(\S+) \S+h0', row.get('d'))
        expect('the dots', [near(time_of(x), wanted) for x in places], wanted)


@case
def bars_are_as_long_as_the_figures_say():
    root = picture('throughput')
    names = [text.text for text in of_class(root, 'text', 'code')]
    expect('the names', names, ['cat', 'volley -n 10'])
    widths = [float(bar.get('width')) for bar in of_class(root, 'rect', 'bar')]
    expect('the second is half as long', round(widths[1] / widths[0], 2), 0.5)
    require(any('A & B' in (text.text or '') for text in root.iter(SVG + 'text')), 'no machine')


@case
def curves_have_all_points_of_the_figures():
    root = picture('lateness')
    curves = [re.findall(r'[ML](\S+) ([^L]+)', path.get('d'))
              for path in of_class(root, 'path', 'line')]
    expect('points, and a line to the name', [len(points) for points in curves], [4, 2, 4, 2, 3, 2])
    for points in curves:
        places = [float(x) for x, _ in points]
        expect('from left to right', places, sorted(places))
    names = sorted((float(text.get('y')), text.text) for text in root.iter(SVG + 'text')
                   if 'machine' in text.text and text.get('class') is None)
    expect('the names', len(names), 3)
    require(all(after - before >= 14 for (before, _), (after, _) in zip(names, names[1:])),
            'names on each other: %s' % names)


@case
def figures_that_lack_a_part_leave_its_picture_out():
    with open('none.json', 'w', encoding='utf-8') as file:
        json.dump(dict(FIGURES, results={}), file)
    done = draw('none', '--data', 'none.json')
    expect('lines', len(done.stderr.splitlines()), 2)
    expect('pictures', sorted(os.listdir('none')), ['expressions.svg', 'triggers.svg'])


@case
def pictures_of_the_readme_are_there():
    names = re.findall(r'!\[[^]]+\]\(([^)]+)\)', read(TOP, 'README.md'))
    require(names, 'there are none')
    for name in names:
        require(os.path.exists(os.path.join(TOP, name)), name + ' is not there')


finish()
