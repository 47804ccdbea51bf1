import TributaryCodec
import TributaryModel
import TributaryStore
import TributaryWire

/// Devices that are known from cursors and have no directory on the remote: removed, withheld, or on their way.
extension SyncEngine {
  /// Reads through other peers' snapshots what absent devices wrote. What nobody's snapshot covers is a gap.
  func readAbsent(listed devices: [DeviceID], _ report: inout SyncReport) throws {
    let present = Set(devices + [device] + (try formers()))
    // What this database wrote under other ids it need not read, only pass on.
    let lives = Set(try self.devices(.lives))
    var furthest = try store.cursors()
    for cursors in heads.values.map(\.head.cursors) {
      for (peer, cursor) in cursors where cursor.seq > furthest[peer]?.seq ?? 0 { furthest[peer] = cursor }
    }
    for (peer, cursor) in furthest.sorted(by: { $0.key < $1.key })
    where !present.contains(peer) && !lives.contains(peer) {
      var read = try store.cursors()[peer]?.seq ?? 0
      if read < cursor.seq { read = try bridge(peer, beyond: read, &report)?.seq ?? read }
      guard read < cursor.seq else { continue }
      report.gaps[peer] =
        "its files are not on the remote, and others have read its log \(cursor.seq): withheld, or on their way"
    }
    absent = try store.cursors().filter { !present.contains($0.key) }
    try noteAbsent(&report)
  }

  /// Whether somebody lacks what only this device and others can tell of an absent one.
  func isSnapshotOfAbsentDue() throws -> Bool {
    let isMissed = heads.contains { peer, known in
      absent[peer] == nil && absent.contains { $0.value.seq > known.head.cursors[$0.key]?.seq ?? 0 }
    }
    return try isMissed && store.note(.snapshotAbsent) != fingerprintOfAbsent
  }

  /// Identifies what a snapshot says of absent devices.
  var fingerprintOfAbsent: Value {
    let text = absent.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.seq)\n" }.joined()
    return .blob(Hash.digest(Array(text.utf8)).bytes)
  }

  /// Says it once of each device.
  private func noteAbsent(_ report: inout SyncReport) throws {
    let gone = absent.keys.sorted()
    let told = try devices(.absent)
    guard gone != told else { return }
    try store.engineWrite { try store.setNote(.absent, .blob(gone.flatMap(\.bytes))) }
    for peer in gone where !told.contains(peer) {
      report.notices.append(
        SyncNotice(
          .withheld, peer,
          "The remote no longer has the files of device \(peer). What was read of them is kept here and passed on."
        ))
    }
  }
}
