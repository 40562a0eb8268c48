package dev.postern.app.launch;

import java.util.List;
import java.util.stream.Collectors;

/** A writer of scripts that complete the commands and options of {@link CommandLine} in a shell. */
final class ShellCompletion {

    /** The shells that there is a script for. */
    static final List<String> SHELLS = List.of("bash", "zsh");

    /** The beginning of the script for zsh, which takes the functions of bash after it. */
    private static final String ZSH =
            "autoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n";

    private static final String HEAD =
            """
            # Completes the command postern. Put these lines into ~/.%1$src:
            #   postern() { java -jar /opt/postern/postern.war "$@"; }
            #   source <(postern completion %1$s)
            """;

    /** The functions that complete. To bash, {@code =} and {@code :} are words, with the rest of a value behind them. */
    private static final String FUNCTIONS =
            """
            _postern_files() {
              local file
              [ -n "$ZSH_VERSION" ] || compopt -o filenames 2>/dev/null
              while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen "$1" -- "$2")
            }
            _postern() {
              local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words= given=0 i
              local command=${COMP_WORDS[1]}
              case $command in -*) command=serve ;; mail|token) command="$command ${COMP_WORDS[2]}" ;; esac
              COMPREPLY=()
              case $before in
                --home) _postern_files -d "$word"; return ;;
                --ca-file|--config) _postern_files -f "$word"; return ;;
                --log-format) words='text json' ;;
                --security|--smtp-security) words='tls starttls none' ;;
                --afterwards) words='leave read flag' ;;
                --include-body) words='true false' ;;
                --to) [ "$command" = backup ] && _postern_files -f "$word"; return ;;
                --online|--oauth|--json|--without-secrets|--replace) ;;
                --*) return ;;
              esac
              if [ -z "$words" ] && [ "$COMP_CWORD" -eq 1 ] && [ "${word#-}" = "$word" ]; then
                words='%s'
              elif [ -z "$words" ]; then
                case $command in
                  'mail '*) [ "$COMP_CWORD" -eq 2 ] && words='setup test' ;;
                  'token '*) [ "$COMP_CWORD" -eq 2 ] && words='new' ;;
                  completion) words='%s' ;;
                  import|restore|verify) [ "${word#-}" = "$word" ] && _postern_files -f "$word" && return ;;
                  explain)
                    for ((i = 2; i < COMP_CWORD; i++)); do
                      case ${COMP_WORDS[i]} in --*|[=:]*) ((i += 1)) ;; *) ((given += 1)) ;; esac
                    done
                    [ "$given" -eq 1 ] && [ "${word#-}" = "$word" ] && _postern_files -f "$word" && return ;;
                esac
              fi
              if [ -z "$words" ]; then
                case $command in
            %s    esac
              fi
              COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -F _postern postern
            """;

    private ShellCompletion() {}

    /** The script for {@code shell}, one of {@link #SHELLS}. */
    static String script(String shell) {
        String commands = String.join(" ", CommandCatalog.FIRST_WORDS);
        String options = CommandCatalog.COMMANDS.entrySet().stream()
                .filter(command -> !command.getValue().isEmpty())
                .map(command ->
                        "      '" + command.getKey() + "') words='" + String.join(" ", command.getValue()) + "' ;;\n")
                .collect(Collectors.joining());
        return HEAD.formatted(shell)
                + (shell.equals("zsh") ? ZSH : "")
                + FUNCTIONS.formatted(commands, String.join(" ", SHELLS), options);
    }
}
