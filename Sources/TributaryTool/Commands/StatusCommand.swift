import TributaryModel
import TributaryStore

/// Shows what is unsent, and how far the others were read.
struct StatusCommand: CommandRunner {
  let spec = CommandSpec.status

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let store = try attached.open()
    defer { store.close() }
    let pending = try store.pendingWrites(after: "sealed")
    let files = try store.unsentNames().count
    let held = try store.held().count
    let cursors = try store.cursors().map { ("\($0.key)", $0.value.seq) }.sorted { $0.0 < $1.0 }
    if command.has("--json") {
      let read = cursors.map { JSONValue.Member(key: $0.0, value: .integer(Int64(clamping: $0.1))) }
      let line: JSONValue = [
        "device": .string(try attached.note(.deviceName)), "remote": .string(try attached.note(.remote)),
        "pendingWrites": .integer(pending), "unsentFiles": .integer(Int64(files)),
        "held": .integer(Int64(held)), "read": .object(read),
      ]
      try context.output.write(line.line)
    } else {
      let read = cursors.map { "  device \($0.0) was read up to its log \($0.1)\n" }.joined()
      try context.output.write(
        "Attached to \(HumanText.clean(try attached.note(.remote))) as "
          + "\(HumanText.clean(try attached.note(.deviceName))). "
          + "Unsent: \(pending) writes, \(files) files. Held: \(held).\n" + read)
    }
    return held > 0 ? .held : .success
  }
}

extension StoreCore {
  /// Local writes that are past a mark of the change log.
  func pendingWrites(after mark: String) throws -> Int64 {
    try read { database in
      try database.value(
        """
        SELECT count(*) FROM tributary_change_log
        WHERE seq > coalesce((SELECT value FROM tributary_meta WHERE key=?1), 0)
        """, [.text(mark)])?.integer ?? 0
    }
  }
}
