import TributaryCustody
import TributaryModel
import TributaryStore

/// Shows what is unsent and held, and how far the others were read.
struct StatusCommand: CommandRunner {
  let spec = CommandSpec.status

  func run(_ command: ParsedCommand, in context: ToolContext) async throws -> ExitCode {
    let attached = try AttachedStore.find(command.argument("DATABASE") ?? "")
    // Without keys the store still has much to say.
    let own = try? attached.secrets(context)?.deviceID
    let output = try attached.reading(context) { view in try StatusOutput(attached, view, own: own) }
    try context.output.write(command.has("--json") ? output.json.line : output.text)
    return output.status.held > 0 || output.status.parked > 0 ? .held : .success
  }
}

/// A store's status, for people and for programs.
struct StatusOutput {
  struct Peer {
    let device: DeviceID
    let name: String?
    let log: UInt64
  }

  let status: StoreStatus
  let remote: String
  let deviceName: String
  let own: DeviceID?
  /// In milliseconds since 1970.
  let synced: Int64?
  let peers: [Peer]
  let held: [HeldLine]

  init(_ attached: AttachedStore, _ view: StoreView, own: DeviceID?) throws {
    let status = try view.status()
    self.status = status
    self.own = own
    remote = try attached.note(.remote)
    deviceName = try attached.note(.deviceName)
    synced = try view.note(AttachedStore.Note.synced.rawValue)?.string.flatMap { Int64($0) }
    peers = try status.cursors.filter { $0.key != own }.sorted { $0.key < $1.key }.map { device, cursor in
      Peer(device: device, name: try view.note(PeerName.note(device))?.string, log: cursor.seq)
    }
    held = HeldLine.lines(try view.held(limit: HeldLine.limit), view.build)
  }

  var text: String {
    var lines = ["Attached to \(HumanText.clean(remote)) as \(HumanText.clean(deviceName))."]
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
    lines += held.map { "  \($0.text)" }
    lines.append(peers.isEmpty ? "No other device was read yet." : "Other devices:")
    for peer in peers {
      let name = peer.name.map { "\(HumanText.clean($0)), " } ?? ""
      lines.append("  \(name)\(peer.device): read up to its log \(peer.log)")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  var json: JSONValue {
    [
      "device": .string(deviceName), "deviceID": own.map { .string("\($0)") } ?? .null,
      "remote": .string(remote), "lastSyncMilliseconds": synced.map { .integer($0) } ?? .null,
      "latestEditMilliseconds": status.latestEdit.map { .integer($0.milliseconds) } ?? .null,
      "pendingWrites": count(status.unsentWrites), "unsettledWrites": count(status.unsettledWrites),
      "unsentFiles": count(status.unsentFiles), "unsentBytes": count(status.unsentBytes),
      "held": count(status.held), "parked": count(status.parked), "repaired": count(status.repaired),
      "heldReasons": .array(held.map(\.json)), "peers": .array(peers.map(json)),
    ]
  }

  private func json(_ peer: Peer) -> JSONValue {
    [
      "device": .string("\(peer.device)"), "name": peer.name.map { .string($0) } ?? .null,
      "readUpToLog": .integer(Int64(clamping: peer.log)),
    ]
  }

  private func count(_ number: Int) -> JSONValue { .integer(Int64(number)) }
}
