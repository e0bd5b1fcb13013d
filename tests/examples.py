"""Examples in texts, run as they stand.

An example is a display with lines "$ COMMAND", which go on behind "> ", and the output of each.
One without any output waits for something that is not here, and is only read by the shell. The
commands of an example run in one directory, which is empty but for a link to doc/; volley is that
of $VOLLEY. An example whose command names a program that is not installed is skipped.
"""
import os
import re
import shlex
import shutil
import subprocess
import tempfile

from tap import COMMAND, DIRECTORY, LIMIT, Skip, expect

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)

# Programs that not every system has.
PROGRAMS = ['curl', 'inotifywait', 'jq', 'parallel', 'python3', 'sponge', 'sqlite3']


def read_lines(path):
    """The lines of a text."""
    with open(path, encoding='utf-8') as file:
        return file.read().splitlines()


def displays_of_markdown(lines):
    """The indented blocks. Blank lines are part of them, but for those around them."""
    displays, display = [], []
    for line in lines + ['end']:
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


def install():
    """A directory with the program "volley", first in PATH."""
    directory = os.path.join(DIRECTORY, 'bin')
    os.mkdir(directory)
    path = os.path.join(directory, 'volley')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nexec %s "$@"\n' % shlex.join(COMMAND))
    os.chmod(path, 0o755)
    os.environ['PATH'] = directory + os.pathsep + os.environ['PATH']


def _skip_if_impossible(steps):
    text = '\n'.join(command for command, _ in steps)
    if len(COMMAND) > 1 and 'sleep' in text:
        raise Skip('the program is slow to start')
    for program in PROGRAMS:
        if re.search(r'\b%s\b' % program, text) and not shutil.which(program):
            raise Skip(program + ' is not installed')


def try_example(steps):
    """Runs the commands and compares. Blank lines at the very end are not looked at."""
    _skip_if_impossible(steps)
    directory = tempfile.mkdtemp(dir=DIRECTORY)
    if 'doc/' in str(steps):
        os.symlink(os.path.join(TOP, 'doc'), os.path.join(directory, 'doc'))
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
