#!/bin/sh
# The clock of the records: --time-domain event.
. "${abs_top_srcdir:-.}/tests/tap.sh"

VOLLEY="$VOLLEY --time-domain event --timestamp prefix"
facts='-j " " --header "{fired} {reason} "'

# The prefix
check 'the time is not part of the record' 'a b\n' 0 -- 'printf "1 a\n2 b\n" | $VOLLEY -j " "'
check 'one blank or one tab ends the time' ' a\n\tb\n\tc\n d\n\n' 0 -- \
	'printf "1  a\n2 \tb\n3\t\tc\n4\t d\n" | $VOLLEY'
check 'a record of no length' 'a--b\n' 0 -- 'printf "1 a\n1 \n2 b\n" | $VOLLEY -j -'
check 'a time alone is no record' 'a-b\n' 0 -- 'printf "1 a\n1\n2 b\n" | $VOLLEY -j -'
check 'a time alone moves the clock' '11 timeout a\n22 timeout b\n' 0 -- \
	'printf "1 a\n11\n12 b\n13\n" | $VOLLEY -t 10 '"$facts"
check 'nothing but times: no batch' '' 0 -- 'printf "1\n2\n" | $VOLLEY -n 1 -t 1'
check 'an unterminated last line' 'a b\n' 0 -- 'printf "1 a\n2 b" | $VOLLEY -j " "'
check 'an unterminated time alone moves the clock' '7 eof a\n' 0 -- \
	'printf "1 a\n7" | $VOLLEY '"$facts"
check 'records that end with a NUL byte' 'a\nb,c\n' 0 -- \
	'printf "1 a\nb\0002 c\0" | $VOLLEY -0 -j ,'
check 'bytes do not count the time' '5\n' 0 -- \
	'printf "1000000 aa\n2 b\n" | $VOLLEY --header "{bytes}\n" | head -n 1'
check 'the limit does not count the time' 'a bb\nc\n' 0 -- \
	'printf "1000000 a\n1000000 bb\n1000000 c\n" | $VOLLEY -b 5 -j " "'
check 'the longest record does not count the time' 'aaa\n' 0 -- \
	'printf "1000000 aaa\n" | $VOLLEY --max-record 3 -j " "'
check 'a record that is too long moves the clock, too' '11 timeout a\n' 0 -- \
	'printf "1 a\n20 bbbbbb\n" | $VOLLEY -t 10 --max-record 3 --oversize skip '"$facts"
check 'of a record that is dropped before it is whole, no time is looked for' '11 timeout 1\n21 timeout 1\n' 0 -- \
	'{ printf "1 a\n"; head -c 2000000 /dev/zero | tr "\0" y; printf " 99\n11 b\n"; } |
	$VOLLEY --timestamp "re:[0-9]+" -t 10 --max-record 9 --oversize skip --header "{fired} {reason} {count}\n" |
	grep timeout'

# In a record that is too long, a KEY is looked for in what could be kept, however much was read.
long='head -c 300 /dev/zero | tr "\\0" a'
for pause in 0 0.1; do
	check "a long record has its own time: pause $pause" '5100 5000 aaaaa\n6100 6000 b\n' 0 -- \
		"{ printf '5000 '; $long; sleep $pause; printf '\n6000 b\n'; } |
		$VOLLEY --timestamp 1 --max-record 10 --oversize truncate -t 100 -D '' --header '{fired} '"
	check "one that is dropped moves the clock: pause $pause" '100 0 a\n5000 4000 c\n' 0 -- \
		"{ printf '0 a\n5000 '; $long; sleep $pause; printf '\n4000 c\n'; } |
		$VOLLEY --timestamp 1 --max-record 10 --oversize skip -t 100 -D '' --header '{fired} '"
	check "one without a time is dropped all the same: pause $pause" 'eof 1 a\n' 0 -- \
		"{ printf '1 a\nx '; $long; sleep $pause; echo; } |
		$VOLLEY --timestamp 1 --max-record 10 --oversize skip -D '' --header '{reason} '"
	check "one without a time cannot be cut off: pause $pause" \
		"volley: record 2: field 1 of 'x aaaaaaaa' is no time as ms (see --timestamp and --bad-timestamp)\n" 0 -- \
		"{ printf '1 a\nx '; $long; sleep $pause; echo; } |
		$VOLLEY --timestamp 1 --max-record 10 --oversize truncate 2>&1 >/dev/null | head -n 1"
	check "a time that may go on is none: pause $pause" \
		"volley: record 1: field 1 of '1234567890' is no time as ms (see --timestamp and --bad-timestamp)\n" 0 -- \
		"{ printf 1234567890; $long; sleep $pause; echo; } |
		$VOLLEY --timestamp 1 --max-record 10 --oversize truncate 2>&1 >/dev/null | head -n 1"
	check "nor is one in JSON that is not whole: pause $pause" \
		"volley: record 1: '[5000,     ' has no time as ms (see --timestamp and --bad-timestamp)\n" 0 -- \
		"{ printf '[5000,         1'; sleep $pause; printf '0]\n'; } |
		$VOLLEY --timestamp json:/0 --max-record 11 --oversize truncate 2>&1 >/dev/null | head -n 1"
done

# Times that are none
check 'a line without a time is an error' "volley: record 2: 'b' does not begin with a time\n" 0 -- \
	'printf "1 a\nb\n3 c\n" | $VOLLEY -n 5 2>&1 >/dev/null | grep -o "^.* with a time"'
