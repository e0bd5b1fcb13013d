#!/bin/sh
# Windows, lateness, and the forms that times have. All by the records' own clock but the last few.
. "${abs_top_srcdir:-.}/tests/tap.sh"

event='--time-domain event --timestamp prefix -j " "'
export INPUT

# windows NAME WINDOW OPTIONS INPUT EXPECTED: lines of a time and a record, and the batches: the
# window, why and when it came out, the records.
windows() {
	INPUT=$4
	check "$2: $1" "$5" 0 -- 'printf -- "$INPUT" | $VOLLEY '"$event --window '$2' $3"' \
		--header "{start}-{end} {reason} {fired} "'
}

# tumbling
windows 'one after the other' 'tumbling(10)' '' '0 a\n9 b\n10 c\n25 d\n' \
	'0-10 window 10 a b\n10-20 window 20 c\n20-30 window 30 d\n'
windows 'a record at the end is in the next one' 'tumbling(10)' '' '9 a\n10 b\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
windows 'with a phase' 'tumbling(10,3)' '' '2 a\n3 b\n12 c\n13 d\n' \
	'-7-3 window 3 a\n3-13 window 13 b c\n13-23 window 23 d\n'
windows 'a phase of more than a window' 'tumbling(10, 23)' '' '2 a\n3 b\n' \
	'-7-3 window 3 a\n3-13 window 13 b\n'
windows 'before the epoch' 'tumbling(10)' '' '-11 a\n-10 b\n-1 c\n0 d\n' \
	'-20--10 window -10 a\n-10-0 window 0 b c\n0-10 window 10 d\n'
windows 'empty ones make no batch' 'tumbling(10)' '' '5 a\n1000005 b\n' \
	'0-10 window 10 a\n1000000-1000010 window 1000010 b\n'
windows 'two are open at once when records are out of order' 'tumbling(10)' '--out-of-orderness 5' \
	'8 a\n12 b\n9 c\n14 d\n15 e\n' '0-10 window 10 a c\n10-20 window 20 b d e\n'
windows 'with a count in it' 'tumbling(10)' '-n 2' '1 a\n2 b\n3 c\n10 d\n' \
	'0-10 count 2 a b\n0-10 window 10 c\n10-20 window 20 d\n'
windows 'a count does not go on in the next' 'tumbling(10)' '-n 2' '1 a\n11 b\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
windows 'a timer of a window that is over does nothing' 'tumbling(10)' '-t 8' '5 a\n30 b\n' \
	'0-10 window 10 a\n30-40 timeout 38 b\n'
windows 'a timer due at the end goes before it' 'tumbling(10)' '-t 8' '2 a\n30 b\n' \
	'0-10 timeout 10 a\n30-40 timeout 38 b\n'
windows 'mode fire' 'tumbling(10)' '-n 2 -M fire' '1 a\n2 b\n3 c\n10 d\n' \
	'0-10 count 2 a b\n0-10 window 10 a b c\n10-20 window 20 d\n'
windows 'a limit' 'tumbling(10)' '-b 4' '1 a\n2 b\n3 c\n10 d\n' \
	'0-10 limit 2 a b\n0-10 window 10 c\n10-20 window 20 d\n'
windows 'a time alone ends it' 'tumbling(10)' '' '1 a\n10\n' '0-10 window 10 a\n'
windows 'global is as if there were none' 'global' '' '1 a\n10 b\n' '- eof 10 a b\n'
windows 'emit-empty: asked at the end, records or not' 'tumbling(10)' \
	'-T "watermark(early=count(2))" --emit-empty' '1 a\n2 b\n10 c\n' \
	'0-10 count 2 a b\n0-10 window 10 \n10-20 window 20 c\n'
windows 'emit-empty in mode fire, the same again' 'tumbling(10)' \
	'-T "watermark(early=count(2))" --emit-empty -M fire' '1 a\n2 b\n10 c\n' \
	'0-10 count 2 a b\n0-10 window 10 a b\n10-20 window 20 c\n'
