import TributaryCodec
import TributaryModel
import TributaryStore
import TributaryWire

/// Writes the merged state, one record a line.
struct ExportCommand: CommandRunner {
  let spec = CommandSpec.export

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    try attached.reading(context) { view in
      // Edits get their final stamps when they are synced; before, no two devices could agree on them.
      let pending = try view.status().unsettledWrites
      guard pending == 0 else {
        throw ToolError(
          .failure, "\(HumanText.number(pending, "write")) since the last sync are not merged yet",
          remedy: "Run `tributary sync \(attached.path)` first.")
      }
      try view.everything { entries in
        try context.checkInterruption()
        var lines = ""
        for entry in entries { lines += try line(entry).line }
        try context.output.write(lines)
      }
    }
    return .success
  }

  /// Values to read, and a hash over all that decides merges, stamps included.
  private func line(_ entry: Entry) throws -> JSONValue {
    let state = entry.change
    let hash = Hash.digest(try StateCoding.encode(state)).bytes.map(hexadecimal).joined()
    return [
      "table": .string(entry.name.type),
      "key": .array((entry.name.id.values ?? []).map(JSONValue.init(sql:))),
      "visible": .bool(state.isVisible()),
      "fields": .object(state.fields.map { JSONValue.Member(key: $0.name, value: json($0)) }),
      "state": .string(hash),
    ]
  }

  private func json(_ field: Field) -> JSONValue {
    if case .set(let set) = field.content { return .array(set.values.map(JSONValue.init(sql:))) }
    return JSONValue(sql: field.value)
  }
}
