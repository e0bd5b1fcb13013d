#!/usr/bin/env python3
"""How volley ends, and how it treats what it shares with others: signals, descriptors, pipes."""
import fcntl
import itertools
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from signal import SIGHUP, SIGINT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2

from tap import (COMMAND, INSTRUMENTED, SETTLED, Skip, Volley, bytes_in, case, case_for, expect,
                 finish, read_all, read_exactly, require, run, set_nonblocking, skip_if,
                 wait_until, wait_until_settled)

DEATHS = (SIGTERM, SIGINT, SIGHUP)

# Records of 8 bytes: they divide a page, so that pipes and reads hold whole ones.
RECORDS = b''.join(b'%07d\n' % number for number in range(1 << 20))

# So much of them is the first batch of those that are blocked, of 100 records.
FIRST = 800


def shell(script):
    """What the script prints. volley is "$@"."""
    return subprocess.run(['sh', '-c', script, 'sh', *COMMAND], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, timeout=60, check=False).stdout


def block(volley):
    """Stuffs volley until its reader, who does not read, makes it stop. Returns the output that
    is to come, when there is no batch delimiter."""
    volley.write(RECORDS[:FIRST])
    expect('the first batch', volley.read(FIRST), RECORDS[:FIRST])
    done = FIRST
    while True:
        done += volley.stuff(RECORDS[done:])
        require(done < len(RECORDS), 'it took %d bytes, with nobody reading' % done)
        wait_until_settled(lambda: bytes_in(volley.stdout.fileno()),
                           lambda: bytes_in(volley.stdin.fileno()))
        if volley.is_asleep() and bytes_in(volley.stdin.fileno()) > 0:
            return RECORDS[FIRST:done]


# Signals

@case_for(*DEATHS)
def a_signal_in_a_quiet_batch_brings_it_out_and_is_the_death(number):
    with Volley('-n', '9', '-t', '1h', '-v') as volley:
        volley.give(b'a\nb\n')
        volley.kill(number)
        expect('output', volley.read(6), b'a\nb\n\n')
        require('2 records, 4 bytes, signal' in volley.read_message(), 'the reason is not signal')
        expect('status', volley.wait(), -number)
        expect('more output', read_all(volley.stdout.fileno()), b'')


@case_for(*DEATHS)
def a_signal_with_nothing_held_writes_nothing(number):
    with Volley('-n', '1') as volley:
        volley.write(b'a\n')
        expect('output', volley.read(3), b'a\n\n')
        volley.kill(number)
        expect('status', volley.wait(), -number)
        expect('more output', read_all(volley.stdout.fileno()), b'')
        expect('messages', read_all(volley.stderr.fileno()), b'')


@case
def a_signal_brings_out_an_unterminated_record_too():
    with Volley('-n', '9', '-j', ' ') as volley:
        volley.give(b'a\nb')
        volley.kill(SIGTERM)
        expect('output', read_all(volley.stdout.fileno()), b'a b\n')
        expect('status', volley.wait(), -SIGTERM)


@case_for(*DEATHS)
def a_signal_that_was_ignored_at_start_stays_ignored(number):
    with Volley('-n', '2', ignored=[number]) as volley:
        volley.write(b'a\nb\n')
        expect('output', volley.read(5), b'a\nb\n\n')
        volley.give(b'c\n')
        volley.kill(number)
        volley.write(b'd\n')
        expect('output', volley.read(5), b'c\nd\n\n')
        require(volley.is_running(), 'volley has ended')
        expect('end', volley.finish(b'e\n'), (b'e\n\n', '', 0))


@case
def the_echo_of_a_signal_is_not_a_second_one():
    # timeout(1) sends its signal to its child, and then to the process group of that.
    for _ in range(20):
        with Volley('-n', '9', '-j', ' ') as volley:
            volley.give(b'a\n')
            volley.kill(SIGTERM)
            volley.kill(SIGTERM)
            expect('output', read_all(volley.stdout.fileno()), b'a\n')
            expect('status', volley.wait(), -SIGTERM)


@case
def another_signal_than_the_ignored_one_still_ends_it():
    with Volley('-n', '9', ignored=[SIGHUP, SIGINT]) as volley:
        volley.give(b'a\n')
        volley.kill(SIGHUP)
        volley.kill(SIGTERM)
        expect('output', read_all(volley.stdout.fileno()), b'a\n\n')
        expect('status', volley.wait(), -SIGTERM)


