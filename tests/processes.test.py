#!/usr/bin/env python3
"""Commands as processes: what they find, how they are ended, what waits for them, what is lost."""
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import time
from datetime import datetime
from signal import SIGCHLD, SIGHUP, SIGINT, SIGKILL, SIGPIPE, SIGQUIT, SIGTERM, SIGUSR1

from tap import (COMMAND, INSTRUMENTED, SETTLED, Volley, bytes_in, case, case_for, expect, finish,
                 read_all, require, run, skip_if, wait_until, wait_until_settled)

# Records of 8 bytes: they divide a page, so that pipes and reads hold whole ones.
RECORDS = b''.join(b'%07d\n' % number for number in range(1 << 18))

LONG = 60                               # seconds: what takes so long is not waited for


def shell(script):
    """The words of a command that is this script."""
    return ['--', 'sh', '-c', script]


def content(path):
    """What is in the file; nothing if it is not there."""
    try:
        with open(path, 'rb') as file:
            return file.read()
    except FileNotFoundError:
        return b''


def clear(*patterns):
    """Takes away what earlier cases have left."""
    for path in [path for pattern in patterns for path in glob.glob(pattern)]:
        if os.path.isdir(path):
            shutil.rmtree(path)
        else:
            os.remove(path)


def letters():
    """What is in the dead-letter directory: the batches and their facts, in order."""
    names = sorted(glob.glob('dead/*.batch'))
    facts = [json.loads(content(name[:-len('batch')] + 'json')) for name in names]
    return [content(name) for name in names], facts


def pids_in(path, count):
    """Waits until so many commands have written their numbers there."""
    wait_until(lambda: content(path).count(b'\n') >= count, '%d numbers in %s' % (count, path))
    return [int(word) for word in content(path).split()]


def is_alive(pid):
    """Whether there is such a process, other than as a zombie."""
    stat = content('/proc/%d/stat' % pid).rpartition(b')')[2].split()
    return bool(stat) and stat[0] not in (b'Z', b'X')


def group_of(pgid):
    """The living processes of the group."""
    alive = []
    for path in glob.glob('/proc/[0-9]*/stat'):
        try:
            fields = content(path).rpartition(b')')[2].split()
        except ProcessLookupError:
            continue
        if fields and fields[2] == b'%d' % pgid and fields[0] not in (b'Z', b'X'):
            alive.append(int(path.split('/')[2]))
    return alive


def require_gone(pids):
    """Fails unless nothing is left of these process groups."""
    for pid in pids:
        wait_until(lambda group=pid: not group_of(group), 'the group of %d is gone' % pid)


# What a command finds

def signals_of(status):
    """Those that are blocked, and ignored, by /proc/PID/status; but for two that the C library
    ignores in what it spawns, and that it alone uses."""
    blocked, ignored = [int(re.search(rb'^Sig%s:\t(\w+)$' % name, status, re.M)[1], 16)
                        for name in (b'Blk', b'Ign')]
    return blocked, ignored & ~(3 << 31)


@case_for('1', '2')
def a_command_finds_the_signals_that_volley_was_started_with(procs):
    options = ['-P', procs, '--', 'cat', '/proc/self/status']
    # What this test itself was started with is inherited, too: nohup, or the background.
    inherited = signals_of(run(*options, data=b'a\n')[0])
    expect('at most QUIT', inherited[1] & ~(1 << (SIGQUIT - 1)), 0)
    expect('blocked', inherited[0], 0)
    found = signals_of(run(*options, data=b'a\n', ignored=[SIGHUP, SIGUSR1])[0])
    expect('with two more', found, (0, inherited[1] | 1 << (SIGHUP - 1) | 1 << (SIGUSR1 - 1)))


@case_for(SIGCHLD, SIGTERM)
def a_signal_that_is_blocked_at_start(number):
    signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    try:
        volley = Volley('-n', '1', *shell('cat; grep ^SigBlk: /proc/self/status'))
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [number])
    with volley:
        output, _, status = volley.finish(b'a\nb\n')
    none = b'SigBlk:\t0000000000000000\n'
    expect('end', (output, status), (b'a\n' + none + b'b\n' + none, 0))


@case
def children_that_are_ignored_at_start_are_waited_for():
    expect('end', run('-n', '1', *shell('exit 3'), data=b'a\n', ignored=[SIGCHLD])[2], 123)


