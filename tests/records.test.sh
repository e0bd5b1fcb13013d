#!/bin/sh
# Records: bytes up to a delimiter, never interpreted; those that are too long.
. "${abs_top_srcdir:-.}/tests/tap.sh"

# Delimiters
check 'lines' 'a b\nc d\n' 0 -- 'printf "a\nb\nc\nd\n" | $VOLLEY -n 2 -j " "'
check 'a record is written with its delimiter' 'a\nb\n\n' 0 -- 'printf "a\nb\n" | $VOLLEY'
check 'another delimiter' 'a;b\n;\nc;\n' 0 -- 'printf "a;b\n;c;" | $VOLLEY -n 2 -d ";"'
check 'a delimiter as an escape' 'a\tb\t\n' 0 -- 'printf "a\tb\t" | $VOLLEY -d "\\t"'
check 'a delimiter by its number' 'a b\n' 0 -- 'printf "a,b," | $VOLLEY -d "\\x2c" -j " "'
check 'a delimiter of eight bits' 'a\n' 0 -- 'printf "a\377" | $VOLLEY -d "\\xfF" -j " "'
check 'the backslash as delimiter' 'a b\n' 0 -- \
	'printf "a\\\\b\\\\" | $VOLLEY -d "\\\\" -j " "'
check 'CR as delimiter' 'a b\n' 0 -- 'printf "a\rb\r" | $VOLLEY -d "\\r" -j " "'
check 'a NUL byte as delimiter' 'a b\nc\n' 0 -- 'printf "a\0b\nc\0" | $VOLLEY -0 -j " "'
check 'NUL written as an escape' 'a b\n' 0 -- 'printf "a\0b\0" | $VOLLEY -d "\\0" -j " "'
check 'records that end with a NUL byte are written so' 'a\0b\0\nc\0\n' 0 -- \
	'printf "a\0b\0c\0" | $VOLLEY -0 -n 2'
check '-0 and -d: the last one counts' 'a b\n' 0 -- 'printf "a;b;" | $VOLLEY -0 -d ";" -j " "'
check '-d and -0: the last one counts' 'a b\n' 0 -- 'printf "a\0b\0" | $VOLLEY -d ";" -0 -j " "'

# Bytes pass through unchanged
check 'a NUL byte in a line' 'a\0b\nc\n\n' 0 -- 'printf "a\0b\nc\n" | $VOLLEY'
check 'CR LF: the CR is the record'"'"'s' 'a\r b\r\n' 0 -- \
	'printf "a\r\nb\r\n" | $VOLLEY -j " "'
check 'what is not UTF-8' 'a\0377 \0303\n' 0 -- 'printf "a\377\n\303\n" | $VOLLEY -j " "'
check 'UTF-8' '\0303\0251 \0342\0202\0254\n' 0 -- \
	'printf "\303\251\n\342\202\254\n" | $VOLLEY -j " "'
check 'all bytes' '' 0 -- \
	'awk "BEGIN { for (i = 0; i < 256; i++) printf \"%c\", i }" >in; echo >>in
	$VOLLEY -D "" <in | cmp - in'
check 'bytes at random' '' 0 -- \
	'{ head -c 300000 /dev/urandom; echo; } >in; $VOLLEY -n 3 -D "" <in | cmp - in'

# No length at all, no end
check 'a record of no length is a record' '2 \n\n2 a\n\n' 0 -- \
	'printf "\n\na\n\n" | $VOLLEY -n 2 --header "{count} " -D ""'
check 'records of no length are joined' '[,,]\n' 0 -- \
	'printf "\n\n\n" | $VOLLEY -j , --header "[" --footer "]"'
check 'one record of no length, joined' '[]\n' 0 -- \
	'echo | $VOLLEY -j , --header "[" --footer "]"'
check 'an unterminated last record is a record, and gets its delimiter' 'a\nb\n\n' 0 -- \
	'printf "a\nb" | $VOLLEY'
check 'an unterminated record counts' 'count a b\n' 0 -- \
	'printf "a\nb" | $VOLLEY -n 2 -j " " --header "{reason} "'
check 'an unterminated record in the next batch' 'count a b\neof c\n' 0 -- \
	'printf "a\nb\nc" | $VOLLEY -n 2 -j " " --header "{reason} "'
check 'an unterminated record counts with its delimiter' '2 4\n' 0 -- \
	'printf "a\nb" | $VOLLEY -j "" --header "{count} {bytes}" | tr -d ab'
check 'an unterminated record and the limit' 'limit a\nlimit b\n' 0 -- \
	'printf "a\nb" | $VOLLEY -b 2 -j " " --header "{reason} "'
check 'an unterminated record alone' 'a\n\n' 0 -- 'printf a | $VOLLEY'
check 'an unterminated record gets the delimiter that was given' 'a;b;\n' 0 -- \
	'printf "a;b" | $VOLLEY -d ";"'
check 'a newline is no end when another delimiter was given' 'a\nb\n;\n' 0 -- \
	'printf "a\nb\n" | $VOLLEY -d ";"'
check 'empty input' '' 0 -- '$VOLLEY </dev/null'

