#!/bin/sh
# Triggers: every leaf and combinator of --trigger, the flags that stand for them, what --explain
# says of them, and expressions that are wrong.
. "${abs_top_srcdir:-.}/tests/tap.sh"

# The times are those of the records, so nothing here has to wait.
event='--time-domain event --timestamp prefix -j " " --header "{fired} {reason} "'
export EXPR INPUT

# fires NAME EXPR INPUT EXPECTED [OPTIONS]: a trigger, lines of a time and a record, and the
# batches: the time at which each fired, its reason, its records.
fires() {
	EXPR=$2 INPUT=$3
	check "$2: $1" "$4" 0 -- 'printf -- "$INPUT" | $VOLLEY '"$event ${5:-}"' --trigger "$EXPR"'
}

# Leaves
fires 'as many records' 'repeat(count(2))' '1 a\n2 b\n3 c\n' '2 count a b\n3 eof c\n'
fires 'each record' 'repeat(count(1))' '1 a\n2 b\n' '1 count a\n2 count b\n'
fires 'each with its delimiter' 'repeat(bytes(4))' '1 a\n2 b\n3 c\n' '2 bytes a b\n3 eof c\n'
fires 'that many or more' 'repeat(bytes(5))' '1 a\n2 b\n3 c\n4 d\n' '3 bytes a b c\n4 eof d\n'
fires 'one record is enough' 'repeat(bytes(3))' '1 aaaa\n2 b\n' '1 bytes aaaa\n2 eof b\n'
fires 'the size has a unit' 'repeat(bytes(1K))' '1 a\n2 b\n' '2 eof a b\n'
fires 'counts from the first record' 'repeat(delay(10))' '1 a\n10 b\n11 c\n' \
	'11 timeout a b\n21 timeout c\n'
fires 'a record later does not move it' 'repeat(delay(10))' '0 a\n9 b\n12 c\n15 d\n22 e\n' \
	'10 timeout a b\n22 timeout c d\n32 timeout e\n'
fires 'rounded up' 'repeat(delay(5, align=10))' '3 a\n9 b\n10 c\n' '10 timeout a b\n20 timeout c\n'
fires 'what is on a boundary stays' 'repeat(delay(5,align=10))' '5 a\n10 b\n' \
	'10 timeout a\n20 timeout b\n'
fires 'boundaries with a phase' 'repeat(delay(5, align=10+3))' '3 a\n8 b\n13 c\n' \
	'13 timeout a b\n23 timeout c\n'
fires 'a phase of more than a period' 'repeat(delay(0, align=10+53))' '4 a\n13 b\n' \
	'13 timeout a\n13 timeout b\n'
fires 'negative times are rounded up, too' 'repeat(delay(5, align=10))' '-18 a\n-4 b\n' \
	'-10 timeout a\n10 timeout b\n'
fires 'counts from the last record' 'repeat(idle(5))' '1 a\n3 b\n8 c\n' '8 idle a b\n13 idle c\n'
fires 'from the one that came last, though it is older' 'repeat(idle(5))' '10 a\n7 b\n12 c\n' \
	'12 idle a b\n17 idle c\n'
fires 'only the timer makes it ready' 'repeat(idle(5))' '10 a\n2 b\n3 c\n' '10 idle a b c\n'
fires 'the boundary after the first record' 'repeat(every(10))' '3 a\n9 b\n11 c\n' \
	'10 every a b\n20 every c\n'
fires 'strictly after it' 'repeat(every(10))' '10 a\n19 b\n20 c\n' '20 every a b\n30 every c\n'
fires 'with a phase' 'repeat(every(10+3))' '3 a\n12 b\n13 c\n' '13 every a b\n23 every c\n'
fires 'before the epoch' 'repeat(every(10))' '-15 a\n-10 b\n' '-10 every a\n0 every b\n'
fires 'a time as --time-format has it' 'at(15)' '10 a\n14 b\n15 c\n' '15 at a b\n'
fires 'a time as RFC 3339' 'at(1970-01-01T01:00:00.015+01:00)' '10 a\n14 b\n15 c\n' '15 at a b\n'
fires 'a time that lies before the records' 'repeat(at(15))' '16 a\n17 b\n' '17 eof a b\n'
fires 'seconds, when times are seconds' 'at(1.5)' '1 a\n1.4 b\n2 c\n' '1.5 at a b\n' \
	'--time-format s'
