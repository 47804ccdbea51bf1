import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// The ids that this database wrote under before, until their directories were read to the end.
extension SyncEngine {
  /// Former ids that may have sent what is unsent here; nothing is sent while there are any.
  func formers() throws -> [DeviceID] {
    guard case .blob(let bytes)? = try store.note("former") else { return [] }
    return stride(from: 0, to: bytes.count, by: 16).compactMap {
      DeviceID(bytes: bytes[$0..<min($0 + 16, bytes.count)])
    }
  }

  static func keyName(_ former: DeviceID) -> String { "key of \(former)" }

  /// Before entries are merged: what a former id has sent is not sent again. Within the caller's transaction.
  func unmove(_ entries: [Entry]) throws {
    let formers = try formers()
    guard !formers.isEmpty else { return }
    try store.unmove(entries, formers: Set(formers), own: device)
  }

  /// After the pull: lets go of the former ids that were read to their end.
  func settleFormers(listed devices: [DeviceID], _ report: inout SyncReport) throws {
    for former in try formers() where try isRead(former, devices, &report) {
      try environment.step("settle former \(former)")
      try sealAgain(unconfirmed(of: former), of: former)
    }
  }

  /// The last log of an id of this database's that was confirmed to be on the remote; nil if it sealed none.
  func confirmedCursor(of former: DeviceID) throws -> Cursor? {
    guard var cursor = try store.cursors()[former] else { return nil }
    let files = try store.outbox(in: Self.directory(of: former))
    var first = cursor.seq + 1
    for file in files.reversed() where !file.isSent && file.seq == first - 1 { first = file.seq }
    guard first <= cursor.seq else { return cursor }
    func bytes(_ seq: UInt64) throws -> [UInt8]? {
      try files.first { $0.seq == seq }.flatMap { try store.outboxBytes($0.name) }
    }
    // A run is read whole.
    if let sealed = try bytes(first), let run = try? body(sealed, of: former, first).run {
      let start = first - min(UInt64(run.index), first - 1)
      if try bytes(start) != nil { first = start }
    }
    guard let next = try bytes(first) else { return cursor }
    cursor.hash = try SealedFile.peek(next, at: .log(former, first)).previousHash.bytes
    cursor.seq = first - 1
    return cursor
  }

  /// Where a device's files lie.
  static func directory(of device: DeviceID) -> String {
    "\(RemoteName.root)/\(device)/"
  }

  private func isRead(_ former: DeviceID, _ devices: [DeviceID], _ report: inout SyncReport) throws -> Bool {
    guard devices.contains(former) else {
      // Nothing of it was ever confirmed there, so nothing is missing.
      guard try store.cursors()[former]?.seq ?? 0 > 0 else { return true }
      report.gaps[former] =
        "the files of this database's former id are not on the remote; nothing is sent until they are"
      return false
    }
    return try report.gaps[former] == nil || endsInOwnRun(former)
  }

  /// Whether the remote holds the beginning of a run whose rest is frozen here and was never uploaded: nobody else
  /// will complete it.
  private func endsInOwnRun(_ former: DeviceID) throws -> Bool {
    guard let cursor = try store.cursors()[former] else { return false }
    let files = try store.outbox(in: Self.directory(of: former)).filter { $0.seq > cursor.seq }
    for file in files {
      guard let bytes = try store.outboxBytes(file.name) else { return false }
      switch try remote.read(.log(former, seq: file.seq)) {
      case .bytes(bytes, _): continue
      case .absent: return try head(of: former)?.lastLog.map { $0.seq < file.seq } ?? true
      default: return false
      }
    }
    return false
  }

  /// The logs that were sealed under the former id and are not on the remote, each with the whole of its run.
  private func unconfirmed(of former: DeviceID) throws -> [LogBody] {
    let files = try store.outbox(in: Self.directory(of: former))
    var names: [UInt64: String] = [:]
    for file in files { names[file.seq] = file.name }
    var bodies: [UInt64: LogBody] = [:]
    for file in files where !file.isSent {
      guard let bytes = try store.outboxBytes(file.name) else { continue }
      if case .bytes(bytes, _) = try remote.read(.log(former, seq: file.seq)) { continue }
      let run = try body(bytes, of: former, file.seq).run
      let start = file.seq - min(UInt64(run.index), file.seq)
      for seq in start..<start + UInt64(run.count) where bodies[seq] == nil {
        guard let name = names[seq], let bytes = try store.outboxBytes(name) else {
          throw SyncError(
            .notStored, "Part of a large change is missing among this device's sealed files. Attach it again."
          )
        }
        bodies[seq] = try body(bytes, of: former, seq)
      }
    }
    return bodies.sorted { $0.key < $1.key }.map(\.value)
  }

  private func body(_ bytes: [UInt8], of former: DeviceID, _ seq: UInt64) throws -> LogBody {
    let kept = former == device ? secrets.dataKeys[Self.firstEpoch] : secrets.extra[Self.keyName(former)]
    let key = try kept.map { try Secret($0) } ?? key(of: former)
    return try LogBody(decoding: SealedFile.open(bytes, at: .log(former, seq), dataKey: key).body)
  }

  /// Seals the former id's logs as this device's, edits and stamps kept, and forgets the former id; one transaction.
  private func sealAgain(_ bodies: [LogBody], of former: DeviceID) throws {
    let nonce = environment.random.bytes(16)
    secrets.marks.pendingNonce = nonce
    try vault.write(secrets)
    let sealing = try sealing()
    var own = try store.cursors()[device] ?? .start
    try store.engineWrite {
      for var body in bodies {
        body.isRepublished = true
        own.seq += 1
        guard let previous = Digest(bytes: own.hash) else {
          throw SyncError(.notStored, "The hash of this device's last log is damaged. Attach it again.")
        }
        let bytes = try SealedFile.seal(
          body.encode(), at: .log(device, own.seq), previous: previous, with: sealing)
        own.hash = Container.fileHash(bytes).bytes
        try store.freeze(.init(name: RemoteName.log(device, seq: own.seq).path, seq: own.seq, bytes: bytes))
      }
      if !bodies.isEmpty { try store.setCursor(own, of: device) }
      try store.clearOutbox(in: Self.directory(of: former))
      let rest = try formers().filter { $0 != former }
      try store.setNote("former", rest.isEmpty ? .null : .blob(rest.flatMap(\.bytes)))
      try store.setNote("nonce", .blob(nonce))
      try environment.step("commit former \(former)")
    }
    secrets.marks = StoreMarks(sealedSeq: own.seq, databaseNonce: nonce, location: secrets.marks.location)
    secrets.extra[Self.keyName(former)] = nil
    try vault.write(secrets)
  }
}