@case_for('1', '2')
def a_command_finds_three_descriptors(procs):
    clear('dead', 'log')
    found = run('-P', procs, '--joblog', 'log', '--dead-letter', 'dead', '-n', '1',
                *shell('ls /proc/$$/fd'), data=b'a\nb\n')
    expect('end', found, (b'0\n1\n2\n' * 2, '', 0))


@case_for('1', '2')
def a_command_leads_a_process_group(procs):
    script = 'read -r pid comm state ppid group rest </proc/$$/stat; echo $$ $group'
    with Volley('-P', procs, *shell(script)) as volley:
        output = volley.finish(b'a\n')[0]
    own, group = output.split()
    expect('its group', group, own)


@case
def children_of_others_are_nobody_s_business():
    # A child that volley inherits over exec ends while a command runs.
    clear('out')
    done = subprocess.run(['sh', '-c', 'sleep 0.1 & exec "$@"', 'sh', *COMMAND, '-n', '1', '--',
                           'sh', '-c', 'sleep 0.3; cat'], input=b'a\nb\n', stdout=subprocess.PIPE,
                          timeout=LONG, check=False)
    expect('end', (done.stdout, done.returncode), (b'a\nb\n', 0))


# When a command begins

@case
def a_command_begins_only_when_the_batch_is_whole():
    with Volley('-n', '3', *shell('echo begun; cat')) as volley:
        volley.give(b'a\nb\n')
        wait_until_settled(lambda: bytes_in(volley.stdout.fileno()))
        expect('output', bytes_in(volley.stdout.fileno()), 0)
        volley.write(b'c\n')
        expect('output', volley.read(12), b'begun\na\nb\nc\n')
        expect('end', volley.finish(), (b'', '', 0))


@case
def killed_while_a_batch_fills_no_command_has_seen_it():
    clear('seen*')
    with Volley('-n', '1000', *shell('cat >seen.$VOLLEY_INDEX; echo $VOLLEY_INDEX')) as volley:
        volley.write(RECORDS[:2000 * 8 + 500 * 8 + 3])
        expect('output', volley.read(4), b'0\n1\n')
        volley.kill(SIGKILL)
        expect('status', volley.wait(), -SIGKILL)
        expect('more output', read_all(volley.stdout.fileno()), b'')
    expect('seen', [content(name) for name in sorted(glob.glob('seen*'))],
           [RECORDS[:8000], RECORDS[8000:16000]])


@case_for('1', '3')
def killed_while_commands_run_each_has_its_batch_whole(procs):
    clear('seen*', 'gate')
    os.mkfifo('gate')
    script = 'head -c 8 >seen.$VOLLEY_INDEX; read -r line <gate; cat >>seen.$VOLLEY_INDEX; echo >done'
    with Volley('-n', '20000', '-P', procs, *shell(script)) as volley:
        volley.write(RECORDS[:8 * 20000 * int(procs)])
        volley.write(b'partial\n' * 100)
        wait_until(lambda: len(glob.glob('seen*')) == int(procs), 'all run')
        volley.kill(SIGKILL)
        expect('status', volley.wait(), -SIGKILL)
        # The gate stays open for all.
        gate = os.open('gate', os.O_RDWR)
        os.write(gate, b'go\n' * 10)
        wait_until(lambda: all(os.path.getsize('seen.%d' % i) == 160000 for i in range(int(procs))),
                   'they end')
        os.close(gate)
    expect('how many', len(glob.glob('seen*')), int(procs))
    for i in range(int(procs)):
        expect('batch', content('seen.%d' % i), RECORDS[160000 * i:160000 * (i + 1)])


# The end by a signal

@case_for(SIGTERM, SIGINT, SIGHUP)
def a_signal_runs_the_open_batch_and_waits_for_what_runs(number):
    clear('gate')
    os.mkfifo('gate')
    script = 'echo begun; [ $VOLLEY_INDEX != 0 ] || read -r line <gate; cat; echo $VOLLEY_REASON'
    with Volley('-n', '2', *shell(script)) as volley:
        volley.write(b'a\nb\n')
        expect('output', volley.read(6), b'begun\n')
        volley.give(b'c\n')
        volley.kill(number)
        wait_until(volley.is_asleep, 'the signal is taken')
        with open('gate', 'w', encoding='ascii'):
            pass
        expect('output', read_all(volley.stdout.fileno()), b'a\nb\ncount\nbegun\nc\nsignal\n')
        expect('status', volley.wait(), -number)
        expect('messages', read_all(volley.stderr.fileno()), b'')


