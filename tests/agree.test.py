#!/usr/bin/env python3
"""What is said of volley in several places agrees: the options as --help prints their table, the
manual, the completion; exit statuses; facts; words that are values. And no option is untested."""
import glob
import os
import re
import shlex
import shutil
import subprocess

from tap import COMMAND, DIRECTORY, LIMIT, Skip, expect, finish, require, run, run_case

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)

# These hold no cases of what options do.
NO_CASES = ['agree.test.py', 'completion.test.sh', 'levels.test.sh', 'manual.test.py',
            'missing.test.sh']


def read(*path):
    """A file of the project."""
    with open(os.path.join(TOP, *path), encoding='utf-8') as file:
        return file.read()


def unescape(text):
    """Without the escapes of roff that are used in what is compared."""
    return text.replace('\\-', '-').replace('\\&', '').replace('\\e', '\\')


HELP = run('--help')[0].decode()
MANUAL = read('man', 'volley.1')
SECTIONS = dict(re.findall(r'^\.Sh (.*)\n((?:(?!\.Sh ).*\n)*)', MANUAL, re.M))


def options_of_help():
    """(heading, letter, name, argument) of each option, in order; '' for what there is not."""
    options, heading = [], ''
    for line in HELP.splitlines():
        row = re.match(r'  (?:-(.), |    )--([a-z][a-z-]*)(?: ([A-Z]\S*))? ', line)
        if row:
            options.append((heading, row[1] or '', row[2], row[3] or ''))
        elif re.match(r'\S.*:$', line):
            heading = line[:-1]
    return options


def options_of_manual():
    """The same, of the entries of OPTIONS."""
    options, heading = [], ''
    for line in SECTIONS['OPTIONS'].splitlines():
        row = re.match(r'\.It (?:Fl (\S) , )?Fl -([a-z-]+)(?: Ar (\S+))?$', unescape(line))
        if row:
            options.append((heading, row[1] or '', row[2], row[3] or ''))
        elif line.startswith('.Ss '):
            heading = line[4:]
        else:
            require(not line.startswith('.It Fl'), 'not understood: ' + line)
    return options


OPTIONS = options_of_help()
NAMES = ['--' + name for _, _, name, _ in OPTIONS]
LETTERS = ['-' + letter for _, letter, _, _ in OPTIONS if letter]


def complete(*words):
    """What the completion offers for these words, the last being incomplete."""
    if not shutil.which('bash'):
        raise Skip('bash is not installed')
    path = os.path.join(DIRECTORY, 'volley')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nexec %s "$@"\n' % shlex.join(COMMAND))
    os.chmod(path, 0o755)
    script = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _volley; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(
        ['bash', '--norc', '-c', script, os.path.join(TOP, 'completions', 'volley.bash'),
         path, *words], capture_output=True, timeout=LIMIT, check=False)
    expect('messages of bash', done.stderr.decode(), '')
    return done.stdout.decode().split()


def words_of(name):
    """The words that the option's value can be, as its message tells; none if it is no word."""
    message = run('--' + name, 'no-such-word')[1]
    hint = re.search(r": unknown(?: [a-z ]+)? \(use (.*)\)$", message, re.M)
    words = re.split(r', | or ', hint[1]) if hint else []
    return [word for word in words if ' ' not in word]


def help_and_manual():
    """Headings, letters, names, arguments, and their order."""
    require(len(OPTIONS) > 10, 'the help is not understood')
    expect('the options of the manual', options_of_manual(), OPTIONS)


def mentioned_options():
    """All that the manual mentions anywhere, in its text and in its examples."""
    text = unescape(MANUAL)
    found = {'-' + name for line in re.findall(r'^\.(.*)$', text, re.M)
             for name in re.findall(r'\bFl (\S+)', line)}
    found |= {name for line in re.findall(r'\bvolley (.*)', text)
              for name in re.findall(r'(?<![\w-])(--[a-z-]+|-[A-Za-z0])(?![\w-])', line)}
    expect('those that there are not', sorted(found - set(NAMES) - set(LETTERS)), [])


