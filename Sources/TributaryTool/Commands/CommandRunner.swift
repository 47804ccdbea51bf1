/// A command: its description, and what it does.
protocol CommandRunner: Sendable {
  var spec: CommandSpec { get }

  /// Does the work. Throwing a `ToolError` ends the tool with its message and code.
  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode
}

/// What a command may use of the world.
struct ToolContext: Sendable {
  var output: any TextSink
  var errors: any TextSink
  var environment: [String: String]
  /// Asks for passwords; nil where there is no terminal.
  var prompt: (any PasswordPrompt)?
  /// Whether to stop; poll it between steps.
  var isInterrupted: @Sendable () -> Bool
  /// Of standard error.
  var isTerminal: Bool
  var width: Int
  /// A clock that only goes forward.
  var now: @Sendable () -> Duration

  var style: Style { Style(environment: environment, isTerminal: isTerminal) }

  /// A password from wherever this command line says.
  func password(for command: ParsedCommand, _ purpose: PasswordInput.Purpose) throws -> String {
    try PasswordInput(environment: environment, prompt: prompt).password(for: command, purpose)
  }

  /// A bar that shows only to people: not with `--json`, not into files, not on dumb terminals.
  func progressBar(for command: ParsedCommand) -> ProgressBar {
    let isShown = isTerminal && environment["TERM"] != "dumb" && !command.has("--json")
    return ProgressBar(sink: isShown ? errors : nil, style: style, width: width, now: now)
  }
}
