#!/usr/bin/env python3
"""The examples of doc/recipes.md and doc/comparison.md, each run as it stands against the real
programs (see examples.py), with servers that are started for it (see services.py). A section that
says "Not run by the tests" is only read by the shell, as are examples without any output, which
wait for something that is not here."""
import contextlib
import os
import re

from examples import TOP, displays_of_markdown, install, read_example, read_lines, steps_of, \
    try_example
from services import kafka_broker, mail_system, postgres_server, redis_server, ssh_server
from tap import Skip, finish, require, run_case

NOT_RUN = 'Not run by the tests'

# What a command that has this word needs.
SERVICES = {'psql': postgres_server, 'redis-cli': redis_server, 'kcat': kafka_broker,
            'HOST': ssh_server, 'mail': mail_system}


def sections_of(path):
    """(heading, lines) of each."""
    sections = []
    for line in read_lines(path):
        if line.startswith('#'):
            sections.append((line.strip('# '), []))
        elif sections:
            sections[-1][1].append(line)
    return sections


def only_read(steps):
    """Reads it, and shows as skipped."""
    read_example(steps)
    raise Skip('waits for something, or is marked as not run')


def try_with_services(steps):
    """Runs it, with the servers that it needs in its environment."""
    text = '\n'.join(command for command, _ in steps)
    before = dict(os.environ)
    try:
        with contextlib.ExitStack() as stack:
            for word, service in SERVICES.items():
                if re.search(r'\b%s\b' % word, text):
                    os.environ.update(stack.enter_context(service()))
            try_example(steps)
    finally:
        os.environ.clear()
        os.environ.update(before)


def try_text(name):
    """A case for each example of the text."""
    ran = 0
    for heading, lines in sections_of(os.path.join(TOP, 'doc', name)):
        runs = not any(NOT_RUN in line for line in lines)
        for display in displays_of_markdown(lines):
            steps = steps_of(display)
            if steps:
                runs_too = runs and any(output for _, output in steps)
                ran += runs_too
                run_case('%s: %s' % (name, heading),
                         try_with_services if runs_too else only_read, steps)
    run_case('%s: there are examples' % name, require, ran >= 5, '%d were run' % ran)


def main():
    """Both texts."""
    install()
    for name in ['recipes.md', 'comparison.md']:
        try_text(name)
    finish()


main()