# Across the ends of reads
check 'a record of a million bytes' '1000001\n' 0 -- \
	'head -c 1000000 /dev/zero | tr "\0" x | $VOLLEY -n 1 -D "" | wc -c | tr -d " "'
check 'a large record between small ones' '' 0 -- \
	'{ echo a; head -c 1000000 /dev/zero | tr "\0" x; printf "\nb\n"; } >in
	$VOLLEY -n 1 -D "" <in | cmp - in'
check 'a record byte by byte' 'ab c\n' 0 -- \
	'for i in a b "\n" c "\n"; do printf "$i"; sleep 0.01; done | $VOLLEY -j " "'

# --max-record, --oversize
long='printf "aaa\nbbbb\nccccc\nddd\n"'
check 'a record of just the length is not too long' 'aaa bbbb\n' 0 -- \
	'printf "aaa\nbbbb\n" | $VOLLEY --max-record 4 -j " "'
check 'a longer record is an error; what came before it is written' 'aaa bbbb\n' 1 -- \
	"$long"' | $VOLLEY --max-record 4 -j " "'
check_err 'the error says which record, how long it may be, and what can be done' \
	'volley: record 3 is longer than 4 bytes (see --max-record and --oversize)
volley: 10 bytes more of the input were read, and are lost\n' 1 -- \
	"$long"' | $VOLLEY --max-record 4'
check_err 'a length of one' \
	'volley: record 1 is longer than 1 byte (see --max-record and --oversize)
volley: 3 bytes more of the input were read, and are lost\n' 1 -- \
	'echo ab | $VOLLEY --max-record 1'
check_err 'one byte more' "volley: record 1: '' does not begin with a time as ms \
(see --timestamp and --bad-timestamp)
volley: 1 byte more of the input was read, and is lost\n" 1 -- \
	'echo | $VOLLEY --time-domain event --timestamp prefix'
check_err 'the length has a unit' \
	'volley: record 1 is longer than 1K (see --max-record and --oversize)
volley: 1026 bytes more of the input were read, and are lost\n' 1 -- \
	'printf "%1025d\n" 0 | $VOLLEY --max-record 1K'
check 'fail is the default' 'aaa bbbb\n' 1 -- "$long"' | $VOLLEY --max-record 4 --oversize fail -j " "'
check 'skip: a longer record is left out' 'aaa bbbb ddd\n' 0 -- \
	"$long"' | $VOLLEY --max-record 4 --oversize skip -j " "'
check_err 'skip: it is counted, and said' \
	'volley: 1 record longer than --max-record dropped\n' 0 -- \
	"$long"' | $VOLLEY --max-record 4 --oversize skip'
check_err 'skip: several' 'volley: 2 records longer than --max-record dropped\n' 0 -- \
	"$long"' | $VOLLEY --max-record 3 --oversize skip'
check 'skip: what is left out does not count' 'count aaa bbbb\neof ddd\n' 0 -- \
	'printf "aaa\nccccc\nbbbb\nccccc\nddd\n" |
		$VOLLEY --max-record 4 --oversize skip -n 2 -j " " --header "{reason} "'
check 'truncate: the beginning of a longer record' 'aaa bbbb cccc ddd\n' 0 -- \
	"$long"' | $VOLLEY --max-record 4 --oversize truncate -j " "'
check_err 'truncate: it is counted, and said' \
	'volley: 1 record longer than --max-record truncated\n' 0 -- \
	"$long"' | $VOLLEY --max-record 4 --oversize truncate'
check 'an unterminated record that is too long: skip' 'a\n' 0 -- \
	'printf "a\nbbb" | $VOLLEY --max-record 2 --oversize skip -j " "'
check 'an unterminated record that is too long: truncate' 'a bb\n' 0 -- \
	'printf "a\nbbb" | $VOLLEY --max-record 2 --oversize truncate -j " "'
check 'an unterminated record that is too long: fail' 'a\n' 1 -- \
	'printf "a\nbbb" | $VOLLEY --max-record 2 -j " "'
check 'an unterminated record of just the length' 'a bb\n' 0 -- \
	'printf "a\nbb" | $VOLLEY --max-record 2 -j " "'
check 'too long, over many reads: skip' 'a b\n' 0 -- \
	'{ echo a; head -c 1000000 /dev/zero; printf "\nb\n"; } |
		$VOLLEY --max-record 10 --oversize skip -j " "'
check 'too long, over many reads: truncate' 'a xxx b\n' 0 -- \
	'{ echo a; head -c 1000000 /dev/zero | tr "\0" x; printf "\nb\n"; } |
		$VOLLEY --max-record 3 --oversize truncate -j " "'
check 'too long, byte by byte: truncate' 'bb c\n' 0 -- \
	'for i in b b b "\n" c "\n"; do printf "$i"; sleep 0.01; done |
		$VOLLEY --max-record 2 --oversize truncate -j " "'
check 'too long, it does not wait for the end of it: fail' 'a\n' 1 -- \
	'mkfifo fifo; (printf "a\nbbbbb"; exec sleep 20) >fifo & producer=$!
	$VOLLEY --max-record 2 -j " " <fifo; status=$?; kill $producer; exit $status'

finish