@case
def what_does_not_end_within_the_grace_is_killed_and_kept():
    clear('dead', 'pids')
    # It ignores TERM, and so does its child.
    script = 'trap "" TERM; sleep %d & echo $$ >>pids; sleep %d; sleep %d' % (LONG, LONG, LONG)
    with Volley('-n', '2', '-P', '2', '--grace', '300', '--dead-letter', 'dead',
                *shell(script)) as volley:
        volley.give(b'a\nb\nc\nd\ne\nf\ng\n')
        pids = pids_in('pids', 2)
        start = time.monotonic()
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)
        require(time.monotonic() - start >= 0.6, 'the grace was cut short')
        messages = read_all(volley.stderr.fileno()).decode()
    require_gone(pids)
    batches, facts = letters()
    expect('kept', sorted(batches), [b'a\nb\n', b'c\nd\n', b'e\nf\n', b'g\n'])
    expect('attempts', sorted(fact['attempts'] for fact in facts), [0, 0, 1, 1])
    expect('named', sorted(re.findall(r'^volley: batch (\d)', messages, re.M)), list('0123'))


@case
def without_a_dead_letter_directory_it_is_named():
    clear('pids')
    with Volley('-n', '1', '--grace', '100', *shell('echo $$ >>pids; exec sleep %d' % LONG)) as volley:
        volley.write(b'a\n')
        pids = pids_in('pids', 1)
        volley.give(b'b\n')
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)
        messages = read_all(volley.stderr.fileno()).decode()
    require_gone(pids)
    require('batch 0 (1 record): ' in messages and 'batch 1 (1 record): not run' in messages, messages)


@case
def in_the_grace_term_comes_before_kill():
    clear('pids')
    script = 'trap "echo ended; exit 1" TERM; echo $$ >>pids; sleep %d & wait' % LONG
    with Volley('--grace', '200', '-n', '1', *shell(script)) as volley:
        volley.write(b'a\n')
        pids = pids_in('pids', 1)
        volley.kill(SIGTERM)
        expect('output', read_all(volley.stdout.fileno()), b'ended\n')
        expect('status', volley.wait(), -SIGTERM)
    require_gone(pids)


@case
def a_signal_ends_the_wait_between_two_runs():
    clear('dead')
    with Volley('-n', '1', '--attempts', '5', '--backoff', '1h', '--grace', '100', '--dead-letter',
                'dead', *shell('echo run; exit 3')) as volley:
        volley.give(b'a\n')
        expect('output', volley.read(4), b'run\n')
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)
    expect('kept', letters()[0], [b'a\n'])


@case
def a_second_signal_is_the_end_at_once():
    clear('pids')
    with Volley('-n', '1', *shell('echo $$ >>pids; exec sleep %d' % LONG)) as volley:
        volley.write(b'a\n')
        pids = pids_in('pids', 1)
        volley.kill(SIGTERM)
        wait_until(volley.is_asleep, 'the signal is taken')
        time.sleep(SETTLED)
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)
    for pid in pids:
        if is_alive(pid):
            os.kill(pid, SIGKILL)


# The time of a run

@case
def a_run_that_takes_too_long_is_ended():
    clear('pids', 'log')
    script = 'echo $$ >>pids; [ $VOLLEY_INDEX = 1 ] || exec sleep %d' % LONG
    output, messages, status = run('-n', '1', '--exec-timeout', '300', '--joblog', 'log',
                                   *shell(script), data=b'a\nb\n')
    expect('end', (output, messages, status), (b'', 'volley: batch 0 (1 record): took longer than 300ms (see --exec-timeout)\n', 125))
    require_gone(pids_in('pids', 2))
    entries = [json.loads(line) for line in content('log').splitlines()]
    expect('the log', [(entry['timeout'], entry['signal'], entry['status']) for entry in entries],
           [(True, SIGTERM, None), (False, None, 0)])
    require(entries[0]['duration'] >= 0.3, 'it was ended too early')


@case
def a_run_that_ignores_term_is_killed_after_the_grace():
    clear('pids', 'log')
    script = 'trap "" TERM; echo $$ >>pids; sleep %d; sleep %d' % (LONG, LONG)
    status = run('--exec-timeout', '100', '--grace', '200', '--joblog', 'log', *shell(script),
                 data=b'a\n')[2]
    expect('status', status, 125)
    require_gone(pids_in('pids', 1))
    entry = json.loads(content('log'))
    expect('the log', (entry['timeout'], entry['signal']), (True, SIGKILL))
    require(entry['duration'] >= 0.3, 'the grace was cut short')


