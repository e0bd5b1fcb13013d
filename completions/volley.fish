# Fish completion for volley. The options and what they mean are taken from "volley --help", so that
# they are always the installed program's; the words that some of them take stand here.

# The words that can be the value of the option. Brackets would run commands.
function __volley_values -a name
    switch $name
        case bad-timestamp
            echo fail skip
        case evict
            echo before after
        case format
            echo text json ndjson netstring
        case halt
            echo never soon now
        case late
            echo drop emit fail
        case mode
            echo fire-and-purge fire
        case output-timestamp
            echo first last fired end
        case oversize
            echo fail skip truncate
        case stats
            echo text json
        case time-domain
            echo processing event
        case time-format
            echo ms s us ns rfc3339
        case timestamp
            echo prefix
        case trigger
            echo count bytes delay idle every at match delta watermark never any all each repeat until
        case window
            echo global 'tumbling\(1m\)' 'sliding\(10m,1m\)' 'session\(30s\)'
    end
end

# Whether the cursor is behind "--", where a command stands with its own arguments.
function __volley_has_command
    contains -- -- (commandline -opc)
end

function __volley_complete_command
    set -l tokens (commandline -opc)
    set -l index (contains -i -- -- $tokens)
    set -l command (string escape -- $tokens[(math $index + 1)..-1]) (commandline -ct)
    complete -C (string join -- ' ' $command)
end

complete -c volley -f
complete -c volley -n __volley_has_command -a '(__volley_complete_command)'

for row in (volley --help 2>/dev/null </dev/null)
    set -l parts (string replace -rf '^  ((?:-.)?)[, ]* *--([a-z-]+)((?: (?:\[=)?[A-Z]\S*)?)  *(\S.*)$' \
        '$1\t$2\t$3\t$4' -- $row | string split \t)
    or continue
    set -l options -c volley -n 'not __volley_has_command' -l $parts[2] -d $parts[4]
    if test -n $parts[1]
        set -a options -s (string sub -s 2 -- $parts[1])
    end
    switch $parts[2]
        case dead-letter
            complete $options -x -a '(__fish_complete_directories)'
        case joblog metrics output
            complete $options -r -F
        case stats
            complete $options -a (__volley_values stats)
        case '*'
            if test -n $parts[3]
                complete $options -x -a (__volley_values $parts[2] | string collect --allow-empty)
            else
                complete $options
            end
    end
end
