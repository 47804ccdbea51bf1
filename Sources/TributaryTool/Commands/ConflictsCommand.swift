import TributaryModel
import TributaryStore

/// Lists values that lost to a concurrent edit.
struct ConflictsCommand: CommandRunner {
  static let standard = 20

  let spec = CommandSpec.conflicts

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let limit = try LimitOption(command, standard: Self.standard).count
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let (lines, names) = try attached.looking(context) { look in
      (try look.view.conflicts(limit: limit + 1), look.names)
    }
    let isJSON = command.has("--json")
    for line in lines.prefix(limit) {
      let output = ConflictLine(line: line, names: names)
      try context.output.write(isJSON ? output.json.line : output.text)
    }
    if !isJSON { try context.output.write(footer(attached.path, lines.count, limit)) }
    return .success
  }

  private func footer(_ path: String, _ count: Int, _ limit: Int) -> String {
    guard count > 0 else { return "No value has lost to an edit of another device.\n" }
    let more = count > limit ? "There are more; --limit shows them.\n" : ""
    let path = KeyWords.quoted(HumanText.clean(path))
    return more + "`tributary restore \(path) --conflict NUMBER` brings a lost value back.\n"
  }
}

/// A line of the conflict journal, for people and for programs.
private struct ConflictLine {
  let line: JournalLine
  let names: DeviceNames
  private var conflict: Conflict { line.conflict }

  var text: String {
    let record = HumanText.record(conflict.name.type, conflict.name.id.values ?? [])
    return "\(line.number)  \(record), \(HumanText.clean(conflict.field))\n"
      + "      won:  \(text(conflict.won))\n      lost: \(text(conflict.lost))\n"
  }

  private func text(_ register: Register) -> String {
    let time = HumanText.time(milliseconds: register.stamp.moment.milliseconds)
    return "\(HumanText.value(register.value)), by \(names.text(register.stamp.device)), \(time)"
  }

  var json: JSONValue {
    [
      "number": .integer(line.number), "table": .string(conflict.name.type),
      "key": .array((conflict.name.id.values ?? []).map(JSONValue.init(sql:))),
      "column": .string(conflict.field), "won": json(conflict.won), "lost": json(conflict.lost),
    ]
  }

  private func json(_ register: Register) -> JSONValue {
    JSONValue(
      members: [JSONValue.Member(key: "value", value: JSONValue(sql: register.value))],
      names.json(register.stamp.device),
      [JSONValue.Member(key: "milliseconds", value: .integer(register.stamp.moment.milliseconds))])
  }
}
