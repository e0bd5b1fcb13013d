#!/bin/sh
# What is said on standard error: --verbose, --stats.
. "${abs_top_srcdir:-.}/tests/tap.sh"

event='--time-domain event --timestamp prefix'

# --verbose
check_err 'a line for each batch' \
	'volley: batch 0: 2 records, 4 bytes, count, age 0.000s
volley: batch 1: 1 record, 2 bytes, eof, age 0.000s\n' 0 -- \
	'printf "0 a\n0 b\n0 c\n" | $VOLLEY '"$event"' -n 2 -v'
check_err 'the age is that of the first record' \
	'volley: batch 0: 2 records, 5 bytes, timeout, age 1.500s\n' 0 -- \
	'printf "10 a\n20 bb\n" | $VOLLEY '"$event"' -t 1500 -v'
check_err 'one byte' 'volley: batch 0: 1 record, 1 byte, eof, age 0.000s\n' 0 -- \
	'echo 0 "" | $VOLLEY '"$event"' -v'
check 'the output is the same' 'a\nb\n\n' 0 -- 'printf "a\nb\n" | $VOLLEY -v'
check_err 'no batch, no line' '' 0 -- '$VOLLEY -v </dev/null'
check_err 'without it nothing is said' '' 0 -- 'seq 5 | $VOLLEY -n 2'
check 'in the processing domain, too' '1\n' 0 -- \
	'seq 2 | $VOLLEY -n 2 -v 2>&1 >/dev/null |
		grep -cxE "volley: batch 0: 2 records, 4 bytes, count, age [0-9]+\.[0-9]{3}s"'

# --stats; what depends on the clock is replaced
stats='2>&1 >/dev/null | sed -E "s/[0-9.]+ s \([0-9]+ records\/s, [0-9]+ bytes\/s\)/TIME/"'
check 'totals' \
	'volley: 5 records, 10 bytes in TIME
volley: 3 batches (2 count, 1 eof)\n' 0 -- 'seq 5 | $VOLLEY -n 2 --stats '"$stats"
check 'totals of little' \
	'volley: 1 record, 1 byte in TIME
volley: 1 batch (1 eof)\n' 0 -- 'echo | $VOLLEY --stats '"$stats"
check 'totals of nothing' \
	'volley: 0 records, 0 bytes in TIME
volley: 0 batches\n' 0 -- '$VOLLEY --stats </dev/null '"$stats"
check 'totals of what was left out' \
	'volley: 2 records, 6 bytes in TIME
volley: 1 batch (1 eof)
volley: 1 record longer than --max-record dropped\n' 0 -- \
	'printf "aa\nbbb\ncc\n" | $VOLLEY --max-record 2 --oversize skip --stats '"$stats"
check 'totals of what was cut short' \
	'volley: 3 records, 9 bytes in TIME
volley: 1 batch (1 eof)
volley: 1 record longer than --max-record truncated\n' 0 -- \
	'printf "aa\nbbb\ncc\n" | $VOLLEY --max-record 2 --oversize truncate --stats '"$stats"
check 'batches by reason' 'volley: 3 batches (1 count, 1 limit, 1 eof)\n' 0 -- \
	'printf "a\nb\ncccc\nd\n" | $VOLLEY -n 2 -b 4 --stats 2>&1 >/dev/null | grep batches'
check 'totals of once: what was taken' 'volley: 2 records\n' 0 -- \
	'seq 9 | $VOLLEY -n 2 --once --stats 2>&1 >/dev/null | grep -o "volley: [0-9]* records"'
check 'totals come also after an error' 'volley: 1 record,\n' 0 -- \
	'printf "a\nbbb\n" | $VOLLEY --max-record 2 --stats 2>&1 >/dev/null |
		grep -o "volley: 1 record,"'
check 'records without a key' 'volley: 2 records without a key\n' 0 -- \
	'printf "a b\nc\nd\n" | $VOLLEY -k 2 --stats 2>&1 >/dev/null | grep key'
check 'totals as JSON' '[3,2,{"count":1,"eof":1}]\n' 0 -- \
	'seq 3 | $VOLLEY -n 2 --stats=json 2>&1 >/dev/null |
		sed -E "s/.*.records.:([0-9]+).*.batches.:([0-9]+),.reasons.:([^}]*}).*/[\1,\2,\3]/"'
check 'no progress without a terminal' '' 0 -- 'seq 3 | $VOLLEY --progress 2>&1 >/dev/null'
check 'the metrics file is whole at exit' 'volley_records_total 3\n' 0 -- \
	'seq 3 | $VOLLEY --metrics m >/dev/null && grep "^volley_records_total" m'
check 'batches by reason in the metrics' '1\n' 0 -- \
	'seq 3 | $VOLLEY -n 3 --metrics m >/dev/null && grep -c "^volley_batches_total{reason=\"count\"} 1$" m'
name='promtool has nothing to say about the metrics'
if command -v promtool >/dev/null; then
	check "$name" '' 0 -- \
		'printf "0 a\n5 b\nx\n" | $VOLLEY '"$event"' --bad-timestamp skip -n 1 --metrics m >/dev/null &&
			promtool check metrics <m 2>&1'
else
	skip "$name" 'promtool is not installed (Debian: prometheus)'
fi
check_err 'metrics that cannot be written are an error before anything is read' \
	"volley: --metrics: cannot write 'no/such/m': No such file or directory\n" 2 -- \
	'seq 3 | { $VOLLEY --metrics no/such/m; s=$?; [ "$(cat)" = "$(seq 3)" ] || echo read >&2; exit $s; }'
check 'nothing is tried for an explanation' '0\n' 0 -- \
	'$VOLLEY --explain --metrics no/such/m >/dev/null; echo $?'
check_err 'metrics do not take the place of a device' \
	"volley: --metrics: cannot write '/dev/null': Operation not supported (it is not a regular file)\n" 2 -- \
	'echo a | $VOLLEY --metrics /dev/null'
check 'metrics that can be written no more are an error' '1\n' 1 -- \
	'mkdir d; { until [ -e d/m ]; do sleep 0.01; done; rm -r d; echo 1; } | $VOLLEY -D "" --metrics d/m'
check 'the try leaves nothing' 'm\n' 0 -- 'mkdir d; seq 3 | $VOLLEY --metrics d/m >/dev/null; ls -A d; rm -r d'
check 'the output is the same with totals' 'a\n\n' 0 -- 'echo a | $VOLLEY --stats'

finish