fires 'a time of the day' 'repeat(at(00:01))' '0 a\n59999 b\n60000 c\n' \
	'60000 at a b\n86460000 at c\n'
fires 'a time of the day with seconds' 'repeat(at(00:00:30))' '0 a\n30000 b\n' \
	'30000 at a\n86430000 at b\n'
fires 'the record that matches is in' "repeat(match('^b'))" '1 a\n2 b\n3 c\n' \
	'2 match a b\n3 eof c\n'
fires 'in double quotes, a bracket and a comma are plain' 'repeat(match("b,[)]"))' '1 a\n2 b,)\n3 c\n' \
	'2 match a b,)\n3 eof c\n'
fires 'without quotes' 'repeat(match(^b))' '1 a\n2 b\n3 c\n' '2 match a b\n3 eof c\n'
fires 'a quote within the other quotes' "repeat(match(\"'\"))" "1 a\\n2 b'\\n" "2 match a b'\\n"
fires 'a quote behind a backslash' "repeat(match('b\\'c'))" "1 b\\n2 b'c\\n3 c\\n" \
	"2 match b b'c\\n3 eof c\\n"
fires 'a number that moves by more' 'repeat(delta(1, 5))' \
	'1 10\n2 15\n3 16\n4 20\n5 11\n6 10\n' '3 delta 10 15 16\n6 delta 20 11 10\n'
fires 'exactly as much is not more' 'repeat(delta(1, 5))' '1 0\n2 5\n3 -5\n' '3 eof 0 5 -5\n'
fires 'fractions' 'repeat(delta(1, 0.5))' '1 1\n2 1.5\n3 1.51\n' '3 delta 1 1.5 1.51\n'
fires 'a distance of 0: any other number' 'repeat(delta(1, 0))' '1 1\n2 1\n3 1.0\n4 2\n' \
	'4 delta 1 1 1.0 2\n'
fires 'without a number it does not count' 'repeat(delta(1, 5))' \
	'1 x\n2 1\n3 nan\n4 0x99\n5 inf\n6 7\n' '6 delta x 1 nan 0x99 inf 7\n'
fires 'the base is the number at the last reset, whoever fired' 'repeat(any(count(2), delta(1, 5)))' \
	'1 0\n2 3\n3 7\n4 8\n' '2 count 0 3\n4 count 7 8\n'
fires 'the number that a regular expression finds' "repeat(delta('re:t=(\\d+)', 5))" \
	'1 t=1 9\n2 u=70\n3 t=7\n' '3 delta t=1 9 u=70 t=7\n'
fires 'the number in a JSON value' 'repeat(delta(json:/t, 0.25))' \
	'1 {"t":1}\n2 {"t":1.25}\n3 {"t":1.5}\n' '3 delta {"t":1} {"t":1.25} {"t":1.5}\n'
fires 'the second field, by a separator' 'repeat(delta(2, 5))' '1 a,0\n2 b,6\n3 c,7\n' \
	'2 delta a,0 b,6\n3 eof c,7\n' '-F ,'
fires 'never' 'repeat(never())' '1 a\n2 b\n' '2 eof a b\n'
fires 'without windows: at the end of the input' 'repeat(watermark())' '1 a\n2 b\n' '2 window a b\n'

# Combinators
fires 'any of them' "repeat(any(count(3), match('x')))" '1 a\n2 x\n3 b\n4 c\n5 d\n' \
	'2 match a x\n5 count b c d\n'
fires 'the others begin anew' 'repeat(any(count(2), delay(10)))' '0 a\n5 b\n6 c\n12 d\n' \
	'5 count a b\n12 count c d\n'
fires 'the timers of the others, too' 'repeat(any(count(2), delay(10)))' '0 a\n5 b\n6 c\n12\n' \
	'5 count a b\n16 timeout c\n'