check 'keys in windows, each by itself' '0 x x1 x2\n0 y y1\n10 x x3\n' 0 -- \
	'printf "1 x1\n2 y1\n3 x2\n11 x3\n" |
		$VOLLEY '"$event"' -w "tumbling(10)" -k "re:^." --header "{start} {key} "'

# sliding
windows 'a record is in each that covers it' 'sliding(10,5)' '' '3 a\n7 b\n12 c\n' \
	'-5-5 window 5 a\n0-10 window 10 a b\n5-15 window 15 b c\n10-20 window 20 c\n'
windows 'a slide that is no part of the size' 'sliding(10,4)' '' '9 a\n' \
	'0-10 window 10 a\n4-14 window 14 a\n8-18 window 18 a\n'
windows 'with a phase' 'sliding(10, 5, 2)' '' '6 a\n' '-3-7 window 7 a\n2-12 window 12 a\n'
windows 'a slide of the size is tumbling' 'sliding(10,10)' '' '9 a\n10 b\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
windows 'in the order of their starts' 'sliding(10,5)' '-n 1' '7 a\n' '0-10 count 7 a\n5-15 count 7 a\n'
windows 'late in one, not in the other' 'sliding(10,5)' '' '6 a\n10 b\n7 c\n' \
	'0-10 window 10 a\n5-15 window 15 a b c\n10-20 window 20 b\n'
windows 'late when all are over' 'sliding(10,5)' '--late emit' '6 a\n15 b\n7 c\n' \
	'0-10 window 10 a\n5-15 window 15 a\n5-15 late 15 c\n10-20 window 20 b\n15-25 window 25 b\n'

# session
windows 'a gap ends it' 'session(5)' '' '1 a\n4 b\n20 c\n' '1-9 window 9 a b\n20-25 window 25 c\n'
windows 'what only touches is another' 'session(5)' '' '1 a\n6 b\n' '1-6 window 6 a\n6-11 window 11 b\n'
windows 'a nanosecond less is the same' 'session(5)' '--time-format us' '1000 a\n5999 b\n' \
	'1000-10999 window 10999 a b\n'
windows 'a record between two merges them, in input order' 'session(5)' '--out-of-orderness 100' \
	'8 c\n1 a\n4 b\n' '1-13 window 13 c a b\n'
windows 'a chain of merges' 'session(10)' '--out-of-orderness 100' \
	'1 a\n23 b\n12 c\n6 d\n17 e\n' '1-33 window 33 a b c d e\n'
windows 'counts add up' 'session(5)' '--out-of-orderness 100 -T "repeat(any(watermark(), count(3)))"' \
	'1 a\n9 b\n5 c\n30 d\n' '1-14 count -91 a b c\n30-35 window 35 d\n'
windows 'a merge does not fire what is not due' 'session(5)' \
	'--out-of-orderness 100 -T "repeat(any(watermark(), count(4)))"' \
	'1 a\n9 b\n5 c\n30 d\n' '1-14 window 14 a b c\n30-35 window 35 d\n'
windows 'its timer is that of the first record by time' 'session(6)' \
	'--out-of-orderness 20 -T "repeat(any(watermark(), delay(5)))"' '10 a\n2 b\n6 c\n40 d\n' \
	'2-16 timeout 7 a b c\n40-46 timeout 45 d\n'
windows 'idle counts from the last record, whichever was first' 'session(5)' '-i 3' \
	'1 a\n3 b\n7 c\n30\n' '1-8 idle 6 a b\n1-12 idle 10 c\n'
windows 'an older record makes it begin earlier' 'session(5)' '--out-of-orderness 100' '4 a\n1 b\n' \
	'1-9 window 9 a b\n'
windows 'late, unless it merges' 'session(5)' '--late emit' '10 a\n12 b\n7 c\n2 d\n' \
	'2-7 late 12 d\n7-17 window 17 a b c\n'
check 'when a session grows its timers are set anew, behind those of the same time' \
	'y y1\nx x1 x2\n' 0 -- \
	'printf "1 x1\n1 y1\n2 x2\n30\n" | $VOLLEY '"$event"' -w "session(20)" -k "re:^." \
		-T "repeat(any(watermark(), delay(10)))" --header "{key} "'
