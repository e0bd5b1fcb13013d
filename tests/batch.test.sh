#!/bin/sh
# When a batch is due: count, timeout, idle, limit; modes; the end of the input. What needs the
# clock to go on is in time.test.py, and in event.test.sh with the clock of the records.
. "${abs_top_srcdir:-.}/tests/tap.sh"

# An input of three lines whose end does not come (soon).
open_input='rm -f fifo; mkfifo fifo; (seq 3; exec sleep 20) >fifo & producer=$!'

# Without a trigger
check 'no trigger: one batch, at the end of the input' 'a\nb\nc\n\n' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY'
check 'no trigger: the batch is due to the end of the input' 'eof a b\n' 0 -- \
	'printf "a\nb\n" | $VOLLEY -j " " --header "{reason} "'
check 'no input, no batch' '' 0 -- '$VOLLEY </dev/null'
check 'no input, no batch, whatever the trigger' '' 0 -- '$VOLLEY -n 1 -t 1 -i 0 -b 1 </dev/null'

# --count
check 'a count is a batch' '1 2 3\n4 5 6\n' 0 -- 'seq 6 | $VOLLEY -n 3 -j " "'
check 'what is left at the end is a batch' '1 2 3\n4 5 6\n7\n' 0 -- 'seq 7 | $VOLLEY -n 3 -j " "'
check 'a count of 1' '1\n\n2\n\n' 0 -- 'seq 2 | $VOLLEY -n 1'
check '25 records in one read and a count of 10: 10, 10 and 5' '10 count\n10 count\n5 eof\n' 0 -- \
	'seq 25 | $VOLLEY -n 10 -j "" --header "{count} {reason}\n" | grep o'
check 'counting goes on across reads' '1 2\n3 4\n5\n' 0 -- \
	'for i in 1 2 3 4 5; do echo $i; sleep 0.01; done | $VOLLEY -n 2 -j " "'
check 'a batch does not depend on where a read ends' '1 2\n3\n' 0 -- \
	'for i in 1 "\n" 2 "\n3" "\n"; do printf "$i"; sleep 0.01; done | $VOLLEY -n 2 -j " "'
check 'the last of equal options counts' '1 2 3\n' 0 -- 'seq 3 | $VOLLEY -n 2 -n 3 -j " "'
check 'the largest count' '1 2\n' 0 -- 'seq 2 | $VOLLEY -n 18446744073709551615 -j " "'
check 'many records: none is lost, none moves' '' 0 -- \
	'seq 300000 >in; $VOLLEY -n 7 -D "" <in | cmp - in'
check 'many records: all batches are full but the last' '42857 count 7\n1 eof 1\n' 0 -- \
	'seq 300000 | $VOLLEY -n 7 -j "" --header "{reason} {count}\n" | grep " " | sort | uniq -c |
		sed "s/^ *//"'

# Several triggers
check 'the count comes first, in a quick input' '1 2 count\n3 eof\n' 0 -- \
	'seq 3 | $VOLLEY -n 2 -t 1h -i 1h -j " " --footer " {reason}"'
check 'a timeout far away changes nothing' '1 2 3\n' 0 -- 'seq 3 | $VOLLEY -t 106751d -j " "'
check 'count and timeout 0 at once: the reason is the count' 'count a\ncount b\n' 0 -- \
	'printf "a\nb\n" | $VOLLEY -t 0 -n 1 -j " " --header "{reason} "'

# --timeout 0: the clock has come there when the next record does, so that one still joins
check 'a timeout of 0: the record after the first fires' 'timeout 1 2\ntimeout 3 4\ntimeout 5\n' 0 -- \
	'seq 5 | $VOLLEY -t 0 -j " " --header "{reason} "'

# --idle 0
check 'idle 0: all that the input offers is one batch' 'idle 1 2 3\n' 0 -- "$open_input"'
	$VOLLEY -i 0 --once -j " " --header "{reason} " <fifo; kill $producer'
check 'idle 0: the count is asked first' 'count 1 2\n' 0 -- "$open_input"'
	$VOLLEY -i 0 -n 2 --once -j " " --header "{reason} " <fifo; kill $producer'

# --max-bytes
check 'a batch never holds more than the limit' 'limit 6 aa bb\nlimit 3 cc\neof 6 ddddd\n' 0 -- \
	'printf "aa\nbb\ncc\nddddd\n" | $VOLLEY -b 7 -j " " --header "{reason} {bytes} "'
check 'what has reached the limit comes at once' 'limit 1 2\n' 0 -- "$open_input"'
	$VOLLEY -b 4 --once -j " " --header "{reason} " <fifo; kill $producer'
check 'a record that alone is too large is a batch of its own' 'a\nbbbbbbbb\nc\n' 0 -- \
	'printf "a\nbbbbbbbb\nc\n" | $VOLLEY -b 4 -j " "'
check 'a limit of one byte' '\na\n\nb\n' 0 -- 'printf "\na\n\nb\n" | $VOLLEY -b 1 -j " "'
check 'a limit cuts what is counted: the count begins anew' 'limit aa bb\ncount c d e\n' 0 -- \
	'printf "aa\nbb\nc\nd\ne\n" | $VOLLEY -b 7 -n 3 -j " " --header "{reason} "'
check 'count and limit at once: the reason is the count' 'count a b\neof c\n' 0 -- \
	'printf "a\nb\nc\n" | $VOLLEY -b 4 -n 2 -j " " --header "{reason} "'
