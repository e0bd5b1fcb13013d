#!/bin/sh
# The command line. A wrong one is status 2, one line on standard error that names the option and
# the value and what would be right, and nothing read.
. "${abs_top_srcdir:-.}/tests/tap.sh"

event='--time-domain event --timestamp prefix'

# refused ARGUMENTS TEXT...: the arguments are an error, and each TEXT is part of the message.
# That nothing was read shows in a file: what comes after volley finds all of it.
refused() {
	arguments=$1
	shift
	seq 3 >"$tap_dir/input"
	status=0
	sh -c "status=0; \$VOLLEY $arguments || status=\$?; cat >'$tap_dir/rest'; exit \$status" \
		<"$tap_dir/input" >"$tap_dir/out" 2>"$tap_dir/err" || status=$?
	{
		[ "$status" -eq 2 ] || echo "status $status, expected 2"
		[ "$(wc -l <"$tap_dir/err")" -eq 1 ] || echo 'not one line on standard error'
		grep -q '^volley: ' "$tap_dir/err" || echo 'it does not begin with the program'
		! [ -s "$tap_dir/out" ] || echo 'something on standard output'
		cmp -s "$tap_dir/input" "$tap_dir/rest" || echo 'some of the input was read'
		for text; do
			grep -qF -- "$text" "$tap_dir/err" || echo "the message lacks: $text"
		done
	} >"$tap_dir/why"
	sed 's/^/stderr: /' "$tap_dir/err" >>"$tap_dir/why"
	grep -qv '^stderr: ' "$tap_dir/why" && bad=1 || bad=0
	result "$bad" "refused: $arguments" "$tap_dir/why"
}

# --count
refused '-n 0' "--count: '0'" 'least is 1'
refused '-n ""' "--count: ''" 'whole number'
refused '-n x' "--count: 'x'" 'whole number'
refused '-n 1.5' "--count: '1.5'" 'whole number'
refused '-n -1' "--count: '-1'" 'sign'
refused '-n +1' "--count: '+1'" 'sign'
refused '-n " 1"' "--count: ' 1'" 'whole number'
refused '-n "1 "' "--count: '1 '" 'whole number'
refused '-n 1k' "--count: '1k'" 'whole number'
refused '-n 0x10' "--count: '0x10'" 'whole number'
refused '-n 18446744073709551616' "--count: '18446744073709551616'" '18446744073709551615'
refused '--count=0' "--count: '0'" 'least is 1'
refused '-n 0 -n 1' "--count: '0'"