check 'what came before it is written' 'a\n' 1 -- 'printf "1 a\nb\n3 c\n" | $VOLLEY -n 5 -j " "'
for line in '' ' 1 a' '1,5 a' '1.5 a' '+1 a' '- a' '1e3 a' '0x1 a' '99999999999999999999 a'; do
	check "no time: '$line'" '1\n' 0 -- "
		status=0; echo '$line' | \$VOLLEY 2>err || status=\$?
		[ \$status -eq 1 ] && grep -cF \"volley: record 1: '$line' does not begin with a time\" err"
done

# The watermark
check 'a timeout is due at its time, not after it' '10 timeout a b\n20 timeout c\n' 0 -- \
	'printf "0 a\n9 b\n10 c\n" | $VOLLEY -t 10 '"$facts"
check 'timers fire at their own time, however far the clock goes' '10 timeout a\n' 0 -- \
	'printf "0 a\n1000\n" | $VOLLEY -t 10 '"$facts"
check 'a timeout counts from the first record' '10 timeout a b\n' 0 -- \
	'printf "0 a\n9 b\n18\n" | $VOLLEY -t 10 '"$facts"
check 'idle counts from the last record' '19 idle a b\n' 0 -- \
	'printf "0 a\n9 b\n30\n" | $VOLLEY -i 10 '"$facts"
check 'idle and timeout: the earlier one' '8 idle a\n19 timeout b c d\n' 0 -- \
	'printf "4 a\n9 b\n12 c\n15 d\n40\n" | $VOLLEY -t 10 -i 4 '"$facts"
check 'idle 0 fires when the clock moves on' '5 idle a b\n6 idle c\n' 0 -- \
	'printf "5 a\n5 b\n6 c\n" | $VOLLEY -i 0 '"$facts"
check 'the clock never goes back' '20 timeout a b\n' 0 -- \
	'printf "10 a\n5 b\n20\n" | $VOLLEY -t 10 '"$facts"
check 'a count does not care for times' '9 count a b\n9 eof c\n' 0 -- \
	'printf "9 a\n1 b\n5 c\n" | $VOLLEY -n 2 '"$facts"
check 'a count unsets the timeout' '1 count a b\n11 timeout c\n' 0 -- \
	'printf "0 a\n1 b\n1 c\n10\n11\n" | $VOLLEY -n 2 -t 10 '"$facts"
check 'first and last are those of the input order' '5 1 a b c\n' 0 -- \
	'printf "5 a\n9 b\n1 c\n" | $VOLLEY -j " " --header "{first} {last} "'
check 'negative times' '-10 timeout a\n' 0 -- 'printf -- "-20 a\n-9\n" | $VOLLEY -t 10 '"$facts"

# Out of order
check 'the clock stays behind by the bound' '10 timeout a b\n' 0 -- \
	'printf "0 a\n14 b\n15\n" | $VOLLEY -t 10 --out-of-orderness 5 '"$facts"
check 'the bound has a unit' '1000 timeout a b\n4000 timeout c\n' 0 -- \
	'printf "0 a\n2999 b\n3000 c\n" | $VOLLEY -t 1s --out-of-orderness 2s '"$facts"

# The end of the input
check 'at the end the timers fire at their own time' '3600000 timeout a\n' 0 -- \
	'echo 0 a | $VOLLEY -t 1h '"$facts"
check 'what no timer fires is due to the end' '5 eof a\n' 0 -- \
	'printf "0 a\n5\n" | $VOLLEY -n 2 '"$facts"
check 'no time passes for real' '86400000 timeout a\n' 0 -- \
	'printf "0 a\n86400000\n" | $VOLLEY -t 1d --once '"$facts"

# --time-format
check 'ms is the default' '1005 timeout a\n' 0 -- 'echo 5 a | $VOLLEY -t 1s '"$facts"
check 'ms' '1005 timeout a\n' 0 -- 'echo 5 a | $VOLLEY -t 1s --time-format ms '"$facts"
check 's' '6 timeout a\n' 0 -- 'echo 5 a | $VOLLEY -t 1s --time-format s '"$facts"
check 'us' '1000005 timeout a\n' 0 -- 'echo 5 a | $VOLLEY -t 1s --time-format us '"$facts"
check 'ns' '1000000005 timeout a\n' 0 -- 'echo 5 a | $VOLLEY -t 1s --time-format ns '"$facts"
check 's with decimals' '6.75 timeout a\n' 0 -- \
	'echo 5.25 a | $VOLLEY -t 1.5s --time-format s '"$facts"
check 's, nine decimals' '1.123456789 1.1 a b\n' 0 -- \
	'printf "1.123456789 a\n1.100000000 b\n" |
		$VOLLEY --time-format s -j " " --header "{first} {last} "'
check 's, negative decimals' '-0.25 timeout a\n' 0 -- \
	'echo -1.25 a | $VOLLEY -t 1s --time-format s '"$facts"
check 's, ten decimals are too fine' '1\n' 0 -- \
	'echo 1.1234567891 a | $VOLLEY --time-format s 2>&1 | grep -c "does not begin with a time"'
check 'durations do not follow the time format' '5 timeout a\n14 timeout b\n' 0 -- \
	'printf "0 a\n9 b\n" | $VOLLEY -t 5s --time-format s '"$facts"

finish
