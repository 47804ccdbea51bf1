import TributaryModel
import TributaryStore

/// Lists deleted records whose last values are kept.
struct TrashCommand: CommandRunner {
  static let standard = 20

  let spec = CommandSpec.trash

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let limit = try LimitOption(command, standard: Self.standard).count
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let schema = try attached.schema()
    let table = try command.value("--table").map { try KeyWords($0, in: schema).table.name }
    let (records, names) = try attached.looking(context) { look in
      (try look.view.trash(table: table, limit: limit + 1, own: look.own), look.names)
    }
    let isJSON = command.has("--json")
    for record in records.prefix(limit) {
      let line = TrashLine(record: record, names: names, path: attached.path, schema: schema)
      try context.output.write(isJSON ? line.json.line : line.text)
    }
    if !isJSON {
      if records.isEmpty { try context.output.write("Nothing that was deleted is kept.\n") }
      if records.count > limit { try context.output.write("There are more; --limit shows them.\n") }
    }
    return .success
  }
}

/// A record in the trash, for people and for programs.
private struct TrashLine {
  let record: TrashedRecord
  let names: DeviceNames
  let path: String
  let schema: Schema
  private var key: [Value] { record.name.id.values ?? [] }

  var text: String {
    let time = HumanText.time(milliseconds: record.deleted.moment.milliseconds)
    let when = record.isUnsettled ? "here, not synced yet" : "by \(names.text(record.deleted.device))"
    var lines = ["\(HumanText.record(record.name.type, key)): deleted \(when), \(time)"]
    let values = record.values.map { "\(HumanText.clean($0.column)) \(HumanText.value($0.value))" }
    if !values.isEmpty { lines.append("  " + values.joined(separator: ", ")) }
    if !record.unknownColumns.isEmpty {
      let columns = record.unknownColumns.map(HumanText.clean).joined(separator: ", ")
      lines.append("  and values of a later schema: \(columns)")
    }
    if let words = try? KeyWords(record.name.type, in: schema).shellWords(key), HumanText.clean(path) == path
    {
      lines.append("  tributary restore \(KeyWords.quoted(path)) \(words)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    let values = record.values.map { JSONValue.Member(key: $0.column, value: JSONValue(sql: $0.value)) }
    return JSONValue(
      members: [
        .init(key: "table", value: .string(record.name.type)),
        .init(key: "key", value: .array(key.map(JSONValue.init(sql:)))),
        .init(key: "deletedMilliseconds", value: .integer(record.deleted.moment.milliseconds)),
      ], names.json(record.deleted.device),
      [
        .init(key: "isSynced", value: .bool(!record.isUnsettled)),
        .init(key: "values", value: .object(values)),
        .init(key: "laterColumns", value: .array(record.unknownColumns.map { .string($0) })),
      ])
  }
}