check 'sessions of keys do not merge' 'x 1-6 x1\ny 3-8 y1\nx 12-17 x2\n' 0 -- \
	'printf "1 x1\n3 y1\n12 x2\n" |
		$VOLLEY '"$event"' -w "session(5)" -k "re:^." --header "{key} {start}-{end} "'

# Lateness
windows 'a late record is dropped' 'tumbling(10)' '' '1 a\n10 b\n9 c\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
check 'what was dropped is counted and reported' '1\n' 0 -- \
	'printf "1 a\n10 b\n9 c\n8 d\n" | $VOLLEY '"$event"' -w "tumbling(10)" 2>&1 >out |
		grep -cx "volley: 2 records too late for their window dropped"'
check_err 'of one record alone' 'volley: 1 record too late for its window dropped\n' 0 -- \
	'printf "1 a\n10 b\n9 c\n" | $VOLLEY '"$event"' -w "tumbling(10)"'
check_err 'nothing late, nothing said' '' 0 -- \
	'printf "1 a\n10 b\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late drop'
windows 'dropped, when said so' 'tumbling(10)' '--late drop' '1 a\n10 b\n9 c\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
windows 'emitted by itself' 'tumbling(10)' '--late emit' '1 a\n10 b\n9 c\n8 d\n' \
	'0-10 window 10 a\n0-10 late 10 c\n0-10 late 10 d\n10-20 window 20 b\n'
check_err 'what was emitted was not dropped' '' 0 -- \
	'printf "1 a\n10 b\n9 c\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late emit'
check 'late: pane 0, timing late, its own times' 'late 0 late 9 9 9 1 2 c\n' 0 -- \
	'printf "1 a\n10 b\n9 c\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late emit --header \
		"{reason} {pane} {timing} {first} {last} {timestamp} {count} {bytes} " | grep ^late'
check 'late fail: what is due before it is written' '0 a\n' 1 -- \
	'printf "1 a\n10 b\n9 c\n11 d\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late fail \
		--header "{start} " >out; status=$?; head -n 1 out; exit $status'
check 'late fail says which record' '1\n' 0 -- \
	'printf "1 a\n10 b\n9 c\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late fail 2>&1 >out |
		grep -cx "volley: record 3 is too late for its window .*"'
check 'a record at the last moment is not late' '0 a b\n' 0 -- \
	'printf "9 a\n9 b\n" | $VOLLEY '"$event"' -w "tumbling(10)" --late fail --header "{start} "'
windows 'lives on for its lateness' 'tumbling(10)' '--allowed-lateness 5' \
	'1 a\n10 b\n9 c\n14 d\n8 e\n15 f\n7 g\n' \
	'0-10 window 10 a\n0-10 window 10 c\n0-10 window 14 e\n10-20 window 20 b d f\n'
check 'timing: early, on time, late' 'early a b\non-time c\nlate d\nlate e\n' 0 -- \
	'printf "1 a\n2 b\n3 c\n10\n4 d\n5 e\n" | $VOLLEY '"$event"' -w "tumbling(10)" \
		--allowed-lateness 5 -T "watermark(early=count(2), late=count(1))" --header "{timing} "'
check 'panes count within the window' '0 0 a b\n0 1 c\n0 2 d\n10 0 e\n' 0 -- \
	'printf "1 a\n2 b\n3 c\n10\n4 d\n10 e\n" | $VOLLEY '"$event"' -w "tumbling(10)" \
		--allowed-lateness 5 -T "watermark(early=count(2), late=count(1))" --header "{start} {pane} "'
windows 'mode fire: late records join the whole' 'tumbling(10)' '--allowed-lateness 5 -M fire' \
	'1 a\n10 b\n9 c\n' '0-10 window 10 a\n0-10 window 10 a c\n10-20 window 20 b\n'
windows 'what the trigger left is emitted at the very end' 'tumbling(10)' \
	'--allowed-lateness 5 -T "never()"' '1 a\n10 b\n9 c\n15 d\n' \
	'0-10 window 15 a c\n10-20 window 25 b d\n'
