#!/bin/sh
# Keys: where in a record a key stands, a batch of its own for each, what goes when there are too
# many. And what --mode fire keeps.
. "${abs_top_srcdir:-.}/tests/tap.sh"

shown='-j " " --header "{key}: "'
event='--time-domain event --timestamp prefix'
export INPUT

# keyed NAME KEY INPUT EXPECTED [OPTIONS]: the batches of the keys, in the order in which they came.
keyed() {
	INPUT=$3
	check "$2: $1" "$4" 0 -- 'printf "$INPUT" | $VOLLEY '"$shown ${5:-} --key '$2'"
}

# Fields
keyed 'the first field' 1 'x 1\ny 2\nx 3\n' 'x: x 1 x 3\ny: y 2\n'
keyed 'the second field' 2 '1 x\n2 y\n3 x\n' 'x: 1 x 3 x\ny: 2 y\n'
keyed 'blanks and tabs, as many as there are' 2 '  1 \t x \n2\ty\n3 x\n' 'x:   1 \t x  3 x\ny: 2\ty\n'
keyed 'a field that is not there is empty' 2 '1 x\n2\n\n3 x\n' 'x: 1 x 3 x\n: 2 \n'
keyed 'the last field' 3 'a b c\nd e f\n' 'c: a b c\nf: d e f\n'
keyed 'keys are bytes' 1 'x\nX\nx \n01\n1\n' 'x: x x \nX: X\n01: 01\n1: 1\n'
keyed 'a field far beyond' 18446744073709551615 'a\nb\n' ': a b\n'
keyed 'a carriage return is part of a field' 1 'x\r\nx\n' 'x\r: x\r\nx: x\n'
keyed 'by a separator' 2 'a,x\nb,y\nc,x,z\n' 'x: a,x c,x,z\ny: b,y\n' '-F ,'
keyed 'by a separator, a field may be empty' 2 'a,,x\nb,\nc\n,,\n' ': a,,x b, c ,,\n' '-F ,'
keyed 'by a separator, blanks are text' 1 ' x,1\nx ,2\nx,3\n' ' x:  x,1\nx : x ,2\nx: x,3\n' '-F ,'
keyed 'by a separator of several bytes' 2 'a::x\nb::y:\nc:::x\n' 'x: a::x\ny:: b::y:\n:x: c:::x\n' '-F ::'
keyed 'by a tab' 2 'a b\tx\nc\tx\ty\n' 'x: a b\tx c\tx\ty\n' '-F "\\t"'
keyed 'by a NUL byte' 2 'a\0x\nb\0y\n' 'x: a\0x\ny: b\0y\n' '-F "\\0"'
keyed 'by a byte that is not ASCII' 1 'x\377a\nx\377b\n' 'x: x\377a x\377b\n' '-F "\\xff"'
check 'the separator may come before the key' 'x: a,x\n' 0 -- \
	'echo a,x | $VOLLEY -F , -k 2 '"$shown"
check 'the separator may come after the key' 'x: a,x\n' 0 -- \
	'echo a,x | $VOLLEY -k 2 -F , '"$shown"

# Regular expressions
keyed 'the match' 're:[a-z]+' '1x\n2y\n3x4z\n' 'x: 1x 3x4z\ny: 2y\n'
keyed 'the first group' 're:id=(\d+)' 'id=1 a\nid=2 b\nc id=1\n' '1: id=1 a c id=1\n2: id=2 b\n'
keyed 'a group that took no part is empty' 're:(x)|y' 'x\ny\nz\n' 'x: x\n: y z\n'
keyed 'an empty match is empty' 're:z*' 'a\nz\n' ': a\nz: z\n'
keyed 'it does not see the delimiter' 're:a$' 'a\nba\n' 'a: a ba\n'
keyed 'bytes that are not UTF-8' 're:^.' '\377a\n\377b\n' '\377: \377a \377b\n'

# JSON
keyed 'a string' json:/k '{"k":"x"}\n{"k":"y"}\n{"v":1,"k":"x"}\n' \
	'x: {"k":"x"} {"v":1,"k":"x"}\ny: {"k":"y"}\n'
keyed 'what is in something' json:/a/b '{"a":{"b":"x"}}\n{"a":{"c":1}}\n' \
	'x: {"a":{"b":"x"}}\n: {"a":{"c":1}}\n'
keyed 'an element of an array' json:/1 '[1,"x"]\n["x",1]\n[0]\n' 'x: [1,"x"]\n1: ["x",1]\n: [0]\n'
keyed 'the whole value' json: '"x"\n"y"\n "x"\n' 'x: "x"  "x"\ny: "y"\n'
keyed 'other values as they are written, compactly' json:/k \
	'{"k":1}\n{"k":true}\n{"k":null}\n{"k":[1, 2]}\n{"k":{"a": 1}}\n' \
	'1: {"k":1}\ntrue: {"k":true}\nnull: {"k":null}\n[1,2]: {"k":[1, 2]}\n{"a":1}: {"k":{"a": 1}}\n'
