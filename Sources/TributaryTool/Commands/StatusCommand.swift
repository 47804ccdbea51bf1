import Tributary
import TributaryCustody
import TributaryModel
import TributaryStore

/// Shows what is unsent and held, and how far the others were read.
struct StatusCommand: CommandRunner {
  let spec = CommandSpec.status

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    // Without keys the store still has much to say.
    let secrets = Result { try attached.secrets(context) }
    let output = try attached.looking(context, StatusOutput.init)
    try context.output.write(command.has("--json") ? output.json.line : output.text)
    guard try secrets.get() != nil else { throw attached.noKeys }
    return output.status.held > 0 || output.status.parked > 0 ? .held : .success
  }
}

/// A store's status, for people and for programs.
struct StatusOutput {
  struct Peer {
    let device: DeviceID
    let known: KnownPeer?
    let logsRead: UInt64
  }

  let status: StoreStatus
  let remote: String
  let deviceName: String
  let own: DeviceID?
  /// In milliseconds since 1970.
  let synced: Int64?
  let peers: [Peer]
  let held: [HeldLine]
  /// The first records that are parked, then those that are repaired.
  let putAside: [PutAsideLine]
  let summary: StatusSummary

  init(_ look: Look) throws {
    let (attached, view, own) = (look.attached, look.view, look.secrets?.deviceID)
    let status = try view.status()
    self.status = status
    self.own = own
    remote = try attached.note(.remote)
    deviceName = try attached.note(.deviceName)
    synced = try view.note(.lastSync)?.integer
    let known = try KnownPeer.all(view)
    let devices = Set(status.cursors.keys).union(known.keys).filter { $0 != own }
    peers = devices.sorted().map {
      Peer(device: $0, known: known[$0], logsRead: status.cursors[$0]?.seq ?? 0)
    }
    held = HeldLine.lines(try view.held(limit: HeldLine.limit), view.build)
    putAside = try view.putAside(limit: PutAsideLine.limit).map(PutAsideLine.init)
    summary = StatusSummary(
      status: status, unsentEdits: (try? view.unsentEdits()) ?? status.unsentWrites, synced: synced,
      failure: try SyncFailure(view), gaps: try SyncLasting(view)?.gaps ?? [:], held: held, peers: peers,
      names: look.names, hasKeys: own != nil, now: Machinery.wallClock())
  }

  var text: String {
    var lines = [summary.text, "Attached to \(HumanText.clean(remote)) as \(HumanText.clean(deviceName))."]
    lines.append(synced.map { "Last synced: \(HumanText.time(milliseconds: $0))." } ?? "Never synced.")
    if let edit = status.latestEdit {
      lines.append("Latest edit known here: \(HumanText.time(milliseconds: edit.milliseconds)).")
    }
    let files = HumanText.number(status.unsentFiles, "sealed file")
    lines.append(
      "Unsent: \(HumanText.number(status.unsentWrites, "write")), \(files) "
        + "(\(HumanText.bytes(status.unsentBytes))).")
    lines.append(
      "Held: \(status.held). Parked by a constraint: \(status.parked). Shown repaired: \(status.repaired).")
    lines += held.map { "  \($0.text)" } + putAside.map { "  \($0.text)" }
    let more = status.parked + status.repaired - putAside.count
    if more > 0 { lines.append("  and \(more) more") }
    lines.append(peers.isEmpty ? "No other device was read yet." : "Other devices:")
    lines += peers.map(text)
    return lines.joined(separator: "\n") + "\n"
  }

  private func text(_ peer: Peer) -> String {
    let name = peer.known?.name.map { "\(HumanText.clean($0)), " } ?? ""
    let written = peer.known.map { " of \(max($0.logsWritten, peer.logsRead))" } ?? ""
    let seen = peer.known.map { "; last seen \(HumanText.time(milliseconds: $0.lastSeen))" } ?? ""
    return "  \(name)\(peer.device): read \(peer.logsRead)\(written) logs\(seen)"
  }

  var json: JSONValue {
    [
      "device": .string(deviceName), "deviceID": own.map { .string("\($0)") } ?? .null,
      "remote": .string(remote), "lastSyncMilliseconds": synced.map { .integer($0) } ?? .null,
      "latestEditMilliseconds": status.latestEdit.map { .integer($0.milliseconds) } ?? .null,
      "pendingWrites": count(status.unsentWrites), "unsettledWrites": count(status.unsettledWrites),
      "unsentFiles": count(status.unsentFiles), "unsentBytes": count(status.unsentBytes),
      "held": count(status.held), "parked": count(status.parked), "repaired": count(status.repaired),
      "heldReasons": .array(held.map(\.json)), "parkedRecords": records(isParked: true),
      "repairedRecords": records(isParked: false), "peers": .array(peers.map(json)),
      "summary": .string(summary.text),
    ]
  }

  private func records(isParked: Bool) -> JSONValue {
    .array(putAside.filter { $0.item.isParked == isParked }.map(\.json))
  }

  private func json(_ peer: Peer) -> JSONValue {
    [
      "device": .string("\(peer.device)"), "name": peer.known?.name.map { .string($0) } ?? .null,
      "logsRead": .integer(Int64(clamping: peer.logsRead)),
      "logsWritten": peer.known.map { .integer(Int64(clamping: $0.logsWritten)) } ?? .null,
      "lastSeenMilliseconds": peer.known.map { .integer($0.lastSeen) } ?? .null,
    ]
  }

  private func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
