#!/usr/bin/env python3
"""Batches for real servers, each started here, for this test alone: every record arrives, once."""
import contextlib
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile

from tap import Volley, case, case_for, expect, finish, require, run, skip_if, wait_until

RECORDS = b''.join(b'%05d\n' % number for number in range(10000))
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


def shell(script):
    """The words of a command that is this script."""
    return ['--', 'sh', '-c', script]


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


# HTTP: nginx keeps each batch as a file, under the name that curl puts it

NGINX = '''
daemon off;
master_process off;
pid %(path)s/pid;
error_log stderr;
events {}
http {
	log_format line '$request_method $uri $status';
	access_log %(path)s/access line;
	client_body_temp_path %(path)s/body;
	fastcgi_temp_path %(path)s/fastcgi;
	proxy_temp_path %(path)s/proxy;
	scgi_temp_path %(path)s/scgi;
	uwsgi_temp_path %(path)s/uwsgi;
	server {
		listen 127.0.0.1:%(port)d;
		root %(path)s/store;
		location / { dav_methods PUT; }
	}
}
'''


@contextlib.contextmanager
def http_server():
    """The server, its directory, and the command that puts a batch there."""
    need('nginx', 'nginx-light')
    need('curl', 'curl')
    port = free_port()
    with directory() as path:
        os.mkdir(path + '/store')
        with open(path + '/conf', 'w', encoding='ascii') as file:
            file.write(NGINX % {'path': path, 'port': port})
        words = ['nginx', '-e', 'stderr', '-p', path, '-c', path + '/conf']
        put = 'curl -sS -f -m 10 --noproxy "*" -T - http://127.0.0.1:%d/$(printf %%05d $VOLLEY_INDEX)' % port
        with Server(words, lambda: listens(port)) as server:
            yield server, path, shell(put)


def stored(path):
    """All that the server has, in the order of the batches."""
    data = b''
    for name in sorted(glob.glob(path + '/store/*')):
        with open(name, 'rb') as file:
            data += file.read()
    return data


def accepted(path):
    """The numbers of the batches that the server has taken, in the order in which it has."""
    with open(path + '/access', encoding='ascii') as file:
        lines = [line.split() for line in file]
    return [int(uri[1:]) for method, uri, status in lines if method == 'PUT' and status[0] == '2']


@case_for('1', '8')
def http_gets_every_record_once(procs):
    with http_server() as (_, path, put):
        expect('end', run('-n', '100', '-P', procs, *put, data=RECORDS), (b'', '', 0))
        expect('records', stored(path), RECORDS)
        expect('batches', sorted(accepted(path)), list(range(100)))
        if procs == '1':
            expect('their order', accepted(path), list(range(100)))


@case_for('1', '8')
def http_that_is_away_for_a_while_gets_every_record(procs):
    with http_server() as (server, path, put), \
            Volley('-n', '250', '-P', procs, '--attempts', '10', '--backoff', '100',
                   '--joblog', path + '/log', *put) as volley:
        half = len(RECORDS) // 2
        volley.write(RECORDS[:half])
        wait_until(lambda: len(accepted(path)) >= 10, 'some batches are there')
        server.stop()
        volley.write(RECORDS[half:half + 20000])
        wait_until(lambda: '"status":7,' in open(path + '/log', encoding='utf-8').read(),
                   'a run has failed')
        server.start()
        output, messages, status = volley.finish(RECORDS[half + 20000:])
        require('batch' not in messages, messages)
        expect('end', (output, status), (b'', 0))
        expect('records', stored(path), RECORDS)
        if procs == '1':
            expect('their order', accepted(path), list(range(40)))


@case
def http_that_stays_away_leaves_every_record_in_the_dead_letters():
    with http_server() as (server, path, put), \
            Volley('-n', '250', '--dead-letter', path + '/dead', *put) as volley:
        half = len(RECORDS) // 2
        volley.write(RECORDS[:half])
        wait_until(lambda: len(accepted(path)) >= 10, 'some batches are there')
        server.stop()
        expect('status', volley.finish(RECORDS[half:])[2], 123)
        kept = b''
        for name in sorted(glob.glob(path + '/dead/*.batch')):
            with open(name, 'rb') as file:
                kept += file.read()
        require(kept, 'nothing is kept')
        expect('records', stored(path) + kept, RECORDS)


