#!/bin/sh
# What a batch looks like: delimiters, join, header and footer with their facts.
. "${abs_top_srcdir:-.}/tests/tap.sh"

event='--time-domain event --timestamp prefix'

# --batch-delimiter
check 'after each batch an empty line' 'a\nb\n\nc\n\n' 0 -- 'printf "a\nb\nc\n" | $VOLLEY -n 2'
check 'another batch delimiter' 'a\nb\n--\nc\n--\n' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY -n 2 -D "--\n"'
check 'no batch delimiter' 'a\nb\nc\n' 0 -- 'printf "a\nb\nc\n" | $VOLLEY -n 2 -D ""'
check 'a NUL byte as batch delimiter' 'a\n\0b\n\0' 0 -- 'printf "a\nb\n" | $VOLLEY -n 1 -D "\\0"'
check 'escapes in the batch delimiter' 'a\n\n\t\r\0\\AB' 0 -- \
	'echo a | $VOLLEY -D "\\n\\t\\r\\0\\\\\\x41\\x42"'
check 'braces in the batch delimiter are text' 'a\n{count}' 0 -- 'echo a | $VOLLEY -D "{count}"'

# --join
check 'joined' 'a,b\nc\n' 0 -- 'printf "a\nb\nc\n" | $VOLLEY -n 2 -j ,'
check 'joined by several bytes' 'a, b\n' 0 -- 'printf "a\nb\n" | $VOLLEY -j ", "'
check 'joined by nothing' 'ab\n' 0 -- 'printf "a\nb\n" | $VOLLEY -j ""'
check 'joined by nothing, ended by another delimiter' 'ab;c;' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY -n 2 -j "" -D ";"'
check 'escapes in the joiner' 'a\tb\n' 0 -- 'printf "a\nb\n" | $VOLLEY -j "\\t"'
check 'a NUL byte as joiner' 'a\0b\n' 0 -- 'printf "a\nb\n" | $VOLLEY -j "\\0"'
check 'braces in the joiner are text' 'a{count}b\n' 0 -- 'printf "a\nb\n" | $VOLLEY -j "{count}"'
check 'joined records have no delimiter' 'a\nb;c\n' 0 -- \
	'printf "a\nb;c;" | $VOLLEY -d ";" -j ";"'
check 'joined, header and footer, with nothing else between' '<a,b>\n<c>\n' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY -n 2 -j , --header "<" --footer ">"'

# --header, --footer
check 'header and footer around the records' '[2\na\nb\n2]\n\n[1\nc\n1]\n\n' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY -n 2 --header "[{count}\n" --footer "{count}]\n"'
check 'an empty header' 'a\n\n' 0 -- 'echo a | $VOLLEY --header "" --footer ""'
check 'escapes' 'A\t\\\0{a\n' 0 -- 'echo a | $VOLLEY -j "" --header "\\x41\\t\\\\\\0{{"'
check 'braces' '{}{1}a\n' 0 -- 'echo a | $VOLLEY -j "" --header "{{}}{{{count}}}"'
check 'a brace by its number is text' '{count}a\n' 0 -- \
	'echo a | $VOLLEY -j "" --header "\\x7bcount\\x7D"'
check 'the last header counts' '2a\n' 0 -- 'echo a | $VOLLEY -j "" --header 1 --header 2'

# The facts
check 'index: from 0' '0 1\n1 2\n2 3\n' 0 -- 'seq 3 | $VOLLEY -n 1 -j "" --header "{index} "'
check 'index: the same in the footer' '0 1 0\n' 0 -- \
	'seq 1 | $VOLLEY -j "" --header "{index} " --footer " {index}"'
check 'count and bytes, with delimiters' '2 7 aa bbb\n1 2 c\n' 0 -- \
	'printf "aa\nbbb\nc\n" | $VOLLEY -n 2 -j " " --header "{count} {bytes} "'
check 'bytes do not depend on the joiner' '7 aa, bbb\n' 0 -- \
	'printf "aa\nbbb\n" | $VOLLEY -j ", " --header "{bytes} "'
check 'reasons: count, limit, eof' 'count a b\nlimit cccc\neof d\n' 0 -- \
	'printf "a\nb\ncccc\nd\n" | $VOLLEY -n 2 -b 4 -j " " --header "{reason} "'
check 'reasons: timeout, idle' 'timeout a b\nidle c\n' 0 -- \
	'printf "0 a\n2 b\n10 c\n" |
		$VOLLEY '"$event"' -t 4 -i 3 -j " " --header "{reason} "'
check 'pane: counts like index' '0 0\n1 1\n' 0 -- \
	'seq 2 | $VOLLEY -n 1 -j "" --header "{pane} {index}\n" | grep " "'
check 'timing: early, but for what is left at the end of the input' 'early 1 2\non-time 3\n' 0 -- \
	'seq 3 | $VOLLEY -n 2 -j " " --header "{timing} "'
check 'key, start and end: nothing without keys and windows' '[||]a\n' 0 -- \
	'echo a | $VOLLEY -j "" --header "[{key}|{start}|{end}]"'
check 'fired, first, last, timestamp in the event domain' '7 3 5 3 a b\n' 0 -- \
	'printf "3 a\n5 b\n7\n" |
		$VOLLEY '"$event"' -t 4 -j " " --header "{fired} {first} {last} {timestamp} "'

# Times of the processing domain: RFC 3339 with the local offset
time='[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}'
for fact in fired first last timestamp; do
	check "the time $fact" '1\n' 0 -- \
		"echo a | TZ=UTC \$VOLLEY -j '' --header '{$fact} ' | grep -cxE '$time\\+00:00 a'"
done
check 'east of Greenwich' '1\n' 0 -- \
	"echo a | TZ=XYZ-5:30 \$VOLLEY -j '' --header '{fired} ' | grep -cxE '$time\\+05:30 a'"
check 'west of Greenwich' '1\n' 0 -- \
	"echo a | TZ=XYZ3:30 \$VOLLEY -j '' --header '{fired} ' | grep -cxE '$time-03:30 a'"
check 'it is now' '' 0 -- \
	'from=$(date +%s); then=$(echo a | TZ=XYZ-2 $VOLLEY --header "{first}\n" | head -n 1)
	then=$(date -d "$then" +%s); [ $from -le $then ] && [ $then -le $(date +%s) ]'

finish
