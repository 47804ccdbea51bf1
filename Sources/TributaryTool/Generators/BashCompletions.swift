/// Completions for bash, without need of the bash-completion package.
struct BashCompletions {
  let tool: ToolSpec

  var text: String {
    """
    # bash completion for \(tool.name); made by `\(tool.name) completions bash`.
    _\(tool.name)() {
      local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
      local IFS=$'\\n'
      COMPREPLY=()
      if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W \(list(tool.commands.map(\.name) + tool.commonOptions.map(\.name))) -- "$word"))
        return
      fi
      case ${COMP_WORDS[1]} in
    \(tool.commands.map(branch).joined(separator: "\n"))
      esac
    }
    complete -o filenames -F _\(tool.name) \(tool.name)

    """
  }

  private func branch(_ command: CommandSpec) -> String {
    let values = command.options.filter { $0.valueName != nil }
    let cases = values.map { "          \($0.name)) \(reply($0.completion)); return ;;" }
    let options = list(tool.allOptions(of: command).map(\.name))
    let before = cases.isEmpty ? [] : ["        case $before in"] + cases + ["        esac"]
    return
      ([
        "      \(command.name))"
      ] + before + [
        "        case $word in",
        "          -*) COMPREPLY=($(compgen -W \(options) -- \"$word\")); return ;;",
        "        esac",
        "        \(reply(command.arguments.map(\.completion)))",
        "        ;;",
      ]).joined(separator: "\n")
  }

  /// Without counting words it cannot know which argument is meant, so it offers what fits any of them.
  private func reply(_ completions: [ValueCompletion]) -> String {
    let words = completions.flatMap { if case .words(let words) = $0 { words } else { [String]() } }
    if !words.isEmpty, completions.contains(.file) {
      return "COMPREPLY=($(compgen -W \(list(words)) -- \"$word\") $(compgen -f -- \"$word\"))"
    }
    if !words.isEmpty { return reply(.words(words)) }
    return reply(completions.contains(.file) ? .file : completions.contains(.directory) ? .directory : .none)
  }

  private func reply(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: ":"
    case .file: "COMPREPLY=($(compgen -f -- \"$word\"))"
    case .directory: "COMPREPLY=($(compgen -d -- \"$word\"))"
    case .words(let words): "COMPREPLY=($(compgen -W \(list(words)) -- \"$word\"))"
    }
  }

  /// Newlines part the words, as IFS says: bash takes `$'...'` for them.
  private func list(_ words: [String]) -> String { "$'" + words.joined(separator: "\\n") + "'" }
}
