/// The manual, `tributary(1)`, in roff.
struct ManPage {
  let tool: ToolSpec

  var text: String {
    let head = [
      ".TH \(quoted(tool.name.uppercased())) 1 \"\" \(quoted("\(tool.name) \(tool.version)")) \"User Commands\"",
      ".SH NAME", "\(escaped(tool.name)) \\- \(escaped(lowercasedFirst(tool.summary)))",
      ".SH SYNOPSIS",
    ]
    let parts: [[String]] = [
      head, tool.commands.filter { !$0.isHidden }.flatMap(synopsis),
      [".SH DESCRIPTION"], paragraphs(tool.discussion),
      [".SH COMMANDS"], tool.commands.flatMap(section),
      [".SH OPTIONS"], tool.commonOptions.flatMap(entry),
      [".SH ENVIRONMENT"], tool.environment.flatMap { entry(bold($0.name), $0.summary) },
      [".SH EXIT STATUS"],
      ExitCode.documented.flatMap { entry(bold(String($0.rawValue)), $0.meaning) },
      [".SH EXAMPLES"], tool.examples.flatMap(example),
    ]
    return parts.joined().joined(separator: "\n") + "\n"
  }

  private func synopsis(_ command: CommandSpec) -> [String] {
    [".HP", "\(bold("\(tool.name) \(command.name)")) " + words(command)]
  }

  private func words(_ command: CommandSpec) -> String {
    let arguments = command.arguments.map { argument in
      let shown = italic(argument.name) + (argument.isRepeated ? " ..." : "")
      return argument.isOptional ? "[\(shown)]" : shown
    }
    let options = command.options.map { $0.isRequired ? shown($0) : "[\(shown($0))]" }
    return (arguments + options).joined(separator: " ")
  }

  private func section(_ command: CommandSpec) -> [String] {
    var lines = [".SS \(quoted("\(tool.name) \(command.name)"))", escaped(command.summary + ".")]
    for paragraph in command.discussion { lines += [".PP", escaped(paragraph)] }
    for argument in command.arguments { lines += entry(italic(argument.name), argument.summary) }
    for option in command.options { lines += entry(option) }
    for one in command.examples { lines += example(one) }
    return lines
  }

  private func entry(_ option: OptionSpec) -> [String] { entry(shown(option), option.summary) }

  private func entry(_ tag: String, _ text: String) -> [String] { [".TP", tag, escaped(text)] }

  private func example(_ example: ExampleSpec) -> [String] {
    [".PP", escaped(example.explanation), ".PP", ".RS 4", ".EX", escaped(example.command), ".EE", ".RE"]
  }

  private func paragraphs(_ texts: [String]) -> [String] {
    Array(texts.map { [escaped($0)] }.joined(separator: [".PP"]))
  }

  private func shown(_ option: OptionSpec) -> String {
    bold(option.name) + (option.valueName.map { " " + italic($0) } ?? "")
  }

  private func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }
  private func italic(_ text: String) -> String { "\\fI\(escaped(text))\\fR" }
  private func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

  private func lowercasedFirst(_ text: String) -> String {
    text.prefix(1).lowercased() + text.dropFirst()
  }

  /// Plain text that roff shows as it stands: no control lines, no lost backslashes, real hyphens.
  func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "\"": result += "\\(dq"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "~": result += "\\(ti"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result.hasPrefix(".") ? "\\&" + result : result
  }
}