@case
def what_it_leaves_behind_goes_with_it():
    clear('pids')
    script = '(trap "" TERM; sleep %d; :) & echo $$ >>pids; exec sleep %d' % (LONG, LONG)
    status = run('--exec-timeout', '200', *shell(script), data=b'a\n')[2]
    expect('status', status, 125)
    require_gone(pids_in('pids', 1))


@case
def a_run_that_was_ended_has_failed_whatever_it_says():
    # Many programs end with 0 on TERM, their work half done.
    clear('dead')
    script = 'trap "exit 0" TERM; sleep %d & wait' % LONG
    status = run('--exec-timeout', '200', '--dead-letter', 'dead', *shell(script), data=b'a\n')[2]
    expect('kept', letters()[0], [b'a\n'])
    expect('status', status, 125)


@case
def a_run_that_was_ended_by_a_signal_has_failed_whatever_it_says():
    clear('dead', 'pids')
    script = 'trap "exit 0" TERM; echo $$ >>pids; sleep %d & wait' % LONG
    with Volley('-n', '1', '--grace', '100', '--dead-letter', 'dead', *shell(script)) as volley:
        volley.write(b'a\n')
        pids_in('pids', 1)
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)
    expect('kept', letters()[0], [b'a\n'])


@case
def a_run_that_took_too_long_is_tried_again():
    script = '[ $VOLLEY_ATTEMPT = 2 ] || exec sleep %d; cat' % LONG
    expect('end', run('--exec-timeout', '500', '--attempts', '2', '--backoff', '1', *shell(script),
                      data=b'a\n'), (b'a\n', '', 0))


@case
def a_run_is_ended_in_time_while_the_output_is_blocked():
    clear('pids')
    script = ('if [ $VOLLEY_INDEX = 0 ]; then head -c 300000 /dev/zero; '
              'else echo $$ >>pids; exec sleep %d; fi' % LONG)
    with Volley('-n', '1', '-P', '2', '--exec-timeout', '500', *shell(script)) as volley:
        volley.write(b'a\nb\n')
        pids = pids_in('pids', 1)
        wait_until(lambda: not is_alive(pids[0]), 'the run is ended', 5)
        output, _, status = volley.finish()
        expect('end', (len(output), status), (300000, 125))


# What follows a failure

@case
def halt_now_ends_what_runs():
    clear('pids', 'dead')
    script = ('echo $$ >>pids; if [ $VOLLEY_INDEX = 2 ]; then '
              'while [ $(wc -l <pids) -lt 3 ]; do sleep 0.01; done; exit 3; fi; exec sleep %d' % LONG)
    output, _, status = run('-n', '1', '-P', '3', '--halt', 'now', '--dead-letter', 'dead',
                            *shell(script), data=b'a\nb\nc\nd\ne\n')
    require(status in (123, 125), 'status: %d' % status)
    expect('output', output, b'')
    require_gone(pids_in('pids', 3))
    expect('runs', content('pids').count(b'\n'), 3)
    expect('kept', sorted(letters()[0]), [b'a\n', b'b\n', b'c\n', b'd\n', b'e\n'])


@case_for('--halt soon', '255')
def after_a_halt_nothing_waits_for_its_next_run(how):
    clear('dead')
    script = 'if [ $VOLLEY_INDEX = 0 ]; then exit 1; fi; sleep 0.3; exit 255'
    options = ['--halt', 'soon'] if how == '--halt soon' else []
    status = run('-n', '1', '-P', '2', '--attempts', '2', '--backoff', '1h', '--dead-letter', 'dead',
                 *options, *shell(script), data=b'a\nb\n')[2]
    expect('status', status, 124)
    expect('kept', sorted(letters()[0]), [b'a\n', b'b\n'])