fires 'once' 'any(count(2), delay(10))' '1 a\n2 b\n3 c\n' '2 count a b\n'
fires 'the first in the text is the reason' 'any(delay(10), idle(10))' '0 a\n20\n' '10 timeout a\n'
fires 'the first in the text is the reason' 'any(idle(10), delay(10))' '0 a\n20\n' '10 idle a\n'
fires 'the first in the text is the reason' "any(match('x'), count(1))" '0 x\n' '0 match x\n'
fires 'all of them' 'repeat(all(count(2), delay(10)))' '1 a\n2 b\n3 c\n11 d\n12 e\n' \
	'11 count a b c\n21 count d e\n'
fires 'what was ready stays so' "repeat(all(match('x'), count(3)))" '1 x\n2 a\n3 b\n4 c\n5 d\n6 e\n' \
	'3 match x a b\n6 eof c d e\n'
fires 'not before the last of them' "repeat(all(count(1), match('x')))" '1 a\n2 b\n3 x\n' \
	'3 count a b x\n'
fires 'one after the other' 'each(count(1), count(2))' '1 a\n2 b\n3 c\n4 d\n' '1 count a\n3 count b c\n'
fires 'over and over' 'repeat(each(count(1), count(2)))' '1 a\n2 b\n3 c\n4 d\n5 e\n' \
	'1 count a\n3 count b c\n4 count d\n5 eof e\n'
fires 'only the one at hand sees records' "repeat(each(match('x'), count(2)))" \
	'1 a\n2 b\n3 x\n4 c\n5 d\n' '3 match a b x\n5 count c d\n'
fires 'only the one at hand has a timer' 'each(count(2), delay(10))' '0 a\n11 b\n12 c\n30\n' \
	'11 count a b\n22 timeout c\n'
fires 'until another is ready' "until(repeat(count(2)), match('end'))" '1 a\n2 b\n3 end\n4 c\n' \
	'2 count a b\n3 match end\n'
fires 'that other one goes first' "until(repeat(count(1)), match('end'))" '1 a\n2 end\n3 b\n' \
	'1 count a\n2 match end\n'
fires 'that other one keeps its state' 'until(repeat(count(2)), count(5))' \
	'1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n' '2 count a b\n4 count c d\n5 count e\n'
fires 'that other one keeps its time' 'until(repeat(count(2)), delay(10))' \
	'1 a\n2 b\n10 c\n12 d\n' '2 count a b\n11 timeout c\n'
fires 'when that other one fires, the first begins anew' 'until(repeat(count(4)), repeat(count(3)))' \
	'1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n' '3 count a b c\n6 count d e f\n'
fires 'or until the first has finished' "until(count(2), match('end'))" '1 a\n2 b\n3 end\n' \
	'2 count a b\n'
fires 'begins anew in a repeat' "repeat(until(repeat(count(2)), count(3)))" \
	'1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n' '2 count a b\n3 count c\n5 count d e\n6 count f\n'
fires 'deep down' 'repeat(any(all(count(1), any(all(count(2), delay(3)), never())), count(9)))' \
	'1 a\n2 b\n3 c\n4 d\n' '4 count a b c\n7 eof d\n'

# The end of a window
window='--window "tumbling(10)" --allowed-lateness 5 --header "{timing} {fired} {reason} "'
phases='1 a\n2 b\n3 c\n10 d\n4 e\n12 f\n'
fires 'early and late' 'watermark(early=count(2), late=count(1))' "$phases" \
	'early 2 count a b\non-time 10 window c\nlate 10 count e\nearly 12 count d f\n' "$window"
fires 'early alone' 'watermark(early=count(2))' "$phases" \
	'early 2 count a b\non-time 10 window c\nearly 12 count d f\n' "$window"
fires 'late alone' 'watermark(late=count(1))' "$phases" \
	'on-time 10 window a b c\nlate 10 count e\non-time 20 window d f\n' "$window"
fires 'late and early' 'watermark(late=count(1), early=count(2))' "$phases" \
	'early 2 count a b\non-time 10 window c\nlate 10 count e\nearly 12 count d f\n' "$window"
