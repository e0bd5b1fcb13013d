#!/usr/bin/env python3
"""What is said of volley in several places agrees: the options as --help prints their table, the
manual, the completions; exit statuses; facts; words that are values. And no option is untested."""
import glob
import os
import re

from offers import SHELLS, offers
from tap import expect, finish, require, run, run_case

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
TOP = os.path.abspath(TOP)

# These hold no cases of what options do.
NO_CASES = ['agree.test.py', 'completion.test.sh', 'levels.test.sh', 'manual.test.py',
            'missing.test.sh', 'recipes.test.py', 'shells.test.py']

# For the values of these the completions offer names of files.
NAMES_OF_FILES = ['dead-letter', 'joblog', 'metrics', 'output']

# The reasons that are no leaf of a trigger.
OTHER_REASONS = ['limit', 'break', 'eof', 'signal', 'evicted', 'late']


def read(*path):
    """A file of the project."""
    with open(os.path.join(TOP, *path), encoding='utf-8') as file:
        return file.read()


def unescape(text):
    """Without the escapes of roff that are used in what is compared."""
    return text.replace('\\-', '-').replace('\\&', '').replace('\\e', '\\')


HELP = run('--help')[0].decode()
MANUAL = read('man', 'volley.1')
TRIGGERS = read('man', 'volley-triggers.7')
SECTIONS = dict(re.findall(r'^\.Sh (.*)\n((?:(?!\.Sh ).*\n)*)', MANUAL, re.M))


def options_of_help():
    """(heading, letter, name, argument) of each option, in order; '' for what there is not."""
    options, heading = [], ''
    for line in HELP.splitlines():
        row = re.match(r'  (?:-(.), |    )--([a-z][a-z-]*)(?: (\[=[A-Z]+\]|[A-Z]\S*))? ', line)
        if row:
            options.append((heading, row[1] or '', row[2], row[3] or ''))
        elif re.match(r'\S.*:$', line):
            heading = line[:-1]
    return options


def options_of_manual():
    """The same, of the entries of OPTIONS."""
    options, heading = [], ''
    for line in SECTIONS['OPTIONS'].splitlines():
        row = re.match(r'\.It (?:Fl (\S) , )?Fl -([a-z-]+)(?: Ar (\S+))?$',
                       re.sub(r' Ns Op = Ns Ar (\S+)$', r' Ar [=\1]', unescape(line)))
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


def words_of(name):
    """The words that the option's value can be, as its message tells; none if it is no word."""
    message = run('--%s=no-such-word' % name)[1]
    hint = re.search(r": (?:unknown|neither)[^(\n]*\(use (.*)\)$", message, re.M)
    words = re.split(r', | or ', hint[1]) if hint else []
    return [word for word in words if not re.search('[ A-Z]', word)]


def help_and_manual():
    """Headings, letters, names, arguments, and their order."""
    require(len(OPTIONS) > 10, 'the help is not understood')
    expect('the options of the manual', options_of_manual(), OPTIONS)


def mentioned_options():
    """All that the manual mentions anywhere, in its text and in its examples."""
    text = unescape(MANUAL + TRIGGERS)
    found = {'-' + name for line in re.findall(r'^\.(?:It )?(Fl .*)$', text, re.M)
             for name in re.findall(r'\bFl (\S+)', line)}
    found |= {name for line in re.findall(r'\bvolley (.*)', text)
              for name in re.findall(r'(?<![\w-])(--[a-z-]+|-[A-Za-z0])(?![\w-])',
                                     re.split(r' -- |\|', line)[0])}
    expect('those that there are not', sorted(found - set(NAMES) - set(LETTERS) - {'--'}), [])


def completed_options(shell):
    """No more and no fewer."""
    offered = {word.rstrip('=') for word in offers(shell, '-')}
    expect('what is offered', sorted(offered), sorted(NAMES + LETTERS))


def offered_values(shell, name, argument):
    """What is offered for the option's value; one that may be left out stands behind "="."""
    if not argument.startswith('['):
        return offers(shell, '--' + name, '')
    words = ['--' + name, '='] if shell == 'bash' else ['--%s=' % name]
    return sorted(word.split('=')[-1] for word in offers(shell, *words))


def completed_values(shell):
    """The words that the program tells of; nothing for other values."""
    for _, _, name, argument in OPTIONS:
        if argument and name not in NAMES_OF_FILES:
            expect('after --' + name, offered_values(shell, name, argument),
                   sorted(words_of(name)))


def completed_values_of_letters(shell):
    """The same as after the long name, where there are any."""
    for _, letter, name, argument in OPTIONS:
        words = sorted(words_of(name)) if argument and letter else []
        if words:
            expect('after -' + letter, offers(shell, '-' + letter, ''), words)


def described_values():
    """Those words stand in the paragraph of the option; those of triggers have a page."""
    for _, _, name, argument in OPTIONS:
        paragraph = re.search(r'^\.It .*Fl -%s(?: (?:Ar|Ns) .*)?\n((?:(?!\.It |\.El).*\n)*)' % name,
                              SECTIONS['OPTIONS'], re.M)
        for word in words_of(name) if argument and name != 'trigger' else []:
            require(re.search(r'\bCm %s( |$)' % re.escape(word), paragraph[1], re.M),
                    '--%s: nothing of %s' % (name, word))


def described_triggers():
    """The leaves and the combinators of the page are those of the message, in order."""
    described = re.findall(r'^\.It Ic (\w+)', TRIGGERS, re.M)
    short = [word for i, word in enumerate(described) if word not in described[:i]]
    told = words_of('trigger')
    require(len(told) > 10, 'the message is not understood')
    expect('those of volley-triggers(7)', sorted(short), sorted(told))


def reasons():
    """The leaves that have one, and those that the manual names besides, are what is there."""
    paragraph = re.search(r'^\.It Cm \{reason\}\n((?:(?!\.It ).*\n)*)', SECTIONS['FACTS'], re.M)[1]
    told = re.findall(r'\w+', ' '.join(re.findall(r'^\.Cm (.*)$', paragraph, re.M)))
    leaves = re.findall(r'^\.It Ic \S+ Ta (\w+) Ta', TRIGGERS, re.M)
    expect('those of the manual', sorted(told), sorted(set(leaves + OTHER_REASONS) - {'none'}))


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
    run_case('options: each is in an end-to-end test', tested_options)
    run_case('words as values: the messages and the manual', described_values)
    run_case('triggers: the message and the manual', described_triggers)
    run_case('reasons: the two pages of the manual', reasons)
    for shell in SHELLS:
        run_case('options: the help and the completion of ' + shell, completed_options, shell)
        run_case('words as values: the messages and the completion of ' + shell,
                 completed_values, shell)
        run_case('words as values: after letters, in ' + shell, completed_values_of_letters, shell)
    run_case('arguments: the help and the manual', arguments)
    run_case('exit statuses: the help and the manual', exit_statuses)
    run_case('facts: the message and the manual', facts)
    run_case('the version: the program, its file and NEWS', version)
    finish()


main()
