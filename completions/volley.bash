# shellcheck shell=bash
# Bash completion for volley. The options are those of volley --help.

_volley() {
	local current=${COMP_WORDS[COMP_CWORD]} index

	# Behind "--" stands a command with its own arguments.
	for ((index = 1; index < COMP_CWORD; index++)); do
		if [[ ${COMP_WORDS[index]} == -- ]]; then
			if declare -F _command_offset >/dev/null; then
				_command_offset $((index + 1))
			fi
			return
		fi
	done

	COMPREPLY=()
	[[ $current == -* ]] || return
	mapfile -t COMPREPLY < <(compgen -W \
		"$("${COMP_WORDS[0]}" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)" \
		-- "$current")
}

complete -o default -F _volley volley