keyed 'fractions as they are written' json:/k '{"k":0.1}\n{"k":2.5}\n{"k":0.1}\n' \
	'0.1: {"k":0.1} {"k":0.1}\n2.5: {"k":2.5}\n'
keyed 'escapes are decoded' json:/k '{"k":"\\u0078"}\n{"k":"x"}\n' 'x: {"k":"\\u0078"} {"k":"x"}\n'
keyed 'the escapes of a pointer' json:/a~1b~0c '{"a/b~c":"x"}\n' 'x: {"a/b~c":"x"}\n'
keyed 'an empty name' json:/ '{"":"x"}\n' 'x: {"":"x"}\n'
keyed 'no JSON, no key' json:/k '{"k":"x"\nk\n\n{"k":"x"}\n' ': {"k":"x" k \nx: {"k":"x"}\n'
keyed 'an index has no leading zero' json:/01 '[1,2]\n' ': [1,2]\n'

# A scope for each
keyed 'counts are by key' 1 'x 1\ny 1\nx 2\ny 2\nx 3\n' 'x: x 1 x 2\ny: y 1 y 2\nx: x 3\n' '-n 2'
keyed 'limits are by key' 1 'x\ny\nx\nx\ny\n' 'x: x x\ny: y y\nx: x\n' '-b 4'
keyed 'breaks are by key' 1 'x 1\ny 2\nx 1\nx 2\ny 2\n' 'x: x 1 x 1\ny: y 2 y 2\nx: x 2\n' \
	'--break-on 2'
keyed 'at the end, in the order of the first records' 1 'z\ny\nx\ny\nz\n' 'z: z z\ny: y y\nx: x\n'
keyed 'of the first records not yet out' 1 'z\ny\nz\nz\n' 'z: z z\ny: y\nz: z\n' '-n 2'
check 'timers are by key' 'x 11 x1 x3\ny 13 y2\n' 0 -- \
	'printf "1 x1\n3 y2\n5 x3\n13\n" |
		$VOLLEY '"$event"' -t 10 -k "re:^." -j " " --header "{key} {fired} "'
check 'timers that go off at one time do so in the order in which they were set' \
	'y y1\nx x1 x2\n' 0 -- \
	'printf "1 x1\n1 y1\n1 x2\n20\n" |
		$VOLLEY '"$event"' -i 10 -k "re:^." -j " " --header "{key} "'
check 'modes are by key' 'x x1 x2\ny y1 y2\nx x1 x2 x3 x4\n' 0 -- \
	'printf "x1\nx2\ny1\nx3\ny2\nx4\n" |
		$VOLLEY -M fire -k "re:^." -n 2 -j " " --header "{key} "'
check 'index counts all batches' '0 x\n1 y\n2 x\n' 0 -- \
	'printf "x\ny\nx\n" | $VOLLEY -n 1 -k 1 -j "" --header "{index} "'
check 'a key that was forgotten begins anew, with pane 0' '0 x\n0 y\n0 x\n' 0 -- \
	'printf "x\ny\nx\n" | $VOLLEY -n 1 -k 1 -j "" --header "{pane} "'
check 'a key that is alive counts its panes' '0 x\n0 y\n1 x\n' 0 -- \
	'printf "x\ny\nx\n" | $VOLLEY -M fire -n 1 -k 1 -D "" --header "{pane} " |
		sed -n "1,3p"'
check 'without the key: counted' '1\n' 0 -- \
	'printf "a x\nb\nc\n" | $VOLLEY -k 2 --stats=json 2>&1 >out | grep -c "\"keyless\":2,"'
check 'once: the first batch of any key' 'y: y y\n' 0 -- \
	'printf "x\ny\ny\nx\n" | $VOLLEY -k 1 -n 2 --once '"$shown | head -n 1"
check 'the key is not bound by the length of a line' '2 100000\n' 0 -- \
	'long=$(head -c 100000 /dev/zero | tr "\0" x)
	printf "$long 1\n$long 2\n" | $VOLLEY -k 1 -j "" --header "{count} {key}\n" | head -n 1 |
		awk "{ print \$1, length(\$2) }"'

# --max-keys
keyed 'the one used least recently goes' 1 'x 1\ny 1\nx 2\nz 1\ny 2\n' \
	'y: y 1\nx: x 1 x 2\nz: z 1\ny: y 2\n' '--max-keys 2'
check 'its reason is evicted' 'evicted x\neof y\n' 0 -- \
	'printf "x\ny\n" | $VOLLEY -k 1 --max-keys 1 -j "" --header "{reason} "'
keyed 'a new record of one is a use' 1 'x 1\ny 1\nx 2\nz 1\n' 'y: y 1\nx: x 1 x 2\nz: z 1\n' \
	'--max-keys 2'
