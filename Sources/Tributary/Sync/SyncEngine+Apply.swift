import TributaryModel
import TributaryStore
import TributaryWire

extension SyncEngine {
  /// The most bytes that are held of one peer before its cursor stops.
  private static let heldLimit = 64 << 20

  /// Merges a run and moves the cursor past it, in one transaction.
  func apply(_ run: PeerRun, from peer: DeviceID, _ report: inout SyncReport) throws {
    let applied = try store.settledWrite(as: device) {
      try store.keepVectorOfUnsealedEdits()
      // Before the merge, which asks what these edits knew.
      try store.addVector(of: peer, upTo: run.cursor.moment, run.vector)
      let applied = try take(run.content, from: peer, seq: run.cursor.seq, &report)
      try store.setCursor(run.cursor, of: peer)
      try environment.step("commit \(peer) \(run.cursor.seq)")
      return applied
    }
    report.add(applied)
  }

  /// Holds what this build cannot apply and merges the rest, within the caller's transaction.
  ///
  /// - Parameter isConcurrent: whether the later edit did not know of the earlier one, where it is not as the vectors of
  ///   the store tell.
  func take(
    _ content: RunContent, from peer: DeviceID, seq: UInt64, _ report: inout SyncReport,
    isConcurrent: ((Stamp, Stamp) throws -> Bool)? = nil
  ) throws -> ApplyReport {
    for block in content.opaque {
      guard !block.isBarrier else { throw Self.barrier }
      try store.hold(block.bytes, of: nil, from: peer, seq: seq, reason: "needs format \(block.minReader)")
    }
    // Those that are held too: that they were sent is known from now on.
    try unmove(content.entries)
    let admitted = try admit(content.entries, from: peer, seq: seq, &report)
    if admitted.count < content.entries.count || !content.opaque.isEmpty {
      guard try store.heldWeight(of: peer) <= Self.heldLimit else {
        throw PeerProblem(
          .other, "too much of it is held for a newer version of the app; update it to read on")
      }
    }
    return try merge(
      admitted, isConcurrent ?? { [store, device] in try store.isConcurrent($0, $1, own: device) })
  }

  private static let barrier = PeerProblem(
    .other, "an entry needs a newer version of the app; update it to read on")

  /// The entries that may be applied; the others are held in the same transaction, or counted as discarded.
  private func admit(
    _ entries: [Entry], from peer: DeviceID, seq: UInt64, _ report: inout SyncReport
  ) throws -> [Entry] {
    let wall = environment.wall()
    return try entries.filter { entry in
      switch Admission.decide(entry, by: store.build, wall: wall) {
      case .apply: return true
      case .hold(let reason):
        let bytes = try EntryCoding.encode(entry)
        try store.hold(bytes, of: entry.name, from: peer, seq: seq, reason: "\(reason)")
      case .stop: throw Self.barrier
      case .discard: report.discarded += 1
      }
      return false
    }
  }

  private func merge(
    _ entries: [Entry], _ isConcurrent: @escaping (Stamp, Stamp) throws -> Bool
  ) throws -> ApplyReport {
    guard !entries.isEmpty else { return ApplyReport() }
    var failure: (any Error)?
    let applied = try store.apply(entries) { later, earlier in
      do { return try isConcurrent(later, earlier) } catch {
        failure = failure ?? error
        return true
      }
    }
    if let failure { throw failure }
    try store.journal(applied.conflicts)
    return applied
  }
}

// MARK: - Held

extension SyncEngine {
  /// Looks again at what was held: a build may have grown, a clock may have caught up.
  func retryHeld(_ report: inout SyncReport) throws {
    let held = try store.held()
    for one in held where !one.isBlock { try attempt([one], &report) }
    let blocks = Dictionary(grouping: held.filter(\.isBlock)) { HeldPlace(device: $0.device, seq: $0.seq) }
    for place in blocks.keys.sorted() { try attempt(blocks[place] ?? [], &report) }
  }

  /// What is wrong with a peer's blocks is that peer's problem, and ends no sync.
  private func attempt(_ held: [StoreCore.Held], _ report: inout SyncReport) throws {
    do { try retry(held, &report) } catch let problem as PeerProblem {
      if let peer = held.first?.device { report.gaps[peer] = problem.reason }
    }
  }

  /// Where held blocks come from: those of one run may be pieces of one value.
  private struct HeldPlace: Hashable, Comparable {
    let device: DeviceID
    let seq: UInt64
    static func < (left: HeldPlace, right: HeldPlace) -> Bool {
      left.device == right.device ? left.seq < right.seq : left.device < right.device
    }
  }

  private func retry(_ held: [StoreCore.Held], _ report: inout SyncReport) throws {
    guard let first = held.first else { return }
    guard
      let content = try? RunReader.reread(
        held.map { try RawBlock(bytes: $0.bytes) }, format: store.build.format),
      !content.opaque.contains(where: \.isBarrier)
    else {
      // One that cannot be read keeps no other from it.
      if held.count > 1 { for one in held { try attempt([one], &report) } }
      return
    }
    let wall = environment.wall()
    let isNews = content.entries.contains { entry in
      switch Admission.decide(entry, by: store.build, wall: wall) {
      case .apply, .discard: true
      case .hold, .stop: false
      }
    }
    guard isNews else { return }
    report.add(
      try store.settledWrite(as: device) {
        try store.keepVectorOfUnsealedEdits()
        for one in held { try store.release(one) }
        return try take(content, from: first.device, seq: first.seq, &report)
      })
  }
}

extension SyncReport {
  mutating func add(_ applied: ApplyReport) {
    received += applied.changed
    conflicts += applied.conflicts.count
  }
}
