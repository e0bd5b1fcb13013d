#!/bin/sh
# Memory has a bound that the limits set: each run has no more address space than stated, in KiB.
# Without a limit that is kept the same run would need more than that.
# shellcheck disable=SC2016 # the commands are for the shell that runs them
. "${abs_top_srcdir:-.}/tests/tap.sh"

# Sanitizers and valgrind need address space of their own.
case $VOLLEY in
*' '*) instrumented=yes ;;
*) instrumented=$(grep -qa -e __asan_init -e __ubsan_ -e __tsan_init -e __msan_init "$VOLLEY" && echo yes) ;;
esac

# bounded KIB NAME EXPECTED STATUS -- COMMAND
bounded() {
	bound=$1 name=$2
	shift
	if [ -n "$instrumented" ]; then
		skip "$name" 'the memory is not that of volley alone'
		return
	fi
	shift
	expected=$1 status=$2 command=$4
	check "$name, in $((bound / 1024)) MiB" "$expected" "$status" -- "ulimit -v $bound; $command"
}

# What volley itself takes, its libraries and pipes included.
base=24000

bounded $base 'a line of output' 'a\n\n' 0 -- 'echo a | $VOLLEY'

bounded $((base + 8192)) '300 MB without a newline are too long for --max-record' '' 1 -- \
	'head -c 300000000 /dev/zero | tr "\0" x | $VOLLEY --max-record 1M'
bounded $((base + 8192)) '300 MB without a newline can be skipped' 'a\n\n' 0 -- \
	'{ head -c 300000000 /dev/zero; echo; echo a; } | $VOLLEY --max-record 1M --oversize skip'
bounded $((base + 8192)) '300 MB without a newline can be cut' '3\n' 0 -- \
	'{ echo a; head -c 300000000 /dev/zero | tr "\0" x; echo; echo b; } |
	$VOLLEY --max-record 1M --oversize truncate -n 1 -D "" | grep -c .'
bounded $((base + 200000)) '300 MB without a newline are too long for the default' '' 1 -- \
	'head -c 300000000 /dev/zero | tr "\0" x | $VOLLEY'
bounded $((base + 8192)) '200 MB in records of no end but one are held in part by --max-bytes' \
	'200000000\n' 0 -- 'yes 0123456 | head -c 200000000 | $VOLLEY -b 1M -D "" | wc -c'
bounded $((base + 8192)) 'a million keys, of which --max-keys lets a thousand live' '1000000\n' 0 -- \
	'seq 1000000 | $VOLLEY -k 1 --max-keys 1000 -D "" | wc -l'
bounded $((base + 8192)) 'keys of 100 kB, of which two may live' '500\n' 0 -- \
	'head -c 100000 /dev/zero | tr "\0" k >pad
	i=0; while [ $i -lt 500 ]; do echo "$i$(cat pad)"; i=$((i + 1)); done |
	$VOLLEY -k 1 --max-keys 2 -D "" | wc -l'
bounded $((base + 8192)) 'a reader that is slow keeps nothing waiting inside' '100000000\n' 0 -- \
	'yes 0123456 | head -c 100000000 | $VOLLEY -n 100 -D "" | { sleep 1; wc -c; }'
bounded $((base + 8192)) 'a command that is slow keeps the input waiting' '100000000\n' 0 -- \
	'yes 0123456 | head -c 100000000 | $VOLLEY -n 100000 -- sh -c "sleep 0.01; cat" | wc -c'
bounded $((base + 8192)) '50 MB of NUL bytes, each of which JSON writes as six' '43750000\n' 0 -- \
	'yes 0123456 | head -c 50000000 | tr 0-6 "\000" | $VOLLEY -b 64K -f json | tr -cd u | wc -c'
bounded $((base + 8192)) 'batches that keep what they had, as long as --keep-last says' '2000000\n' 0 -- \
	'seq 2000000 | $VOLLEY -n 1000 -M fire --keep-last 100 -D "" | tail -n 1'
bounded $((base + 8192)) 'windows that have ended' '1000000\n' 0 -- \
	'seq 1000000 | $VOLLEY --time-domain event --timestamp 1 -w "tumbling(10)" -D "" | wc -l'
bounded $((base + 8192)) 'windows of which ten have each record' '2000000\n' 0 -- \
	'seq 200000 | $VOLLEY --time-domain event --timestamp 1 -w "sliding(100,10)" -D "" | wc -l'
bounded $((base + 8192)) 'a session that never ends, of which --max-bytes lets out' '1000000\n' 0 -- \
	'seq 1000000 | $VOLLEY --time-domain event --timestamp 1 -w "session(10)" -b 100K -D "" | wc -l'
bounded $((base + 8192)) 'keys in windows, of which --max-keys lets a thousand live' '500000\n' 0 -- \
	'seq 500000 | $VOLLEY -k 1 --max-keys 1000 -w "tumbling(1d)" -D "" | wc -l'
bounded $((base + 8192)) 'a reader that is slow, and batches in another format' '' 0 -- \
	'yes 0123456 | head -c 20000000 >in; $VOLLEY -n 100 -f netstring <in | { sleep 1; cat; } >out
	[ $(wc -c <out) -eq 20125000 ] || wc -c out; rm in out'
bounded 100000 'more keys than there is memory for end the run at once' '1\n' 0 -- \
	'seq 3000000 | $VOLLEY -k 1 -n 5 --max-keys 100000000 2>err >out; status=$?
	lost=$(sed -n "s/.* \([0-9]*\) bytes more .*/\1/p" err)
	grep -q "Cannot allocate memory" err && [ "$lost" -gt 0 ] && ! grep -q "is lost" err && echo $status'
# What was held goes out, and the error says what was not.
name='what has no room ends the run, and is named'
if [ -n "$instrumented" ]; then
	skip "$name" 'the memory is not that of volley alone'
else
	sh -c "ulimit -v $((base + 8192)); yes 0123456 | head -c 300000000 | $VOLLEY -D '' >out 2>err"
	[ $? -eq 1 ] && grep -q 'bytes more of the input were read, and are lost$' err && [ -s out ]
	result $? "$name" err
fi

finish
