import Tributary
import TributaryModel
import TributaryStore
import TributaryWire

/// Lists what is kept without being applied, and what a constraint keeps out or changes.
struct HeldCommand: CommandRunner {
  static let standard = 20

  let spec = CommandSpec.held

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let limit = try LimitOption(command, standard: Self.standard).count
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    let output = try attached.looking(context) { try HeldOutput($0, limit: limit) }
    if command.has("--json") {
      for line in output.json { try context.output.write(line.line) }
    } else {
      try context.output.write(output.text)
    }
    return output.status.held > 0 || output.status.parked > 0 ? .held : .success
  }
}

private struct HeldOutput {
  let status: StoreStatus
  let items: [HeldItem]
  let putAside: [PutAside]
  let names: DeviceNames
  let build: Build

  init(_ look: Look, limit: Int) throws {
    status = try look.view.status()
    items = try look.view.held(limit: limit)
    putAside = try look.view.putAside(limit: limit)
    names = look.names
    build = look.view.build
  }

  var text: String {
    guard status.held + status.parked + status.repaired > 0 else {
      return "Nothing is held, parked or repaired.\n"
    }
    var lines = items.map(text) + putAside.map { PutAsideLine($0).text }
    let more = status.held - items.count + status.parked + status.repaired - putAside.count
    if more > 0 { lines.append("and \(more) more; --limit shows them") }
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ item: HeldItem) -> String {
    let line = HeldLine(item, build)
    let what = item.type.map { HumanText.record($0, item.key) } ?? "a block of records"
    let written = Self.written(item, build).map { ", written \(HumanText.time(milliseconds: $0))" } ?? ""
    let until = line.until.map { ", until \(HumanText.time(milliseconds: $0))" } ?? ""
    return "held: \(what) from \(names.text(item.device)), log \(item.seq)\(written): "
      + HumanText.clean(line.reason) + until
  }

  var json: [JSONValue] { items.map(json) + putAside.map(json) }

  private func json(_ item: HeldItem) -> JSONValue {
    let line = HeldLine(item, build)
    return JSONValue(
      members: [
        .init(key: "kind", value: "held"),
        .init(key: "table", value: item.type.map { .string($0) } ?? .null),
        .init(key: "key", value: .array(item.key.map(JSONValue.init(sql:)))),
      ], names.json(item.device),
      [
        .init(key: "log", value: .integer(Int64(clamping: item.seq))),
        .init(key: "reason", value: .string(line.reason)),
        .init(
          key: "writtenMilliseconds", value: Self.written(item, build).map { .integer($0) } ?? .null),
        .init(key: "untilMilliseconds", value: line.until.map { .integer($0) } ?? .null),
      ])
  }

  private func json(_ item: PutAside) -> JSONValue {
    [
      "kind": .string(item.isParked ? "parked" : "repaired"), "table": .string(item.table),
      "key": .array(item.key.map(JSONValue.init(sql:))),
      "columns": .array(item.columns.map { .string($0) }), "reason": .string(PutAsideLine(item).reason),
    ]
  }

  /// When its device wrote it, in milliseconds since 1970; nil where this build cannot read it.
  private static func written(_ item: HeldItem, _ build: Build) -> Int64? {
    guard item.type != nil else { return nil }
    let entry = try? EntryCoding.decode(item.bytes, format: build.format)
    return entry?.stamps.max()?.moment.milliseconds
  }
}