def completed_options():
    """No more and no fewer."""
    expect('what is offered', sorted(complete('-')), sorted(NAMES + LETTERS))


def completed_values():
    """The words that the program tells of; nothing for other values."""
    for _, letter, name, argument in OPTIONS:
        if argument:
            words = words_of(name)
            expect('after --' + name, complete('--' + name, ''), words)
            if letter:
                expect('after -' + letter, complete('-' + letter, ''), words)


def described_values():
    """Those words stand in the paragraph of the option."""
    for _, _, name, argument in OPTIONS:
        paragraph = re.search(r'^\.It .*Fl -%s(?: Ar .*)?\n((?:(?!\.It |\.El).*\n)*)' % name,
                              SECTIONS['OPTIONS'], re.M)
        for word in words_of(name) if argument else []:
            require(re.search(r'\bCm %s( |$)' % word, paragraph[1], re.M),
                    '--%s: nothing of %s' % (name, word))


def exit_statuses():
    """The same ones, in order."""
    told = re.findall(r'^  (\d+)  ', HELP.split('Exit status:\n')[1], re.M)
    expect('those of the manual', re.findall(r'^\.It (\d+)', SECTIONS['EXIT STATUS'], re.M), told)
    require(len(told) > 2, 'the help is not understood')


def facts():
    """The facts that the message about a wrong one lists, in order."""
    told = re.findall(r'\{(\w+)\}', run('--header', '{no-such-fact}')[1].split('(use ')[1])
    expect('those of the manual', re.findall(r'^\.It Cm \{(\w+)\}', SECTIONS['FACTS'], re.M), told)


def arguments():
    """Each kind of value of the help is explained: under VALUES, or by its words."""
    explained = set(re.findall(r'^\.It Ar (\S+)', SECTIONS['VALUES'], re.M))
    for _, _, name, argument in OPTIONS:
        require(not argument or argument in explained or words_of(name),
                '--%s: %s is not explained' % (name, argument))


def commands_of_tests():
    """What follows the program's name in the end-to-end tests, roughly."""
    text = ''
    for path in sorted(glob.glob(os.path.join(TOP, 'tests', '*.test.*'))):
        if os.path.basename(path) in NO_CASES:
            continue
        test = read(path)
        if path.endswith('.sh'):
            test = '\n'.join(re.findall(r'\bVOLLEY\b(.*)', test.replace('\\\n', ' ')))
        text += test + '\n'
    for path in glob.glob(os.path.join(TOP, 'tests', 'vectors', '*.tsv')):
        text += '\n'.join(' ' + line.split('\t')[1] for line in read(path).splitlines()) + '\n'
    return text


def tested_options():
    """By letter or by name."""
    commands = commands_of_tests()
    missing = []
    for _, letter, name, _ in OPTIONS:
        forms = r'--%s(?![\w-])' % name
        if letter:
            forms += r'|-[A-Za-z0]?%s(?![A-Za-z-])' % letter
        if not re.search(r"(?<![^\s'\"])(?:%s)" % forms, commands):
            missing.append('--' + name)
    expect('those in no end-to-end test', missing, [])


def version():
    """What the program says, what it is built from, and what NEWS begins with."""
    number = read('VERSION').strip()
    expect('--version', run('--version')[0].decode(), 'volley %s\n' % number)
    expect('the newest of NEWS', re.search(r'^\S.*?(\d+\.\d+\.\d+)', read('NEWS'), re.M)[1], number)


def main():
    """A case for each pair."""
    run_case('options: the help and the manual', help_and_manual)
    run_case('options: all that the manual mentions', mentioned_options)
    run_case('options: the help and the completion', completed_options)
    run_case('options: each is in an end-to-end test', tested_options)
    run_case('words as values: the messages and the completion', completed_values)
    run_case('words as values: the messages and the manual', described_values)
    run_case('arguments: the help and the manual', arguments)
    run_case('exit statuses: the help and the manual', exit_statuses)
    run_case('facts: the message and the manual', facts)
    run_case('the version: the program, its file and NEWS', version)
    finish()


main()
