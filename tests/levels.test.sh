#!/bin/sh
# The levels of the modules (see HACKING.md): who may include whom, and who may ask the system
# for what. A new module takes its place in this table.
. "${abs_top_srcdir:-.}/tests/tap.sh"

levels='
	0 arena blocks buf civil clock datetime diag ledger prefetch timeform toll units
	1 jsonload jsontext keys leaf pattern store timer tree trigger
	2 batch burst field pane probe record spans timestamp window
	3 cuts expr explain frame parser scopes selector sink spell template
	4 emitter engine expiry intake panes
	5 commands deadletter exec files job joblog outcome outputs reader runner signals stats stepwatch
	5 metrics progress tap ticker totals wholefile writer
	6 loop
	7 cmdline main options settings setup
'
# FILE:MODULE, where a file includes a header of its own level.
same_level='civil:clock datetime:clock units:clock units:diag toll:diag timeform:buf timeform:datetime timeform:units'
same_level="$same_level record:spans spans:record trigger:leaf tree:leaf trigger:tree pane:batch pane:record pane:window probe:field timestamp:field"
same_level="$same_level frame:template parser:expr expr:parser explain:spell explain:cuts panes:emitter expiry:panes engine:panes"
same_level="$same_level engine:expiry intake:engine options:cmdline setup:options main:options"
same_level="$same_level main:setup settings:options options:settings cmdline:options deadletter:job"
same_level="$same_level deadletter:wholefile files:wholefile exec:job joblog:job outputs:job job:outcome runner:outcome"
same_level="$same_level runner:deadletter runner:outputs runner:exec runner:joblog commands:runner"
same_level="$same_level commands:exec main:options stats:totals ticker:totals metrics:ticker"
same_level="$same_level metrics:wholefile progress:ticker exec:signals runner:signals"

build=$OLDPWD
src=$abs_top_srcdir/src
why=$tap_dir/why
headers='unistd|poll|fcntl|signal|time|sys/.*'

# What is left without comments and the insides of literals, each line as FILE:LINE:TEXT.
code() {
	awk '
	FNR == 1 { inside = 0 }
	{
		left = $0; text = ""; n = split(FILENAME, path, "/")
		directive = $0 ~ /^[ \t]*#[ \t]*include/
		while (left != "") {
			if (inside) {
				end = index(left, "*/")
				left = end ? substr(left, end + 2) : ""
				inside = !end
			} else if (match(left, /"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047|\/\*|\/\/.*/)) {
				token = substr(left, RSTART, RLENGTH)
				text = text substr(left, 1, RSTART - 1)
				if (token == "/*")
					inside = 1
				else if (token !~ /^\/\//)
					text = text (directive ? token : "\"\"")
				left = substr(left, RSTART + RLENGTH)
			} else {
				text = text left
				left = ""
			}
		}
		print path[n] ":" FNR ":" text
	}' "$src"/*.c "$src"/*.h
}

# holds NAME: passes if nothing was written to $why, where all that breaks the rule goes.
holds() {
	! [ -s "$why" ]
	result $? "$1" "$why"
}

# calls NAMES FILE...: the calls of the functions NAMES (a pattern), but in the FILEs.
calls() {
	names=$1
	shift
	allowed=$(printf '%s|' "$@" | sed 's/|$//; s/\./\\./g')
	grep -E "^[^:]*:[0-9]*:(.*[^A-Za-z0-9_.>])?($names)[[:space:]]*\(" "$tap_dir/code" |
		grep -Ev "^($allowed):"
}

code >"$tap_dir/code"
sed -n 's/^\([^:]*:[0-9]*\):[[:space:]]*#[[:space:]]*include[[:space:]]*\(["<][^">]*\).*/\1 \2/p' \
	"$tap_dir/code" >"$tap_dir/includes"
[ -s "$tap_dir/includes" ]
result $? 'there is source to look at'

for file in "$src"/*.[ch]; do
	name=${file##*/}
	echo "$levels" | grep -qw -- "${name%.*}" || echo "$name has no level"
done >"$why"
holds 'every file has a level'

for file in "$src"/*.[ch] "$abs_top_srcdir"/tests/*.test.sh "$abs_top_srcdir"/tests/*.test.py \
	"$abs_top_srcdir"/tests/check_*.c; do
	name=${file#"$abs_top_srcdir/"}
	case $name in tests/check_*) name=${name%.c} ;; esac
	! [ -e "$file" ] || grep -qwF -- "$name" "$abs_top_srcdir/Makefile.am" ||
		echo "$name is not in Makefile.am"
done >"$why"
holds 'every file is in Makefile.am'

awk -v same="$same_level" '
	FNR == NR { for (i = 2; i <= NF; i++) level[$i] = $1; next }
	$2 ~ /^"/ {
		split($1, place, ":"); from = place[1]; to = substr($2, 2)
		sub(/\.[ch]$/, "", from)
		if (!sub(/\.h$/, "", to) || !(to in level))
			print $1 " includes " $2 "\", which is not a module"
		else if (from != to && level[to] >= level[from] && index(" " same " ", " " from ":" to " ") == 0)
			print $1 " (level " level[from] ") includes " $2 "\" (level " level[to] ")"
	}' - "$tap_dir/includes" <<EOT >"$why"
$levels
EOT
holds 'a file includes lower levels only'

# sys/queue.h is macros and asks the system for nothing.
awk -v headers="^<($headers)\\.h\$" '
	FNR == NR { for (i = 2; i <= NF; i++) level[$i] = $1; next }
	{
		split($1, place, ":"); from = place[1]
		sub(/\.[ch]$/, "", from)
		if (level[from] >= 1 && level[from] <= 4 && $2 ~ headers && $2 != "<sys/queue.h")
			print $1 " includes " $2 ">"
	}' - "$tap_dir/includes" <<EOT >"$why"
$levels
EOT
holds 'levels 1 to 4 include no header of the system'

calls 'clock_gettime|gettimeofday|timespec_get|time' clock.c >"$why"
holds 'only clock.c asks the system for the time'
# A handler cannot wait for the loop to tell it the time.
calls 'clock_read' clock.c clock.h loop.c signals.c >"$why"
holds 'only loop.c and signals.c read the clock'
calls 'p?poll|p?select|epoll_p?wait2?' loop.c outputs.c writer.c >"$why"
holds 'only loop.c, outputs.c and writer.c poll'
calls 'posix_spawnp?|v?fork|execv?p?e?|execlp?e?|execvpe|fexecve|system|popen|wait|waitpid|waitid|wait[34]' \
	exec.c >"$why"
holds 'only exec.c spawns and waits'
calls '_?exit|_Exit|quick_exit|abort|v?errx?' main.c options.c >"$why"
holds 'only main.c and options.c end the process'

for file in "$src"/*.h; do
	name=${file##*/}
	printf '#include <config.h>\n#include "%s"\nextern int only;\n' "$name" >"$tap_dir/only.c"
	(cd "$build" && ${COMPILE:-cc -std=c11 -I. -I"$src"} -c -o "$tap_dir/only.o" "$tap_dir/only.c") \
		>"$tap_dir/errors" 2>&1 || { echo "$name:"; cat "$tap_dir/errors"; }
done >"$why"
holds 'each header compiles alone'

finish
