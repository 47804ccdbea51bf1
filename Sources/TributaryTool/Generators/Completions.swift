/// A shell that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
  case bash, zsh, fish
}

/// Completion scripts, one a shell.
struct Completions {
  let tool: ToolSpec

  func script(for shell: Shell) -> String {
    switch shell {
    case .bash: BashCompletions(tool: tool).text
    case .zsh: ZshCompletions(tool: tool).text
    case .fish: FishCompletions(tool: tool).text
    }
  }

  /// A word in single quotes, safe in all three shells.
  ///
  /// A quote within becomes `'\''`, which closes, escapes and opens again.
  static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
  }
}

extension ToolSpec {
  /// What follows a command as an option: its own, and those of every command.
  func allOptions(of command: CommandSpec) -> [OptionSpec] { command.options + commonOptions }
}