windows 'an on-time firing that is all: later records are dropped' 'tumbling(10)' \
	'--allowed-lateness 5 -T "watermark()"' '1 a\n10 b\n9 c\n' \
	'0-10 window 10 a\n10-20 window 20 b\n'
check 'records that came when the trigger had finished are counted' '1\n' 0 -- \
	'printf "1 a\n10 b\n9 c\n" | $VOLLEY '"$event"' -w "tumbling(10)" --allowed-lateness 5 \
		-T "watermark()" 2>&1 >out | grep -c "^volley: 1 "'

# The end of the input
windows 'all windows end, in order' 'tumbling(10)' '--out-of-orderness 1h' '25 a\n1 b\n12 c\n' \
	'0-10 window 10 b\n10-20 window 20 c\n20-30 window 30 a\n'
windows 'and their timers, in order' 'tumbling(10)' '--out-of-orderness 1h -i 3' '25 a\n1 b\n12 c\n' \
	'0-10 idle 4 b\n10-20 idle 15 c\n20-30 idle 28 a\n'

# --bad-timestamp
check 'a bad time is an error' '1\n' 0 -- \
	'printf "1 a\nx b\n3 c\n" | $VOLLEY '"$event"' --bad-timestamp fail >out 2>err; echo $?'
check 'a bad time is skipped' 'a c\n' 0 -- \
	'printf "1 a\nx b\n3 c\n" | $VOLLEY '"$event"' --bad-timestamp skip'
check 'what was skipped is counted and reported' '1\n' 0 -- \
	'printf "1 a\nx b\n\n3 c\n" | $VOLLEY '"$event"' --bad-timestamp skip 2>&1 >out |
		grep -c "^volley: 2 "'

# --timestamp KEY: the whole line is the record
keyed='--time-domain event --window "tumbling(10)" -j "|" --header "{start} {first} {last} "'
check 'the time is a field' '0 3 9 a 3|b 9\n10 10 10 c 10\n' 0 -- \
	'printf "a 3\nb 9\nc 10\n" | $VOLLEY '"$keyed"' --timestamp 2'
check 'the time is a field, by a separator' '0 3 9 a,3,x|b,9,\n' 0 -- \
	'printf "a,3,x\nb,9,\n" | $VOLLEY '"$keyed"' --timestamp 2 -F ,'
check 'the time is what a regular expression finds' '0 3 9 a[3]|[9]\n' 0 -- \
	'printf "a[3]\n[9]\n" | $VOLLEY '"$keyed"' --timestamp "re:\\[(\\d+)\\]"'
check 'the time is in JSON' '0 3 9 {"t":3}|{"t":"9"}\n' 0 -- \
	"printf '{\"t\":3}\n{\"t\":\"9\"}\n' | \$VOLLEY $keyed --timestamp json:/t"
check 'seconds with a fraction in JSON' '1.1 2.25\n' 0 -- \
	"printf '{\"t\":1.1}\n{\"t\":2.25}\n' | \$VOLLEY --time-domain event --timestamp json:/t \
		--time-format s -j '' --header '{first} {last}\n' | head -n 1"
check 'a record without the field' '1\n' 0 -- \
	'printf "a 3\nb\n" | $VOLLEY '"$keyed"' --timestamp 2 2>&1 >out |
		grep -cx "volley: record 2: field 2 of .b. is no time as ms (see .*)"'
check 'a record without what a regular expression or a pointer looks for' '2\n' 0 -- \
	'for key in "re:\[(\d+)" json:/t; do echo b | $VOLLEY '"$keyed"' --timestamp "$key" 2>&1; done |
		grep -cx "volley: record 1: .b. has no time as ms (see .*)"'
check 'a record without the field is skipped' '0 3 9 a 3|c 9\n' 0 -- \
	'printf "a 3\nb\nc 9\n" | $VOLLEY '"$keyed"' --timestamp 2 --bad-timestamp skip'
check 'a number alone is a record, when the time is a field' '0 3 4 3|4\n' 0 -- \
	'printf "3\n4\n" | $VOLLEY '"$keyed"' --timestamp 1'
