#!/bin/sh
# A command for each batch: its input, its arguments, its environment, its end, and what becomes
# of the batch when it fails. Processes, signals and time are in processes.test.py.
. "${abs_top_srcdir:-.}/tests/tap.sh"

# Writes its arguments in angle brackets, a line for each run.
cat >"$tap_dir/args" <<'END'
#!/bin/sh
for arg; do printf '<%s>' "$arg"; done
echo
END
chmod +x "$tap_dir/args"
args=$tap_dir/args

# The batches in the directory "dead", one after the other, and nothing else.
kept='cat dead/*.batch'

# A run for each batch
check 'each batch is a run of the command' '1+2+3\n4+5+6\n7\n' 0 -- 'seq 7 | $VOLLEY -n 3 -- paste -sd+'
check 'without a trigger there is one run' '1+2+3\n' 0 -- 'seq 3 | $VOLLEY -- paste -sd+'
check 'no input, no run' '' 0 -- '$VOLLEY -n 1 -- echo run </dev/null'
check 'no input, no run with --args either' '' 0 -- '$VOLLEY -n 1 -x -- echo run </dev/null'
empty='printf "1 a\n25\n" | $VOLLEY --time-domain event --timestamp prefix -w "tumbling(10)" \
	-T "repeat(any(count(1),watermark()))" --emit-empty'
check 'an empty batch is a run, too' '1 count a\n0 window\n' 0 -- \
	"$empty"' -- sh -c "echo \$VOLLEY_COUNT \$VOLLEY_REASON \$(cat)"'
check 'what stands behind -- is the command'"'"'s' '1\n2\n' 0 -- \
	'seq 2 | $VOLLEY -n 2 -- cat -- -'
check 'standard input is the batch alone' '3\n3\n1\n' 0 -- \
	'seq 7 | $VOLLEY -n 3 -- sh -c "cat | wc -l | tr -d \" \""'
check 'a batch is no terminal, no pipe, and begins at its beginning' '1\n2\n' 0 -- \
	'seq 4 | $VOLLEY -n 2 --attempts 2 --backoff 1 -- sh -c "head -n 1 >/dev/null
		[ \$VOLLEY_INDEX = 1 ] || { [ \$VOLLEY_ATTEMPT = 2 ] && seq 2; }"'
check 'bytes pass unchanged' '' 0 -- \
	'printf "\001\r\n\377\376\n\n\0\n a \n" >in; $VOLLEY -n 2 -- cat <in | cmp - in'
check 'a large batch is whole' '' 0 -- \
	'seq 300000 >in; $VOLLEY -- cat <in | cmp - in'
check 'many batches: none is lost, none moves' '' 0 -- \
	'seq 200 >in; $VOLLEY -n 2 -- cat <in | cmp - in'
check 'an unterminated record gets its delimiter' 'a\nb\n' 0 -- 'printf "a\nb" | $VOLLEY -- cat'
check 'NUL as the delimiter' 'a,b,' 0 -- 'printf "a\0b" | $VOLLEY -0 -- tr "\0" ,'
check 'there is no batch delimiter unless it was asked for' '1\n2\n=3\n=' 0 -- \
	'seq 3 | $VOLLEY -n 2 -D = -- cat'
check 'joined records are a line' '1 2\n3\n' 0 -- 'seq 3 | $VOLLEY -n 2 -j " " -- cat'
check 'a header and a footer' '0:1\n2\n2 records\n' 0 -- \
	'seq 2 | $VOLLEY -n 2 --header "{index}:" --footer "{count} records\n" -- cat'
check 'a batch as JSON' '["1","2"]\n["3"]\n' 0 -- 'seq 3 | $VOLLEY -n 2 -f json -- cat'

# What a command may do to its input
check 'a command that does not read all has not failed' '1\n50001\n' 0 -- \
	'seq 100000 | $VOLLEY -n 50000 -- head -n 1'
check 'a command that reads nothing' 'x\nx\n' 0 -- 'seq 4 | $VOLLEY -n 2 -- echo x'
check 'a command that closes its input' 'x\nx\n' 0 -- \
	'seq 4 | $VOLLEY -n 2 -- sh -c "exec <&-; echo x"'
