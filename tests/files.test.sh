#!/bin/sh
# --output: each batch to a file of its own, which is there whole or not at all.
. "${abs_top_srcdir:-.}/tests/tap.sh"

event='--time-domain event --timestamp prefix'

# in_empty NAME EXPECTED STATUS COMMANDS: in a directory of its own, which is empty.
in_empty() {
	check "$1" "$2" "$3" -- "rm -rf place; mkdir place; cd place || exit; $4"
}

# list: what is there, hidden files too, with what it holds
export list='for file in $(ls -A); do echo "$file: $(tr "\n\0" ,0 <$file)"; done'

in_empty 'a file for each batch' 'b0: 1,2,\nb1: 3,\n' 0 'seq 3 | $VOLLEY -n 2 -o b{index}; eval "$list"'
in_empty 'nothing on standard output' '' 0 'seq 3 | $VOLLEY -n 2 -o b{index}'
in_empty 'no batch, no file' '' 0 '$VOLLEY -n 2 -o b{index} </dev/null; ls -A'
in_empty 'names from facts' '0-2-4-count-0-early: 1,2,\n1-1-2-eof-1-on-time: 3,\n' 0 \
	'seq 3 | $VOLLEY -n 2 -o "{index}-{count}-{bytes}-{reason}-{pane}-{timing}"; eval "$list"'
in_empty 'names from times' '0-10-1-9-10-1: a,b,\n' 0 \
	'printf "1 a\n9 b\n10\n" | $VOLLEY '"$event"' -w "tumbling(10)" \
		-o "{start}-{end}-{first}-{last}-{fired}-{timestamp}"; eval "$list"'
in_empty 'names from keys' 'x: x 1,x 2,\ny: y 1,\n' 0 \
	'printf "x 1\ny 1\nx 2\n" | $VOLLEY -k 1 -o "{key}"; eval "$list"'
in_empty 'escapes and braces' '{A}%: a,\n' 0 'echo a | $VOLLEY -o "{{\\x41}}%"; eval "$list"'
in_empty 'another directory' '1,2,' 0 'mkdir -p a/b; seq 2 | $VOLLEY -o a/b/{count}; tr "\n" , <a/b/2'
in_empty 'an absolute name' '1\n2\n' 0 'seq 2 | $VOLLEY -o "$PWD/{count}"; cat 2'
in_empty 'header, footer and batch delimiter belong to it' 'f: <1,2,>,--\n' 0 \
	'seq 2 | $VOLLEY -o f --header "<" --footer ">\n" -D --; eval "$list"'
in_empty 'as text there is nothing behind the records' '4\n' 0 'seq 2 | $VOLLEY -o f; wc -c <f | tr -d " "'
in_empty 'joined it is a line' '1 2\n' 0 'seq 2 | $VOLLEY -o f -j " "; cat f'
in_empty 'other formats' '["1","2"]\n' 0 'seq 2 | $VOLLEY -o f -f json; cat f'
in_empty 'bytes as they are' '' 0 \
	'head -c 100000 /dev/urandom >../bytes; echo >>../bytes; $VOLLEY -o f <../bytes; cmp f ../bytes'
in_empty 'many files' '1000\n' 0 'seq 1000 | $VOLLEY -n 1 -o {index}; ls -A | wc -l | tr -d " "'

# A name that a fact gives stays in the directory, and is another for each value
# named KEY NAME
named() {
	in_empty "the key '$1'" "$2\n" 0 "printf -- '$1\n' | \$VOLLEY -k 're:(?s).*' -o {key} && ls -A"
}
named '..' '%2E.'
named '.' '%2E'
named '.hidden' '%2Ehidden'
named 'a.b' 'a.b'
named 'a/b' 'a%2Fb'
named '/etc/passwd' '%2Fetc%2Fpasswd'
named '../../x' '%2E.%2F..%2Fx'
named 'a b' 'a%20b'
named '%%2F' '%252F'
named 'a\000b' 'a%00b'
named '\303\244' '%C3%A4'
named '\377' '%FF'
named '-rf' '-rf'
named '*' '%2A'
named '~' '%7E'
named '\001' '%01'
in_empty 'a key with a newline' 'a%0Ab\n' 0 'printf "a\nb\0" | $VOLLEY -0 -k "re:(?s).*" -o {key}; ls -A'
in_empty 'a key of 300 characters' '1 1\n' 0 '
	printf "%0300d\n" 1 | $VOLLEY -k 1 -o {key} || exit
	echo "$(ls -A | wc -l | tr -d " ") $(cat * | sed s/^0*//)"'
in_empty 'long keys that differ at the end do not share a name' '2\n' 0 \
	'printf "%0300d\n%0300d\n" 1 2 | $VOLLEY -k 1 -o {key} && ls -A | wc -l | tr -d " "'
in_empty 'a key of 300 characters that need an escape' '2\n' 0 \
	'printf "%0300d\n%0300d\n" 1 2 | tr 0 / | $VOLLEY -k 1 -o {key} && ls -A | wc -l | tr -d " "'
in_empty 'no key is a name, too' '%\nx\n' 0 \
	'printf "x\n\n" | $VOLLEY -k 1 -o {key} 2>err || status=$?; ls -A | grep -vx err; exit $status'
in_empty 'nothing outside of the directory' 'in\n' 0 \
	'mkdir in; printf "../out\n..\n/out\n" | $VOLLEY -k 1 -o "in/{key}"; ls -A'

