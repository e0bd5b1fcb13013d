#!/usr/bin/env python3
"""The completions in the real shells: what is offered for a line, the last word being incomplete.
That all options and their values are offered is for agree.test.py."""
from offers import SHELLS, offers
from tap import expect, finish, run_case

# What the line ends with, and what is offered.
LINES = [
    ('a long option that is begun', ['-n', '2', '--max-r'], ['--max-record']),
    ('options that begin alike', ['--time-'], ['--time-domain', '--time-format']),
    ('no option that there is not', ['--no-such'], []),
    ('a value that is begun', ['--mode', 'fire-'], ['fire-and-purge']),
    ('a value with brackets', ['-w', 'tum'], ['tumbling(1m)']),
    ('nothing for a number', ['-n', ''], []),
    ('a command behind --', ['-n', '2', '--', 'volley-try-'], ['volley-try-me']),
    ('no options behind --', ['--', 'cat', '--time-'], []),
]

# In bash names of files are readline's.
LINES_WITH_FILES = [
    ('files', ['--joblog', ''], ['directory', 'file']),
    ('directories', ['--dead-letter', ''], ['directory']),
    ('a value after =', ['--mode=fire-'], ['--mode=fire-and-purge']),
]


def try_line(shell, words, wanted):
    """Compares; whether a directory ends with a slash is the shell's business."""
    expect('offered for %s' % ' '.join(words),
           [word.rstrip('/') for word in offers(shell, *words)], wanted)


def main():
    """All lines in all shells."""
    for shell in SHELLS:
        for name, words, wanted in LINES + (LINES_WITH_FILES if shell != 'bash' else []):
            run_case('%s: %s' % (shell, name), try_line, shell, words, wanted)
    finish()


main()