check 'a command cannot write to its input' 'no 1\nno 2\n' 0 -- \
	'seq 2 | $VOLLEY -n 1 -- sh -c "(echo x >&0) 2>/dev/null || echo no \$(cat)"'
check 'a command that opens its input for writing does not spoil the batch' '1\n2\n' 0 -- \
	'seq 2 | $VOLLEY --attempts 2 --backoff 1 -- sh -c "
		if [ \$VOLLEY_ATTEMPT = 2 ]; then cat; else (: >/dev/stdin) 2>/dev/null; exit 1; fi"'
check 'nor the batch that is kept' '1\n2\n' 123 -- \
	'seq 2 | $VOLLEY --dead-letter dead -- sh -c "(: >/dev/stdin) 2>/dev/null; exit 1"
	s=$?; '"$kept"'; rm -r dead; exit $s'
check 'a command that goes into the background has ended' 'a\nb\n' 0 -- \
	'printf "a\nb\n" | $VOLLEY -n 1 -- sh -c "(exec sleep 20) >/dev/null 2>&1 & echo \$! >>pids; cat"
	s=$?; kill $(cat pids); rm pids; exit $s'

# Exit status

# unstarted check|check_err NAME ...: a case in which a command cannot be started. valgrind keeps
# from posix_spawn() that it could not.
unstarted() {
	case $VOLLEY in
	*valgrind*) skip "$2" 'valgrind says nothing of a command that cannot be started' ;;
	*) "$@" ;;
	esac
}

check 'all went well' '' 0 -- 'seq 9 | $VOLLEY -n 3 -- true'
check 'one that failed is 123, and the others are run' '0\n1\n2\n' 123 -- \
	'seq 9 | $VOLLEY -n 3 -- sh -c "echo \$VOLLEY_INDEX; exit \$(( VOLLEY_INDEX == 1 ? 3 : 0 ))"'
check_err 'the batch that failed is named' 'volley: batch 1 (3 records): exit status 3\n' 123 -- \
	'seq 9 | $VOLLEY -n 3 -- sh -c "exit \$(( VOLLEY_INDEX == 1 ? 3 : 0 ))"'
check_err 'one record is one record' 'volley: batch 0 (1 record): exit status 1\n' 123 -- \
	'seq 1 | $VOLLEY -- false'
check '255 is 124, and no other is run' '0\n' 124 -- \
	'seq 9 | $VOLLEY -n 3 -- sh -c "echo \$VOLLEY_INDEX; exit 255"'
check_err '255: those that were not run are named' \
	'volley: batch 0 (3 records): exit status 255
volley: batch 1 (3 records): not run
volley: batch 2 (3 records): not run\n' 124 -- \
	'seq 9 | $VOLLEY -n 3 -- sh -c "exit 255" 2>err; s=$?; sort err >&2; exit $s'
check '255 is not tried again' '1\n' 124 -- \
	'seq 3 | $VOLLEY --attempts 5 --backoff 1 -- sh -c "echo \$VOLLEY_ATTEMPT; exit 255"'
check '254 is a failure like others' '0\n1\n' 123 -- \
	'seq 2 | $VOLLEY -n 1 -- sh -c "echo \$VOLLEY_INDEX; exit 254"'
check 'killed by a signal is 125, and the others are run' '0\n1\n' 125 -- \
	'seq 2 | $VOLLEY -n 1 -- sh -c "echo \$VOLLEY_INDEX; [ \$VOLLEY_INDEX = 1 ] || kill -KILL \$\$"'
check_err 'the signal is named' 'volley: batch 0 (1 record): killed by signal 9 (Killed)\n' 125 -- \
	'seq 1 | $VOLLEY -- sh -c "kill -KILL \$\$"'
unstarted check_err 'not executable is 126' "volley: batch 0 (1 record): cannot run './file': Permission denied\n" \
	126 -- 'echo true >file; chmod 644 file; seq 1 | $VOLLEY -- ./file'
unstarted check_err 'a directory is 126' "volley: batch 0 (1 record): cannot run '/': Permission denied\n" \
	126 -- 'seq 1 | $VOLLEY -- /'
unstarted check_err 'not found is 127' "volley: batch 0 (1 record): cannot run './none': \
No such file or directory (it, or the interpreter in its first line)\n" \
	127 -- 'seq 1 | $VOLLEY -- ./none'
