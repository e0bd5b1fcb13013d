# shellcheck shell=sh
# End-to-end tests in TAP. A test is a script that begins with
#
#	. "${abs_top_srcdir:-.}/tests/tap.sh"
#
# and goes on with cases, each a name, what is expected, and a command line after "--". That is
# run by sh in an empty directory of the test's own, with nothing on standard input:
#
#	check 'two records make a batch' 'a\nb\n\nc\n\n' 0 -- 'printf "a\nb\nc\n" | $VOLLEY -n 2'
#	check_err 'a count is at least 1' "volley: --count: ...\n" 2 -- '$VOLLEY -n 0'
#	skip 'progress is for terminals' 'script is not installed'
#	finish
#
# Expected text has the escapes of printf's %b; check compares standard output and the status,
# check_err standard error and the status. $VOLLEY is not quoted: it may be several words.

# By hand, `sh tests/NAME.test.sh`, it is the volley of this directory or of build/ that is tested.
if [ -z "${VOLLEY:-}" ]; then
	VOLLEY=$PWD/volley
	[ -x "$VOLLEY" ] || VOLLEY=$PWD/build/volley
fi
abs_top_srcdir=${abs_top_srcdir:-$PWD}
export VOLLEY abs_top_srcdir

tap_count=0
tap_failed=0
tap_dir=$(mktemp -d) || exit 99
trap 'rm -rf "$tap_dir"' EXIT
trap 'exit 99' HUP INT TERM
mkdir "$tap_dir/work" && cd "$tap_dir/work" || exit 99

# result STATUS NAME [FILE]: a case that passed if STATUS is 0; if not, FILE tells why.
result() {
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 0 ]; then
		printf 'ok %d - %s\n' "$tap_count" "$2"
		return
	fi
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$2"
	[ $# -lt 3 ] || sed 's/^/# /' "$3"
}

# tap_case out|err NAME EXPECTED STATUS -- COMMAND...
tap_case() {
	tap_stream=$1 tap_name=$2 tap_text=$3 tap_status=$4
	[ "$5" = -- ] || { echo "Bail out! no -- in the case '$tap_name'"; exit 99; }
	shift 5
	printf %b "$tap_text" >"$tap_dir/expected"
	tap_got=0
	sh -c "$*" </dev/null >"$tap_dir/out" 2>"$tap_dir/err" || tap_got=$?
	if [ "$tap_got" = "$tap_status" ] && cmp -s "$tap_dir/expected" "$tap_dir/$tap_stream"; then
		result 0 "$tap_name"
		return
	fi
	{
		printf '$ %s\nstatus %s, expected %s\n' "$*" "$tap_got" "$tap_status"
		diff -a -u -L expected -L "std$tap_stream" "$tap_dir/expected" "$tap_dir/$tap_stream"
		[ "$tap_stream" = err ] || sed 's/^/stderr: /' "$tap_dir/err"
	} >"$tap_dir/why"
	result 1 "$tap_name" "$tap_dir/why"
}

check() { tap_case out "$@"; }
check_err() { tap_case err "$@"; }

# skip NAME WHY: a case that cannot be run here.
skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# finish: the plan. Always last; without it the test has failed.
finish() {
	printf '1..%d\n' "$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