check 'all of the field is the time' '1\n' 0 -- \
	'printf "a,1970x\n" | $VOLLEY '"$keyed"' --timestamp 2 -F , --time-format %Y 2>&1 >out |
		grep -c "^volley: record 1: "'

# --time-format, in the input and the output
# form FORMAT INPUT EXPECTED
form() {
	INPUT=$2
	check "as $1: $2" "$3\n" 0 -- 'printf %s "$INPUT x" | $VOLLEY '"$event --time-format '$1'"' \
		--header "{first} " | sed "s/ x$//"'
}
form ms 1 1
form ms -1 -1
form ms 0 0
form ms 1700000000000 1700000000000
form us 1700000000000001 1700000000000001
form ns 9223372036854775000 9223372036854775000
form s 1.000000001 1.000000001
form s -0.5 -0.5
form s 1.50 1.5
form rfc3339 2026-11-30T12:00:00Z 2026-11-30T12:00:00Z
form rfc3339 2026-11-30t12:00:00.5z 2026-11-30T12:00:00.500Z
form rfc3339 2026-11-30T12:00:00+01:30 2026-11-30T10:30:00Z
form rfc3339 2026-11-30T12:00:00-00:30 2026-11-30T12:30:00Z
form rfc3339 1969-12-31T23:59:59.999999999Z 1969-12-31T23:59:59.999999999Z
form rfc3339 2024-02-29T23:59:60Z 2024-03-01T00:00:00Z
form '%Y-%m-%d %H:%M:%S' '2026-11-30 12:00:00' '2026-11-30 12:00:00'
form '%d/%b/%Y:%H:%M:%S %z' '30/Nov/2026:12:00:00 +0100' '30/Nov/2026:11:00:00 +0000'
form '[%s]' '[1700000000]' '[1700000000]'
form '%Y' 1970 1970
check 'a local time is in the local zone' '2026-11-30 12:00:00 1h\n' 0 -- \
	'printf "2026-11-30 12:00:00 a\n2026-11-30 12:59:59 b\n2026-11-30 13:00:00 c\n" |
		TZ=XYZ-5:30 $VOLLEY '"$event"' --time-format "%Y-%m-%d %H:%M:%S" -t 1h \
		--header "{first} 1h\n" | head -n 1'
check 'rfc3339: windows in UTC' '2026-11-30T12:00:00Z 2026-11-30T12:01:00Z a\n' 0 -- \
	'echo 2026-11-30T13:00:59.9+01:00 a | $VOLLEY '"$event"' --time-format rfc3339 \
		-w "tumbling(1m)" --header "{start} {end} "'
for bad in 2026-02-29T12:00:00Z 2026-13-01T12:00:00Z 2026-11-30T24:00:00Z 2026-11-30T12:60:00Z \
	2026-11-30T12:00:00 2026-11-30T12:00Z 2026-11-30 2026-11-30T12:00:00+1:00 \
	2026-11-30T12:00:00.Z 2026-11-30T12:00:00Zx 1600-01-01T00:00:00Z 2300-01-01T00:00:00Z; do
	check "not as rfc3339: $bad" '1\n' 0 -- "
		echo $bad a | \$VOLLEY $event --time-format rfc3339 2>&1 | grep -c '^volley: record 1: '"
done
for bad in '2026-11-30' '2026-11-30 12:00:0x' '30/Nov'; do
	check "not as the format: $bad" '1\n' 0 -- "
		echo '$bad a' | \$VOLLEY $event --time-format '%Y-%m-%d %H:%M:%S' 2>&1 |
			grep -c '^volley: record 1: '"
done

# Times at the very ends of what can be said: as they are, or an error
for time in 9223372036854775807 9223372036854775806 -9223372036854775807 0; do
	for option in '-t 10' '-n 1' '-i 10' '-e 10' '-w "tumbling(10)"' '-w "sliding(10,5)"' \
		'-w "session(10)"' '-w "tumbling(106751d)"' '-w "session(106751d)"' \
		'-t 106751d -a 106751d' '--out-of-orderness 106751d' \
		'-w "tumbling(10)" --allowed-lateness 106751d'; do
		check "the time $time and $option" "$time a\n" 0 -- "
			echo '$time a' | \$VOLLEY $event --time-format ns $option --header '{first} ' |
				sort -u"
	done
