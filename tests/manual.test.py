#!/usr/bin/env python3
"""The examples of the manual and of README.md, run as they stand (see examples.py), and the
manual's own form. The manual is all pages in man/."""
import glob
import os
import re
import shutil
import subprocess

from examples import TOP, displays_of_markdown, install, read_example, read_lines, steps_of, \
    try_example
from tap import Skip, expect, finish, require, run_case

PAGES = sorted(glob.glob(os.path.join(TOP, 'man', '*.[1-9]')))

ESCAPES = {'e': '\\', '-': '-', '(aq': "'", '(ha': '^', '(ti': '~', '&': ''}


def unescape(line):
    """What a line of a literal display of the manual looks like."""
    return re.sub(r'\\(\(..|.)', lambda escape: ESCAPES[escape[1]], line)


def displays_of_page(page):
    """The literal displays."""
    displays, display = [], None
    for line in read_lines(page):
        if line.startswith('.Bd -literal'):
            display = []
        elif line == '.Ed' and display is not None:
            displays.append(display)
            display = None
        elif display is not None:
            display.append(unescape(line))
    return displays


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


def mandoc_is_silent(page):
    """What mandoc has to say of the page; whether others are installed here is not its fault."""
    if not shutil.which('mandoc'):
        raise Skip('mandoc is not installed')
    done = subprocess.run(['mandoc', '-T', 'lint', page], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    lines = [line for line in done.stdout.decode().splitlines()
             if 'referenced manual not found' not in line]
    expect('mandoc -T lint', lines, [])


def sentences_have_lines(page):
    """One sentence a line: none begins within one."""
    lines = [line for line in read_lines(page)
             if not line.startswith('.') and re.search(r'[a-z)][.?] +[A-Z]', line)]
    expect('lines with more than a sentence', lines, [])


def main():
    """All of it."""
    install()
    run_case('there is a manual', require, len(PAGES) > 1, 'no pages in man/')
    for page in PAGES:
        name = os.path.basename(page)
        run_case(name + ': mandoc -T lint is silent', mandoc_is_silent, page)
        run_case(name + ': each sentence begins a line', sentences_have_lines, page)
        try_examples(name, displays_of_page(page), 10)
    try_examples('README.md',
                 displays_of_markdown(read_lines(os.path.join(TOP, 'README.md'))), 6)
    finish()


main()