# Durations: --timeout, --idle, --out-of-orderness
for option in '--timeout' '--idle' "$event --out-of-orderness"; do
	name=${option##* }
	refused "$option ''" "$name: ''" 'empty' '1m30s'
	refused "$option 1x" "$name: '1x'" "unknown unit 'x' (use ns, us, ms, s, m, h or d)"
	refused "$option 5S" "$name: '5S'" "unknown unit 'S'"
	refused "$option x" "$name: 'x'" 'not a number'
	refused "$option -5" "$name: '-5'" 'sign'
	refused "$option +5" "$name: '+5'" 'sign'
	refused "$option ' 5'" "$name: ' 5'" 'no blanks in a duration'
	refused "$option '5 '" "$name: '5 '" 'no blanks in a duration'
	refused "$option '5 s'" "$name: '5 s'" 'no blanks in a duration (use 1.5s or 1m30s)'
	refused "$option 1s5" "$name: '1s5'" 'without a unit'
	refused "$option 1,5s" "$name: '1,5s'" 'a comma (use a point, as in 1.5s)'
	refused "$option 1.5.5s" "$name: '1.5.5s'" "'.5s' after '1.5' (use one point, as in 1.5s)"
	refused "$option .5s" "$name: '.5s'" 'not a number'
	refused "$option 5.s" "$name: '5.s'" 'no digit after the point'
	refused "$option 1.5ns" "$name: '1.5ns'" 'finer than a nanosecond'
	refused "$option 106752d" "$name: '106752d'" 'too long' '106751d'
	refused "$option 99999999999999999999" "$name: '99999999999999999999'" 'too long'
	refused "$option 106751d1d" "$name: '106751d1d'" 'too long'
done
refused '-t 1x' "--timeout: '1x': unknown unit 'x' (use ns, us, ms, s, m, h or d)"
refused '-i 1x' "--idle: '1x': unknown unit 'x' (use ns, us, ms, s, m, h or d)"

# Sizes: --max-bytes, --max-record
for name in --max-bytes --max-record; do
	refused "$name 0" "$name: '0'" 'least is 1'
	refused "$name ''" "$name: ''" 'empty' '64K'
	refused "$name x" "$name: 'x'" 'not a number'
	refused "$name -5" "$name: '-5'" 'sign'
	refused "$name +5" "$name: '+5'" 'sign'
	refused "$name 1k" "$name: '1k'" "unknown unit 'k' (use K, M, G, T, KiB or KB)"
	refused "$name 1.5K" "$name: '1.5K'" 'a size has no fraction (use a smaller unit, such as 1536K'
	refused "$name 1,5K" "$name: '1,5K'" 'a size has no fraction'
	refused "$name '1 K'" "$name: '1 K'" 'no blanks in a size (use 64K)'
	refused "$name 1KK" "$name: '1KK'" "unknown unit 'KK'"
	refused "$name 18446744073709551616" "$name: '18446744073709551616'" 'too large'
	refused "$name 16777216T" "$name: '16777216T'" 'too large'
done
refused '-b 0' "--max-bytes: '0'"

# One byte: --delimiter
refused '-d ""' "--delimiter: ''" 'not one byte'
refused '-d ab' "--delimiter: 'ab'" 'not one byte'
refused '-d "\\q"' "--delimiter: '\\q'" "unknown escape '\\q'" '\xHH'
refused '-d "\\"' "--delimiter: '\\'" 'a backslash at the end (use \\ for one)'
refused '-d "\\x4"' "--delimiter: '\\x4'" "'\\x' needs two hexadecimal digits (use \\xHH)"
refused '-d "\\n\\n"' "--delimiter: '\\n\\n'" 'not one byte'
refused '-d abcdefgh' "--delimiter: 'abcdefgh'" 'not one byte'

# Texts: --batch-delimiter, --join
for name in --batch-delimiter --join; do
	refused "$name '\\q'" "$name: '\\q'" "unknown escape '\\q'" '\xHH'
	refused "$name 'a\\'" "$name: 'a\\'" 'a backslash at the end'
	refused "$name '\\x'" "$name: '\\x'" 'needs two hexadecimal digits'
	refused "$name '\\xg0'" "$name: '\\xg0'" 'needs two hexadecimal digits'
done

# Templates: --header, --footer
for name in --header --footer; do
	refused "$name '{nothing}'" "$name: '{nothing}'" "'nothing'" '{index} {count}' '{timestamp}'
	refused "$name '{}'" "$name: '{}'" '{index} {count}'
	refused "$name '{ count}'" "$name: '{ count}'" '{index} {count}'
	refused "$name '{count'" "$name: '{count'" "'{' without '}'" '{{'
	refused "$name 'count}'" "$name: 'count}'" "'}' without '{'" '}}'
	refused "$name '\\q'" "$name: '\\q'" "unknown escape '\\q'"
	refused "$name 'a\\'" "$name: 'a\\'" 'a backslash at the end'
done

# Words: --mode, --oversize, --time-domain, --timestamp, --time-format
refused '-M keep' "--mode: 'keep'" 'fire-and-purge or fire'
refused '--mode ""' "--mode: ''" 'fire-and-purge or fire'
refused '--mode Fire' "--mode: 'Fire'" 'fire-and-purge or fire'
refused '--oversize drop' "--oversize: 'drop'" 'fail, skip or truncate'
refused '--oversize ""' "--oversize: ''" 'fail, skip or truncate'
refused '--time-domain wall' "--time-domain: 'wall'" 'processing or event'
refused '--time-domain ""' "--time-domain: ''" 'processing or event'
refused '--time-domain event --timestamp nowhere' "--timestamp: 'nowhere'" 'prefix'
refused '--time-domain event --timestamp ""' "--timestamp: ''" 'prefix'
refused "$event --time-format minutes" "--time-format: 'minutes'" 'ms' 'us' 'ns'
refused "$event --time-format ''" "--time-format: ''" 'ms' 'us' 'ns'

# Options that have no effect, or lack what they need
refused '--timestamp prefix' '--timestamp' '--time-domain event'
refused '--time-format s' '--time-format' '--time-domain event'
refused '--out-of-orderness 5' '--out-of-orderness' '--time-domain event'
refused '--time-domain processing --timestamp prefix' '--timestamp' '--time-domain event'
refused '--time-domain event' '--time-domain' '--timestamp'

# The options below stand with what they need, so that it is their value that is wrong
tumbling='-w "tumbling(1m)"'
fire='-M fire'

# Periods: --every, --align
for option in '--every' '-t 1 --align'; do
	name=--${option##*--}
	refused "$option ''" "$name: ''" 'empty'
	refused "$option 0" "$name: '0'" 'a period of 0'
	refused "$option 0+1" "$name: '0+1'" 'a period of 0'
	refused "$option 1x" "$name: '1x'" "unknown unit 'x'"
	refused "$option 1m+" "$name: '1m+'" "nothing behind '+' (use 1m+5s)"
	refused "$option +1m" "$name: '+1m'" "nothing before '+' (use 1m+5s)"
	refused "$option 1m+1x" "$name: '1m+1x'" "unknown unit 'x'"
	refused "$option 1m+1s+1s" "$name: '1m+1s+1s'"
	refused "$option 1m-1s" "$name: '1m-1s'" 'a phase cannot be less than 0 (use DUR+PHASE)'
	refused "$option 1m+-1s" "$name: '1m+-1s'" 'sign'
	refused "$option -1m" "$name: '-1m'" 'sign'
	refused "$option 106752d" "$name: '106752d'" 'too long'
done

# Durations of other options
for option in "$fire --keep-for" "$event $tumbling --allowed-lateness"; do
	name=--${option##*--}
	refused "$option ''" "$name: ''" 'empty'
	refused "$option 1x" "$name: '1x'" "unknown unit 'x'"
	refused "$option -1" "$name: '-1'" 'sign'
	refused "$option 106752d" "$name: '106752d'" 'too long'
done
refused "$fire --keep-for 0" "--keep-for: '0'" 'the least is 1ns'

# Numbers of other options
for option in "$fire --keep-last" '-k 1 --max-keys'; do
	name=--${option##*--}
	refused "$option 0" "$name: '0'" 'least is 1'
	refused "$option ''" "$name: ''" 'whole number'
	refused "$option -1" "$name: '-1'" 'sign'
	refused "$option 1K" "$name: '1K'" 'whole number'
	refused "$option 18446744073709551616" "$name: '18446744073709551616'"
done

# Regular expressions: --match, --break-before
for name in --match --break-before; do
	refused "$name '('" "$name: '('" 'closing parenthesis' 'at character 2'
	refused "$name 'a['" "$name: 'a['" 'character'
	refused "$name '*'" "$name: '*'" 'character'
	refused "$name 'a\\'" "$name: 'a\\'" 'character'
	refused "$name '(?<n>a)(?<n>b)'" "$name:" 'character'
done

# Keys: --key, --break-on, --timestamp
for option in '--key' '--break-on' '--time-domain event --timestamp'; do
	name=--${option##*--}
	for value in '' 0 -1 +1 1.5 ' 1' '1 ' x 1,2 18446744073709551616 're:(' 're:*' json:x json:x/y \
		json:/~ json:/~2 'json:/a~' RE:x Json:/x; do
		refused "$option '$value'" "$name: '$value'"
	done
done
refused '-k x' "--key: 'x'" 'a field' 're:REGEX' 'json:/POINTER'
refused "$event --timestamp x" "--timestamp: 'x'" 'prefix' 'a field' 're:REGEX' 'json:/POINTER'
for option in '--key' '--break-on' '--time-domain event --timestamp'; do
	refused "$option 're:('" "--${option##*--}: 're:('" 'closing parenthesis at character 5'
	refused "$option json:x" "--${option##*--}: 'json:x'" "begins with '/'"
done

# --field-separator
refused "-k 1 -F ''" "--field-separator: ''" 'empty'
refused "-k 1 -F '\\q'" "--field-separator: '\\q'" "unknown escape '\\q'"
refused "-k 1 -F '\\'" "--field-separator: '\\'" 'a backslash at the end'

# --window
for value in '' x tumbling 'tumbling(' 'tumbling()' 'tumbling(1m' 'tumbling 1m' 'tumbling(1m)x' \
	'tumbling(1m))' 'tumbling(0)' 'tumbling(1m,1s,1s)' 'tumbling(1x)' 'tumbling(-1)' 'tumbling(1m,)' \
	'tumbling(,1m)' 'tumbling(106752d)' 'Tumbling(1m)' ' tumbling(1m)' sliding 'sliding(1m)' \
	'sliding(1m,0)' 'sliding(0,0)' 'sliding(1m,2m)' 'sliding(1m,1s,1s,1s)' 'sliding(1m;1s)' session \
	'session()' 'session(0)' 'session(1m,1s)' 'session(1m' 'global(1m)' 'global(' GLOBAL; do
	refused "-w '$value'" "--window: '$value'"
done
for value in 'tumbling()' 'tumbling(1m,)' 'tumbling(,1m)' 'session( )' 'global()'; do
	refused "-w '$value'" "--window: '$value': a value is missing (use global, tumbling(1m)"
done
refused "-w 'sliding(1h,100ms)'" "--window: 'sliding(1h,100ms)'" '36000 windows' 'the most is 10000'
check 'a record may be in 10000 windows' '10000\n' 0 -- \
	'echo 0 x | $VOLLEY '"$event"' -w "sliding(10s,1ms)" -D "" | wc -l | tr -d " "'
refused '-w days' "--window: 'days'" 'global, tumbling(1m), sliding(10m,1m) or session(30s)'

# Words of other options
refused "$event $tumbling --late keep" "--late: 'keep'" 'drop, emit or fail'
refused "$event $tumbling --late ''" "--late: ''" 'drop, emit or fail'
refused "$event --bad-timestamp drop" "--bad-timestamp: 'drop'" 'fail or skip'
refused "$event --bad-timestamp ''" "--bad-timestamp: ''" 'fail or skip'
refused '--output-timestamp start' "--output-timestamp: 'start'" 'first, last, fired or end'
refused '--output-timestamp ""' "--output-timestamp: ''" 'first, last, fired or end'
refused "$fire --keep-last 1 --evict now" "--evict: 'now'" 'before or after'
refused "$fire --keep-last 1 --evict ''" "--evict: ''" 'before or after'
refused '--format xml' "--format: 'xml'" 'text, json, ndjson or netstring'
refused '--format ""' "--format: ''" 'text, json, ndjson or netstring'
refused '--format JSON' "--format: 'JSON'" 'text, json, ndjson or netstring'
refused "$event --time-format hour" "--time-format: 'hour'" 'strptime'

# Conversions that are none
for value in %Q %Y-%f %EH %OY %Ez %L %-Q %+4Y %5Y %N; do
	refused "$event --time-format '$value'" "--time-format: '$value': unknown conversion '%" \
		'(use those of strptime, such as %Y-%m-%d)'
done
refused "$event --time-format '%H:%Q'" "unknown conversion '%Q'"
refused "$event --time-format '%H%-EQx'" "unknown conversion '%-EQ'"
refused "$event --time-format '%H%'" "unknown conversion '%'"
refused "$event --time-format '%H%E'" "unknown conversion '%E'"
for value in %s %s%z %Y-%m-%dT%H:%M:%S%z '%a %d %b %Y %I:%M %p' %F%T %D %EY%Od %OH:%OM %-d.%_m.%Y %j %%%s; do
	check "a time format: $value" '' 0 -- \
		"\$VOLLEY $event --time-format '$value' </dev/null"
done

# --output
refused '-o "{nothing}"' "--output: '{nothing}'" "'nothing'"
refused '-o "{index"' "--output: '{index'" "'{' without '}'"
refused '-o "a}"' "--output: 'a}'" "'}' without '{'"
refused '-o ""' "--output: ''"
refused "-o 'a\\x00b'" '--output:' 'NUL'

# Commands
for name in --attempts --max-procs; do
	refused "$name x -- cat" "$name: 'x'" 'whole number'
	refused "$name -1 -- cat" "$name: '-1'" 'sign'
done
refused '--attempts 0 -- cat' "--attempts: '0'" 'least is 1'
refused '-P 10001 -- cat' "--max-procs: '10001'" 'the most is 10000'
for value in 1x 1,x 1,2,3 ,1 '1,' 2,1 ''; do
	refused "--attempts 2 --backoff '$value' -- cat" "--backoff: '$value'"
done
refused '--attempts 2 --backoff 1, -- cat' "--backoff: '1,'" "nothing behind ',' (use 1s,1m)"
refused '--attempts 2 --backoff ,1 -- cat' "--backoff: ',1'" "nothing before ',' (use 1s,1m)"
check 'of two backoffs the last counts' '' 0 -- \
	'$VOLLEY --attempts 2 --backoff 1s,2s --backoff 5s -- cat </dev/null'
refused '--attempts 2 --backoff 1m,1s -- cat' '--backoff:' 'the most is less than the first'
refused '--exec-timeout 0 -- cat' "--exec-timeout: '0'" 'leave it out for no limit'
refused '--exec-timeout 1x -- cat' "--exec-timeout: '1x'" "unknown unit 'x'"
refused '--grace 1x -- cat' "--grace: '1x'" "unknown unit 'x'"
refused '--halt later -- cat' "--halt: 'later'" 'never, soon or now'
refused "--dead-letter '' -- cat" "--dead-letter: ''" 'directory'
refused "--joblog '' -- cat" "--joblog: ''" 'file'
refused "--metrics ''" "--metrics: ''" 'file'
refused '--stats=xml' "--stats: 'xml'" 'text or json'

# --trigger says it all
for option in '-n 1' '-t 1' '-i 1' '-e 1m' '-t 1 -a 1m' '-m x' '--once'; do
	refused "-T 'count(1)' $option" '--trigger'
	refused "$option -T 'count(1)'" '--trigger'
done

# Options that can have no effect
refused '-a 1m' '--align: has no effect without --timeout'
refused '-n 1 -i 1 -a 1m' '--align: has no effect without --timeout'
refused '--keep-last 1' '--keep-last: has no effect without --mode fire'
refused '--keep-for 1' '--keep-for: has no effect without --mode fire'
refused '-M fire-and-purge --keep-last 1' '--keep-last: has no effect without --mode fire'
refused '-M discarding --keep-for 1' '--keep-for: has no effect without --mode fire'
refused '-M fire --keep-last 1 -M discarding' '--keep-last: has no effect without --mode fire'
refused '-M fire --evict after' '--evict: has no effect without --keep-last or --keep-for'
refused '--evict before' '--evict: has no effect without'
refused '--max-keys 5' '--max-keys: has no effect without --key'
refused '-F ,' '--field-separator: has no effect without'
refused '-F , -n 1 -m x' '--field-separator: has no effect without'
refused '-F , -k re:x' '--field-separator: has no effect without'
refused '-F , -k json:/x' '--field-separator: has no effect without'
refused "-F , -T 'count(1)'" '--field-separator: has no effect without'
refused "$event -F ," '--field-separator: has no effect without'
refused "$event --late drop" '--late: has no effect without'
refused "$event --allowed-lateness 1" '--allowed-lateness: has no effect without'
refused "$event -w global --late drop" '--late: has no effect without'
refused "$event -w global --allowed-lateness 1" '--allowed-lateness: has no effect without'
refused '--bad-timestamp skip' '--bad-timestamp: has no effect without --time-domain event'
refused '--emit-watermarks' '--emit-watermarks: has no effect without --time-domain event'
refused "$tumbling --emit-watermarks" '--emit-watermarks: has no effect without --time-domain event'
refused '--output-timestamp end' '--output-timestamp' 'window'
refused "$event -w global --output-timestamp end" '--output-timestamp' 'window'
refused '--force' '--force: has no effect without --output'
for format in json ndjson; do
	for option in '--join ,' '--header x' '--footer x'; do
		refused "-f $format $option" "${option% *}: has no effect with --format"
	done
	refused "$event -f $format --emit-watermarks" '--emit-watermarks'
done
for format in text netstring; do
	refused "-f $format --json-records" '--json-records: has no effect without --format json or ndjson'
done
refused '-f json --json-records --oversize truncate' \
	'--oversize: what is truncated is not JSON (use fail or skip)'
refused '--json-records' '--json-records: has no effect without --format json or ndjson'
refused '-f netstring -D x' '--batch-delimiter: has no effect with --format netstring'
refused "$event -f netstring --emit-watermarks" '--emit-watermarks'
refused "$event -o x --emit-watermarks" \
	'--emit-watermarks: only to standard output (leave out --output)'
refused "$event --emit-watermarks -- cat" \
	'--emit-watermarks: only to standard output (leave out the command)'
refused '-o x -- cat' '--output: not together with a command (use one of them)'
for option in --args '--max-procs 2' --keep-order '--attempts 2' '--attempts 2 --backoff 1' '--exec-timeout 1' \
	'--grace 1' '--halt now' '--dead-letter x' '--joblog x'; do
	refused "$option" "${option%% *}: has no effect without a command"
done
for option in '-D x' '-j ,' '--header x' '--footer x' '-f json'; do
	refused "-x $option -- echo" 'has no effect with --args'
done
refused '--backoff 1 -- cat' '--backoff: has no effect without --attempts'
refused '--attempts 1 --backoff 1 -- cat' '--backoff: has no effect without --attempts of at least 2'
for trigger in "match('x')" 'bytes(5)' 'every(1m)' 'at(12:00)' 'delta(1,1)' 'never()' \
	'each(count(1), count(2))' 'until(count(1), count(2))' 'watermark(early=count(1))' \
	'repeat(any(count(1), bytes(5)))'; do
	refused "-w 'session(1m)' -T \"$trigger\"" '--window: sessions merge'
done
for option in '-m x' '-e 1m'; do
	refused "-w 'session(1m)' $option" '--window: sessions merge'
done
refused "-w 'session(1m)' -n 5 -m x" "--window: sessions merge, and match('x') cannot" \
	'(use count, delay, idle and watermark() under repeat, any and all)'
refused "-w 'session(1m)' -T 'any(count(3), bytes(5))'" 'and bytes(5) cannot'
refused "-w 'session(1m)' -T 'any(count(3), each(count(1)))'" 'and each(count(1)) cannot'
refused "-w 'session(1m)' -T 'watermark(early=count(1))'" 'and watermark(early=count(1)) cannot'

# Options that are none
refused '--no-such-option' "'--no-such-option'" 'volley --help'
refused '--no-such-option=5' "'--no-such-option'" 'volley --help'
refused '-Q' "'-Q'" 'volley --help'
refused '-vQ' "'-Q'" 'volley --help'
refused '-n 1 --no-such-option' "'--no-such-option'"
refused 'operand' "'operand'"
refused '-n 1 operand -v' "'operand'"
refused '--stats json' "'json' (use --stats=json)"
refused '-n 1 --stats text -v' "'text' (use --stats=text)"
refused '--stats -v json' "'json' (records come on standard input, a command behind --)"
refused '--stats xml' "'xml' (records come on standard input, a command behind --)"
refused '--stats=text json' "'json' (records come on standard input, a command behind --)"

# No command
refused '--' 'no command behind -- (use -- COMMAND)'
refused '-n 2 --' 'no command behind -- (use -- COMMAND)'
check '-- as a value is no sign of a command' '1--2--3\n' 0 -- 'seq 3 | $VOLLEY -j --'
check 'nor is it inside a value' '1--2--3\n' 0 -- 'seq 3 | $VOLLEY --join=--'

# Every option, as --help lists them: with a value where none belongs, without one where one does
$VOLLEY --help >help
sed -n 's/^  \(-.,\|   \) --\([a-z-]*\) [A-Z].*/\2/p' help >with_value
sed -n 's/^  \(-.,\|   \) --\([a-z-]*\)  .*/\2/p' help >without_value
while read -r name; do
	refused "--$name" "--$name" 'needs a value' "--$name "
done <with_value
while read -r name; do
	refused "--$name=x" "--$name" 'takes no value'
done <without_value
check 'both kinds of options are listed' '' 0 -- \
	'grep -qx count with_value && grep -qx once without_value && ! grep -qx count without_value'
refused '-n' '--count' 'needs a value'
refused '-vn' '--count' 'needs a value'

# A message is a line, whatever the value is
refused '-n "$(printf "a\nb")"' '--count'
refused '-t "$(printf "1x\n\n2y")"' '--timeout' 'unknown unit'
refused '--no-such-"$(printf "a\nb")"' '--no-such-'
refused '"$(printf "a\nb")"' 'operand'
refused '-t "1$(printf "%05000d" 0)x"' '--timeout'

# Names may be shortened while they are unambiguous
check 'a shortened name' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY --coun 2 --joi " "'
check 'a shortened name and its value in one word' '1 2\n3\n' 0 -- \
	'seq 3 | $VOLLEY --coun=2 --joi=" "'
refused '--time 5' "'--time'" 'ambiguous' '--timeout' '--timestamp' '--time-domain' '--time-format'
refused '--o' "'--o'" 'ambiguous' '--once' '--oversize' '--out-of-orderness'
refused '--o=5' "'--o'" 'ambiguous'
check 'a whole name is not ambiguous' '1\n\n' 0 -- 'seq 2 | $VOLLEY -n 1 --once'

# Forms
check '--option=value' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY --count=2 --join=" "'
check '--option value' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY --count 2 --join " "'
check '-ovalue' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY -n2 "-j "'
check 'letters in one word' '1 2\n3\n' 0 -- 'printf "1\0002\0003\0" | $VOLLEY -0n2 "-j " '
check 'a value that looks like an option' '1-n2\n' 0 -- 'seq 2 | $VOLLEY -j -n'
check 'an empty value in the same word' '12\n' 0 -- 'seq 2 | $VOLLEY --join='
check 'the locale does not matter' '1\n\n' 0 -- \
	'echo 1 | LC_ALL=de_DE.UTF-8 $VOLLEY -t 1.5s'

# Values that are right, at the edges
for value in 0 1 1ns 1.5us 0.000001ms 1.5s 1m30s 1d1h1m1s1ms1us1ns 9223372036854ms 106751d 00001 1s1s; do
	check "a duration: $value" '1\n\n' 0 -- "echo 1 | \$VOLLEY -n 1 -t $value"
done
for value in 2 1K 1KiB 1KB 1M 1MiB 1MB 1G 1GiB 1GB 1T 1TiB 1TB 18446744073709551615 16777215T; do
	check "a size: $value" '1\n\n' 0 -- "echo 1 | \$VOLLEY --max-record $value -b $value"
done

# --help, --version
check 'help begins with the usage, on standard output' 'Usage: volley' 0 -- \
	'$VOLLEY --help | head -n 1 | head -c 13'
check_err 'help says nothing on standard error' '' 0 -- '$VOLLEY --help'
check 'help lists the exit statuses' '  0 \n  1 \n  2 \n' 0 -- \
	'$VOLLEY --help | sed -n "/^Exit status/,\$p" | grep -o "^  [0-2] "'
check 'version' '1\n' 0 -- '$VOLLEY --version | grep -cE "^volley [0-9]+\.[0-9]+"'
check_err 'version says nothing on standard error' '' 0 -- '$VOLLEY --version'
check 'help reads nothing' '1\n' 0 -- \
	'echo 1 >file; ($VOLLEY --help >help; $VOLLEY --version >version; cat) <file'
check 'the first of help and an error counts' 'Usage' 0 -- \
	'$VOLLEY --help --no-such-option | head -c 5'
refused '--no-such-option --help' "'--no-such-option'"
if [ -c /dev/full ]; then
	for option in --help --version; do
		check_err "$option that cannot be printed is an error" \
			'volley: cannot write to standard output: No space left on device\n' 1 -- \
			"\$VOLLEY $option >/dev/full"
	done
else
	skip 'help and version that cannot be printed are errors' 'there is no /dev/full'
fi
check_err 'help to a closed standard output is an error' \
	'volley: cannot write to standard output: Bad file descriptor\n' 1 -- '$VOLLEY --help >&-'

finish