unstarted check_err 'so is a script whose interpreter is not there' "volley: batch 0 (1 record): cannot run './odd': \
No such file or directory (it, or the interpreter in its first line)\n" \
	127 -- 'echo "#!/no/such/shell" >odd; chmod +x odd; seq 1 | $VOLLEY -- ./odd'
unstarted check_err 'a name alone is looked for in PATH' \
	"volley: batch 0 (1 record): cannot run 'no-such-command-as-this': not found in PATH\n" \
	127 -- 'seq 1 | $VOLLEY -- no-such-command-as-this'
unstarted check 'not found, in no directory of PATH' '' 127 -- 'seq 1 | PATH=/usr/bin:/bin $VOLLEY -- no-such-command-as-this'
unstarted check 'an empty name is not found' '' 127 -- 'seq 1 | $VOLLEY -- ""'
check 'a command that is not found is looked for when there is a batch' '' 0 -- \
	'$VOLLEY -- ./none </dev/null'
unstarted check 'not found: no other is run, none is forgotten' '3\n' 127 -- \
	'seq 3 | $VOLLEY -n 1 --attempts 3 -- ./none 2>err; s=$?; wc -l <err; exit $s'
check 'the worst counts' '' 125 -- \
	'seq 3 | $VOLLEY -n 1 -- sh -c "[ \$VOLLEY_INDEX = 1 ] && kill -9 \$\$; exit 3"'
unstarted check 'a script without an interpreter line is run by the shell, as elsewhere' 'ran\n' 0 -- \
	'echo "echo ran" >script; chmod +x script; seq 1 | $VOLLEY -- ./script'

# --dead-letter
check 'a batch that failed is kept whole' '4\n5\n6\n' 123 -- \
	'seq 9 | $VOLLEY -n 3 --dead-letter dead -- sh -c "exit \$(( VOLLEY_INDEX == 1 ? 3 : 0 ))"
	s=$?; '"$kept"'; exit $s'
check 'its facts are beside it' 'index 1 count 3 bytes 6 reason count attempts 1 outcome exit status 3\n' 0 -- \
	'sed -E "s/[{}\"]//g; s/,(key|first|last):[^,]*//g; s/[:,]/ /g" dead/*.json'
check 'its name is the same as theirs' '1 1\n' 0 -- \
	'for json in dead/*.json; do [ -e "${json%.json}.batch" ] && set -- dead/*.json && echo $# 1; done'
check 'it is run again by hand, and is gone' '4+5+6\n0\n' 0 -- \
	'for batch in dead/*.batch; do paste -sd+ <"$batch" && rm "$batch" "${batch%.batch}.json"; done
	ls dead | wc -l; rmdir dead'
check_err 'the message says where' 'volley: batch 0 (1 record): exit status 1, kept as dead/NAME.batch\n' 123 -- \
	'seq 1 | $VOLLEY --dead-letter dead -- false 2>err
	s=$?; sed -E "s,/[^/]*\.batch,/NAME.batch," err >&2; rm -r dead; exit $s'
check 'nothing has failed, nothing is kept' '0\n' 0 -- \
	'seq 3 | $VOLLEY --dead-letter dead -- true; ls dead | wc -l; rmdir dead'
check 'two runs into one directory' '1\n2\n1\n2\n' 0 -- \
	'for i in 1 2; do seq 2 | $VOLLEY -n 1 --dead-letter dead -- false; done; '"$kept"'; rm -r dead'
check 'arguments are kept as records' 'a b\n\n"c"\n' 123 -- \
	'printf "a b\n\n\"c\"\n" | $VOLLEY -x --dead-letter dead -- false; s=$?; '"$kept"'; rm -r dead; exit $s'
check 'what was given as JSON is kept as JSON' '["1","2"]\n' 123 -- \
	'seq 2 | $VOLLEY -f json --dead-letter dead -- false; s=$?; '"$kept"'; rm -r dead; exit $s'
unstarted check 'a batch whose command is not found is kept' '1\n2\n' 127 -- \
	'seq 2 | $VOLLEY -n 1 --dead-letter dead -- ./none; s=$?; '"$kept"'; rm -r dead; exit $s'
unstarted check 'so it is when the name of the command is not UTF-8' '1\n' 127 -- \
	'seq 1 | $VOLLEY --dead-letter dead -- "$(printf "./\377")"; s=$?; '"$kept"'; rm -r dead; exit $s'
