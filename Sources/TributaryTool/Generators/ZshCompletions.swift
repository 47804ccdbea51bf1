/// Completions for zsh, to stand as `_tributary` on the fpath.
struct ZshCompletions {
  let tool: ToolSpec

  var text: String {
    """
    #compdef \(tool.name)
    # Made by `\(tool.name) completions zsh`.
    _\(tool.name)() {
      local context state state_descr line
      typeset -A opt_args
      local -a commands
      commands=(
    \(tool.commands.map { "    " + Completions.quoted("\($0.name):\($0.summary)") }.joined(separator: "\n"))
      )
      _arguments -C \\
    \(tool.commonOptions.map { "    \(specification($0)) \\" }.joined(separator: "\n"))
        '1:command:->command' \\
        '*::argument:->argument'
      case $state in
        command) _describe -t commands command commands ;;
        argument)
          case $words[1] in
    \(tool.commands.map(branch).joined(separator: "\n"))
          esac
          ;;
      esac
    }
    if [ "$funcstack[1]" = "_\(tool.name)" ]; then
      _\(tool.name) "$@"
    else
      compdef _\(tool.name) \(tool.name)
    fi

    """
  }

  private func branch(_ command: CommandSpec) -> String {
    let options = tool.allOptions(of: command).map(specification)
    let arguments = command.arguments.enumerated().map { place, argument in
      let colon = argument.isOptional ? "::" : ":"
      let position = argument.isRepeated ? "*" : "\(place + 1)"
      return Completions.quoted(
        "\(position)\(colon)\(escaped(argument.name)):\(action(argument.completion))")
    }
    let specs = (options + arguments).map { "            \($0)" }.joined(separator: " \\\n")
    return "        \(command.name))\n          _arguments \\\n\(specs)\n          ;;"
  }

  private func specification(_ option: OptionSpec) -> String {
    let summary = "[\(escaped(option.summary))]"
    guard let valueName = option.valueName else { return Completions.quoted(option.name + summary) }
    return Completions.quoted("\(option.name)=\(summary):\(valueName):\(action(option.completion))")
  }

  private func action(_ completion: ValueCompletion) -> String {
    switch completion {
    case .none: ""
    case .file: "_files"
    case .directory: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
  }

  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
  }
}
