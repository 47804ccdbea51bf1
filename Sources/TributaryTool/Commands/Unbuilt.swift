/// Stands in for a command until it is built, and says so.
struct Unbuilt: CommandRunner {
  let spec: CommandSpec

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    throw ToolError(.failure, "\(spec.name): not built yet")
  }
}
