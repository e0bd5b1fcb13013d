#!/bin/sh
# A real log, the package manager's of this machine, in windows by its own times; other programs
# count the same.
. "${abs_top_srcdir:-.}/tests/tap.sh"

real=/var/log/dpkg.log
if ! [ -r "$real" ] || ! grep -qE '^[0-9]{4}(-[0-9]{2}){2} ([0-9]{2}:){2}[0-9]{2} ' "$real"; then
	skip 'windows of a real log' "there is no $real, or nothing in it"
	finish
fi
grep -aE '^[0-9]{4}(-[0-9]{2}){2} ([0-9]{2}:){2}[0-9]{2} ' "$real" | tail -n 20000 | sort -s -k 1,2 >log
cut -c 1-16 log | uniq -c | awk '{ print $2, $3, $1 }' >minutes

# The format has no zone, so times are local; which zone that is does not matter here.
seconds='--time-domain event --time-format "%Y-%m-%d %H:%M:%S"'
key="$seconds --timestamp \"re:^.{19}\""

check 'a minute each, with the time as a prefix' '' 0 -- \
	'$VOLLEY '"$seconds"' --timestamp prefix -w "tumbling(1m)" -D "" --header "{start} {count}\n" <log |
		grep -aE "^.{10} .{8} [0-9]+$" | awk "{ print \$1, substr(\$2, 1, 5), \$3 }" | diff minutes -'
check 'a minute each, with the time found by a regular expression' '' 0 -- \
	'$VOLLEY '"$key"' -w "tumbling(1m)" -f ndjson <log |
		sed "s/.*\"count\":\([0-9]*\),.*\"start\":\"\(.\{16\}\):00\",.*/\2 \1/" | diff minutes -'
check 'all lines come out again' '' 0 -- '$VOLLEY '"$key"' -w "tumbling(1m)" -D "" <log | cmp - log'
check 'the last minutes are the same by another way: break-on' '' 0 -- \
	'$VOLLEY --break-on "re:^.{16}" -j "" --header "{count}\n" <log | grep -axE "[0-9]+" |
		paste -d " " - minutes | awk "\$1 != \$4"'
check 'by package state and day: each count is right' '' 0 -- '
	awk "{ print \$1, \$3 }" log | sort | uniq -c | awk "{ print \$2, \$3, \$1 }" >days
	$VOLLEY '"$key"' -w "tumbling(1d)" -k 3 -D "" --header "{start} {key} {count}\n" <log |
		grep -aE "^.{10} 00:00:00 [a-z]+ [0-9]+$" | awk "{ print \$1, \$3, \$4 }" | sort | diff days -'
check 'bursts: sessions with a gap of ten seconds' '' 0 -- '
	awk "{ split(\$2, t, \":\"); now = \$1 \" \" (t[1] * 60 + t[2]) * 60 + t[3]
		split(now, n, \" \"); if (day == n[1] && n[2] - last < 10) count++
		else { if (count) print count; count = 1 }; day = n[1]; last = n[2] }
		END { print count }" log >bursts
	grep -q " 23:59:5" log && exit
	$VOLLEY '"$key"' -w "session(10s)" -j "" --header "{count}\n" <log | grep -axE "[0-9]+" | diff bursts -'
check 'mixed up by a minute at the most, within the bound, the windows are the same' '' 0 -- '
	awk "{ print NR + int((NR * 7919) % 50), \$0 }" log | sort -s -n -k 1,1 | cut -d " " -f 2- >mixed
	$VOLLEY '"$key"' -w "tumbling(1m)" --out-of-orderness 3650d -D "" --header "{start} {count}\n" <mixed |
		grep -aE "^.{10} .{8} [0-9]+$" | awk "{ print \$1, substr(\$2, 1, 5), \$3 }" | diff minutes -'

finish
