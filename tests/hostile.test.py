#!/usr/bin/env python3
"""Records and keys that mean harm: nothing of them gets out of the directory that was named, onto
the name of another, to a shell, or to a terminal."""
import glob
import json
import os
import random
import shutil
import subprocess

from tap import (COMMAND, Volley, build_library, case, case_for, expect, finish, require, run, skip_if,
                 wait_until)

# What a shell, a path, or a format might make something of.
WORDS = [b'', b'.', b'..', b'../out', b'/out', b'a/../../out', b'./a', b'a/', b'//', b'%', b'%2E', b'%2F',
         b'%00', b'-', b'--', b'-rf', b'~', b'~root', b'*', b'?', b'[a]', b'{}', b'{key}', b'$HOME',
         b'$(touch pwned)', b'`touch pwned`', b';touch pwned;', b'|touch pwned', b'&touch pwned&',
         b'\ntouch pwned\n', b'">pwned', b"'>pwned", b'a b', b' ', b'\t', b'\n', b'\r', b'\0', b'a\0b', b'a',
         b'\x1b[2J', b'\x9b2J', b'\xc2\x9b2J', b'\x7f', b'\xff', b'\xc3\xa4', b'\xc3', b'%s%n', b'\\',
         b'\\x2e', b'.volley', b'a.tmp']
LENGTHS = (0, 1, 59, 60, 61, 179, 180, 181, 255, 256, 300, 5000)


def keys():
    """Many keys, each another, without the byte that ends them here."""
    dice = random.Random(7)
    alphabet = b'ab./%-\\\n\0 $"\xff'
    found = set(WORDS)
    for length in LENGTHS:
        for byte in (b'a', b'.', b'/', b'\xff'):
            found.add(byte * length)
            found.add(byte * max(length - 1, 0) + b'b')
            found.add(b'b' + byte * max(length - 1, 0))
    while len(found) < 400:
        found.add(bytes(dice.choice(alphabet) for _ in range(dice.choice((1, 2, 3, 4, 200)))))
    return sorted(found)


KEYS = keys()
END = b'\x01'
INPUT = b''.join(key + END for key in KEYS)
BY_KEY = ['-d', r'\x01', '-k', r're:(?s)^.*', '-D', '']


def clear():
    """Takes away all that is there, and makes the directory that is named."""
    for path in os.listdir('.'):
        shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.remove(path)
    os.mkdir('in')


def content(path):
    """What is in the file."""
    with open(path, 'rb') as file:
        return file.read()


def everything():
    """All that is there, but for what is in the directory that is named."""
    return sorted(os.listdir('.'))


@case_for('{key}', '.{key}', '{key}.txt', '{index}-{key}')
def each_key_has_a_file_of_its_own_in_the_directory(template):
    clear()
    expect('end', run(*BY_KEY, '-o', 'in/' + template, data=INPUT), (b'', '', 0))
    expect('beside it', everything(), ['in'])
    names = os.listdir('in')
    expect('how many', len(names), len(KEYS))
    for name in names:
        require(len(name) < 256 and name.isascii() and name.isprintable(), 'the name %r' % name)
        require(os.path.isfile('in/' + name) and not os.path.islink('in/' + name), '%r is no file' % name)
    expect('what they hold', sorted(content('in/' + name) for name in names),
           sorted(key + END for key in KEYS))


@case
def a_directory_in_the_template_is_made_of_it_alone():
    clear()
    output, messages, status = run(*BY_KEY, '-o', 'in/{key}/x', data=b'..' + END)
    expect('end', (output, status), (b'', 1))
    require("'in/%2E./x': No such file or directory" in messages, messages)
    expect('what is there', (everything(), os.listdir('in')), (['in'], []))


# For a hash that is not made against it two texts with the same one are found in minutes, as these
# were for FNV-1a.
@case_for('as it is', 'with --force')
def no_two_long_keys_share_a_name(kind):
    clear()
    data = b''.join(b'k' * 190 + end + END for end in (b'Es5MvMtMGrG', b'5ntS3FyziQD'))
    force = ['--force'] if kind == 'with --force' else []
    status = run(*BY_KEY, *force, '-o', 'in/{key}', data=data)[2]
    expect('files and status', (len(os.listdir('in')), status), (2, 0))


@case
def dead_letters_have_names_of_their_own():
    clear()
    data = b''.join(key + END for key in KEYS[:200])
    _, _, status = run(*BY_KEY, '--dead-letter', 'in', '--', 'false', data=data)
    expect('status', status, 123)
    expect('beside them', everything(), ['in'])
    letters = sorted(os.listdir('in'))
    expect('how many', len(letters), 400)
    for name in letters:
        require(name.replace('.', '-').replace('-', '').isalnum(), 'the name %r' % name)
    expect('what they hold', sorted(content('in/' + name) for name in letters if name.endswith('.batch')),
           sorted(key + END for key in KEYS[:200]))


# A shell

def require_no_harm(*there):
    """Fails when a command has been made of a record."""
    expect('what is there', everything(), sorted(['in', *there]))