# What is there already
in_empty 'a file that is there is an error, and stays' 'old\n' 1 \
	'echo old >f; seq 2 | $VOLLEY -o f 2>err; status=$?; cat f; exit $status'
in_empty 'the message names the file and the batch' '1\n' 0 \
	'echo old >f; seq 2 | $VOLLEY -o f 2>&1 | grep -cx "volley: batch 0 (2 records) is lost: cannot write .f.: File exists (see --force; with {index} in the name each batch has its own)"'
in_empty 'which a name with the index has already' '1\n' 0 \
	'echo old >f0; seq 2 | $VOLLEY -o f{index} 2>&1 | grep -cx "volley: batch 0 .*: File exists (see --force)"'
in_empty 'a device is not replaced, nor a link to one' '3\n0\n' 0 \
	'ln -s /dev/null link; mkfifo pipe; for name in /dev/null link pipe; do
	seq 2 | $VOLLEY -o $name --force 2>>err; done; grep -c "Operation not supported (it is not a regular file)" err
	[ -c /dev/null ] && [ -L link ] && [ -p pipe ]; echo $?'
in_empty 'a link to a file is replaced, and not the file' 'old\n1\n\n' 0 \
	'echo old >file; ln -s file link; echo 1 | $VOLLEY -D "\n" -o link --force; cat file link'
in_empty 'of many batches that are lost the first are named' '20\nvolley: 10 records of 10 more batches are lost\n' 0 \
	'seq 30 | $VOLLEY -k 1 -o missing/{key} 2>err; grep -c "is lost" err; tail -n 1 err'
in_empty 'what was written before stays' '1\n' 1 \
	'echo old >b1; seq 3 | $VOLLEY -n 1 -o b{index} 2>err; status=$?; cat b0; ls | grep b2; exit $status'
in_empty 'the same name twice is an error' '1\n' 1 \
	'seq 2 | $VOLLEY -n 1 -o f 2>err; status=$?; cat f; exit $status'
in_empty 'force replaces it' '1\n2\n' 0 'echo old >f; seq 2 | $VOLLEY -o f --force; cat f'
in_empty 'force: the last of the same name stays' '3\n' 0 'seq 3 | $VOLLEY -n 1 -o f --force; cat f'
in_empty 'force: who has the old one open keeps it' 'old\n' 0 \
	'echo old >f; exec 3<f; echo new | $VOLLEY -o f --force; cat <&3'
in_empty 'a symbolic link is not followed' 'target\n' 1 \
	'echo target >t; ln -s t f; echo a | $VOLLEY -o f 2>err; status=$?; cat t; exit $status'
in_empty 'a symbolic link to nowhere is not followed' 'f\n' 1 \
	'ln -s nowhere f; echo a | $VOLLEY -o f 2>../err; status=$?; ls -A; exit $status'
in_empty 'force: a symbolic link is replaced, not followed' 'target\na\n' 0 \
	'echo target >t; ln -s t f; echo a | $VOLLEY -o f --force; cat t f'
in_empty 'a directory is an error' '0\n' 0 \
	'mkdir f; for force in "" --force; do
		echo a | $VOLLEY -o f $force 2>/dev/null && echo wrong; done; ls -A f | wc -l | tr -d " "'
in_empty 'a directory that is not there' '1\n' 0 \
	'echo a | $VOLLEY -o no/f 2>&1 | grep -c "cannot write .no/f.: No such file or directory"'
in_empty 'after an error the rest of the input is not taken' '1\n' 1 \
	'yes | $VOLLEY -n 1 -o f 2>err; status=$?; ls | grep -c f; exit $status'

# Nothing is left over
in_empty 'nothing temporary is left' 'f\n' 0 'seq 1000 | $VOLLEY -n 1 -o f --force; ls -A'
in_empty 'nothing temporary is left after an error' 'f\n' 0 \
	'mkdir f; seq 3 | $VOLLEY -o f --force 2>/dev/null; ls -A'
in_empty 'the file is whole when it appears' '' 0 '
	seq 100000 | sed "s/.*/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa/" >../in
	rm -f ../done; (until [ -e f ] || [ -e ../done ]; do :; done; cmp f ../in) & watcher=$!
	$VOLLEY -o f <../in; touch ../done; wait $watcher'
in_empty 'what another process has left does not stand in the way, and stays' 'junk\nf\n' 0 \
	'sh -c "echo junk >.volley-\$\$-0.tmp; seq 2 | cat >in; exec $VOLLEY -o f <in"; rm -f in
	cat .volley-*; rm .volley-*; ls -A'

# Permissions
for mask in 002:664 022:644 077:600 027:640; do
	in_empty "the umask ${mask%:*} holds" "${mask#*:}\n" 0 \
		"umask ${mask%:*}; echo a | \$VOLLEY -o f; stat -c %a f"
done
for options in '' '-k 1' '--time-domain event --timestamp 1' '--time-domain event --timestamp 1 -k 1'; do
	in_empty "what is lost is named once: $options" \
		"volley: batch 0 (1 record) is lost: cannot write 'no/0': No such file or directory
volley: 6 bytes more of the input were read, and are lost\n" 0 \
		"printf '1 a\n2 bcd\n' | \$VOLLEY -n 1 -o 'no/{index}' $options 2>&1 || true"
done
if [ "$(id -u)" -ne 0 ]; then
	in_empty 'a directory without permission' '1\n' 0 \
		'mkdir no; chmod 500 no; echo a | $VOLLEY -o no/f 2>&1 | grep -c "Permission denied"'
else
	skip 'a directory without permission' 'root may write everywhere'
fi

finish