@case_for(*DEATHS)
def a_signal_while_output_is_blocked_loses_nothing(number):
    with Volley('-n', '100', '-D', '') as volley:
        # A read end that outlives volley's shows what volley has left in the pipe.
        volley_input = os.open('/proc/%d/fd/0' % volley.pid, os.O_RDONLY | os.O_NONBLOCK)
        given = block(volley)
        volley.kill(number)
        time.sleep(SETTLED)
        require(volley.is_running(), 'volley has ended before its output was read')
        output = read_all(volley.stdout.fileno())
        expect('status', volley.wait(), -number)
        volley.stdin.close()
        rest = read_all(volley_input)
        os.close(volley_input)
        require(len(output) > 0, 'no output')
        expect('what was written and what was not read, together', output + rest, given)


@case
def a_second_signal_while_output_is_blocked_ends_it_at_once():
    with Volley('-n', '100') as volley:
        block(volley)
        volley.kill(SIGTERM)
        time.sleep(SETTLED)
        require(volley.is_running(), 'the first signal has ended it')
        volley.kill(SIGTERM)
        expect('status', volley.wait(), -SIGTERM)


@case
def usr1_flushes_and_goes_on():
    with Volley('-n', '3', '-j', ' ', '--header', '{reason} ') as volley:
        volley.give(b'a\nb\n')
        volley.kill(SIGUSR1)
        expect('output', volley.read(11), b'signal a b\n')
        # The count has begun anew.
        volley.write(b'c\nd\ne\n')
        expect('output', volley.read(12), b'count c d e\n')
        volley.give(b'f\n')
        volley.kill(SIGUSR1)
        expect('output', volley.read(9), b'signal f\n')
        expect('end', volley.finish(b'g\n'), (b'eof g\n', '', 0))


@case
def usr1_with_nothing_new_writes_nothing():
    with Volley('-n', '1', '-M', 'fire', '-D', '') as volley:
        volley.write(b'a\n')
        expect('output', volley.read(2), b'a\n')
        volley.kill(SIGUSR1)
        volley.kill(SIGUSR2)
        require('1 record' in volley.read_message(), 'no statistics')
        expect('output', volley.finish()[0], b'')


@case
def usr1_leaves_an_unterminated_record_where_it_is():
    with Volley('-j', ' ') as volley:
        volley.give(b'a\nb')
        volley.kill(SIGUSR1)
        expect('output', volley.read(2), b'a\n')
        expect('end', volley.finish(b'c\n'), (b'bc\n', '', 0))


@case
def usr2_prints_statistics_and_goes_on():
    with Volley('-n', '2') as volley:
        volley.write(b'a\nb\n')
        expect('output', volley.read(5), b'a\nb\n\n')
        volley.give(b'c\n')
        volley.kill(SIGUSR2)
        require(volley.read_message().startswith('volley: 3 records, 6 bytes'), 'no totals')
        expect('message', volley.read_message(), 'volley: 1 batch (1 count)\n')
        expect('end', volley.finish(b'd\n'), (b'c\nd\n\n', '', 0))


@case
def usr2_prints_statistics_while_output_is_blocked():
    with Volley('-n', '100') as volley:
        block(volley)
        for _ in range(2):
            volley.kill(SIGUSR2)
            require(' records, ' in volley.read_message(), 'no statistics')
            require(' batches ' in volley.read_message(), 'no batches')
        require(volley.is_running(), 'volley has ended')


@case
def usr2_prints_statistics_while_the_last_output_is_blocked():
    with Volley('-n', '100', '-D', '') as volley:
        given = block(volley)
        volley.stdin.close()
        for _ in range(2):
            volley.kill(SIGUSR2)
            require(' records, ' in volley.read_message(), 'no statistics')
            volley.read_message()
        expect('output', read_all(volley.stdout.fileno()), given)
        expect('status', volley.wait(), 0)


