#!/usr/bin/env python3
"""The examples of the manual and of README.md, run as they stand, and the manual's own form.

An example is a display with lines "$ COMMAND", which go on behind "> ", and the output of each.
One without any output waits for something that is not here, and is only read by the shell. The
commands of an example run in one empty directory; volley is that of $VOLLEY.
"""
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from tap import COMMAND, DIRECTORY, LIMIT, Skip, expect, finish, require, run_case

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)
MANUAL = os.path.join(TOP, 'man', 'volley.1')
README = os.path.join(TOP, 'README.md')

ESCAPES = {'e': '\\', '-': '-', '(aq': "'", '(ha': '^', '(ti': '~', '&': ''}


def read_lines(path):
    """The lines of a text."""
    with open(path, encoding='utf-8') as file:
        return file.read().splitlines()


def unescape(line):
    """What a line of a literal display of the manual looks like."""
    return re.sub(r'\\(\(..|.)', lambda escape: ESCAPES[escape[1]], line)


def manual_displays():
    """The literal displays of EXAMPLES."""
    displays, section, display = [], None, None
    for line in read_lines(MANUAL):
        if line.startswith('.Sh '):
            section = line[4:]
        elif line.startswith('.Bd -literal') and section == 'EXAMPLES':
            display = []
        elif line == '.Ed' and display is not None:
            displays.append(display)
            display = None
        elif display is not None:
            display.append(unescape(line))
    return displays


def readme_displays():
    """The indented blocks. Blank lines are part of them, but for those around them."""
    displays, display = [], []
    for line in read_lines(README) + ['end']:
        if line.startswith('    ') or not line:
            display.append(line[4:])
            continue
        text = '\n'.join(display).strip('\n')
        if text:
            displays.append(text.split('\n'))
        display = []
    return displays


def steps_of(display):
    """Commands with their output, as [[COMMAND, OUTPUT], ...]; none when it is no example."""
    steps = []
    for line in display:
        if line.startswith('$ '):
            steps.append([line[2:], ''])
        elif steps and line.startswith('> ') and not steps[-1][1]:
            steps[-1][0] += '\n' + line[2:]
        elif steps:
            steps[-1][1] += line + '\n'
    return steps


def make_shim():
    """A directory with the program "volley", first in PATH."""
    directory = os.path.join(DIRECTORY, 'bin')
    os.mkdir(directory)
    path = os.path.join(directory, 'volley')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nexec %s "$@"\n' % shlex.join(COMMAND))
    os.chmod(path, 0o755)
    os.environ['PATH'] = directory + os.pathsep + os.environ['PATH']


def try_example(steps):
    """Runs the commands and compares. Blank lines at the very end are not looked at."""
    if len(COMMAND) > 1 and any('sleep' in command for command, _ in steps):
        raise Skip('the program is slow to start')
    directory = tempfile.mkdtemp(dir=DIRECTORY)
    for command, output in steps:
        done = subprocess.run(['sh', '-c', command], cwd=directory, timeout=3 * LIMIT,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        got = done.stdout.decode()
        expect('$ %s\noutput' % command, got.rstrip('\n'), output.rstrip('\n'))
        expect('$ %s\nstatus' % command, done.returncode, 0)


def read_example(steps):
    """Lets the shell read the commands, without running them."""
    for command, _ in steps:
        done = subprocess.run(['sh', '-n', '-c', command], capture_output=True, check=False)
        expect('$ %s\nstatus' % command, done.returncode, 0)


def try_examples(name, displays, least):
    """A case for each example, and one that there are some."""
    ran = 0
    for display in displays:
        steps = steps_of(display)
        if not steps:
            continue
        has_output = any(output for _, output in steps)
        ran += has_output
        run_case('%s: %s' % (name, steps[-1][0].replace('\n', ' ').replace('#', ' ')),
                 try_example if has_output else read_example, steps)
    run_case('%s: there are examples' % name, require, ran >= least,
             '%d of at least %d were run' % (ran, least))


def mandoc_is_silent():
    """What mandoc has to say of the manual; whether others are installed here is not its fault."""
    if not shutil.which('mandoc'):
        raise Skip('mandoc is not installed')
    done = subprocess.run(['mandoc', '-T', 'lint', MANUAL], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    lines = [line for line in done.stdout.decode().splitlines()
             if 'referenced manual not found' not in line]
    expect('mandoc -T lint', lines, [])


def sentences_have_lines():
    """One sentence a line: none begins within one."""
    lines = [line for line in read_lines(MANUAL)
             if not line.startswith('.') and re.search(r'[a-z)][.?] +[A-Z]', line)]
    expect('lines with more than a sentence', lines, [])


def main():
    """All of it."""
    make_shim()
    run_case('mandoc -T lint is silent', mandoc_is_silent)
    run_case('each sentence of the manual begins a line', sentences_have_lines)
    try_examples('manual', manual_displays(), 10)
    try_examples('README.md', readme_displays(), 3)
    finish()


main()
