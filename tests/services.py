"""Servers for tests, each started for one case and ended behind it. What a with-statement gives is
the environment in which a client finds the server.

    with redis_server() as server:
        subprocess.run(['redis-cli', '-u', server['REDIS'], 'ping'])

A case is skipped when a program is missing.
"""
import contextlib
import glob
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import tempfile

from tap import require, skip_if, wait_until

STARTUP = 30                            # seconds for a server to come up

os.environ['PATH'] += ':/usr/sbin:/sbin'


def need(program, package):
    """Skips the case where the program is missing."""
    skip_if(not shutil.which(program), '%s is not installed (Debian: %s)' % (program, package))


def free_port():
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def listens(port):
    """Whether somebody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


@contextlib.contextmanager
def directory(owner=None):
    """A directory for a server's files, its owner's."""
    path = tempfile.mkdtemp()
    try:
        if owner:
            os.chown(path, owner.pw_uid, owner.pw_gid)
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


class Server:
    """A server; leaving the with-statement ends it."""

    def __init__(self, words, is_up, user=None):
        self.words, self.is_up, self.user = words, is_up, user
        self.process, self.log = None, tempfile.TemporaryFile()
        self.start()

    def start(self):
        """Starts it, and waits until it answers."""
        arguments = {}
        if self.user:
            arguments = {'user': self.user.pw_uid, 'group': self.user.pw_gid, 'extra_groups': []}
        self.process = subprocess.Popen(self.words, stdin=subprocess.DEVNULL, stdout=self.log,
                                        stderr=self.log, **arguments)
        wait_until(lambda: self.process.poll() is not None or self.is_up(), 'it answers', STARTUP)
        if self.process.poll() is not None:
            self.log.seek(0)
            require(False, '%s does not start: %s' % (self.words[0], self.log.read().decode()))

    def stop(self, number=signal.SIGTERM):
        """Ends it."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop(signal.SIGINT)
        self.log.close()


@contextlib.contextmanager
def redis_server():
    """Its address."""
    need('redis-server', 'redis-server')
    need('redis-cli', 'redis-tools')
    port = free_port()
    address = 'redis://127.0.0.1:%d' % port

    def is_up():
        done = subprocess.run(['redis-cli', '-u', address, 'ping'], capture_output=True,
                              timeout=STARTUP, check=False)
        return done.stdout == b'PONG\n'

    with directory() as path:
        words = ['redis-server', '--bind', '127.0.0.1', '--port', str(port), '--dir', path,
                 '--save', '', '--appendonly', 'no']
        with Server(words, is_up):
            yield {'REDIS': address}


def postgres_program(name):
    """It is not in the usual places."""
    found = sorted(glob.glob('/usr/lib/postgresql/*/bin/' + name))
    return found[-1] if found else shutil.which(name)


def postgres_user():
    """It does not run as root. None: as who runs the test."""
    if os.getuid() != 0:
        return None
    try:
        return pwd.getpwnam('postgres')
    except KeyError:
        return pwd.getpwnam('nobody')


@contextlib.contextmanager
def postgres_server():
    """What psql needs to know."""
    skip_if(not postgres_program('postgres') or not postgres_program('initdb'),
            'postgres is not installed (Debian: postgresql)')
    need('psql', 'postgresql-client')
    user = postgres_user()
    with directory(user) as path:
        switch = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []} if user else {}
        subprocess.run([postgres_program('initdb'), '-D', path + '/data', '-A', 'trust',
                        '-U', 'volley', '--no-sync', '-E', 'UTF8', '--locale', 'C'],
                       stdout=subprocess.DEVNULL, timeout=STARTUP, check=True, cwd='/', **switch)
        server = {'PGHOST': path, 'PGUSER': 'volley', 'PGDATABASE': 'postgres'}

        def is_up():
            done = subprocess.run(['psql', '-qX', '-c', ''], env=dict(os.environ, **server),
                                  stderr=subprocess.DEVNULL, timeout=STARTUP, check=False)
            return done.returncode == 0

        words = [postgres_program('postgres'), '-D', path + '/data', '-k', path, '-F',
                 '-c', 'listen_addresses=', '-c', 'shared_buffers=16MB']
        with Server(words, is_up, user):
            yield server


@contextlib.contextmanager
def kafka_broker():
    """The broker for tests that kcat's library has in it, in a kcat that reads an empty topic."""
    need('kcat', 'kcat')
    words = ['kcat', '-C', '-t', 'none', '-b', 'none', '-d', 'mock',
             '-X', 'test.mock.num.brokers=1']
    found = []

    def is_up():
        log = os.pread(server.log.fileno(), 1 << 16, 0)
        found.extend(re.findall(rb'bootstrap\.servers=(\S+)', log))
        return found

    with Server(words, lambda: True) as server:
        wait_until(is_up, 'the broker has an address', STARTUP)
        yield {'BROKER': found[0].decode()}


SSHD = '''
Port %(port)d
ListenAddress 127.0.0.1
HostKey %(path)s/host
AuthorizedKeysFile %(path)s/user.pub
PidFile none
StrictModes no
UsePAM no
'''


@contextlib.contextmanager
def ssh_server():
    """A machine that can be logged in to, which is this one, as parallel takes it."""
    need('sshd', 'openssh-server')
    need('ssh', 'openssh-client')
    port = free_port()
    with directory() as path:
        for key in ('host', 'user'):
            subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '',
                            '-f', '%s/%s' % (path, key)], timeout=STARTUP, check=True)
        with open(path + '/conf', 'w', encoding='ascii') as file:
            file.write(SSHD % {'path': path, 'port': port})
        if os.getuid() == 0:
            os.makedirs('/run/sshd', mode=0o755, exist_ok=True)     # where it shuts itself in
        client = ('ssh -p %d -i %s/user -o BatchMode=yes -o StrictHostKeyChecking=no '
                  '-o UserKnownHostsFile=/dev/null -o LogLevel=ERROR 127.0.0.1' % (port, path))
        words = [shutil.which('sshd'), '-D', '-e', '-f', path + '/conf']
        with Server(words, lambda: listens(port)):
            done = subprocess.run([*client.split(), 'true'], stderr=subprocess.DEVNULL,
                                  timeout=STARTUP, check=False)
            skip_if(done.returncode != 0, 'nobody can log in by ssh here')
            yield {'HOST': client}


@contextlib.contextmanager
def mail_system():
    """A mail(1) of which all mail ends in the file "mailbox" of the directory it is called in."""
    need('s-nail', 's-nail')
    with directory() as path:
        for name, script in (('sendmail', 'cat >>mailbox'),
                             ('mail', 'exec s-nail -n -S mta=%s/sendmail "$@"' % path)):
            with open('%s/%s' % (path, name), 'w', encoding='ascii') as file:
                file.write('#!/bin/sh\n%s\n' % script)
            os.chmod('%s/%s' % (path, name), 0o755)
        yield {'PATH': path + os.pathsep + os.environ['PATH']}