@case_for(*DEATHS)
def a_signal_while_the_last_output_is_blocked_loses_nothing(number):
    with Volley('--max-record', '1K', '-D', '', '-v') as volley:
        volley.write(RECORDS[:4000000])
        volley.stdin.close()
        require(', eof, ' in volley.read_message(), 'no batch')
        wait_until_settled(lambda: bytes_in(volley.stdout.fileno()))
        volley.kill(number)
        time.sleep(SETTLED)
        require(volley.is_running(), 'volley has ended before its output was read')
        expect('output', read_all(volley.stdout.fileno()), RECORDS[:4000000])
        expect('status', volley.wait(), -number)


@case
def usr1_while_output_is_blocked_loses_nothing():
    with Volley('-n', '100', '-D', '') as volley:
        given = block(volley)
        volley.kill(SIGUSR1)
        time.sleep(SETTLED)
        expect('end', volley.finish(), (given, '', 0))


# Output that fails

@case
def a_reader_that_has_gone_is_a_quiet_death_by_sigpipe():
    with Volley('-n', '1') as volley:
        volley.write(b'a\n')
        expect('output', volley.read(3), b'a\n\n')
        volley.stdout.close()
        volley.write(b'b\n')
        expect('status', volley.wait(), -SIGPIPE)
        expect('messages', read_all(volley.stderr.fileno()), b'')


@case
def a_reader_that_goes_while_output_is_blocked_is_a_death_by_sigpipe():
    with Volley('-n', '100') as volley:
        block(volley)
        volley.stdout.close()
        expect('status', volley.wait(), -SIGPIPE)


@case
def with_sigpipe_ignored_a_reader_that_has_gone_is_an_error():
    with Volley('-n', '1', ignored=[SIGPIPE]) as volley:
        volley.write(b'a\n')
        expect('output', volley.read(3), b'a\n\n')
        volley.stdout.close()
        volley.write(b'b\n')
        expect('status', volley.wait(), 1)
        expect('messages', read_all(volley.stderr.fileno()),
               b'volley: cannot write to standard output: Broken pipe\n'
               b'volley: 1 record is lost, or not written whole\n')


@case_for('1', '9')
def a_full_disk_is_an_error(count):
    # With 9 it shows only after the end of the input.
    skip_if(not os.path.exists('/dev/full'), 'there is no /dev/full')
    with open('/dev/full', 'wb') as full:
        expect('end', run('-n', count, data=b'a\nb\n', stdout=full),
               (None, 'volley: cannot write to standard output: No space left on device\n'
               'volley: 2 records are lost, or not written whole\n', 1))


@case_for(('-n', '2'), ('-n', '700'), ('-n', '2', '--header', '{index} '), ('-t', '1h'))
def what_was_written_whole_before_the_disk_was_full_is_not_lost(options):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50001, 50001))

    skip_if(INSTRUMENTED, 'the limit is for volley alone')
    size = int(options[1]) if options[0] == '-n' else 20000
    with open('in', 'wb') as file:
        file.write(b''.join(b'%07d\n' % number for number in range(20000)))
    with open('in', 'rb') as source, open('out', 'wb') as file:
        done = subprocess.run([*COMMAND, '-D', '--\n', *options], stdin=source, stdout=file,
                              stderr=subprocess.PIPE, preexec_fn=limit, check=False)
    with open('out', 'rb') as file:
        whole = file.read().count(b'--\n') * size
    expect('end', (done.stderr.decode(), done.returncode),
           ('volley: cannot write to standard output: File too large\n'
            'volley: %d records are lost, or not written whole\n' % (20000 - whole), 1))


@case
def batches_of_no_bytes_are_written():
    expect('end', run('-n', '1', '-j', '', '-D', '', data=b'\n\n\n'), (b'', '', 0))


@case
def a_full_disk_with_nothing_to_write_is_none():
    skip_if(not os.path.exists('/dev/full'), 'there is no /dev/full')
    with open('/dev/full', 'wb') as full:
        expect('end', run('-n', '1', stdout=full), (None, '', 0))


@case
def a_file_as_output_is_whole():
    with open('out', 'wb') as file:
        expect('end', run('-n', '3', '-D', '', data=RECORDS, stdout=file), (None, '', 0))
    with open('out', 'rb') as file:
        expect('output', file.read(), RECORDS)


# Input that fails

@case
def a_directory_as_input_is_an_error():
    directory = os.open('.', os.O_RDONLY)
    expect('end', run('-n', '1', stdin=directory),
           (b'', 'volley: cannot read standard input: Is a directory\n', 1))
    os.close(directory)