check 'and when its key is not' '\377 1\n' 123 -- \
	'printf "\377 1\n" | $VOLLEY -k 1 --dead-letter dead -- false; s=$?; '"$kept"'
	grep -q "\"key\":\"[^\"]" dead/*.json || echo the key is missing; rm -r dead; exit $s'
check 'a directory that cannot be used: nothing is read' '1\n2\n' 2 -- \
	': >file; seq 2 | { $VOLLEY -n 1 --dead-letter file -- cat; s=$?; cat; exit $s; }'
if [ -d /proc/self ]; then
	check 'so it is where no file can be made' '1\n2\n' 2 -- \
		'seq 2 | { $VOLLEY -n 1 --dead-letter /proc -- cat; s=$?; cat; exit $s; }'
else
	skip 'so it is where no file can be made' 'there is no /proc'
fi
check 'the try leaves nothing' '0\n' 0 -- \
	'mkdir dead; seq 2 | $VOLLEY --dead-letter dead -- true; ls -A dead | wc -l; rmdir dead'
check 'nor a directory in one that is not there' '1\n2\n' 2 -- \
	'seq 2 | { $VOLLEY -n 1 --dead-letter no/dead -- cat; s=$?; cat; exit $s; }'
check_err 'a job log that cannot be opened: it is named' \
	"volley: --joblog: cannot open 'no/log': No such file or directory\n" 2 -- \
	'seq 2 | $VOLLEY -n 1 --joblog no/log -- cat'
check 'a job log that cannot be opened: nothing is read' '1\n2\n' 2 -- \
	'seq 2 | { $VOLLEY -n 1 --joblog no/log -- cat; s=$?; cat; exit $s; }'
if [ -c /dev/full ]; then
	check_err 'a job log that takes nothing more is named, and the status says so' \
		"volley: cannot write to the job log '/dev/full': No space left on device\n" 1 -- \
		'seq 2 | $VOLLEY -n 1 --joblog /dev/full -- true'
else
	skip 'a job log that takes nothing more is named, and the status says so' 'there is no /dev/full'
fi
check_err 'a directory that goes away: the batch is named, and the status says more' \
	"volley: batch 0 (1 record): exit status 1, and cannot be kept in 'dead': No such file or directory\n" 123 -- \
	'seq 1 | $VOLLEY --dead-letter dead -- sh -c "rmdir dead; exit 1"'
check 'input = delivered + kept, each once' '' 0 -- \
	'seq 2000 >in; $VOLLEY -n 10 -P 4 --dead-letter dead -- sh -c "
		case \$VOLLEY_INDEX in *[147]) exit 1;; *[369]0) kill -9 \$\$;; *) cat;; esac" <in >out 2>/dev/null
	[ -s out ] && [ "$(ls dead/*.batch | wc -l)" -gt 60 ] || echo not as planned
	cat out dead/*.batch | sort -n | cmp - in; rm -r dead'

# --args
cat >"$tap_dir/records" <<'END'
it's
"q" 'q'
  two  blanks  
\
\n

$HOME `id` $(id)
*
-n
--
a;b|c&
END
export tap_dir
check 'records are arguments, unchanged' '' 0 -- \
	'$VOLLEY -x -- '"$args"' <"$tap_dir/records" | sed "s/^<//;s/>\$//;s/></\n/g" | cmp - "$tap_dir/records"'
check 'empty records are empty arguments' '<><>\n<>\n' 0 -- 'printf "\n\n\n" | $VOLLEY -n 2 -x -- '"$args"
check 'they stand at the end' '<-a><1><2>\n<-a><3>\n' 0 -- "seq 3 | \$VOLLEY -n 2 -x -- $args -a"
check 'or in place of {}' '<-a><1><2><z>\n' 0 -- "seq 2 | \$VOLLEY -x -- $args -a {} z"
check 'only the first {} is theirs' '<1><2><{}>\n' 0 -- "seq 2 | \$VOLLEY -x -- $args {} {}"
check 'a {} within an argument is not' '<a{}b><1>\n' 0 -- "seq 1 | \$VOLLEY -x -- $args 'a{}b'"
check 'a record {} is a record' '<{}><{}>\n' 0 -- "printf '{}\n{}\n' | \$VOLLEY -x -- $args"
check 'without --args a {} is an argument' '<{}>\n' 0 -- "seq 1 | \$VOLLEY -- $args {}"
check 'an empty batch: nothing stands in place of {}' '<x><a><y>\n<x><y>\n' 0 -- "$empty -x -- $args x {} y"
check 'with arguments, standard input is empty' '0\n' 0 -- \
	'seq 3 | $VOLLEY -x -- sh -c "cat | wc -c"'
check 'bytes that are no UTF-8' '<\377\001\t>\n' 0 -- 'printf "\377\001\t\n" | $VOLLEY -x -- '"$args"
check 'newlines in records that end with NUL' '<a\nb><c>\n' 0 -- \
	'printf "a\nb\0c\0" | $VOLLEY -0 -x -- '"$args"
check 'an unterminated record' '<a><b>\n' 0 -- 'printf "a\nb" | $VOLLEY -x -- '"$args"
check 'a batch that was read in pieces is one run' '<a><b><c>\n<d>\n' 0 -- \
	'for i in a "\nb" "\n" "c\n" d; do printf "$i"; sleep 0.02; done | $VOLLEY -n 3 -x -- '"$args"
check_err 'a NUL in a record is named' \
	'volley: batch 0: record 2 of it holds a NUL byte, and cannot be an argument\n' 1 -- \
	'printf "a\nb\0\nc\n" | $VOLLEY -x -- true'
check 'a NUL in a record: the others go' '<a>\n<c>\n' 1 -- \
	'printf "a\nb\0\nc\n" | $VOLLEY -x -- '"$args"
check 'a NUL in a record ends the run at once' '' 1 -- \
	'rm -f fifo; mkfifo fifo; (printf "\0\n"; exec sleep 5) >fifo & producer=$!
	$VOLLEY -n 1 -x -- '"$args"' <fifo; s=$?; kill $producer || echo late; exit $s'
check 'a NUL in a record: what goes on later is no record' '<a>\n<c>\n' 1 -- \
	'{ printf "a\n\0\nc\nd"; sleep 0.3; echo e; } | $VOLLEY -n 1 -x -- '"$args"
check_err 'a NUL in a record: what was read beyond is named' \
	'volley: batch 0: record 1 of it holds a NUL byte, and cannot be an argument
volley: 2 bytes more of the input were read, and are lost
' 1 -- '{ printf "\0\nab"; sleep 0.3; echo c; } | $VOLLEY -n 1 -x -- true'
check 'as many bytes as an argument can have' '131071\n' 0 -- \
	'{ head -c 131071 /dev/zero | tr "\0" x; echo; } | $VOLLEY -x -- sh -c "echo \${#1}" sh'
check_err 'one byte more' \
	'volley: batch 0: record 2 of it is longer than 131071 bytes, and cannot be an argument\n' 1 -- \
	'{ echo a; head -c 131072 /dev/zero | tr "\0" x; echo; echo b; } | $VOLLEY -x -- true'
check 'one byte more: the others go' '<a>\n<b>\n' 1 -- \
	'{ echo a; head -c 131072 /dev/zero | tr "\0" x; echo; echo b; } | $VOLLEY -x -- '"$args"
check 'a batch that is too much for one run is split' '' 0 -- \
	'seq 1000000 1400000 >in; rm -f counts; $VOLLEY -x -- sh -c "
		echo \$# \$VOLLEY_COUNT >>counts; printf \"%s\n\" \"\$@\"" sh <in | cmp - in
	[ $(wc -l <counts) -gt 1 ] && [ $(wc -l <counts) -lt 40 ] || cat counts
	awk "\$1 != \$2" counts'
check 'so it is without a limit on the stack' '' 0 -- \
	'seq 1000000 1400000 >in; ulimit -s unlimited 2>/dev/null
	$VOLLEY -x -- sh -c "printf \"%s\n\" \"\$@\"" sh <in | cmp - in'

# Environment
facts='echo $VOLLEY_INDEX $VOLLEY_COUNT $VOLLEY_BYTES $VOLLEY_REASON $VOLLEY_ATTEMPT k=$VOLLEY_KEY'
export facts
check 'the facts of the batch' '0 2 4 count 1 k=\n1 1 3 eof 1 k=\n' 0 -- \
	'printf "1\n2\n33\n" | $VOLLEY -n 2 -- sh -c "$facts"'
check 'the key' '0 2 8 count 1 k=b\n1 1 4 eof 1 k=a\n' 0 -- \
	'printf "a 1\nb 2\nb 3\n" | $VOLLEY -n 2 -k 1 -- sh -c "$facts"'
check 'the times of the first and the last record' '5 9\n20 20\n' 0 -- \
	'printf "5 a\n9 b\n20 c\n" | $VOLLEY -n 2 --time-domain event --timestamp prefix -- sh -c "
		echo \$VOLLEY_FIRST \$VOLLEY_LAST"'
check 'the times by the clock' '2\n' 0 -- \
	'seq 2 | $VOLLEY -- sh -c "printf \"%s\n\" \$VOLLEY_FIRST \$VOLLEY_LAST" |
		grep -cE "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?(Z|[-+][0-9]{2}:[0-9]{2})$"'
check 'eight variables, and no others that begin so' '8\n' 0 -- \
	'seq 1 | VOLLEY_INDEX=77 VOLLEY_KEY=k VOLLEY_OLD=1 $VOLLEY -- env | grep -c "^VOLLEY_"'
check 'those that were inherited are replaced' '0 1 2 eof 1 k=\n' 0 -- \
	'seq 1 | VOLLEY_INDEX=77 VOLLEY_COUNT=7 VOLLEY_REASON=x VOLLEY_ATTEMPT=9 VOLLEY_KEY=k VOLLEY_BYTES=7 \
		$VOLLEY -- sh -c "$facts"'
check 'the rest of the environment passes' 'kept\n' 0 -- \
	'seq 1 | OTHER=kept $VOLLEY -- sh -c "echo \$OTHER"'
check 'a long key is cut, and does not stop the command' '32768\n' 0 -- \
	'{ head -c 200000 /dev/zero | tr "\0" x; echo; } | $VOLLEY -k 1 -- sh -c "echo \${#VOLLEY_KEY}"'

# Outputs
check '--keep-order: outputs in the order of the batches' '0\n1\n2\n3\n' 0 -- \
	'seq 4 | $VOLLEY -n 1 -P 4 --keep-order -- sh -c "
		[ \$VOLLEY_INDEX -gt 0 ] || sleep 0.3; echo \$VOLLEY_INDEX"'
check 'without it, in the order in which they end' '1\n0\n' 0 -- \
	'mkfifo gate; seq 2 | $VOLLEY -n 1 -P 2 -- sh -c "
		if [ \$VOLLEY_INDEX = 0 ]; then read line <gate; sleep 0.1; else echo >gate; fi; echo \$VOLLEY_INDEX"
	rm gate'
check 'eight at once: each output is whole' '8 100001\n' 0 -- \
	'seq 0 7 | $VOLLEY -n 1 -P 8 -- sh -c "
		for i in 1 2 3 4; do head -c 25000 /dev/zero | tr \"\0\" \$VOLLEY_INDEX; done; echo" |
		awk "{ c = substr(\$0, 1, 1); gsub(c, \"\"); n += \$0 == \"\" } END { print n, 100001 }"'
check 'eight at once in order' '01234567\n' 0 -- \
	'seq 0 7 | $VOLLEY -n 1 -P 8 --keep-order -- sh -c "
		head -c 100000 /dev/zero | tr \"\0\" \$VOLLEY_INDEX; echo" | cut -c 1 | tr -d "\n"; echo'
check 'one for each processor' '' 0 -- 'seq 20 >in; $VOLLEY -n 1 -P 0 --keep-order -- cat <in | cmp - in'
check 'what a command that failed has written passes, too' 'said\n' 123 -- \
	'seq 1 | $VOLLEY -P 2 -- sh -c "echo said; exit 1"'
check 'a full disk is an error' '' 1 -- \
	'[ -e /dev/full ] || exit 1; seq 3 | $VOLLEY -n 1 -P 2 -- cat >/dev/full'
check_err 'standard output is closed' \
	'volley: cannot pass the output of a command on: Bad file descriptor\n' 1 -- \
	'seq 1 | $VOLLEY -n 1 -P 2 -- echo x >&-'

# --attempts
check 'a batch is tried again, from its beginning' '1 1+2\n2 1+2\n3 1+2\n' 0 -- \
	'seq 2 | $VOLLEY --attempts 3 --backoff 1 -- sh -c "
		echo \$VOLLEY_ATTEMPT \$(paste -sd+); [ \$VOLLEY_ATTEMPT = 3 ]"'
check 'not more often than said' '1\n2\n' 123 -- \
	'seq 2 | $VOLLEY --attempts 2 --backoff 1 -- sh -c "echo \$VOLLEY_ATTEMPT; exit 1"'
check_err 'only the last failure is told' 'volley: batch 0 (1 record): exit status 2\n' 123 -- \
	'seq 1 | $VOLLEY --attempts 2 --backoff 1 -- sh -c "exit \$VOLLEY_ATTEMPT"'
check 'no failure, no further run' '1\n1\n' 0 -- \
	'seq 2 | $VOLLEY -n 1 --attempts 9 -- sh -c "echo \$VOLLEY_ATTEMPT"'
check 'one that was killed is tried again' '2\n' 0 -- \
	'seq 1 | $VOLLEY --attempts 2 --backoff 1 -- sh -c "[ \$VOLLEY_ATTEMPT = 2 ] || kill -9 \$\$; echo 2"'
check 'the arguments are the same each time' '<1><2>\n<1><2>\n' 123 -- \
	'seq 2 | $VOLLEY -x --attempts 2 --backoff 1 -- sh -c "'"$args"' \"\$@\"; exit 1" sh'

# --halt
check 'never: all are run' '0\n1\n2\n' 123 -- \
	'seq 3 | $VOLLEY -n 1 --halt never -- sh -c "echo \$VOLLEY_INDEX; exit 1"'
check 'soon: no more are begun' '0\n' 123 -- \
	'seq 3 | $VOLLEY -n 1 --halt soon -- sh -c "echo \$VOLLEY_INDEX; exit 1"'
check 'soon: what runs ends by itself' '1\n' 123 -- \
	'seq 2 | $VOLLEY -n 1 -P 2 --halt soon -- sh -c "[ \$VOLLEY_INDEX = 1 ] || exit 1; sleep 0.3; echo 1"'
check 'soon: what was read and not run is kept' '' 0 -- \
	'seq 2000 >in; $VOLLEY -n 10 --halt soon --dead-letter dead -- sh -c "
		[ \$VOLLEY_INDEX != 3 ] || exit 1; cat" <in >out 2>/dev/null
	cat out dead/*.batch | cmp - in; rm -r dead'
check 'soon: the beginning of a record is not kept as one' '' 0 -- \
	'yes 123456789 | head -n 2000000 | $VOLLEY -n 1000 --halt soon --dead-letter dead -- false 2>/dev/null
	cat dead/*.batch | grep -vx 123456789; rm -r dead'
check 'a failure that was mended by a further run does not halt' '0\n1\n' 0 -- \
	'seq 2 | $VOLLEY -n 1 --halt now --attempts 2 --backoff 1 -- sh -c "
		[ \$VOLLEY_ATTEMPT -gt \$(( VOLLEY_INDEX == 0 )) ] || exit 1; echo \$VOLLEY_INDEX"'
check 'an input that does not end does not keep it' '' 123 -- \
	'rm -f fifo; mkfifo fifo; (seq 3; exec sleep 20) >fifo & producer=$!
	$VOLLEY -n 1 --halt soon -- false <fifo; s=$?; kill $producer; exit $s'

# Limits of the system
check 'more batches than descriptors' '1000\n' 0 -- \
	'ulimit -n 64; seq 1000 | $VOLLEY -n 1 -- echo x | wc -l'
check 'more keys than descriptors' '3000\n' 0 -- \
	'ulimit -n 100; seq 3000 | $VOLLEY -k 1 -P 2 -- echo x | wc -l'
check 'more commands at once than descriptors' '300\n' 0 -- \
	'ulimit -n 100; seq 300 | $VOLLEY -n 1 -P 200 -- echo x | wc -l'
check 'outputs in order and more commands at once than descriptors' '300\n' 0 -- \
	'ulimit -n 100; seq 300 | $VOLLEY -n 1 -P 200 --keep-order -- sh -c "sleep 0.2; echo x" | wc -l'

finish