@case
def the_wait_doubles_and_is_between_half_and_all_of_it():
    clear('log')
    nominal = [0.2, 0.4, 0.5, 0.5]
    status = run('-n', '1', '-P', '10', '--attempts', '5', '--backoff', '200,500', '--joblog', 'log',
                 '--', 'false', data=RECORDS[:80])[2]
    expect('status', status, 123)
    runs = {}
    for line in content('log').splitlines():
        entry = json.loads(line)
        start = datetime.fromisoformat(entry['start'][:26].rstrip('Z')).timestamp()
        runs.setdefault(entry['index'], []).append((entry['attempt'], start, entry['duration']))
    expect('batches', len(runs), 10)
    waits = [[] for _ in nominal]
    for tries in runs.values():
        expect('attempts', [attempt for attempt, _, _ in tries], [1, 2, 3, 4, 5])
        for i, wanted in enumerate(nominal):
            wait = tries[i + 1][1] - tries[i][1] - tries[i][2]
            require(wait >= wanted / 2 - 0.002, 'wait %d was %.3f s' % (i + 1, wait))
            waits[i].append(wait)
    if INSTRUMENTED:
        return                          # too slow to be on time
    for i, wanted in enumerate(nominal):
        require(min(waits[i]) <= wanted, 'no wait %d within %.3f s: %r' % (i + 1, wanted, waits[i]))
        require(i == 0 or sorted(waits[i])[5] <= wanted, 'beyond %.3f s: %r' % (wanted, waits[i]))
        require(max(waits[i]) - min(waits[i]) > wanted / 20, 'no jitter: %r' % waits[i])


@case
def the_log_has_a_line_of_json_for_each_run():
    clear('log')
    with open('log', 'w', encoding='ascii') as file:
        file.write('{"index":"of before"}\n')
    data = b'a"\\ 1\na"\\ 2\n\xc3\xa4 3\n\xff 4\n'
    run('-n', '2', '-k', '1', '--attempts', '2', '--backoff', '1', '--joblog', 'log',
        *shell('case $VOLLEY_INDEX in 0) exit 3;; 1) kill -9 $$;; esac'), data=data)
    lines = content('log').splitlines()
    entries = [json.loads(line) for line in lines]
    expect('runs', len(entries), 6)
    expect('statuses', [(entry['index'], entry['attempt'], entry['status'], entry['signal'])
                        for entry in entries[1:]],
           [(0, 1, 3, None), (0, 2, 3, None), (1, 1, None, 9), (1, 2, None, 9), (2, 1, 0, None)])
    expect('facts', [(entry['count'], entry['bytes'], entry['reason'], entry['timeout'])
                     for entry in entries[2:]],
           [(2, 12, 'count', False), (1, 5, 'eof', False), (1, 5, 'eof', False), (1, 4, 'eof', False)])
    expect('keys', [entry.get('key') for entry in entries[2:]], ['a"\\', '\xe4', '\xe4', '\ufffd'])
    for entry in entries[1:]:
        require(re.fullmatch(r'\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[-+]\d\d:\d\d)', entry['start']),
                'start: %r' % entry['start'])


# What waits for a command

@case
def the_timers_of_other_keys_go_on_while_a_command_runs():
    clear('gate')
    os.mkfifo('gate')
    script = '[ $VOLLEY_KEY != a ] || read -r line <gate; echo $VOLLEY_KEY'
    with Volley('-k', '1', '-t', '100', '-P', '2', *shell(script)) as volley:
        volley.write(b'a 1\n')
        volley.write(b'b 1\n')
        expect('output', volley.read(2), b'b\n')
        volley.write(b'c 1\n')
        expect('output', volley.read(2), b'c\n')
        with open('gate', 'w', encoding='ascii'):
            pass
        expect('end', volley.finish(), (b'a\n', '', 0))


@case
def batches_fire_while_the_only_command_runs():
    clear('gate')
    os.mkfifo('gate')
    with Volley('-k', '1', '-t', '100', '-v', *shell('read -r line <gate; echo $VOLLEY_KEY')) as volley:
        volley.write(b'a 1\n')
        require('batch 0' in volley.read_message(), 'not fired')
        volley.write(b'b 1\nc 1\n')
        require('batch 1' in volley.read_message(), 'not fired')
        require('batch 2' in volley.read_message(), 'not fired')
        gate = os.open('gate', os.O_RDWR)
        os.write(gate, b'\n\n\n')
        output, _, status = volley.finish()
        os.close(gate)
        expect('end', (output, status), (b'a\nb\nc\n', 0))