CLOSED = [closed for size in (1, 2, 3) for closed in itertools.combinations((0, 1, 2), size)]


@case_for(*CLOSED)
def a_descriptor_closed_at_start(closed):
    # Whatever is closed is missed by nobody but its user: nothing else is opened in its place.
    skip_if(len(COMMAND) > 1 and 2 in closed, 'it is said on standard error what is wrong')
    with open('in', 'wb') as file:
        file.write(b'a\n')
    source = os.open('in', os.O_RDWR)
    with Volley('-n', '1', stdin=source, closed=closed) as volley:
        output = read_all(volley.stdout.fileno())
        messages = read_all(volley.stderr.fileno())
        status = volley.wait()
    os.close(source)
    message = b''
    if 1 in closed:
        message = (b'volley: cannot write to standard output: Bad file descriptor\n'
                   b'volley: 1 record is lost, or not written whole\n')
    if 0 in closed:
        message = b'volley: cannot read standard input: Bad file descriptor\n'
    expect('output', output, b'' if 0 in closed or 1 in closed else b'a\n\n')
    expect('messages', messages, b'' if 2 in closed else message)
    expect('status', status, 1 if 0 in closed or 1 in closed else 0)
    with open('in', 'rb') as file:
        expect('the input file', file.read(), b'a\n')


# Descriptors are shared with others

def flags_of(descriptor):
    """The flags of what is open there, for all who share it."""
    return fcntl.fcntl(descriptor, fcntl.F_GETFL)


@case_for('blocking', 'not blocking')
def all_passes_through_shared_pipes_and_their_flags_stay(kind):
    # Both ends of both pipes stay open here, to look at the flags that volley's ends have.
    in_read, in_write = os.pipe()
    out_read, out_write = os.pipe()
    for descriptor in (in_read, out_write):
        set_nonblocking(descriptor, kind == 'not blocking')
    before = flags_of(in_read), flags_of(out_write)
    wanted = RECORDS[:4000000]
    with Volley('-n', '1000', '-D', '', stdin=in_read, stdout=out_write) as volley:
        # Nothing yet, then piece by piece, then more than the reader takes.
        os.write(in_write, wanted[:8000])
        output = read_exactly(out_read, 8000)
        wait_until_settled(lambda: bytes_in(in_read))
        expect('flags while it waits for input', (flags_of(in_read), flags_of(out_write)), before)
        child = os.fork()
        if child == 0:
            try:
                for start in range(8000, len(wanted), 4096):
                    os.write(in_write, wanted[start:min(start + 4096, len(wanted))])
            finally:
                os._exit(0)
        os.close(in_write)
        wait_until(lambda: bytes_in(out_read) >= 4096, 'output')
        wait_until_settled(lambda: bytes_in(out_read))
        expect('flags while output is blocked', (flags_of(in_read), flags_of(out_write)), before)
        output += read_exactly(out_read, len(wanted) - len(output))
        os.waitpid(child, 0)
        expect('status', volley.wait(), 0)
        expect('messages', read_all(volley.stderr.fileno()), b'')
    expect('flags afterwards', (flags_of(in_read), flags_of(out_write)), before)
    os.close(out_write)
    output += read_all(out_read)
    os.close(in_read)
    os.close(out_read)
    expect('output', output, wanted)


@case
def two_that_share_an_input_that_does_not_block():
    # Both see that there is something; the one that comes second finds nothing.
    in_read, in_write = os.pipe()
    set_nonblocking(in_read)
    with Volley('-n', '1', '-D', '', stdin=in_read) as one, \
            Volley('-n', '1', '-D', '', stdin=in_read) as other:
        os.close(in_read)
        for start in range(0, 1600, 8):
            os.write(in_write, RECORDS[start:start + 8])
            wait_until(lambda: bytes_in(in_write) == 0, 'the input is taken')
        os.close(in_write)
        ends = one.finish(), other.finish()
    expect('messages', [end[1] for end in ends], ['', ''])
    expect('statuses', [end[2] for end in ends], [0, 0])
    output = ends[0][0] + ends[1][0]
    expect('records', sorted(output.splitlines(True)), RECORDS[:1600].splitlines(True))


