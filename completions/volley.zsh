#compdef volley
# Zsh completion for volley. The options and what they mean are taken from "volley --help", so that
# they are always the installed program's; the words that some of them take stand here.

# _volley_values OPTION-FOR-COMPADD... NAME: the words that can be the value of the option.
_volley_values() {
	local -a words

	case ${@[-1]} in
	bad-timestamp) words=(fail skip) ;;
	evict) words=(before after) ;;
	format) words=(text json ndjson netstring) ;;
	halt) words=(never soon now) ;;
	late) words=(drop emit fail) ;;
	mode) words=(fire-and-purge fire) ;;
	output-timestamp) words=(first last fired end) ;;
	oversize) words=(fail skip truncate) ;;
	stats) words=(text json) ;;
	time-domain) words=(processing event) ;;
	time-format) words=(ms s us ns rfc3339) ;;
	timestamp) words=(prefix) ;;
	trigger)
		words=(count bytes delay idle every at match delta watermark never)
		words+=(any all each repeat until)
		;;
	window) words=(global 'tumbling(1m)' 'sliding(10m,1m)' 'session(30s)') ;;
	dead-letter) _files -/; return ;;
	joblog | metrics | output) _files; return ;;
	esac
	(($#words)) && compadd "${@[1,-2]}" -- $words
}

_volley() {
	local row letter name argument text
	local -i command=${words[(i)--]}
	local -a specs

	# Behind "--" stands a command with its own arguments.
	if ((command < CURRENT)); then
		words=("${(@)words[command + 1,-1]}")
		((CURRENT -= command))
		_normal
		return
	fi
	for row in ${(f)"$(_call_program options ${(q)words[1]} --help)"}; do
		[[ $row =~ '^  (-(.)|  )[, ] --([a-z-]+)( \[=[A-Z]+\]| [A-Z][^ ]*)? +([^ ].*)$' ]] || continue
		letter=${match[2]:+-$match[2]} name=$match[3] argument=${match[4]# } text=$match[5]
		text=${${text//(#b)([\]\[\\])/\\$match[1]}//:/\\:}
		if [[ -z $argument ]]; then
			specs+=("($letter --$name)"--$name"[$text]")
			[[ -z $letter ]] || specs+=("($letter --$name)"$letter"[$text]")
		elif [[ $argument == \[* ]]; then
			specs+=("--$name=-[$text]::$name:_volley_values $name")
		else
			argument=":$argument:_volley_values $name"
			specs+=("($letter --$name)"--$name="[$text]$argument")
			[[ -z $letter ]] || specs+=("($letter --$name)"$letter+"[$text]$argument")
		fi
	done
	_arguments -s -S : $specs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
	_volley "$@"
else
	compdef _volley volley
fi
