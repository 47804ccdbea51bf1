import Tributary
import TributaryModel
import TributaryStore

/// Shows who wrote each value of a record, and when.
struct BlameCommand: CommandRunner {
  let spec = CommandSpec.blame

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let key = try KeyWords(command.argument("TABLE") ?? "", in: attached.schema())
    var words = command.repeated
    // One word more than the key has columns names the column.
    let column = words.count == key.count + 1 ? words.popLast() : nil
    let name = try key.name(words)
    if let column { try check(column, of: key.table) }
    let output = try attached.looking(context) { look in
      try look.view.history(of: name, own: look.own).map { history in
        BlameOutput(
          history: history, column: column, names: look.names,
          unsentStart: try UnsentEdits.start(look.view, look.secrets))
      }
    }
    guard let output else {
      throw ToolError(
        .failure, "nothing is known of \(HumanText.record(name.type, name.id.values ?? []))",
        remedy: "Check the key. If another device has the record: tributary sync \(attached.path)")
    }
    let isJSON = command.has("--json")
    try context.output.write(isJSON ? output.json.map(\.line).joined() : output.text)
    return .success
  }

  private func check(_ column: String, of table: Table) throws {
    let names = table.columns.map(\.name)
    guard !names.contains(column) else { return }
    let guess = Suggestion.nearest(to: column, among: names)
    throw ToolError(
      .failure, "\(table.name) has no column \(HumanText.clean(column))",
      remedy: guess.map { "Did you mean \($0)?" })
  }
}

private struct BlameOutput {
  let history: RecordHistory
  let column: String?
  let names: DeviceNames
  /// From this moment on, edits of this device are not on the remote.
  let unsentStart: Moment

  private var fields: [RecordHistory.FieldEdit] {
    history.fields.filter { column == nil || $0.column == column }
  }

  private enum State: String {
    /// No sync has seen it yet.
    case unsettled
    /// Not on the remote yet, as far as this device knows.
    case unsent
    case sent
  }

  private func state(_ stamp: Stamp) -> State {
    if history.unsettled.contains(stamp) { return .unsettled }
    return stamp.device == names.own && stamp.moment >= unsentStart ? .unsent : .sent
  }

  private func text(_ stamp: Stamp) -> String {
    let time = HumanText.time(milliseconds: stamp.moment.milliseconds)
    return switch state(stamp) {
    case .unsettled: "here, not synced yet, \(time)"
    case .unsent: "by \(names.text(stamp.device)), \(time) (not sent yet)"
    case .sent: "by \(names.text(stamp.device)), \(time)"
    }
  }

  var text: String {
    let record = HumanText.record(history.name.type, history.name.id.values ?? [])
    var lines: [String] = []
    if history.isVisible {
      lines.append("\(record)" + (history.isParked ? ": kept out of its table by a constraint" : ""))
    } else if let deleted = history.deleted {
      lines.append("\(record): deleted \(text(deleted)); its last values:")
    } else {
      lines.append("\(record): its insert has not come yet")
    }
    if let born = history.born { lines.append("  inserted \(text(born))") }
    lines += fields.map(text)
    if column != nil, fields.isEmpty { lines.append("  nobody wrote that column") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ field: RecordHistory.FieldEdit) -> String {
    let shown = field.shown.map { " (shown as \(HumanText.value($0)) by a constraint)" } ?? ""
    let later = field.isKnown ? "" : " (of a later schema)"
    return "  \(HumanText.clean(field.column)) = \(HumanText.value(field.value))\(shown)\(later): "
      + (state(field.stamp) == .unsettled ? "edited " : "") + text(field.stamp)
  }

  var json: [JSONValue] { [record] + fields.map(json) }

  private var record: JSONValue {
    [
      "kind": "record", "table": .string(history.name.type),
      "key": .array((history.name.id.values ?? []).map(JSONValue.init(sql:))),
      "isVisible": .bool(history.isVisible), "isParked": .bool(history.isParked),
      "inserted": history.born.map(json) ?? .null, "deleted": history.deleted.map(json) ?? .null,
    ]
  }

  private func json(_ field: RecordHistory.FieldEdit) -> JSONValue {
    [
      "kind": "field", "column": .string(field.column), "value": JSONValue(sql: field.value),
      "shown": JSONValue(sql: field.shown ?? field.value), "isLater": .bool(!field.isKnown),
      "written": json(field.stamp),
    ]
  }

  private func json(_ stamp: Stamp) -> JSONValue {
    JSONValue(
      members: names.json(stamp.device),
      [
        .init(key: "milliseconds", value: .integer(stamp.moment.milliseconds)),
        .init(key: "counter", value: .integer(Int64(stamp.moment.counter))),
        .init(key: "state", value: .string(state(stamp).rawValue)),
      ])
  }
}
