import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// Reading snapshots: as a new device, and past logs that cannot be read.
extension SyncEngine {
  /// A device that has read nothing yet takes the snapshot that covers most, and then only what it misses.
  func bootstrap(_ report: inout SyncReport) throws {
    guard try store.cursors().keys.allSatisfy({ $0 == device }) else { return }
    let known = heads.filter { $0.value.head.snapshot != nil }
    for (owner, head) in known.sorted(by: { Self.coverage($0.value) > Self.coverage($1.value) }) {
      guard let snapshot = head.head.snapshot else { continue }
      do {
        _ = try readSnapshot(snapshot, of: owner, covering: owner, beyond: 0, &report)
        return
      } catch is PeerProblem { continue }
    }
  }

  /// About how many logs a snapshot of this head stands for.
  private static func coverage(_ known: KnownHead) -> UInt64 {
    known.head.cursors.values.reduce(known.head.snapshot?.seq ?? 0) { $0 &+ $1.seq }
  }

  /// Reads a snapshot that covers a peer's logs beyond `seq`, its own or another device's. Returns the cursor of the
  /// peer after it, or nil if there is none.
  func bridge(_ peer: DeviceID, beyond seq: UInt64, _ report: inout SyncReport) throws -> Cursor? {
    var candidates: [(DeviceID, Head.Snapshot)] = []
    if let own = heads[peer]?.head.snapshot, own.seq > seq { candidates.append((peer, own)) }
    for (owner, known) in heads.sorted(by: { $0.key < $1.key }) where owner != peer {
      guard let snapshot = known.head.snapshot, (known.head.cursors[peer]?.seq ?? 0) > seq else { continue }
      candidates.append((owner, snapshot))
    }
    for (owner, snapshot) in candidates {
      do {
        return try readSnapshot(snapshot, of: owner, covering: peer, beyond: seq, &report).cursors[peer]
      } catch is PeerProblem { continue }
    }
    return nil
  }

  /// Verifies a whole snapshot, then merges it part by part, and at last takes its cursors over.
  ///
  /// - Throws: ``PeerProblem`` when a part is missing, damaged or of another snapshot, or when it does not cover the
  ///   peer's logs beyond `seq`; then nothing of it was merged.
  private func readSnapshot(
    _ snapshot: Head.Snapshot, of owner: DeviceID, covering peer: DeviceID, beyond seq: UInt64,
    _ report: inout SyncReport
  ) throws -> SnapshotManifest {
    var source = SnapshotSource(snapshot, owner: owner, key: try key(of: owner))
    let manifest = try verify(&source)
    guard (manifest.cursors[peer]?.seq ?? 0) > seq else {
      throw PeerProblem(.other, "the snapshot of \(owner) does not reach further")
    }
    var reader = SnapshotReader(format: store.build.format)
    for index in 0..<snapshot.parts {
      environment.progress(SyncProgress(.reading, done: Int(index), total: Int(snapshot.parts)))
      let part = try source.part(index, self)
      try environment.step("apply snapshot \(owner) \(index)")
      let (content, held) = try wireProblems { try reader.read(part) }
      try apply(content, held, manifest, source, isLast: index + 1 == snapshot.parts, &report)
    }
    return manifest
  }

  private func verify(_ source: inout SnapshotSource) throws -> SnapshotManifest {
    var reader = SnapshotReader(format: store.build.format)
    let wall = environment.wall()
    for index in 0..<source.snapshot.parts {
      environment.progress(SyncProgress(.checking, done: Int(index), total: Int(source.snapshot.parts)))
      let part = try source.part(index, self)
      let (content, _) = try wireProblems { try reader.read(part) }
      guard !content.opaque.contains(where: \.isBarrier) else {
        throw PeerProblem(.other, "its snapshot needs a newer version of the app; update it to read on")
      }
      guard
        !content.entries.contains(where: { $0.latestMoment.map { Clock.isFuture($0, wall: wall) } ?? false })
      else {
        throw PeerProblem(.other, "its snapshot holds edits from the future; one of the clocks is wrong")
      }
    }
    let manifest = try wireProblems { try reader.finish() }
    guard manifest.greatestBarrier <= store.build.format else {
      throw PeerProblem(.other, "its snapshot needs a newer version of the app; update it to read on")
    }
    try source.checkEnds(manifest)
    return manifest
  }

  private func apply(
    _ content: RunContent, _ held: [HeldBlock], _ manifest: SnapshotManifest, _ source: SnapshotSource,
    isLast: Bool, _ report: inout SyncReport
  ) throws {
    let own = device
    let applied = try store.settledWrite(as: own) {
      try store.keepVectorOfUnsealedEdits()
      let applied = try take(content, from: source.owner, seq: source.snapshot.seq, &report) { [store] in
        // What the snapshot's writer had not read of this device, it knew nothing of.
        guard $1.device == own else { return try store.isConcurrent($0, $1, own: own) }
        return (manifest.cursors[own]?.moment ?? Cursor.start.moment) < $1.moment
      }
      for block in held {
        try store.hold(
          block.block.bytes, of: nil, from: block.device, seq: block.seq,
          reason: "held by the writer of a snapshot")
      }
      if isLast { try takeCursors(manifest) }
      try environment.step("commit snapshot \(source.owner)")
      return applied
    }
    report.add(applied)
  }

  /// The held entries came along, so what the writer had read counts as read here.
  private func takeCursors(_ manifest: SnapshotManifest) throws {
    let mine = try store.cursors()
    for (peer, cursor) in manifest.cursors where peer != device && cursor.seq > mine[peer]?.seq ?? 0 {
      guard cursor.hash.count == Cursor.start.hash.count else { continue }
      try store.setCursor(cursor, of: peer)
    }
  }
}
