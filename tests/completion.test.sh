#!/bin/sh
# The completion in a real bash: what is offered for a line, the last word being incomplete.
. "${abs_top_srcdir:-.}/tests/tap.sh"

if ! command -v bash >/dev/null; then
	skip 'completion' 'bash is not installed'
	finish
fi

# The completion runs "volley --help", so there is one in PATH; and there is a command to offer.
bin=$tap_dir/bin
mkdir "$bin"
# shellcheck disable=SC2016 # for the script, not for here
printf '#!/bin/sh\nexec %s "$@"\n' "$VOLLEY" >"$bin/volley"
printf '#!/bin/sh\n' >"$bin/volley-try-me"
chmod +x "$bin/volley" "$bin/volley-try-me"
PATH=$bin:$PATH

# offer WORD...: what is offered, each followed by a blank. The words are those that readline makes.
cat >"$tap_dir/offer" <<'EOT'
source "$abs_top_srcdir/completions/volley.bash" || exit
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_volley
printf '%s ' "${COMPREPLY[@]}"
EOT
offer="bash --norc '$tap_dir/offer'"

check 'long options' '--time-domain --time-format ' 0 -- "$offer volley --time-"
check 'one long option' '--max-record ' 0 -- "$offer volley -n 2 --max-r"
check 'an option by its path' '--max-record ' 0 -- "$offer '$bin/volley' --max-r"
check 'a short option' '-M ' 0 -- "$offer volley -M"
check 'all options for a dash' '' 1 -- "$offer volley - | tr ' ' '\n' | grep -v '^-'"
check 'every option of the help' '' 1 -- \
	"$offer volley - | tr ' ' '\n' >offered; volley --help |
	grep -oE '^ *(-.,)? *--[a-z-]+' | tr -d ', ' | sed 's/^-\(.\)--/-\1\n--/' |
	grep -vxFf offered"
check 'no option that there is not' ' ' 0 -- "$offer volley --no-such"
check 'no option without a dash' ' ' 0 -- "$offer volley ''"
check 'modes' 'fire-and-purge fire ' 0 -- "$offer volley -n 2 --mode ''"
check 'modes for the letter' 'fire-and-purge fire ' 0 -- "$offer volley -M fi"
check 'modes after =' 'fire-and-purge fire ' 0 -- "$offer volley --mode ="
check 'a mode begun after =' 'fire-and-purge ' 0 -- "$offer volley --mode = fire-"
check 'what to do with long records' 'fail skip truncate ' 0 -- "$offer volley --oversize ''"
check 'time domains' 'event ' 0 -- "$offer volley --time-domain e"
check 'places of timestamps' 'prefix ' 0 -- "$offer volley --timestamp p"
check 'time formats' 'ms s us ns rfc3339 ' 0 -- "$offer volley --time-format ''"
check 'a command behind --' 'volley-try-me ' 0 -- "$offer volley -n 2 -- volley-try-"
check 'no options behind --' ' ' 0 -- "$offer volley -- cat --time-"
check 'with bash-completion, the completion of the command' '4' 0 -- \
	"bash --norc -c '_command_offset() { printf %s \$1; }
	source \"\$abs_top_srcdir/completions/volley.bash\"
	COMP_WORDS=(volley -n 2 -- cat x) COMP_CWORD=5; _volley'"
check 'names of files where there is nothing else' 'complete -o default -F _volley volley\n' 0 -- \
	"bash --norc -c 'source \"\$abs_top_srcdir/completions/volley.bash\"; complete -p volley'"
finish
