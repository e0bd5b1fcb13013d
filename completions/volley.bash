# shellcheck shell=bash
# Bash completion for volley. The options are those that "volley --help" lists, so that they are
# always the installed program's; the words that some of them take stand here.

# The options of the program, one a line.
_volley_options() {
	"$1" --help 2>/dev/null </dev/null |
		sed -n 's/^  \(-.\), \(--[a-z-]*\).*/\1\n\2/p; s/^      \(--[a-z-]*\).*/\1/p'
}

# The words that can be the value of the option. With = behind it also those that need one.
_volley_values() {
	case ${1%=} in
	--bad-timestamp) echo fail skip ;;
	--evict) echo before after ;;
	--format | -f) echo text json ndjson netstring ;;
	--halt) echo never soon now ;;
	--late) echo drop emit fail ;;
	--mode | -M) echo fire-and-purge fire ;;
	--output-timestamp) echo first last fired end ;;
	--oversize) echo fail skip truncate ;;
	--stats) [[ $1 != *= ]] || echo text json ;;
	--time-domain) echo processing event ;;
	--time-format) echo ms s us ns rfc3339 ;;
	--timestamp) echo prefix ;;
	--trigger | -T)
		echo count bytes delay idle every at match delta watermark never
		echo any all each repeat until
		;;
	--window | -w) echo global 'tumbling(1m)' 'sliding(10m,1m)' 'session(30s)' ;;
	esac
}

# What begins with $1 among the words of the other arguments.
_volley_offer() {
	mapfile -t COMPREPLY < <(compgen -W "${*:2}" -- "$1")
}

# Behind "--", at this index, stands a command with its own arguments.
_volley_command() {
	if declare -F _command_offset >/dev/null; then
		_command_offset "$1"
	elif ((COMP_CWORD == $1)); then
		mapfile -t COMPREPLY < <(compgen -c -- "${COMP_WORDS[COMP_CWORD]}")
	fi
}

# Where COMPREPLY stays empty, readline offers the names of files.
_volley() {
	local index current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	for ((index = 1; index < COMP_CWORD; index++)); do
		if [[ ${COMP_WORDS[index]} == -- ]]; then
			_volley_command $((index + 1))
			return
		fi
	done
	# Of --mode=fire readline makes three words.
	if [[ $current == '=' ]]; then
		option+='=' current=
	elif [[ $option == '=' ]]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}=
	fi
	_volley_offer "$current" "$(_volley_values "$option")"
	if ((${#COMPREPLY[@]})); then
		mapfile -t COMPREPLY < <(printf '%q\n' "${COMPREPLY[@]}")
	fi
	if [[ $current == -* && ${#COMPREPLY[@]} -eq 0 ]]; then
		_volley_offer "$current" "$(_volley_options "${COMP_WORDS[0]/#\~/$HOME}")"
	fi
}

complete -o default -F _volley volley