fires 'once' 'watermark()' "$phases" 'on-time 10 window a b c\non-time 20 window d f\n' "$window"
fires 'over and over' 'repeat(watermark())' "$phases" \
	'on-time 10 window a b c\nlate 10 window e\non-time 20 window d f\n' "$window"
fires 'early with a combination' 'watermark(early=any(count(3), delay(4)))' \
	'0 a\n4 b\n5 c\n6 d\n7 e\n8 f\n9\n10 g\n' \
	'early 4 timeout a\nearly 6 count b c d\non-time 10 window e f\nearly 14 timeout g\n' \
	"$window"

# A trigger that has finished
check 'finished: the run ends well' '1 2\n0\n' 0 -- \
	'seq 5 | $VOLLEY -T "count(2)" -j " "; echo $?'
check 'finished: the rest of a file is left' '1\n2 3\n4\n5\n' 0 -- \
	'seq 5 >file; ($VOLLEY -T "each(count(1), count(2))" -j " "; cat) <file'
check 'finished: the records after the first of a key are dropped' 'a 1\nb 1\n' 0 -- \
	'printf "a 1\na 2\nb 1\na 3\n" | $VOLLEY -k 1 -T "count(1)" -j " "'
check 'finished: what was dropped is counted and reported' '1\n' 0 -- \
	'printf "a 1\na 2\nb 1\na 3\n" | $VOLLEY -k 1 -T "count(1)" 2>&1 >out |
		grep -cx "volley: 2 records dropped that came after the end of their trigger"'
check_err 'finished: of one record alone' \
	'volley: 1 record dropped that came after the end of its trigger\n' 0 -- \
	'printf "a 1\na 2\nb 1\n" | $VOLLEY -k 1 -T "count(1)"'

# The flags, in their order, are an expression; --explain prints it first
explains() {
	check "explained: $1" "$2\n" 0 -- "\$VOLLEY $1 --explain | head -n 1"
}
explains '-n 10 -t 1s -i 200ms' 'repeat(any(count(10), delay(1s), idle(200ms)))'
explains '-i 200 -t 1000 -n 10' 'repeat(any(count(10), delay(1s), idle(200ms)))'
explains '-m x -e 1m -i 5 -t 5 -n 5' \
	"repeat(any(count(5), delay(5ms), idle(5ms), every(1m), match('x')))"
explains '-n 10' 'repeat(count(10))'
explains '-t 90s' 'repeat(delay(1m30s))'
explains '-i 0' 'repeat(idle(0))'
explains '-e 1h+5m' 'repeat(every(1h+5m))'
explains '-m "^it'"'"'s [0-9]\\.$"' "repeat(match('^it\\\\'s [0-9]\\\\\\\\.\$'))"
explains '-t 1s -a 1m' 'repeat(delay(1s, align=1m))'
explains '-t 1s -a 1m+2s -n 3' 'repeat(any(count(3), delay(1s, align=1m+2s)))'
explains '-n 10 --once' 'count(10)'
explains '-n 10 -t 1s --once' 'any(count(10), delay(1s))'
explains '' 'never()'
explains '--once' 'never()'
explains '-b 1K' 'never()'
check 'explained: what closes a batch beside the trigger' \
	"It also goes out before a record that would make it larger than 10 bytes.
It also goes out before a record that --break-before matches.
It also goes out before a record whose key for --break-on is another.\n" 0 -- \
	'$VOLLEY -n 3 -b 10 --break-before x --break-on 1 --explain | grep also'
check 'explained: a size with a unit' \
	'It also goes out before a record that would make it larger than 1K.\n' 0 -- \
	'$VOLLEY -b 1K --explain | grep also'
