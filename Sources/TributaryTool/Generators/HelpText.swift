/// Help for people, as plain text.
struct HelpText {
  let tool: ToolSpec
  /// The width that paragraphs are wrapped to.
  var width = 80

  /// Help on one command, or the overview.
  func text(on command: CommandSpec?) -> String {
    command.map(page) ?? overview
  }

  private var overview: String {
    let shown = tool.commands.filter { !$0.isHidden }
    let further = tool.commands.filter(\.isHidden)
    return assemble([
      TextWrap.wrap(tool.summary + ".", width: width),
      "Usage: \(tool.name) COMMAND ...",
      section("Commands", shown.map { ($0.name, $0.summary) }),
      section("Further", further.map { ($0.name, $0.summary) }),
      section("Options", tool.commonOptions.map { ($0.display, $0.summary) }),
      section("Environment", tool.environment.map { ($0.name, $0.summary) }),
      examples(tool.examples),
      TextWrap.wrap(
        "`\(tool.name) help COMMAND` says more about one command, `man \(tool.name)` about all of them; "
          + "where that is not installed, `\(tool.name) man` prints it.",
        width: width),
    ])
  }

  private func page(_ command: CommandSpec) -> String {
    let codes = command.exitCodes.map { (String($0.rawValue), $0.meaning) }
    return assemble(
      [TextWrap.wrap(command.summary + ".", width: width), usage(command)]
        + command.discussion.map { TextWrap.wrap($0, width: width) }
        + [
          section("Arguments", command.arguments.map { ($0.name, $0.summary) }),
          section("Options", (command.options + tool.commonOptions).map { ($0.display, $0.summary) }),
          section("Exit codes besides 0, 1, 2 and 130", codes),
          examples(command.examples),
        ])
  }

  private func usage(_ command: CommandSpec) -> String {
    TextWrap.wrap("Usage: " + command.usage, width: width, indent: "         ")
  }

  private func examples(_ examples: [ExampleSpec]) -> String {
    guard !examples.isEmpty else { return "" }
    let lines = examples.map { example in
      "  \(example.command)\n" + TextWrap.wrap("      " + example.explanation, width: width, indent: "      ")
    }
    return (examples.count == 1 ? "Example:\n" : "Examples:\n") + lines.joined(separator: "\n")
  }

  private func section(_ title: String, _ rows: [(String, String)]) -> String {
    guard !rows.isEmpty else { return "" }
    let column = rows.map(\.0.count).max() ?? 0
    let indent = String(repeating: " ", count: column + 4)
    let lines = rows.map { name, summary in
      let padding = String(repeating: " ", count: column - name.count + 2)
      return TextWrap.wrap("  \(name)\(padding)\(summary)", width: width, indent: indent)
    }
    return "\(title):\n" + lines.joined(separator: "\n")
  }

  private func assemble(_ parts: [String]) -> String {
    parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }
}