keyed 'a key that is done does not count' 1 'x\nx\ny\nz\n' 'x: x x\ny: y\nz: z\n' '-n 2 --max-keys 2'
keyed 'with nothing new nothing is written' 1 'x\ny\nz\n' 'x: x\ny: y\nz: z\n' \
	'-n 1 -M fire --max-keys 1'
keyed 'one that went begins anew' 1 'x 1\ny 1\nx 2\nx 3\n' 'x: x 1\ny: y 1\nx: x 2 x 3\n' \
	'-n 2 --max-keys 1'
check 'in all its windows' 'evicted 0 x1\nevicted 10 x2\nwindow 20 y\n' 0 -- \
	'printf "1 x1\n11 x2\n21 y\n" | $VOLLEY '"$event"' -w "tumbling(10)" -k "re:^." \
		--max-keys 1 --out-of-orderness 100 -j " " --header "{reason} {start} "'
check '20000 keys and room for 100: each record comes out exactly once' '' 0 -- '
	awk "BEGIN { for (i = 0; i < 60000; i++) print (i * 7919) % 20000, i }" >in
	$VOLLEY -k 1 --max-keys 100 -n 5 -D "" <in | sort >out; sort in | cmp - out'
check '20000 keys and room for 100: the order within a key stays' '' 0 -- '
	awk "BEGIN { for (i = 0; i < 60000; i++) print (i * i) % 20011, i }" >in
	$VOLLEY -k 1 --max-keys 100 -n 3 -D "" <in | sort -s -n -k 1,1 >out; sort -s -n -k 1,1 in | cmp - out'
check '20000 keys at once: each is whole' '20000 3\n' 0 -- '
	awk "BEGIN { for (i = 0; i < 60000; i++) print (i * 7919) % 20000, i }" |
		$VOLLEY -k 1 -j "" --header "{count}\n" | grep -x 3 | uniq -c | sed "s/^ *//"'

check 'many keys come and go: none is ever taken for two' '' 0 -- '
	awk "BEGIN { srand(1); for (i = 0; i < 60000; i++) print int(rand() * 3000) }" >in
	$VOLLEY -k 1 -n 3 -j "" --header "{reason} {key} {count}\n" <in | grep " " | sort >batches
	sort in | uniq -c | awk "{ for (i = 3; i <= \$1; i += 3) print \"count\", \$2, 3
		if (\$1 % 3) print \"eof\", \$2, \$1 % 3 }" | sort | cmp - batches'

# --keep-last, --keep-for, --evict: with --mode fire
# keeps NAME OPTIONS INPUT EXPECTED
keeps() {
	INPUT=$3
	check "$2: $1" "$4" 0 -- 'printf "$INPUT" | $VOLLEY '"$event -M fire -j ' ' $2"
}
keeps 'the last' '-n 2 --keep-last 3' '1 a\n2 b\n3 c\n4 d\n5 e\n' 'a b\nb c d\nc d e\n'
keeps 'before each batch' '-n 3 --keep-last 2 --evict before' '1 a\n2 b\n3 c\n4 d\n5 e\n6 f\n' \
	'b c\ne f\n'
keeps 'after each batch' '-n 2 --keep-last 1 --evict after' '1 a\n2 b\n3 c\n4 d\n5 e\n' \
	'a b\nb c d\nd e\n'
keeps 'of the newest time' '-n 2 --keep-for 3' '1 a\n2 b\n4 c\n5 d\n9 e\n' 'a b\nc d\ne\n'
keeps 'that old is too old' '-n 3 --keep-for 3' '1 a\n2 b\n4 c\n' 'b c\n'
keeps 'newest is the greatest time, not the last' '-n 3 --keep-for 3' '9 a\n5 b\n7 c\n' 'a c\n'
keeps 'after each batch' '-n 2 --keep-for 3 --evict after' '1 a\n4 b\n5 c\n6 d\n' 'a b\nb c d\n'
keeps 'both' '-n 4 --keep-last 2 --keep-for 3' '1 a\n8 b\n9 c\n10 d\n' 'c d\n'
keeps 'both, the other way round' '-n 4 --keep-last 3 --keep-for 2' '1 a\n2 b\n9 c\n10 d\n' 'c d\n'
keeps 'the facts are of what is left' '-n 3 --keep-last 2 --header "{count} {bytes} {first} "' \
	'1 a\n2 b\n3 c\n' '2 4 2 b c\n'
check 'a rolling sum' '1\n3\n6\n9\n12\n' 0 -- \
	'seq 5 | $VOLLEY -n 1 -M fire --keep-last 3 -j + | while read -r sum; do echo $(($sum)); done'
check 'it does not grow' '100 99901\n' 0 -- \
	'seq 100000 | $VOLLEY -n 1000 -M fire --keep-last 100 -j " " | tail -n 1 | awk "{ print NF, \$1 }"'

finish
