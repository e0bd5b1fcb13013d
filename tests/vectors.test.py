#!/usr/bin/env python3
"""The conformance vectors: each line of vectors/*.tsv is a case (vectors/README.md)."""
import os
import re
import shlex
import subprocess

from tap import COMMAND, Failure, LIMIT, expect, finish, require, run_case

UNIT_TESTS = ['timer.tsv', 'timers.tsv']        # have other columns and are for unit tests
COLUMNS = ['id', 'args', 'stdin', 'stdout', 'status', 'rule', 'source']
SIMPLE = {b'n': b'\n', b't': b'\t', b'r': b'\r', b'0': b'\0', b'\\': b'\\'}


def unescape(text):
    """The bytes that stand for themselves or as one of the escapes."""
    def byte(found):
        return SIMPLE.get(found[1]) or bytes([int(found[1][1:], 16)])
    return re.sub(rb'\\(x[0-9a-fA-F]{2}|[ntr0\\])', byte, text.encode())


def read_vectors(path):
    """The vectors of one file, each a dictionary."""
    with open(path, encoding='utf-8') as file:
        head, *lines = file.read().splitlines()
    require(head.split('\t') == COLUMNS, '%s: its columns are not those of vectors' % path)
    rows = [line.split('\t') for line in lines]
    require(all(len(row) == len(COLUMNS) for row in rows), '%s: a column is missing' % path)
    return [dict(zip(COLUMNS, row)) for row in rows]


def try_vector(vector):
    """Runs volley as the vector says."""
    environment = dict(os.environ, LC_ALL='C', TZ='UTC0')
    command = [*COMMAND, *shlex.split(vector['args'])]
    try:
        done = subprocess.run(command, input=unescape(vector['stdin']), timeout=LIMIT,
                              capture_output=True, env=environment, check=False)
    except subprocess.TimeoutExpired:
        raise Failure('volley does not end') from None
    call = 'volley %s\n' % vector['args']
    expect(call + 'output', done.stdout, unescape(vector['stdout']))
    expect(call + done.stderr.decode(errors='replace') + 'status', done.returncode,
           int(vector['status']))


def main():
    """A case for each vector of each file."""
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'vectors')
    for name in sorted(os.listdir(here)):
        if name.endswith('.tsv') and name not in UNIT_TESTS:
            for vector in read_vectors(os.path.join(here, name)):
                run_case('%s (%s)' % (vector['id'], vector['source'].replace('#', ' ')),
                         try_vector, vector)
    finish()


main()