# Redis: each record is a command of its own

@contextlib.contextmanager
def redis_server():
    """A function that asks it, and the command that feeds it."""
    need('redis-server', 'redis-server')
    need('redis-cli', 'redis-tools')
    port = free_port()
    client = ['redis-cli', '-h', '127.0.0.1', '-p', str(port)]

    def ask(*words):
        return subprocess.run([*client, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=STARTUP, check=False).stdout

    with directory() as path:
        words = ['redis-server', '--bind', '127.0.0.1', '--port', str(port), '--dir', path,
                 '--save', '', '--appendonly', 'no']
        with Server(words, lambda: ask('ping') == b'PONG\n'):
            yield ask, shell('%s --pipe >/dev/null' % ' '.join(client))


@case_for('1', '8')
def redis_gets_every_record_once(procs):
    commands = b''.join(b'RPUSH list %s\n' % record for record in RECORDS.splitlines())
    with redis_server() as (ask, feed):
        expect('end', run('-n', '500', '-P', procs, *feed, data=commands), (b'', '', 0))
        records = ask('lrange', 'list', '0', '-1').splitlines(True)
        expect('records', b''.join(records if procs == '1' else sorted(records)), RECORDS)


# PostgreSQL: each batch is a COPY, and so a transaction

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
    """The words of psql, connected to it."""
    skip_if(not postgres_program('postgres') or not postgres_program('initdb'),
            'postgres is not installed (Debian: postgresql)')
    need('psql', 'postgresql-client')
    user = postgres_user()
    with directory(user) as path:
        switch = {'user': user.pw_uid, 'group': user.pw_gid, 'extra_groups': []} if user else {}
        subprocess.run([postgres_program('initdb'), '-D', path + '/data', '-A', 'trust', '-U', 'volley',
                        '--no-sync', '-E', 'UTF8', '--locale', 'C'],
                       stdout=subprocess.DEVNULL, timeout=STARTUP, check=True, cwd='/', **switch)
        client = ['psql', '-qXAt', '-v', 'ON_ERROR_STOP=1', '-h', path, '-U', 'volley', '-d', 'postgres']

        def is_up():
            return subprocess.run([*client, '-c', ''], stderr=subprocess.DEVNULL, timeout=STARTUP,
                                  check=False).returncode == 0

        words = [postgres_program('postgres'), '-D', path + '/data', '-k', path, '-F',
                 '-c', 'listen_addresses=', '-c', 'shared_buffers=16MB']
        with Server(words, is_up, user):
            yield client


@case_for('1', '8')
def postgres_gets_every_record_once(procs):
    with postgres_server() as client:
        subprocess.run([*client, '-c', 'create table t (id serial, record text)'], timeout=STARTUP,
                       check=True)
        expect('end', run('-n', '500', '-P', procs, '--', *client, '-c', '\\copy t (record) from stdin',
                          data=RECORDS), (b'', '', 0))
        order = 'id' if procs == '1' else 'record'
        answer = subprocess.run([*client, '-c', 'select record from t order by ' + order],
                                stdout=subprocess.PIPE, timeout=STARTUP, check=True).stdout
        expect('records', answer, RECORDS)


# SQLite: each batch is a transaction, and the others wait for it

@case_for('1', '8')
def sqlite_gets_every_record_once(procs):
    need('sqlite3', 'sqlite3')
    with directory() as path:
        client = ['sqlite3', '-bail', '-cmd', '.timeout 20000', path + '/db']
        subprocess.run([*client, 'create table t (record text)'], timeout=STARTUP, check=True)
        expect('end', run('-n', '500', '-P', procs, '--', *client, '.import /dev/stdin t', data=RECORDS),
               (b'', '', 0))
        order = 'rowid' if procs == '1' else 'record'
        answer = subprocess.run([*client, 'select record from t order by ' + order],
                                stdout=subprocess.PIPE, timeout=STARTUP, check=True).stdout
        expect('records', answer, RECORDS)


finish()
