import Tributary
import TributaryModel
import TributaryStore
import TributaryWire

/// Lists the devices of the set, as far as this database knows them.
struct DevicesCommand: CommandRunner {
  let spec = CommandSpec.devices

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    if let name = command.value("--rename") {
      try await rename(attached, name, context)
      return .success
    }
    let lines = try attached.looking(context, DeviceLine.all)
    for line in lines { try context.output.write(command.has("--json") ? line.json.line : line.text) }
    if lines.count == 1, !command.has("--json") {
      try context.output.write("No other device was read yet.\n")
    }
    return .success
  }

  private func rename(_ attached: AttachedStore, _ name: String, _ context: ToolContext) async throws {
    guard name.utf8.count <= WireLimit.name else {
      throw ToolError.usage("a device's name has at most \(WireLimit.name) bytes")
    }
    let former = try attached.note(.deviceName)
    _ = try await attached.bringUp(to: attached.schema(), name: name, context)
    try context.output.write(
      "This device is called \(HumanText.clean(name)) now, and was called \(HumanText.clean(former)). The other "
        + "devices see it after the next sync.\n")
  }
}

/// One device.
private struct DeviceLine {
  let device: DeviceID?
  let name: String?
  let relation: String
  let known: KnownPeer?
  let lastSeen: Int64?
  let logsRead: UInt64?
  let logsWritten: UInt64?
  /// How many of this device's logs it has read, as it said.
  let logsReadOfThis: UInt64?
  let build: (app: UInt32, format: UInt32, schema: UInt32)?
  let unsent: (writes: Int, files: Int)?
  /// Logs of this device.
  let ownLogs: UInt64

  static func all(_ look: Look) throws -> [DeviceLine] {
    let (status, known) = (try look.view.status(), try KnownPeer.all(look.view))
    let own = look.names.own
    let others = Set(status.cursors.keys).union(known.keys).filter { $0 != own }
    let synced = try look.view.note(.lastSync)?.integer
    let ownLogs = own.flatMap { status.cursors[$0]?.seq } ?? 0
    let build = look.view.build
    let first = DeviceLine(
      device: own, name: look.names.ownName, relation: "this", known: nil, lastSeen: synced, logsRead: nil,
      logsWritten: ownLogs, logsReadOfThis: nil, build: (build.appVersion, build.format, build.schemaVersion),
      unsent: (status.unsentWrites, status.unsentFiles), ownLogs: ownLogs)
    return [first]
      + others.sorted().map { device in
        let peer = known[device]
        return DeviceLine(
          device: device, name: look.names[device],
          relation: look.names.former.contains(device) ? "former" : "other", known: peer,
          lastSeen: peer?.lastSeen, logsRead: status.cursors[device]?.seq ?? 0,
          logsWritten: peer.map { max($0.logsWritten, status.cursors[device]?.seq ?? 0) },
          logsReadOfThis: peer.flatMap { peer in own.map { peer.cursors[$0]?.seq ?? 0 } },
          build: peer.map { ($0.appVersion, $0.format, $0.schemaVersion) }, unsent: nil, ownLogs: ownLogs)
      }
  }

  var text: String {
    let title = [name.map(HumanText.clean), relation == "other" ? nil : "(\(self.title))"]
    let id = device.map { "\($0)" } ?? "id unknown"
    let shown = title.compactMap(\.self).joined(separator: " ")
    return (shown.isEmpty ? id : "\(shown), \(id)") + "\n  " + details.joined(separator: "; ") + "\n"
  }

  private var title: String { relation == "this" ? "this device" : "a former id of this device" }

  private var details: [String] {
    var parts: [String] = []
    let word = unsent == nil ? "last seen" : "last synced"
    parts.append(
      lastSeen.map { "\(word) \(HumanText.time(milliseconds: $0))" }
        ?? (unsent == nil ? "its head was not read" : "never synced"))
    if let logsRead {
      parts.append("read \(logsRead)\(logsWritten.map { " of \($0)" } ?? "") of its logs here")
    }
    if relation == "other", let logsReadOfThis {
      parts.append("has read \(logsReadOfThis) of this device's \(ownLogs)")
    }
    if let unsent {
      let nothing = unsent.writes == 0 && unsent.files == 0
      let (writes, files) = (
        HumanText.number(unsent.writes, "write"), HumanText.number(unsent.files, "sealed file")
      )
      parts.append(nothing ? "nothing unsent" : "unsent: \(writes), \(files)")
    }
    if let build {
      parts.append("format \(build.format), schema version \(build.schema), app build \(build.app)")
    }
    return parts
  }

  var json: JSONValue {
    func number(_ value: UInt64?) -> JSONValue { value.map { .integer(Int64(clamping: $0)) } ?? .null }
    func count(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
    return [
      "device": device.map { .string("\($0)") } ?? .null, "name": name.map { .string($0) } ?? .null,
      "relation": .string(relation), "lastSeenMilliseconds": lastSeen.map { .integer($0) } ?? .null,
      "logsRead": number(logsRead), "logsWritten": number(logsWritten),
      "logsReadOfThis": number(logsReadOfThis), "appVersion": number(build.map { UInt64($0.app) }),
      "format": number(build.map { UInt64($0.format) }),
      "schemaVersion": number(build.map { UInt64($0.schema) }), "unsentWrites": count(unsent?.writes),
      "unsentFiles": count(unsent?.files),
    ]
  }
}
