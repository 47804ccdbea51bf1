/// The tool: its commands, and the way from a command line to an exit code.
struct Tool: Sendable {
  /// Taken into the manual and `--version`; set by a release.
  static let version = "0.1.0-dev"

  let runners: [any CommandRunner]

  /// With every command there is.
  static let standard = Tool(runners: [
    AdoptCommand(), AttachCommand(), JoinCommand(), SyncCommand(), StatusCommand(), DevicesCommand(),
    LogCommand(),
    ConflictsCommand(), TrashCommand(), RestoreCommand(), BlameCommand(), HeldCommand(), UsageCommand(),
    ExportCommand(), SQLCommand(), CheckCommand(), DetachCommand(), ServiceCommand(), CompletionsCommand(),
    ManCommand(),
  ])

  var spec: ToolSpec { .tributary(commands: runners.map(\.spec)) }

  /// - Parameter words: the command line without the program's own name.
  func run(_ words: [String], in context: ToolContext) async -> ExitCode {
    do {
      switch try CommandLineParser(tool: spec).parse(words) {
      case .version:
        try context.output.write("tributary \(Self.version)\n")
      case .help(let command):
        try context.output.write(HelpText(tool: spec).text(on: command))
      case .run(let command):
        return try await run(command, in: context)
      }
      return .success
    } catch {
      return report(error, in: context)
    }
  }

  private func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    guard let runner = runners.first(where: { $0.spec.name == command.spec.name }) else {
      throw ToolError(.failure, "\(command.spec.name) is described, but nothing runs it")
    }
    return try await runner.run(command, in: context)
  }

  private func report(_ error: any Error, in context: ToolContext) -> ExitCode {
    let error = ToolError(explaining: error)
    // There is nowhere left to report to when standard error is gone; the code still says it.
    try? context.errors.write(error.text)
    return error.exitCode
  }
}