check 'sizes have units' 'limit 2048\neof 1024\n' 0 -- \
	'yes 1234567 | head -n 384 | $VOLLEY -b 2K -j "" --header "{reason} {bytes}\n" | grep " "'
check 'many records within a limit: none is lost, none moves' '' 0 -- \
	'seq 100000 >in; $VOLLEY -b 1000 -D "" <in | cmp - in'
check 'many records within a limit: no batch is larger, none could take one more' 'limit 994\n' 0 -- \
	'seq 100000 199999 | $VOLLEY -b 1000 -j "" --header "{reason} {bytes}\n" | grep limit |
		sort -u'

# --mode
check 'fire-and-purge empties the batch' '1 2\n3 4\n' 0 -- \
	'seq 4 | $VOLLEY -n 2 -M fire-and-purge -j " "'
check 'fire keeps the batch and adds to it' '1 2\n1 2 3 4\n1 2 3 4 5\n' 0 -- \
	'seq 5 | $VOLLEY -n 2 -M fire -j " "'
check 'fire: with nothing new the end of the input writes nothing' '1 2\n' 0 -- \
	'seq 2 | $VOLLEY -n 2 -M fire -j " "'
check 'fire: the limit is for what is new, the batch is whole' 'limit a b\nlimit a b c d\n' 0 -- \
	'printf "a\nb\nc\nd\n" | $VOLLEY -b 4 -M fire -j " " --header "{reason} "'
check 'fire: the facts are those of the whole batch' '0 2 4\n1 4 8\n' 0 -- \
	'seq 4 | $VOLLEY -n 2 -M fire -j "" --header "{index} {count} {bytes}\n" | grep " "'
check 'discarding is another name' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY -n 2 -M discarding -j " "'
check 'accumulating is another name' '1 2\n1 2 3\n' 0 -- \
	'seq 3 | $VOLLEY -n 2 -M accumulating -j " "'

# --once
check 'once: the first batch is the last' '1\n2\n\n' 0 -- 'seq 5 | $VOLLEY -n 2 --once'
check 'once: the end of the input is a batch, too' '1 2 3\n' 0 -- \
	'seq 3 | $VOLLEY -n 5 --once -j " "'
check 'once: a cut is a batch, too' 'a b\n' 0 -- \
	'printf "a\nb\ncc\nd\n" | $VOLLEY -b 5 -n 9 --once -j " "'
check 'once: it does not wait for the end of the input' '1 2\n' 0 -- "$open_input"'
	$VOLLEY -n 2 --once -j " " <fifo; kill $producer'
check 'once: a file is left just after the last record that was taken' \
	'1 2 3\n4\n5\n' 0 -- 'seq 5 >file; ($VOLLEY -n 3 --once -j " "; cat) <file'
check 'once: with a timeout, too, what a shell reads after it is the rest' \
	'1 2 3 4 5 6 7 8 9 10\n11\n12\n' 0 -- \
	'seq 12 >file; ($VOLLEY -n 10 -t 1s --once -j " "; cat) <file'
check 'once: a trigger in words, too' '1\n2\n' 0 -- \
	'seq 2 >file; ($VOLLEY -T "any(count(1), delay(1s))" -D ""; cat) <file'
check 'once: after a cut the record that did not fit is left' 'a b\ncc\nd\n' 0 -- \
	'printf "a\nb\ncc\nd\n" >file; ($VOLLEY -b 5 --once -j " "; cat) <file'
check 'once: twice the same file' '1 2\n3 4\n5\n' 0 -- \
	'seq 5 >file; ($VOLLEY -n 2 --once -j " "; $VOLLEY -n 2 --once -j " "; cat) <file'
check 'once: an unterminated last record leaves nothing' 'a b\n' 0 -- \
	'printf "a\nb" >file; ($VOLLEY -n 2 --once -j " "; cat) <file'
check 'once: an unterminated last record that was cut off is left as it is' 'a\nb' 0 -- \
	'printf "a\nb" >file; ($VOLLEY --break-before b --once -D ""; cat) <file'
check 'once: the rest of a long record is passed over' 'xxx\nb\n' 0 -- \
	'{ head -c 2000000 /dev/zero | tr "\0" x; printf "\nb\n"; } >file
	($VOLLEY -n 1 --once -D "" --max-record 3 --oversize truncate 2>err; cat) <file'
check 'once: an end of a long record that does not come is not waited for' 'xxx\n' 0 -- \
	'rm -f fifo; mkfifo fifo; (head -c 2000000 /dev/zero | tr "\0" x; exec sleep 20) >fifo & producer=$!
	$VOLLEY -n 1 --once -D "" --max-record 3 --oversize truncate 2>err <fifo; kill $producer || echo late'
check 'once: after a large file was read, its rest is left' '99990\n' 0 -- \
	'seq 100000 >file; ($VOLLEY -n 10 --once >batch; wc -l) <file | tr -d " "'
check 'without once nothing of a file is left' '1 2\n3\n' 0 -- \
	'seq 3 >file; ($VOLLEY -n 2 -j " "; cat) <file'

# --emit-empty
check 'the end of the input never writes an empty batch' 'a b\n' 0 -- \
	'printf "a\nb\n" | $VOLLEY -n 2 -t 1h --emit-empty -j " "'
check 'no input never writes an empty batch' '' 0 -- '$VOLLEY -t 1 --emit-empty </dev/null'
check 'a limit never writes an empty batch' 'aaa\nbbb\n' 0 -- \
	'printf "aaa\nbbb\n" | $VOLLEY -b 2 -t 1h --emit-empty -j " "'

finish
