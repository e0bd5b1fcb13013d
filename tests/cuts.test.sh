#!/bin/sh
# Cuts: --max-bytes, --break-before and --break-on close a batch before a record.
. "${abs_top_srcdir:-.}/tests/tap.sh"

shown='-j " " --header "{reason} "'
event='--time-domain event --timestamp prefix'
export INPUT

# cut NAME OPTIONS INPUT EXPECTED: the batches, each with its reason.
cut() {
	INPUT=$3
	check "$2: $1" "$4" 0 -- 'printf "$INPUT" | $VOLLEY '"$shown $2"
}

# --max-bytes
cut 'before it would be too much' '-b 6' 'a\nb\ncc\nd\n' 'limit a b\neof cc d\n'
cut 'what fits just so is out at once' '-b 4' 'a\nb\nc\nd\n' 'limit a b\nlimit c d\n'
cut 'one record that is larger' '-b 3' 'a\nbbbbb\nc\n' 'limit a\nlimit bbbbb\neof c\n'
cut 'empty records have a delimiter' '-b 2' '\n\n\n' 'limit  \neof \n'
cut 'the trigger is asked first' '-b 4 -n 2' 'a\nb\nc\nd\ne\n' 'count a b\ncount c d\neof e\n'
cut 'the count begins anew' '-b 6 -n 3' 'a\nbb\nc\nd\ne\n' 'limit a bb\ncount c d e\n'
cut 'mode fire: of what is new, the batch is whole' '-b 4 -M fire' 'a\nb\nc\nd\n' \
	'limit a b\nlimit a b c d\n'
check 'the timer begins anew' '5 limit a b\n15 timeout cccc d\n' 0 -- \
	'printf "0 a\n4 b\n5 cccc\n6 d\n20\n" | $VOLLEY '"$event"' -t 10 -b 8 -j " " \
		--header "{fired} {reason} "'
check 'the timer begins anew when a batch was just full, too' '4 limit a b c\n15 timeout d e\n' 0 -- \
	'printf "0 a\n2 b\n4 c\n5 d\n12 e\n20\n" | $VOLLEY '"$event"' -t 10 -b 6 -j " " \
		--header "{fired} {reason} "'

# --break-before
cut 'a record that matches begins a batch' '--break-before ^b' 'b1\na\nb2\na\na\nb3\n' \
	'break b1 a\nbreak b2 a a\neof b3\n'
cut 'the first record breaks nothing' '--break-before x' 'x\nx\na\n' 'break x\neof x a\n'
cut 'nothing matches' '--break-before x' 'a\nb\n' 'eof a b\n'
cut 'it does not see the delimiter' '--break-before "a$"' 'b\na\n' 'break b\neof a\n'
cut 'after a batch that was full there is nothing to break' '--break-before x -n 2' 'a\nb\nx\nc\nd\n' \
	'count a b\ncount x c\neof d\n'
cut 'the count begins anew' '--break-before x -n 3' 'a\nb\nx\nc\nd\ne\n' \
	'break a b\ncount x c d\neof e\n'
cut 'the last of two counts' '--break-before a --break-before x' 'a\na\nx\n' 'break a a\neof x\n'
cut 'groups of lines' '--break-before "^\\S"' 'one\n more\n more\ntwo\nthree\n more\n' \
	'break one  more  more\nbreak two\neof three  more\n'
cut 'bytes that are not UTF-8' '--break-before "^\\xff"' 'a\n\377b\n' 'break a\neof \377b\n'
check 'the timer begins anew' '4 break a\n14 timeout x b\n' 0 -- \
	'printf "0 a\n4 x\n9 b\n20\n" | $VOLLEY '"$event"' -t 10 --break-before x -j " " \
		--header "{fired} {reason} "'

# --break-on
cut 'a field' '--break-on 1' 'x 1\nx 2\ny 3\nx 4\n' 'break x 1 x 2\nbreak y 3\neof x 4\n'
cut 'the second field' '--break-on 2' '1 x\n2 x\n3 y\n' 'break 1 x 2 x\neof 3 y\n'
cut 'a field by a separator' '--break-on 2 -F ,' '1,x\n2,x,\n3,y\n' 'break 1,x 2,x,\neof 3,y\n'
cut 'the separator may come first' '-F , --break-on 2' '1,x\n2,y\n' 'break 1,x\neof 2,y\n'
cut 'what a regular expression finds' '--break-on "re:^.."' 'ab1\nab2\nac\n' 'break ab1 ab2\neof ac\n'
cut 'its first group' '--break-on "re:(\\d+)-"' 'a1-\nb1-\nc2-\n' 'break a1- b1-\neof c2-\n'
cut 'a JSON value' '--break-on json:/a/0' '{"a":[1]}\n{"a":[1,2]}\n{"a":["1"]}\n{"a":[2]}\n' \
	'break {"a":[1]} {"a":[1,2]} {"a":["1"]}\neof {"a":[2]}\n'
cut 'without the key it is empty' '--break-on 2' 'a\nb\nc x\nd\n' 'break a b\nbreak c x\neof d\n'
cut 'compared with the record before, though that is out' '--break-on 1 -n 2' \
	'x\nx\nx\ny\n' 'count x x\nbreak x\neof y\n'
cut 'compared with the record before, though it began the batch' '--break-on 1 -n 2' \
	'x\nx\ny\ny\n' 'count x x\ncount y y\n'
cut 'nothing new, nothing to break' '--break-on 1 -n 1' 'x\ny\n' 'count x\ncount y\n'
cut 'mode fire: the whole batch, again' '--break-on 1 -M fire' 'x\ny\nz\n' \
	'break x\nbreak x y\neof x y z\n'
cut 'a key may be long' "--break-on 1" "$(printf '%05000d' 1)\n$(printf '%05000d' 1)\n$(printf '%05000d' 2)\n" \
	"break $(printf '%05000d' 1) $(printf '%05000d' 1)\neof $(printf '%05000d' 2)\n"
cut 'bytes, NUL too' '--break-on "re:^.."' 'a\0b\na\0c\na\001\n' 'break a\0b a\0c\neof a\001\n'
check 'uniq -c' '3 x\n1 y\n2 x\n' 0 -- \
	'printf "x\nx\nx\ny\nx\nx\n" | $VOLLEY --break-on 1 --header "{count} " -D "" |
		grep -E "^[0-9]"'

# Several
cut 'limit, then break-before, then break-on' '-b 4 --break-before x --break-on 1' \
	'a\na\nb\nx\nxx\n' 'limit a a\nbreak b\nlimit x\neof xx\n'
cut 'the limit is the first' '-b 5 --break-before x' 'a\nxxx\n' 'limit a\neof xxx\n'
cut 'both kinds of breaks: one batch' '--break-before x --break-on 1' 'a\nx\nb\n' \
	'break a\nbreak x\neof b\n'
check 'once: a break is a batch, too, and the record is left' 'a a\nb\nc\n' 0 -- \
	'printf "a\na\nb\nc\n" >file; ($VOLLEY --break-on 1 --once -j " "; cat) <file'
check 'in windows: only with something in this one' 'break 0 a\nwindow 0 x\nwindow 10 x b\n' 0 -- \
	'printf "1 a\n2 x\n11 x\n12 b\n" | $VOLLEY '"$event"' -w "tumbling(10)" --break-before x -j " " \
		--header "{reason} {start} "'
check 'many records: none is lost, none moves' '' 0 -- \
	'seq 100000 >in; $VOLLEY --break-before "7$" -b 100 --break-on "re:^.." -D "" <in | cmp - in'

finish
