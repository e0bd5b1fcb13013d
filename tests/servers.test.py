#!/usr/bin/env python3
"""Batches for real servers, each started here, for this test alone: every record arrives, once."""
import contextlib
import glob
import os
import subprocess

from services import STARTUP, Server, directory, free_port, listens, need, postgres_server, redis_server
from tap import Volley, case, case_for, expect, finish, require, run, wait_until

RECORDS = b''.join(b'%05d\n' % number for number in range(10000))


def shell(script):
    """The words of a command that is this script."""
    return ['--', 'sh', '-c', script]


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

@case_for('1', '8')
def redis_gets_every_record_once(procs):
    commands = b''.join(b'RPUSH list %s\n' % record for record in RECORDS.splitlines())
    with redis_server() as server:
        client = ['redis-cli', '-u', server['REDIS']]
        feed = shell('%s --pipe >/dev/null' % ' '.join(client))
        expect('end', run('-n', '500', '-P', procs, *feed, data=commands), (b'', '', 0))
        records = subprocess.run([*client, 'lrange', 'list', '0', '-1'], stdout=subprocess.PIPE,
                                 timeout=STARTUP, check=True).stdout.splitlines(True)
        expect('records', b''.join(records if procs == '1' else sorted(records)), RECORDS)


# PostgreSQL: each batch is a COPY, and so a transaction

@case_for('1', '8')
def postgres_gets_every_record_once(procs):
    with postgres_server() as server:
        client = ['psql', '-qXAt', '-v', 'ON_ERROR_STOP=1', '-h', server['PGHOST'],
                  '-U', server['PGUSER'], '-d', server['PGDATABASE']]
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