@case_for('as input', 'as arguments', 'as arguments of a script', 'in the environment')
def nothing_of_a_record_is_given_to_a_shell(way):
    clear()
    words = [word for word in WORDS if b'\0' not in word]
    data = b''.join(word + END for word in words)
    with open('script', 'w', encoding='ascii') as file:
        file.write('for word; do printf "%s\\001" "$word"; done\n')
    os.chmod('script', 0o755)
    options = ['-d', r'\x01']
    shown = ['printf', r'%s\001']
    if way == 'as input':
        found = run(*options, '-D', '', '--', 'cat', data=data)
    elif way == 'as arguments':
        found = run(*options, '-x', '--', *shown, data=data)
    elif way == 'as arguments of a script':
        # It has no line that names its interpreter.
        found = run(*options, '-x', '--', './script', data=data)
    else:
        found = run(*options, '-k', r're:(?s)^.*', '--', 'python3', '-c',
                    'import os, sys; sys.stdout.buffer.write(os.environb[b"VOLLEY_KEY"] + b"\\1")', data=data)
    expect('end', found, (data, '', 0))
    require_no_harm('script')


@case
def nothing_of_a_key_is_given_to_a_shell_by_what_is_written_beside():
    clear()
    data = b''.join(word + END for word in WORDS)
    options = [*BY_KEY, '--joblog', 'log', '--dead-letter', 'in', '--metrics', 'metrics', '-v', '--stats']
    expect('status', run(*options, '--', 'false', data=data)[2], 123)
    require_no_harm('log', 'metrics')
    entries = [json.loads(line) for line in content('log').splitlines()]
    expect('entries of the log', len(entries), len(WORDS))


# A terminal

@case_for(*(word for word in WORDS if not word.isascii() or not word.decode().isprintable()))
def messages_hold_no_control_characters(word):
    clear()
    data = word + b'x' + END
    for options in (['--time-domain', 'event', '--timestamp', 'prefix'], ['--max-record', '1'],
                    ['-v', '-o', '/nowhere/{key}', '-k', r're:(?s)^.*'],
                    ['-v', '-k', r're:(?s)^.*', '--dead-letter', 'in', '--', 'false']):
        messages = run('-d', r'\x01', *options, data=data)[1]
        require(messages, 'nothing is said')
        for line in messages.splitlines():
            require(line.isascii() and line.isprintable(), 'a message: %r' % line)


# What is in the way

@case
def a_link_in_place_of_the_temporary_file_is_not_followed():
    clear()
    with open('target', 'wb') as file:
        file.write(b'old\n')
    script = 'ln -s ../target "in/.volley-$$-0.tmp"; exec "$@"'
    done = subprocess.run(['sh', '-c', script, 'sh', *COMMAND, '-o', 'in/{index}'], input=b'a\n',
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
    expect('the target', content('target'), b'old\n')
    if done.returncode == 0:
        expect('the file', content('in/0'), b'a\n')
        require(not os.path.islink('in/0'), 'the link was given the name')


@case_for('metrics', 'dead letters')
def a_link_at_the_name_is_not_followed(what):
    clear()
    with open('target', 'wb') as file:
        file.write(b'old\n')
    if what == 'metrics':
        os.symlink('target', 'metrics')
        expect('end', run('--metrics', 'metrics', data=b'a\n'), (b'a\n\n', '', 0))
        require(not os.path.islink('metrics'), 'it is the link still')
    else:
        # The names cannot be known before; but what is in the directory is not touched.
        os.symlink('../target', 'in/target.batch')
        expect('status', run('--dead-letter', 'in', '--', 'false', data=b'a\n')[2], 123)
        expect('letters', len(glob.glob('in/*.json')), 1)
    expect('the target', content('target'), b'old\n')


@case_for(0o077, 0o027, 0o022)
def what_is_made_has_the_permissions_that_the_umask_leaves(mask):
    clear()
    before = os.umask(mask)
    try:
        run('-o', 'in/{index}', data=b'a\n')
        run('--metrics', 'metrics', '--joblog', 'log', '--dead-letter', 'dead', '--', 'false', data=b'a\n')
    finally:
        os.umask(before)
    found = {path: os.stat(path).st_mode & 0o7777
             for path in ('in/0', 'metrics', 'log', *glob.glob('dead/*'))}
    expect('how many', len(found), 5)
    for path, mode in found.items():
        expect(path, oct(mode), oct(0o666 & ~mask))
    expect('the directory', oct(os.stat('dead').st_mode & 0o7777), oct(0o777 & ~mask))


# Neither takes the other's temporary file for its own.
@case
def two_that_are_the_first_process_of_their_name_space_write_into_one_directory():
    clear()
    library = build_library('faults')
    space = ['unshare', '-pf', '--mount-proc']
    if os.getuid() != 0:
        space.insert(1, '-Ur')
    skip_if(not shutil.which('unshare') or
            subprocess.run([*space, 'true'], stderr=subprocess.DEVNULL, check=False).returncode != 0,
            'no name spaces here')
    late = ['env', 'LD_PRELOAD=' + library, 'VOLLEY_FAULT=link:1:late', 'VOLLEY_FAULT_LOG=reached']
    with Volley('-o', 'in/one', under=[*space, *late]) as one:
        one.write(b'1\n')
        one.stdin.close()
        # It is about to give its file the name.
        wait_until(lambda: os.path.exists('reached'), 'the fault is reached')
        expect('the other', run('-o', 'in/other', data=b'2\n', under=space), (b'', '', 0))
        expect('status', one.wait(), 0)
    expect('files', {name: content('in/' + name) for name in os.listdir('in')},
           {'one': b'1\n', 'other': b'2\n'})


finish()