done
for time in 9223372036854775808 -9223372036854775809 99999999999999999999999999999; do
	check "no time in ns: $time" '1\n' 0 -- "
		echo '$time a' | \$VOLLEY $event --time-format ns 2>&1 | grep -c '^volley: record 1: '"
done
for format in us ms s; do
	check "no time in $format: 9223372036854775807" '1\n' 0 -- "
		echo '9223372036854775807 a' | \$VOLLEY $event --time-format $format 2>&1 |
			grep -c '^volley: record 1: '"
done
windows 'near the end of time they still have a start and an end' 'tumbling(10)' '--time-format ns' \
	'9223372036840000000 a\n' \
	'9223372036840000000-9223372036850000000 window 9223372036850000000 a\n'

# {timestamp}: --output-timestamp
for which in first:1 last:7 fired:10 end:10; do
	check "output-timestamp ${which%:*}" "${which#*:} a b\n" 0 -- \
		'printf "1 a\n7 b\n12\n" | $VOLLEY '"$event"' -w "tumbling(10)" \
			--output-timestamp '"${which%:*}"' --header "{timestamp} "'
done
check 'first and last are those of the input order' '5 1 5 a b c\n' 0 -- \
	'printf "5 a\n9 b\n1 c\n" | $VOLLEY '"$event"' -w "tumbling(10)" --out-of-orderness 9 \
		--header "{first} {last} {timestamp} "'

# --emit-watermarks
marks='--time-domain event --timestamp prefix --emit-watermarks'
check 'the watermark goes on, as lines with a time alone, after what it let out' \
	'1\n3\na\nb\n\n11\n' 0 -- 'printf "1\n3 a\n9 b\n11\n" | $VOLLEY '"$marks"' -w "tumbling(10)"'
check 'it is held by the first of the records that are not out yet' '5\na\n\n15\nb\nc\n\n' 0 -- \
	'printf "5 a\n7\n8\n15 b\n9 c\n" | $VOLLEY '"$marks"' -t 10'
check 'or by the last of them' '5\n7\n8\na\nb\nc\nd\n\n40\n' 0 -- \
	'printf "5 a\n7 b\n8 c\n6 d\n40\n" | $VOLLEY '"$marks"' -t 10 --output-timestamp last'
check 'what is out does not hold it' 'a\n\n5\na\nb\n\n9\n' 0 -- \
	'printf "5 a\n9 b\n" | $VOLLEY '"$marks"' -n 1 -M fire'
check 'nothing holds it when batches carry the time at which they fire' '1\na\n\n11\nb\n\n30\n' 0 -- \
	'printf "1 a\n11 b\n30\n" | $VOLLEY '"$marks"' -w "tumbling(10)" --output-timestamp fired'
check 'not when it did not grow' '5\n' 0 -- \
	'printf "5\n5\n4\n5\n" | $VOLLEY '"$marks"
check 'not at the end of the input' '5\na\n\n' 0 -- 'printf "5 a" | $VOLLEY '"$marks"
check 'behind by the out-of-orderness' '-5\n5\n' 0 -- \
	'printf "0\n10\n" | $VOLLEY '"$marks"' --out-of-orderness 5'
check 'as --time-format' '1970-01-01T00:00:01.500Z\n' 0 -- \
	'echo 1970-01-01T00:00:01.5Z | $VOLLEY '"$marks"' --time-format rfc3339'
check 'they pass --verbose' 'a\n5\nb\n9\n' 0 -- \
	'printf "5 a\n9 b\n" | $VOLLEY '"$marks"' -n 1 -D "" -v'
check 'ended as records are' '5\0009\000' 0 -- 'printf "5\0009\000" | $VOLLEY '"$marks"' -0'
check 'a second volley goes on from there' 'a b c\nd\n' 0 -- \
	'printf "1 a\n9 b\n12 c\n22 d\n" |
		$VOLLEY '"$marks"' -w "tumbling(10)" -j " " --header "{timestamp} " |
		$VOLLEY '"$event"' -w "tumbling(20)"'

finish
