import Testing

@testable import TributaryTool

@Suite struct ToolTests {
  @Test func theExitCodesAreTheDocumentedNumbers() {
    #expect(ExitCode.documented.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 75, 130])
  }

  @Test func everyCodeThatACommandNamesIsDocumented() {
    for command in Tool.standard.spec.commands {
      for code in command.exitCodes { #expect(ExitCode.documented.contains(code)) }
    }
  }

  @Test func namesAreUniqueAndSummariesAreOneLine() {
    let commands = Tool.standard.spec.commands
    #expect(Set(commands.map(\.name)).count == commands.count)
    for command in commands {
      #expect(!command.summary.contains("\n") && !command.summary.hasSuffix("."))
      #expect(Set(command.options.map(\.name)).count == command.options.count)
      for option in command.options { #expect(option.name.hasPrefix("--")) }
    }
  }

  @Test func theCommandsOfTheToolAreAllThere() {
    let names = Tool.standard.spec.commands.map(\.name)
    #expect(
      names
        == [
          "adopt", "attach", "join", "sync", "status", "devices", "log", "conflicts", "trash", "restore",
          "blame",
          "held", "usage", "export", "sql", "check", "detach", "service", "completions", "man", "help",
        ])
  }

  @Test func anErrorOfACommandEndsTheToolWithItsCodeAndRemedy() async {
    let error = ToolError(.remoteFull, "the remote is full", remedy: "Make room.", cause: Reason())
    let run = await ToolRun("frob", tool: Tool(runners: [Failing(spec: spec("frob"), error: error)]))
    #expect(run.code == .remoteFull)
    #expect(run.errors == "tributary: the remote is full\n  because: no room\n  Make room.\n")
  }

  @Test func anyOtherErrorIsAFailure() async {
    let run = await ToolRun("frob", tool: Tool(runners: [Failing(spec: spec("frob"), error: Reason())]))
    #expect(run.code == .failure)
    #expect(run.errors == "tributary: no room\n")
  }

  @Test func theGeneratedTextsGoToStandardOutput() async {
    #expect(await ToolRun("man").output.hasPrefix(".TH "))
    #expect(await ToolRun("completions", "zsh").output.hasPrefix("#compdef tributary\n"))
    #expect(await ToolRun("completions", "csh").code == .usage)
    #expect(await ToolRun("--version").output == "tributary \(Tool.version)\n")
    #expect(await ToolRun("sync", "--version").output == "tributary \(Tool.version)\n")
  }

  private func spec(_ name: String) -> CommandSpec {
    CommandSpec(
      name: name, summary: "Test",
      examples: [ExampleSpec(command: "tributary \(name)", explanation: "Tests.")])
  }
}

private struct Reason: Error, CustomStringConvertible {
  var description: String { "no room" }
}

private struct Failing: CommandRunner {
  let spec: CommandSpec
  let error: any Error

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    throw error
  }
}
