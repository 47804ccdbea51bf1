/// Prints completions for a shell.
struct CompletionsCommand: CommandRunner {
  let spec = CommandSpec(
    name: "completions",
    summary: "Print completions for a shell",
    discussion: ["`make install` puts them where the shells look; this is for a tool installed otherwise."],
    arguments: [
      ArgumentSpec(
        name: "SHELL", summary: "bash, zsh or fish.", completion: .words(Shell.allCases.map(\.rawValue)))
    ],
    examples: [
      ExampleSpec(command: "source <(tributary completions bash)", explanation: "Completes in this shell.")
    ],
    isHidden: true)

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let name = command.argument("SHELL") ?? ""
    guard let shell = Shell(rawValue: name) else {
      throw ToolError.usage("no completions for \"\(name)\"", remedy: "Give bash, zsh or fish.")
    }
    try context.output.write(Completions(tool: Tool.standard.spec).script(for: shell))
    return .success
  }
}
