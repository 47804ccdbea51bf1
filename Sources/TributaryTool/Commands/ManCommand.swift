/// Prints the manual.
struct ManCommand: CommandRunner {
  let spec = CommandSpec(
    name: "man",
    summary: "Print the manual page, in roff",
    examples: [
      ExampleSpec(
        command: "tributary man > tributary.1 && man ./tributary.1",
        explanation: "Reads it without installing.")
    ],
    isHidden: true)

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    try context.output.write(ManPage(tool: Tool.standard.spec).text)
    return .success
  }
}
