/// Completions for fish.
struct FishCompletions {
  let tool: ToolSpec

  var text: String {
    let head = [
      "# fish completion for \(tool.name); made by `\(tool.name) completions fish`.",
      "complete -c \(tool.name) -f",
    ]
    let common = tool.commonOptions.map { "complete -c \(tool.name) \(option($0))" }
    return (head + common + tool.commands.flatMap(lines)).joined(separator: "\n") + "\n"
  }

  private func lines(_ command: CommandSpec) -> [String] {
    let within = Completions.quoted("__fish_seen_subcommand_from \(command.name)")
    let name =
      "complete -c \(tool.name) -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))"
    let arguments = Set(command.arguments.map(\.completion)).compactMap(argument).sorted()
    return [name]
      + command.options.map { "complete -c \(tool.name) -n \(within) \(option($0))" }
      + arguments.map { "complete -c \(tool.name) -n \(within) \($0)" }
  }

  private func option(_ option: OptionSpec) -> String {
    var words = ["-l \(option.name.drop { $0 == "-" })"]
    if option.valueName != nil {
      words.append("-r")
      if let offer = argument(option.completion) { words.append(offer) }
    }
    return (words + ["-d \(quoted(option.summary))"]).joined(separator: " ")
  }

  private func argument(_ completion: ValueCompletion) -> String? {
    switch completion {
    case .none: nil
    case .file: "-F"
    case .directory: "-a '(__fish_complete_directories)'"
    case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
    }
  }

  private func quoted(_ text: String) -> String { Completions.quoted(text) }
}