@case
def while_a_command_is_slow_the_producer_waits_and_memory_is_flat():
    clear('gate')
    os.mkfifo('gate')
    with Volley('-n', '1000', *shell('[ $VOLLEY_INDEX != 0 ] || read -r line <gate; cat')) as volley:
        done = volley.stuff(RECORDS)
        require(done < len(RECORDS), 'it took all')
        require(bytes_in(volley.stdin.fileno()) > 0, 'the input is taken')
        if not INSTRUMENTED:
            require(volley.status_field('VmHWM') < 32 << 10, 'memory')
        descriptors = len(os.listdir('/proc/%d/fd' % volley.pid))
        require(descriptors < 400, '%d descriptors' % descriptors)
        with open('gate', 'w', encoding='ascii'):
            pass
        expect('end', volley.finish(), (RECORDS[:done], '', 0))


@case
def the_processor_rests_while_a_command_is_slow():
    skip_if(INSTRUMENTED, 'not the work of volley alone')
    with Volley('-n', '100', '-P', '2', '--exec-timeout', '1h', *shell('exec sleep 2; cat')) as volley:
        volley.stuff(RECORDS)
        before = volley.ticks()
        time.sleep(0.5)
        require(volley.ticks() - before <= 2, 'it used %d ticks' % (volley.ticks() - before))


@case
def in_order_behind_a_slow_one_only_so_many_run_ahead():
    clear('gate', 'runs')
    os.mkfifo('gate')
    script = '[ $VOLLEY_INDEX != 0 ] || read -r line <gate; echo >>runs; cat'
    with Volley('-n', '1', '-P', '4', '--keep-order', *shell(script)) as volley:
        data = RECORDS[:8 * 128]
        volley.write(data)
        wait_until(lambda: content('runs').count(b'\n') >= 3, 'the others run')
        wait_until_settled(lambda: content('runs').count(b'\n'))
        ahead = content('runs').count(b'\n')
        require(ahead <= 64, '%d runs ahead' % ahead)
        expect('output', bytes_in(volley.stdout.fileno()), 0)
        with open('gate', 'w', encoding='ascii'):
            pass
        expect('end', volley.finish(), (data, '', 0))


@case
def when_nobody_reads_the_outputs_only_so_many_are_kept():
    clear('runs')
    with Volley('-n', '1', '-P', '2', *shell('echo >>runs; head -c 100000 /dev/zero')) as volley:
        volley.write(RECORDS[:8 * 512])
        wait_until(lambda: content('runs').count(b'\n') >= 2, 'they run')
        wait_until_settled(lambda: content('runs').count(b'\n'))
        runs = content('runs').count(b'\n')
        require(runs <= 64, '%d runs' % runs)
        volley.kill(SIGKILL)


@case
def a_reader_of_outputs_that_has_gone_is_a_quiet_death_by_sigpipe():
    with Volley('-n', '1', '-P', '2', *shell('cat')) as volley:
        volley.write(b'a\n')
        expect('output', volley.read(2), b'a\n')
        volley.stdout.close()
        volley.write(b'b\n')
        expect('status', volley.wait(), -SIGPIPE)
        expect('messages', read_all(volley.stderr.fileno()), b'')


@case
def a_reader_that_has_gone_from_the_command_s_own_output_ends_the_run():
    with Volley('-n', '1', *shell('exec cat')) as volley:
        volley.write(b'a\n')
        expect('output', volley.read(2), b'a\n')
        volley.stdout.close()
        volley.write(b'b\nc\nd\n')
        expect('status', volley.wait(), -SIGPIPE)
        messages = read_all(volley.stderr.fileno()).decode()
        require('batch 1 (1 record): killed by signal 13' in messages, messages)
        require('batch 3 (1 record): not run' in messages, messages)


@case
def a_command_that_dies_by_sigpipe_otherwise_has_failed_and_no_more():
    with Volley('-n', '1', *shell('read -r a; [ "$a" != b ] || kill -PIPE $$; echo "$a"')) as volley:
        expect('end', volley.finish(b'a\nb\nc\n'),
               (b'a\nc\n', 'volley: batch 1 (1 record): killed by signal 13 (Broken pipe)\n', 125))


@case
def with_sigpipe_ignored_a_reader_of_outputs_that_has_gone_is_an_error():
    with Volley('-n', '1', '-P', '2', *shell('cat'), ignored=[SIGPIPE]) as volley:
        volley.write(b'a\n')
        expect('output', volley.read(2), b'a\n')
        volley.stdout.close()
        volley.write(b'b\n')
        expect('status', volley.wait(), 1)
        expect('messages', read_all(volley.stderr.fileno()),
               b'volley: cannot pass the output of a command on: Broken pipe\n')


