"""What the completions offer, asked in the real shells.

    offers('zsh', '--mode', 'fi')       # ['fire', 'fire-and-purge']: sorted, without descriptions

The words are those behind the program's name; the last is incomplete. A shell that is not
installed skips the case. The current directory is empty while the shell completes, but for FILES.
"""
import os
import shlex
import shutil
import subprocess
import tempfile

from tap import COMMAND, DIRECTORY, LIMIT, Skip, expect

TOP = os.environ.get('abs_top_srcdir') or os.path.join(os.path.dirname(__file__), '..')
SHELLS = ['bash', 'zsh', 'fish']
FILES = ['file', 'directory/']

BASH = r'''
source "$1" || exit
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2))
_volley
printf '%s\n' "${COMPREPLY[@]}"
'''

# A zsh with a terminal of its own completes the line. What it hands to compadd is noted, with the
# prefix that stands before it; then it ends.
ZSH = r'''
zmodload zsh/zpty || exit
zpty shell zsh -f -i
zpty -w shell "source ${(q)1}"
while zpty -r shell line; do
	[[ $line == *'is set up'* ]] && break
done
zpty -n -w shell "${(j: :)@[2,-1]}"$'\t'
while zpty -r shell line; do :; done
'''
ZSH_SETUP = r'''
PROMPT=
setopt no_beep no_auto_list
autoload -Uz compinit
compinit -C -d %(dump)s
source %(completion)s
zstyle ':completion:*' insert-tab false
bindkey '^I' complete-word
compadd() {
	local -a hits
	local -A at
	builtin compadd "$@"
	[[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]] && return
	builtin compadd -A hits "$@"
	zparseopts -E -A at P: p: S:
	print -rl -- $IPREFIX${at[-P]}${at[-p]}$^hits >>%(offered)s
}
comppostfuncs=(exit)
print is set up
'''


def _install():
    """A directory for PATH with the program, and one to be the current one."""
    tools = tempfile.mkdtemp(dir=DIRECTORY)
    path = os.path.join(tools, 'volley')
    with open(path, 'w', encoding='utf-8') as file:
        file.write('#!/bin/sh\nexec %s "$@"\n' % shlex.join(COMMAND))
    os.chmod(path, 0o755)
    shutil.copy(path, os.path.join(tools, 'volley-try-me'))
    current = tempfile.mkdtemp(dir=DIRECTORY)
    for name in FILES:
        if name.endswith('/'):
            os.mkdir(os.path.join(current, name))
        else:
            open(os.path.join(current, name), 'w', encoding='utf-8').close()
    return tools, current


TOOLS, CURRENT = _install()


def _run(arguments):
    environment = dict(os.environ, PATH=TOOLS + os.pathsep + os.environ['PATH'],
                       HOME=TOOLS, ZDOTDIR=TOOLS, XDG_CONFIG_HOME=TOOLS, XDG_DATA_HOME=TOOLS,
                       XDG_CACHE_HOME=TOOLS, TERM='dumb')
    done = subprocess.run(arguments, capture_output=True, stdin=subprocess.DEVNULL, cwd=CURRENT,
                          env=environment, timeout=3 * LIMIT, check=False)
    expect('messages of ' + arguments[0], done.stderr.decode(), '')
    return done.stdout.decode().splitlines()


def _offers_of_bash(completion, words):
    return _run(['bash', '--norc', '-c', BASH, 'bash', completion, *words])


def _offers_of_fish(completion, words):
    lines = _run(['fish', '--no-config', '-c', 'source $argv[1]; complete -C "$argv[2]"',
                  completion, ' '.join(words)])
    return [line.split('\t')[0] for line in lines]


def _offers_of_zsh(completion, words):
    handle, offered = tempfile.mkstemp(dir=DIRECTORY)
    os.close(handle)
    setup = os.path.join(TOOLS, 'setup')
    with open(setup, 'w', encoding='utf-8') as file:
        file.write(ZSH_SETUP % {'completion': shlex.quote(completion), 'offered': offered,
                                'dump': os.path.join(TOOLS, 'zcompdump')})
    _run(['zsh', '-f', '-c', ZSH, 'zsh', setup, *words])
    with open(offered, encoding='utf-8') as file:
        return file.read().splitlines()


def offers(shell, *words):
    """What the shell offers for the line "volley WORD..."."""
    ask = {'bash': _offers_of_bash, 'zsh': _offers_of_zsh, 'fish': _offers_of_fish}[shell]
    if not shutil.which(shell):
        raise Skip(shell + ' is not installed')
    completion = os.path.abspath(os.path.join(TOP, 'completions', 'volley.' + shell))
    found = {line.replace('\\', '') for line in ask(completion, ['volley', *words])}
    return sorted(found - {''})
