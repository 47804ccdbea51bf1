import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// Writing snapshots.
extension SyncEngine {
  /// Writes a snapshot of everything up to this device's last log, uploads it and names it in the head. Without a log
  /// since the last one there is nothing that it could replace. Runs after a sync: all edits are in published logs.
  package func compact(_ report: inout SyncReport) throws {
    try publishFrozen(&report)
    guard let own = try store.cursors()[device], own.seq > (try snapshotNote("snapshot")?.seq ?? 0),
      try store.isAllSealed()
    else { return }
    try environment.step("seal snapshot")
    try store.engineWrite {
      guard try snapshotNote("snapshotPending") == nil else { return }
      _ = try freezeSnapshot(own)
      try environment.step("commit snapshot")
    }
    try publishFrozen(&report)
    try writeHead(&report)
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
    try setSnapshotNote("snapshotPending", parts.place)
    return count
  }

  /// Once all parts of a snapshot are up, the head may name it, and the logs that it covers are kept no more.
  func confirmSnapshot() throws {
    guard let pending = try snapshotNote("snapshotPending"), try store.unsentNames().isEmpty else { return }
    try store.engineWrite {
      try setSnapshotNote("snapshot", pending)
      try store.removeNote("snapshotPending")
      try store.removeFromOutbox(through: pending.seq)
    }
  }

  func snapshotNote(_ key: String) throws -> Head.Snapshot? {
    guard case .blob(let bytes)? = try store.note(key) else { return nil }
    var input = ByteReader(bytes)
    let (seq, parts) = (try input.readU64(), try input.readU32())
    return Digest(bytes: try input.readBytes(input.remaining)).map {
      Head.Snapshot(seq: seq, parts: parts, hash: $0)
    }
  }

  private func setSnapshotNote(_ key: String, _ snapshot: Head.Snapshot) throws {
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