@case
def so_many_run_at_once_and_no_more():
    clear('now.*', 'most')
    script = ('echo >now.$VOLLEY_INDEX; ls | grep -c "^now" >>most; sleep 0.05; '
              'ls | grep -c "^now" >>most; rm now.$VOLLEY_INDEX')
    expect('end', run('-n', '1', '-P', '4', *shell(script), data=RECORDS[:8 * 40]), (b'', '', 0))
    most = max(int(word) for word in content('most').split())
    require(most <= 4, '%d at once' % most)
    require(most > 1, 'one after the other')


@case
def once_ends_after_the_command_of_the_first_batch():
    with Volley('-n', '2', '--once', *shell('cat')) as volley:
        volley.write(b'a\nb\nc\n')
        expect('output', read_all(volley.stdout.fileno()), b'a\nb\n')
        expect('status', volley.wait(), 0)


# As the first process of a name space

def under_init():
    """The words before volley that make it such a process."""
    words = ['unshare', '-pf', '--mount-proc']
    if os.getuid() != 0:
        words.insert(1, '-Ur')
    skip_if(not shutil.which('unshare'), 'unshare is not installed')
    probe = subprocess.run([*words, 'true'], stderr=subprocess.DEVNULL, check=False)
    skip_if(probe.returncode != 0, 'no name spaces here')
    return words


@case
def as_the_first_process_it_reaps_the_orphans():
    # The first command leaves a grandchild that ends; the second counts zombies.
    script = ('if [ $VOLLEY_INDEX = 0 ]; then (sleep 0.1 >/dev/null 2>&1 &); else sleep 1; '
              'cat /proc/[0-9]*/stat | grep ") Z "; ls -d /proc/1; fi')
    output, messages, status = run('-n', '1', *shell(script), data=b'a\nb\n', under=under_init())
    expect('end', (output, messages, status), (b'/proc/1\n', '', 0))


@case
def as_the_first_process_it_obeys_term():
    skip_if(len(COMMAND) > 1, 'valgrind cannot be killed as the first process')
    with Volley('-n', '2', *shell('echo begun; cat; echo $VOLLEY_REASON'), under=under_init()) as volley:
        volley.write(b'a\nb\nc\n')
        expect('output', volley.read(16), b'begun\na\nb\ncount\n')
        wait_until(lambda: bytes_in(volley.stdin.fileno()) == 0, 'the input is taken')
        children = content('/proc/%d/task/%d/children' % (volley.pid, volley.pid)).split()
        expect('children of unshare', len(children), 1)
        wait_until(lambda: content('/proc/%s/stat' % children[0].decode())
                   .rpartition(b')')[2].split()[0] == b'S', 'it waits')
        os.kill(int(children[0]), SIGTERM)
        expect('output', read_all(volley.stdout.fileno()), b'begun\nc\nsignal\n')
        expect('status', volley.wait(), 128 + SIGTERM)


# Nothing is lost

@case_for('1', '8')
def with_commands_that_fail_at_random_all_is_delivered_or_kept(procs):
    clear('dead', 'out')
    numbers = random.Random(int(procs))
    choices = ['cat >>out.$VOLLEY_INDEX'] * 6 + ['exit 1', 'kill -9 $$', 'head -n 1 >/dev/null; exit 2']
    plan = ' '.join('%d) %s;;' % (i, numbers.choice(choices)) for i in range(60))
    clear('out.*')
    with Volley('-n', '37', '-b', '250', '-P', procs, '--dead-letter', 'dead',
                *shell('case $(( VOLLEY_INDEX %% 60 )) in %s esac' % plan)) as volley:
        data, at = RECORDS[:8 * 6000], 0
        while at < len(data):
            size = numbers.randrange(1, 3000)
            volley.write(data[at:at + size])
            at += size
        _, messages, status = volley.finish()
    require(status in (123, 125), 'status %d' % status)
    kept, facts = letters()
    require(kept, 'nothing has failed')
    expect('named', messages.count('kept as '), len(kept))
    for batch, fact in zip(kept, facts):
        expect('count', (batch.count(b'\n'), len(batch)), (fact['count'], fact['bytes']))
    delivered = [content(name) for name in glob.glob('out.*')]
    expect('records', b''.join(sorted(b''.join(kept + delivered).splitlines(True))), data)


finish()