explains '-w "tumbling(1m)"' 'repeat(watermark())'
explains '-w "tumbling(1m)" --once' 'watermark()'
for expr in 'count(3)' 'bytes(64K)' 'bytes(65)' 'delay(1s)' 'delay(1s, align=1m+2s)' 'idle(1m30s)' \
	'every(1d+6h)' 'at(23:59)' 'at(23:59:30)' 'at(2026-01-31T12:00:00.500Z)' 'never()' \
	'watermark()' 'watermark(early=count(2))' 'watermark(late=count(1))' \
	'watermark(early=count(2), late=any(count(1), delay(5ms)))' \
	'repeat(until(each(all(count(1), delay(1ns)), idle(5us)), any(count(2), never())))'; do
	explains "-T '$expr'" "$expr"
done
explains '-T " repeat (any( count( 3 ),delay(1000) ) ) "' 'repeat(any(count(3), delay(1s)))'
explains "-T 'match(\"a\")'" "match('a')"
explains "-T 'delta(2,0.10)'" "delta('2', 0.1)"
check 'an expression that was printed means the same' '' 0 -- '
	$VOLLEY --explain -m "it'"'"'s \\\\d" -n 3 | head -n 1 >first
	$VOLLEY --explain -T "$(cat first)" | head -n 1 | diff first -'
check 'explain says when the timers of a batch go off' '2\n' 0 -- \
	'TZ=UTC $VOLLEY --explain -t 1h -i 30m |
		grep -cE "^  [0-9-]{10}T[0-9:.]{12}\+00:00  (delay\(1h\)|idle\(30m\), )"'
check 'explain puts the timers in order' 'idle\ndelay\nevery\n' 0 -- \
	'$VOLLEY --explain -t 1h -i 30m -e 106751d | grep -oE "  (idle|delay|every)" | tr -d " "'
check 'explain says when there is no timer' '1\n' 0 -- '$VOLLEY --explain -n 5 | grep -c "no timer"'
check 'explain reads nothing' '1\n2\n3\n' 0 -- \
	'seq 3 >file; ($VOLLEY --explain -n 2 >out; cat) <file'
check 'explain does not wait for the input' '1\n' 0 -- \
	'rm -f fifo; mkfifo fifo; (exec sleep 20 >fifo) & $VOLLEY --explain -n 2 <fifo | grep -c ^repeat
	kill $!'
check 'explain runs no command' 'no\n' 0 -- \
	'echo a | $VOLLEY --explain -n 1 -- touch here >out; [ -e here ] || echo no'

