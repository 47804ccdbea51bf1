import TributaryModel
import TributaryStore
import TributaryWire

extension SyncStatus {
  /// Takes in what the database says of peers and of held entries.
  mutating func bringUp(from core: StoreCore, own: DeviceID) throws {
    let held = try core.heldCounts()
    let cursors = try core.cursors()
    // Facts that do not parse are read anew by the next sync.
    let heads = try core.peerFacts().compactMapValues { try? KnownHead(facts: $0).head }
    let gaps = lastReport?.gaps ?? [:]
    self.held = held.values.reduce(0, +)
    let devices = Set(cursors.keys).union(heads.keys).union(held.keys).union(gaps.keys).subtracting([own])
    peers = devices.sorted().map { device in
      let head = heads[device]
      return PeerStatus(
        device: device, name: head?.deviceName, lastSeen: head?.wall, logsRead: cursors[device]?.seq ?? 0,
        logsWritten: head?.lastLog?.seq, held: held[device] ?? 0, gap: gaps[device])
    }
  }
}
