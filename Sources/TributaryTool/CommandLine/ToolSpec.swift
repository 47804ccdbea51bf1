/// The whole tool as data: its commands and what holds for all of them.
struct ToolSpec: Sendable {
  var name: String
  var version: String
  var summary: String
  var discussion: [String]
  var commands: [CommandSpec]
  /// Options that every command takes.
  var commonOptions: [OptionSpec]
  var environment: [EnvironmentSpec]
  var examples: [ExampleSpec]

  func command(named name: String) -> CommandSpec? {
    commands.first { $0.name == name }
  }
}

/// A variable of the environment that the tool reads.
struct EnvironmentSpec: Sendable {
  var name: String
  var summary: String
}