# Expressions that are wrong: the caret stands under the place
# wrong EXPR COLUMN TEXT: three lines, status 2, nothing read.
wrong() {
	EXPR=$1
	check "wrong: $1" '' 0 -- '
		seq 3 >file
		{ status=0; $VOLLEY --trigger "$EXPR" 2>err || status=$?; cat >rest; } <file
		[ $status -eq 2 ] || echo "status $status"
		cmp file rest
		[ "$(wc -l <err)" -eq 3 ] || echo "not three lines"
		sed -n 1p err | grep -q "^volley: --trigger: " || echo "not of --trigger"
		sed -n 1p err | grep -qF -- "'"$3"'" || echo "another message"
		[ "$(sed -n 2p err)" = "  $EXPR" ] || echo "another text"
		[ "$(sed -n 3p err)" = "$(printf "%'$(($2 + 2))'s^" "")" ] || echo "another place"'
}
wrong '' 0 'expected a trigger (use count, bytes, delay, idle'
wrong '  ' 2 'expected a trigger'
wrong 'counts(1)' 0 'unknown trigger (use count'
wrong 'Count(1)' 0 'expected a trigger'
wrong 'repeat(any(count(3), foo(3)))' 21 'unknown trigger'
wrong 'count' 5 "expected '(' (use count(10))"
wrong 'count(' 6 'expected a value (use count(10))'
wrong 'count()' 6 'expected a value (use count(10))'
wrong 'count(1' 7 "expected ')' (use count(10))"
wrong 'count(1,2)' 7 "expected ')'"
wrong 'count(1))' 8 'something stands behind the trigger'
wrong 'count(1) count(2)' 9 'something stands behind the trigger'
wrong 'count(0)' 6 'the least is 1'
wrong 'count( x)' 7 'whole number'
wrong 'count(-1)' 6 'sign'
wrong 'bytes(0)' 6 'the least is 1'
wrong 'bytes(1k)' 6 "unknown unit 'k'"
wrong 'delay(1x)' 6 "unknown unit 'x'"
wrong 'delay(1s, foo=1m)' 10 "expected 'align=' (use delay(1s)"
wrong 'delay(1s, align)' 15 "expected '='"
wrong 'delay(1s, align=)' 16 'expected a value'
wrong 'delay(1s, align=0)' 16 'a period of 0'
wrong 'delay(1s, align=1m+x)' 16 'not a number'
wrong 'idle(1m, 1s)' 7 "expected ')' (use idle(200ms))"
wrong 'every(0)' 6 'a period of 0'
wrong 'every(1m+)' 6 "nothing behind '+' (use 1m+5s)"
wrong 'at(24:00)' 3 'not a time (use HH:MM[:SS]'
wrong 'at(tomorrow)' 3 'not a time'
wrong 'at()' 3 'expected a value'
wrong "match('x)" 9 'the quote is not closed'
wrong "match('(')" 6 'closing parenthesis'
wrong 'match()' 6 "expected a value (use match('^END'))"
wrong 'delta(1)' 7 "expected ',' (use delta(2, 0.5))"
wrong 'delta(0, 1)' 6 'no key (use a field'
wrong 'delta(json:x, 1)' 6 'a JSON pointer begins with'
wrong 'delta(1, -1)' 9 'not a distance'
wrong 'delta(1, nan)' 9 'not a distance'
wrong 'delta(1, 1e999)' 9 'not a distance'
wrong 'never(1)' 6 "expected ')'"
wrong 'watermark(foo)' 10 'expected early= or late='
wrong 'watermark(early)' 15 "expected '='"
wrong 'watermark(early=count(1), early=count(2))' 26 'expected early= or late='
wrong 'watermark(late=)' 15 'expected a trigger'
wrong 'any()' 4 'expected a trigger'
wrong 'any(count(1),)' 13 'expected a trigger'
wrong 'all(count(1) count(2))' 13 "expected ')'"
wrong 'each(count(1), x)' 15 'unknown trigger'
wrong 'repeat()' 7 'expected a trigger'
wrong 'repeat(count(1), count(2))' 15 "expected ')'"
wrong 'until(count(1))' 14 "expected ','"
wrong 'until(count(1), count(2), count(3))' 24 "expected ')'"
check 'a long expression is cut, and the caret still stands under the place' '' 0 -- '
	long="any($(printf "count(%d), " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)X(1))"
	$VOLLEY -T "$long" 2>err
	at=$(sed -n 3p err | tr -d "\n" | wc -c)
	[ "$(sed -n 2p err | cut -c "$at-$((at + 3))")" = "X(1)" ] || cat err
	[ "$(sed -n 2p err | wc -c)" -le 80 ] || cat err'
check_err 'at the most 32 deep' 'volley: --trigger: too deep (use at most 32 levels)\n' 1 -- '
	repeat() { i=0; while [ $i -lt $1 ]; do printf "$2"; i=$((i + 1)); done; }
	$VOLLEY -T "$(repeat 31 "any(")never()$(repeat 31 ")")" || exit
	$VOLLEY -T "$(repeat 32 "any(")never()$(repeat 32 ")")" 2>err
	head -n 1 err >&2; exit 1'
check 'at the most 256 triggers' '0\n2\n' 0 -- '
	list() { printf "any("; i=0; while [ $i -lt $1 ]; do printf "count(9),"; i=$((i + 1)); done
		printf "never())"; }
	$VOLLEY -T "$(list 254)"; echo $?; $VOLLEY -T "$(list 255)" 2>err; echo $?'
check 'wild expressions do no harm' '' 0 -- '
	for expr in "((((" "any(any(any(" "watermark(early=watermark(late=" "match(" "\"" "count(1" \
		"delta(,)" "$(printf "%05000d" 0)" "$(printf "\377\376(\001)")"; do
		status=0; $VOLLEY -T "$expr" 2>err || status=$?
		[ $status -eq 2 ] || echo "status $status: $expr"
	done'

finish
