import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// Writing snapshots.
extension SyncEngine {
  /// Writes a snapshot of everything up to this device's last log, uploads it and names it in the head. Without a log
  /// since the last one there is nothing that it could replace. Runs after a sync: all edits are in published logs.
  ///
  /// - Throws: as ``sync()`` does. A restored or copied database takes a new id, and then has nothing to compact yet.
  package func compact(_ report: inout SyncReport) throws { try partingFromTwins(&report, replaceLogs) }

  private func replaceLogs(_ report: inout SyncReport) throws {
    try checkIdentity(&report)
    guard try formers().isEmpty else { return }
    // No sync has looked at the head that is written here.
    try checkNobodyElseWrote()
    try publishFrozen(&report)
    if try logsSinceSnapshot() > 0 { try freezeLaterSnapshot() }
    try publishFrozen(&report)
    try writeHead(&report)
  }

  /// Whether this device's logs outnumber what readers should have to go through one by one, or somebody needs what the
  /// last snapshot does not tell.
  func isSnapshotDue() throws -> Bool {
    let logs = try logsSinceSnapshot()
    return try logs >= environment.sizes.compaction || logs > 0 && isSnapshotMissed()
  }

  /// Whether a snapshot was lost, or somebody lacks what only a new one can tell.
  func isSnapshotMissed() throws -> Bool {
    try store.note(.snapshotLost)?.integer != nil || isSnapshotOfAbsentDue()
  }

  /// A snapshot needs a log that the last one did not cover: its name is that log's.
  func logsSinceSnapshot() throws -> UInt64 {
    let covered = try (snapshotNote(.snapshotPending) ?? snapshotNote(.snapshot))?.seq ?? 0
    let lost = try store.note(.snapshotLost)?.integer ?? 0
    let own = try store.cursors()[device]?.seq ?? 0
    return own - min(own, max(covered, UInt64(max(0, lost))))
  }

  /// Whether the state has all that the cursors say was read. Rows of an adopted database that went unseen are forgotten,
  /// and a snapshot without them would say that nobody ever wrote them.
  func isStateWhole() throws -> Bool { try store.note(.rereading) == nil }

  /// Freezes a snapshot over logs that are all published. Edits that another process made just now wait for the next.
  func freezeLaterSnapshot() throws {
    try environment.step("seal snapshot")
    try store.engineWrite {
      guard let own = try store.cursors()[device], try isStateWhole(), try store.isAllSealed(),
        try store.unsentNames().isEmpty
      else { return }
      _ = try freezeSnapshot(own)
      try store.removeNote(.snapshotLost)
      if !absent.isEmpty { try store.setNote(.snapshotAbsent, fingerprintOfAbsent) }
      try environment.step("commit snapshot")
    }
  }

  /// Seals the state's parts into the outbox, within the caller's transaction. Returns the number of records.
  func freezeSnapshot(_ own: Cursor) throws -> Int {
    let cursors = try store.cursors().merging([device: own]) { $1 }
    let manifest = SnapshotManifest(
      cursors: cursors, acknowledged: try acknowledged(cursors), schema: try SchemaCoding.encode(store.schema)
    )
    var parts = SnapshotFreezer(seq: own.seq, previous: Digest(bytes: own.hash) ?? .zero)
    var writer = SnapshotWriter(limits: environment.sizes.file)
    var count = 0
    try store.everything { entries in
      count += entries.count
      for entry in entries { for part in try writer.add(entry) { try parts.freeze(part, self) } }
    }
    for held in try store.held() {
      let block = HeldBlock(device: held.device, seq: held.seq, block: try RawBlock(bytes: held.bytes))
      for part in try writer.add(block) { try parts.freeze(part, self) }
    }
    for part in try writer.finish(manifest) { try parts.freeze(part, self) }
    try setSnapshotNote(.snapshotPending, parts.place)
    return count
  }

  /// Once all parts of a snapshot are up, the head may name it, and the logs that it covers are kept no more. The
  /// latest two snapshots stay, for those who are reading the earlier one.
  func confirmSnapshot() throws {
    if let pending = try snapshotNote(.snapshotPending), try store.unsentNames().isEmpty {
      try store.engineWrite {
        if let before = try snapshotNote(.snapshotBefore) { try setSnapshotNote(.snapshotObsolete, before) }
        if let last = try snapshotNote(.snapshot) { try setSnapshotNote(.snapshotBefore, last) }
        try setSnapshotNote(.snapshot, pending)
        try store.removeNote(.snapshotPending)
        try store.removeFromOutbox(through: pending.seq)
      }
    }
    guard let obsolete = try snapshotNote(.snapshotObsolete) else { return }
    for part in 0..<obsolete.parts {
      guard let number = UInt16(exactly: part) else { break }
      try remote.delete(.snapshot(device, seq: obsolete.seq, part: number))
    }
    try store.engineWrite { try store.removeNote(.snapshotObsolete) }
  }

  func snapshotNote(_ key: NoteKey) throws -> Head.Snapshot? {
    guard case .blob(let bytes)? = try store.note(key) else { return nil }
    var input = ByteReader(bytes)
    let (seq, parts) = (try input.readU64(), try input.readU32())
    return Digest(bytes: try input.readBytes(input.remaining)).map {
      Head.Snapshot(seq: seq, parts: parts, hash: $0)
    }
  }

  private func setSnapshotNote(_ key: NoteKey, _ snapshot: Head.Snapshot) throws {
    var out = ByteWriter()
    out.write(u64: snapshot.seq)
    out.write(u32: snapshot.parts)
    out.write(bytes: snapshot.hash.bytes)
    try store.setNote(key, .blob(out.bytes))
  }
}

/// Seals the parts of one snapshot, each over the one before.
private struct SnapshotFreezer {
  let seq: UInt64
  private var previous: Digest
  private var count: UInt32 = 0

  init(seq: UInt64, previous: Digest) {
    self.seq = seq
    self.previous = previous
  }

  /// The snapshot as a head names it, once all parts are frozen.
  var place: Head.Snapshot { Head.Snapshot(seq: seq, parts: count, hash: previous) }

  mutating func freeze(_ part: SnapshotPart, _ engine: SyncEngine) throws {
    guard let number = UInt16(exactly: count) else {
      throw SyncError(
        .notStored, "The data needs more than 65,536 snapshot parts. Store large values as files.")
    }
    let bytes = try SealedFile.seal(
      try part.encode(), at: .snapshot(engine.device, seq, part: number), previous: previous,
      with: try engine.sealing())
    previous = Container.fileHash(bytes)
    count += 1
    let name = RemoteName.snapshot(engine.device, seq: seq, part: number).path
    try engine.store.freeze(.init(name: name, seq: seq, bytes: bytes))
  }
}
