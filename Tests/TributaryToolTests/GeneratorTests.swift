import Testing

@testable import TributaryTool

@Suite struct HelpTextTests {
  private let help = HelpText(tool: Tool.standard.spec)

  @Test func helpOnACommandReadsAsAgreed() throws {
    let status = try #require(Tool.standard.spec.command(named: "status"))
    #expect(
      help.text(on: status) == """
        Show what is unsent, what is held, and which devices there are.

        Usage: tributary status DATABASE [--json]

        The first line says whether everything is done, and what waits for what. As to
        what others sent it speaks of what this device knew at its last sync.

        It reads only this device's database: nothing is fetched, nothing is changed,
        and no sync that is running is waited for. Records that a constraint keeps out
        of their table, or lets in only with a repaired value, are named with the
        reason, at most 20 of them. Times are in the zone of this machine, or of TZ;
        with --json they are milliseconds since 1970, UTC.

        Arguments:
          DATABASE  The SQLite file.

        Options:
          --json     Write one JSON object a line, with keys in a fixed order, for
                     programs.
          --help     Show help; also -h.
          --version  Show the version.

        Exit codes besides 0, 1, 2 and 130:
          3  The database is not attached to a remote, or must be attached again.
          7  It worked, but something is held, or could not be read: an upgrade or a
             look is needed.
          8  Damage was found.

        Example:
          tributary status app.db
              Shows it for people.

        """)
  }

  @Test func theOverviewNamesEveryCommand() {
    #expect(help.text(on: nil).contains("\n  TRIBUTARY_PASSWORD "))
    #expect(help.text(on: nil).contains("`tributary man` prints it"))
    for command in Tool.standard.spec.commands {
      #expect(help.text(on: nil).contains("  \(command.name) "))
    }
  }

  @Test func everyCommandShowsAnExampleThatParses() throws {
    for command in Tool.standard.spec.commands {
      let example = try #require(command.examples.first, "\(command.name) has no example")
      #expect(help.text(on: command).contains(example.command))
      for example in command.examples { try expectParses(example.command) }
    }
    for example in Tool.standard.spec.examples { try expectParses(example.command) }
  }

  /// Takes the tool's own words out of a line of shell.
  private func expectParses(_ line: String) throws {
    let words = line.split { " ()".contains($0) }.map(String.init)
    let start = try #require(words.firstIndex(of: "tributary"), "\(line) does not run the tool")
    let own = words[(start + 1)...].prefix { !["|", ">", "&&"].contains($0) }
    _ = try CommandLineParser(tool: Tool.standard.spec).parse(Array(own))
  }

  @Test func noLineIsWiderThanTheTerminalItWasWrappedFor() {
    for command in [nil] + Tool.standard.spec.commands.map(Optional.some) {
      let lines = help.text(on: command).split(separator: "\n")
      // An example is copied, so it stays on one line.
      for line in lines where !line.hasPrefix("  tributary ") { #expect(line.count <= 80, "\(line)") }
    }
  }

  @Test func wrappingKeepsTheWordsAndTheIndent() {
    #expect(
      TextWrap.wrap("  --x  one two three", width: 12, indent: "       ")
        == "  --x  one\n       two\n       three")
    #expect(TextWrap.wrap("unbreakablylong", width: 5) == "unbreakablylong")
    #expect(TextWrap.wrap("", width: 5) == "")
  }
}

@Suite struct ManPageTests {
  private let page = ManPage(tool: Tool.standard.spec)

  @Test func theManualHasEveryCommandOptionVariableAndExitCode() {
    let text = page.text
    let spec = Tool.standard.spec
    for command in spec.commands {
      #expect(text.contains(".SS \"tributary \(command.name)\""))
      for option in command.options { #expect(text.contains("\\fB\(page.escaped(option.name))\\fR")) }
    }
    for variable in spec.environment { #expect(text.contains("\\fB\(variable.name)\\fR")) }
    for code in ExitCode.documented { #expect(text.contains(".TP\n\\fB\(code.rawValue)\\fR\n")) }
  }

  @Test func textNeverBecomesARoffRequest() {
    #expect(page.escaped(".SH gone") == "\\&.SH gone")
    #expect(page.escaped("'it' \\ -x") == "\\(aqit\\(aq \\e \\-x")
    #expect(page.escaped("a\n.SH b") == "a .SH b")
  }
}

@Suite struct CompletionsTests {
  @Test(arguments: Shell.allCases)
  func everyCommandAndOptionCompletes(shell: Shell) {
    let script = Completions(tool: Tool.standard.spec).script(for: shell)
    for command in Tool.standard.spec.commands {
      #expect(script.contains(command.name))
      for option in Tool.standard.spec.allOptions(of: command) {
        let long = shell == .fish ? "-l \(option.name.dropFirst(2)) " : option.name
        #expect(script.contains(long), "\(option.name) of \(command.name)")
      }
    }
  }

  @Test func bashOffersCommandsOptionsAndChoices() throws {
    #expect(try completedByBash("tributary", "s") == ["sync", "status", "sql", "service"])
    #expect(try completedByBash("tributary", "sync", "--j") == ["--json"])
    #expect(try completedByBash("tributary", "completions", "") == ["bash", "zsh", "fish"])
    #expect(try completedByBash("tributary", "attach", "--schema", "/etc/pass").contains("/etc/passwd"))
    #expect(try completedByBash("tributary", "attach", "--device", "") == [])
  }

  private func completedByBash(_ words: String...) throws -> [String] {
    let line = words.map(Completions.quoted).joined(separator: " ")
    let script = """
      \(Completions(tool: Tool.standard.spec).script(for: .bash))
      COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1)
      _tributary
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = try ChildProcess.run("/bin/bash", ["--norc", "-c", script])
    #expect(run.errors == "")
    return run.output.split(separator: "\n").map(String.init)
  }

  @Test func quotesInATextStayText() {
    #expect(Completions.quoted("it's") == "'it'\\''s'")
    #expect(Completions.quoted("") == "''")
  }
}