@case
def two_that_share_an_output_that_does_not_block():
    # Both see that there is room; the one that comes second finds none.
    with open('in', 'wb') as file:
        file.write(RECORDS[:4000000])
    out_read, out_write = os.pipe()
    set_nonblocking(out_write)
    with open('in', 'rb') as first, open('in', 'rb') as second, \
            Volley('-n', '1000', '-D', '', stdin=first, stdout=out_write) as one, \
            Volley('-n', '1000', '-D', '', stdin=second, stdout=out_write) as other:
        os.close(out_write)
        output = b''
        for _ in range(100):
            output += read_exactly(out_read, 4096)
            time.sleep(0.002)
        output += read_all(out_read)
        ends = one.finish(), other.finish()
    os.close(out_read)
    expect('ends', ends, ((None, '', 0), (None, '', 0)))
    expect('bytes', sorted(output), sorted(2 * RECORDS[:4000000]))


@case_for('read EAGAIN', 'read EINTR', 'write EAGAIN', 'write EINTR')
def a_call_that_fails_for_the_moment_is_made_again(failure):
    skip_if(INSTRUMENTED, 'strace is for volley alone')
    skip_if(not shutil.which('strace'), 'strace is not installed')
    call, error = failure.split()
    # The first reads are those of the program's start; some are of other descriptors.
    descriptor, when = ('0', '12+5') if call == 'read' else ('1', '2+5')
    inject = 'inject=%s:error=%s:when=%s' % (call, error, when)
    under = ['strace', '-qq', '-o', 'trace', '-e', 'trace=' + call, '-e', inject]
    if subprocess.run([*under, 'true'], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        raise Skip('strace cannot be used here')
    with Volley('-n', '10', '-D', '', under=under) as volley:
        for start in range(0, 3200, 80):
            volley.write(RECORDS[start:start + 80])
            expect('output', volley.read(80), RECORDS[start:start + 80])
        expect('end', volley.finish(), (b'', '', 0))
    with open('trace', encoding='utf-8') as file:
        failed = re.findall(r'^%s\(%s,.*%s.*INJECTED' % (call, descriptor, error), file.read(), re.M)
    require(len(failed) > 2, 'too few of the calls have failed')


@case
def a_program_after_volley_finds_its_output_blocking():
    expect('bytes', shell('{ "$@" -n1 </dev/null; head -c 300000 /dev/zero; } |'
                          ' { sleep .4; wc -c; }').strip(), b'300000')


@case
def a_program_after_volley_finds_the_rest_of_a_file():
    with open('in', 'wb') as file:
        file.write(RECORDS)
    expect('output', shell('{ "$@" --once -n 10 >first; cat; } <in'), RECORDS[80:])
    with open('first', 'rb') as file:
        expect('first batch', file.read(), RECORDS[:80] + b'\n')


@case
def a_file_is_read_from_where_the_program_before_volley_left_it():
    with open('in', 'wb') as file:
        file.write(b'a\nb\nc\n')
    expect('output', shell('{ dd bs=2 count=1 status=none >/dev/null; "$@" -j " "; } <in'),
           b'b c\n')


# Back pressure

@case
def with_a_blocked_reader_volley_stops_reading():
    with Volley('-n', '100', '-D', '') as volley:
        given = block(volley)
        taken = len(given) - bytes_in(volley.stdin.fileno())
        memory = 0 if INSTRUMENTED else volley.status_field('VmHWM')
        require(memory < 32 << 10, 'it holds %d KiB' % memory)
        # The pipe behind it, its queue, and what it has read.
        require(taken < 3 << 20, 'it has taken %d bytes' % taken)
        # Not a byte is taken while the reader rests, and all goes on when it reads.
        time.sleep(SETTLED)
        require(bytes_in(volley.stdin.fileno()) > 0, 'the rest of the input was taken')
        data = volley.read(1 << 20)
        expect('output', data, given[:1 << 20])
        wait_until(lambda: volley.stuff(b'x' * 8) == 8, 'it goes on reading')


@case
def a_blocked_reader_and_a_timeout_that_is_due():
    # What is due while output waits is not lost, nor is it written twice.
    with Volley('-n', '100', '-t', '100', '-D', '') as volley:
        given = block(volley)
        time.sleep(SETTLED)
        expect('end', volley.finish(), (given, '', 0))


signal.signal(SIGPIPE, signal.SIG_IGN)
finish()
