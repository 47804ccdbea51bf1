import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

extension SyncEngine {
  /// A run of one peer's logs, opened and checked.
  private struct Run {
    var entries: [Entry]
    var opaque: [RawBlock]
    /// What the writer had read.
    var vector: CursorVector
    /// After the last log of the run.
    var cursor: Cursor
  }

  /// Reads a peer's logs to their end, one transaction a run.
  func pull(_ peer: DeviceID, _ report: inout SyncReport) throws {
    let key = try key(of: peer)
    var cursor = try store.cursors()[peer] ?? .start
    while let run = try nextRun(of: peer, after: cursor, key) {
      try environment.step("apply \(peer) \(run.cursor.seq)")
      try apply(run, from: peer, &report)
      cursor = run.cursor
    }
    if let head = try head(of: peer), let last = head.lastLog, last.seq > cursor.seq {
      throw PeerProblem(reason: "its log \(cursor.seq + 1) of \(last.seq) is not there yet")
    }
  }

  private func nextRun(of peer: DeviceID, after start: Cursor, _ key: Secret) throws -> Run? {
    var cursor = start
    var bodies: [LogBody] = []
    repeat {
      guard let (body, hash) = try log(cursor.seq + 1, of: peer, after: cursor.hash, key) else {
        if bodies.isEmpty { return nil }
        throw PeerProblem(reason: "the rest of a large change, from log \(cursor.seq + 1), is not there yet")
      }
      guard body.run.index == UInt32(bodies.count),
        body.run.count == bodies.first?.run.count ?? body.run.count
      else {
        throw PeerProblem(reason: "its log \(cursor.seq + 1) does not continue the one before")
      }
      bodies.append(body)
      cursor.seq += 1
      cursor.hash = hash
    } while bodies.count < Int(bodies[0].run.count)
    return try assemble(bodies, cursor, peer)
  }

  private func assemble(_ bodies: [LogBody], _ end: Cursor, _ peer: DeviceID) throws -> Run {
    do {
      let content = try RunReader.assemble(bodies, format: store.build.format)
      try LogRules.check(content.entries, by: peer, isRepublished: bodies.contains(where: \.isRepublished))
      var cursor = end
      let own = content.entries.flatMap(\.stamps).filter { $0.device == peer }.map(\.moment).max()
      cursor.moment = max(cursor.moment, own ?? cursor.moment)
      return Run(entries: content.entries, opaque: content.opaque, vector: bodies[0].cursors, cursor: cursor)
    } catch let error as WireError {
      throw PeerProblem(reason: error.message)
    } catch let error as CodecError {
      throw PeerProblem(reason: error.message)
    }
  }

  private func log(
    _ seq: UInt64, of peer: DeviceID, after previous: [UInt8], _ key: Secret
  ) throws -> (LogBody, [UInt8])? {
    let bytes: [UInt8]
    switch try remote.read(.log(peer, seq: seq)) {
    case .bytes(let read, _): bytes = read
    case .absent: return nil
    case .notDownloaded: throw PeerProblem(reason: "its log \(seq) is not downloaded yet")
    case .listedButRefused(let reason): throw PeerProblem(reason: "its log \(seq) cannot be read: \(reason)")
    case .notModified: return nil
    }
    do {
      let opened = try SealedFile.open(bytes, at: .log(peer, seq), dataKey: key)
      guard let expected = Digest(bytes: previous) else {
        throw PeerProblem(reason: "its last hash here is damaged")
      }
      try SealedFile.checkChain(opened.header, follows: expected)
      return (try LogBody(decoding: opened.body), opened.hash.bytes)
    } catch let error as CodecError {
      throw PeerProblem(reason: "its log \(seq) does not open: \(error.message)")
    } catch let error as WireError {
      throw PeerProblem(reason: error.message)
    }
  }

  private func apply(_ run: Run, from peer: DeviceID, _ report: inout SyncReport) throws {
    try store.settle(as: device)
    let applied = try store.engineWrite {
      for block in run.opaque {
        guard !block.isBarrier else {
          throw PeerProblem(reason: "an entry needs a newer version of the app; update it to read on")
        }
        try store.hold(
          block.bytes, of: nil, from: peer, seq: run.cursor.seq, reason: "needs format \(block.minReader)")
      }
      let admitted = try admit(run.entries, from: peer, seq: run.cursor.seq, &report)
      try store.addVector(of: peer, upTo: run.cursor.moment, run.vector)
      let applied = try merge(admitted)
      try store.setCursor(run.cursor, of: peer)
      try environment.step("commit \(peer) \(run.cursor.seq)")
      return applied
    }
    report.add(applied)
  }

  /// The entries that may be applied; the others are held in the same transaction, or counted as discarded.
  private func admit(
    _ entries: [Entry], from peer: DeviceID, seq: UInt64, _ report: inout SyncReport
  ) throws -> [Entry] {
    try entries.filter { entry in
      switch Admission.decide(entry, by: store.build, wall: environment.wall()) {
      case .apply: return true
      case .hold(let reason):
        try store.hold(
          try EntryCoding.encode(entry), of: entry.name, from: peer, seq: seq, reason: "\(reason)")
      case .stop: throw PeerProblem(reason: "an entry needs a newer version of the app; update it to read on")
      case .discard: report.discarded += 1
      }
      return false
    }
  }

  private func merge(_ entries: [Entry]) throws -> ApplyReport {
    try unmove(entries)
    var failure: (any Error)?
    let own = device
    let applied = try store.apply(entries) { [store] later, earlier in
      do { return try store.isConcurrent(later, earlier, own: own) } catch {
        failure = failure ?? error
        return true
      }
    }
    if let failure { throw failure }
    try store.journal(applied.conflicts)
    return applied
  }

  /// Looks again at what was held: a build may have grown, a clock may have caught up.
  func retryHeld(_ report: inout SyncReport) throws {
    for held in try store.held() where !held.isBlock {
      guard let entry = try EntryCoding.decode(held.bytes, format: store.build.format) else { continue }
      guard case .apply = Admission.decide(entry, by: store.build, wall: environment.wall()) else { continue }
      report.add(
        try store.engineWrite {
          try store.release(held)
          return try merge([entry])
        })
    }
  }
}

extension SyncReport {
  mutating func add(_ applied: ApplyReport) {
    received += applied.changed
    conflicts += applied.conflicts.count
    parked = applied.parked
    repaired = applied.repaired
  }
}
