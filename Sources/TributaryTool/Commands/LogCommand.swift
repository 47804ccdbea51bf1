import TributaryStore

/// Shows what syncs did, newest first.
struct LogCommand: CommandRunner {
  static let standard = 50

  let spec = CommandSpec.log

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let limit = try LimitOption(command, standard: Self.standard).count
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let entries = try attached.looking(context) { try $0.view.syncLog(limit: limit) }
    for entry in entries {
      try context.output.write(command.has("--json") ? Self.json(entry).line : Self.text(entry))
    }
    if entries.isEmpty, !command.has("--json") {
      try context.output.write("No sync of this database has done anything yet.\n")
    }
    return .success
  }

  private static func text(_ entry: SyncLogEntry) -> String {
    let kind = "\(entry.kind)"
    let padding = String(repeating: " ", count: max(0, 8 - kind.count))
    return "\(HumanText.time(milliseconds: entry.time))  \(HumanText.clean(kind))\(padding)  "
      + HumanText.clean(entry.message) + "\n"
  }

  private static func json(_ entry: SyncLogEntry) -> JSONValue {
    [
      "timeMilliseconds": .integer(entry.time), "kind": .string("\(entry.kind)"),
      "message": .string(entry.message),
    ]
  }
}
