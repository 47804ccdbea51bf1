import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

extension SyncEngine {
  /// Reads a peer's logs to their end, one transaction a run. Where they cannot be read on, a snapshot that covers
  /// what is missing is read instead.
  func pull(_ peer: DeviceID, _ report: inout SyncReport) throws {
    let key = try key(of: peer)
    var cursor = try store.cursors()[peer] ?? .start
    var isReadAgain = false
    while true {
      do {
        guard let run = try nextRun(of: peer, after: cursor, key) else { return }
        try environment.step("apply \(peer) \(run.cursor.seq)")
        try apply(run, from: peer, &report)
        cursor = run.cursor
      } catch let problem as PeerProblem {
        if problem.kind != .other, let next = try bridge(peer, beyond: cursor.seq, &report) {
          cursor = next
        } else if problem.kind == .brokenChain, !isReadAgain {
          noteBrokenChain(peer, problem, &report)
          isReadAgain = true
          cursor = .start
        } else {
          throw problem
        }
      }
    }
  }

  private func noteBrokenChain(_ peer: DeviceID, _ problem: PeerProblem, _ report: inout SyncReport) {
    report.notices.append(
      SyncNotice(
        .brokenChain, peer,
        "Device \(peer): \(problem.reason). What is there was read again from its beginning; nothing was undone."
      ))
  }

  /// The next logs that apply together; nil at the end of what the peer wrote.
  private func nextRun(of peer: DeviceID, after start: Cursor, _ key: Secret) throws -> PeerRun? {
    var cursor = start
    var bodies: [LogBody] = []
    repeat {
      guard let (body, hash) = try log(cursor.seq + 1, of: peer, after: cursor.hash, key) else {
        try checkEnd(of: peer, at: cursor.seq, isWithinRun: !bodies.isEmpty)
        return nil
      }
      guard body.run.index == UInt32(bodies.count),
        body.run.count == bodies.first?.run.count ?? body.run.count
      else {
        throw PeerProblem(.other, "its log \(cursor.seq + 1) does not continue the one before")
      }
      if body.isSnapshot { throw PeerProblem(.gap, "its snapshot \(cursor.seq + 1) is not there yet") }
      bodies.append(body)
      cursor.seq += 1
      cursor.hash = hash
    } while bodies.count < Int(bodies[0].run.count)
    return try wireProblems { try assemble(bodies, cursor, peer) }
  }

  /// Tells a gap from the end: by what the peer says that it wrote, and by what others say that they read of it.
  private func checkEnd(of peer: DeviceID, at seq: UInt64, isWithinRun: Bool) throws {
    if isWithinRun {
      throw PeerProblem(.gap, "the rest of a large change, from log \(seq + 1), is not there yet")
    }
    if let last = heads[peer]?.head.lastLog, last.seq > seq {
      throw PeerProblem(.gap, "its log \(seq + 1) of \(last.seq) is not there yet")
    }
    let readers = heads.filter { $0.key != peer && ($0.value.head.cursors[peer]?.seq ?? 0) > seq }
    if let (reader, known) = readers.max(by: { $0.key < $1.key }) {
      let read = known.head.cursors[peer]?.seq ?? 0
      throw PeerProblem(
        .gap, "device \(reader) has read its log \(read), but here it ends at \(seq): withheld, or on its way"
      )
    }
  }

  func assemble(_ bodies: [LogBody], _ end: Cursor, _ peer: DeviceID) throws -> PeerRun {
    let content = try RunReader.assemble(bodies, format: store.build.format)
    try LogRules.check(content.entries, by: peer, isRepublished: bodies.contains(where: \.isRepublished))
    var cursor = end
    let own = content.entries.compactMap { $0.latestMoment(of: peer) }.max()
    cursor.moment = max(cursor.moment, own ?? cursor.moment)
    return PeerRun(content: content, vector: bodies[0].cursors, cursor: cursor)
  }

  private func log(
    _ seq: UInt64, of peer: DeviceID, after previous: [UInt8], _ key: Secret
  ) throws -> (LogBody, [UInt8])? {
    guard let bytes = try bytes(.log(peer, seq: seq), "its log \(seq)") else { return nil }
    return try wireProblems {
      let opened = try SealedFile.open(bytes, at: .log(peer, seq), dataKey: key)
      try SealedFile.checkChain(opened.header, follows: Digest(bytes: previous) ?? .zero)
      return (try LogBody(decoding: opened.body), opened.hash.bytes)
    }
  }

  /// A file of a peer's, or nil where there is none.
  func bytes(_ name: RemoteName, _ what: String) throws -> [UInt8]? {
    switch try remote.read(name) {
    case .bytes(let read, _): return read
    case .absent, .notModified: return nil
    case .notDownloaded: throw PeerProblem(.gap, "\(what) is not downloaded yet")
    case .listedButRefused(let reason): throw PeerProblem(.gap, "\(what) cannot be read: \(reason)")
    }
  }

  /// Runs `body`; what is wrong with a peer's bytes is that peer's problem.
  func wireProblems<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as WireError where error.code == .brokenChain {
      throw PeerProblem(.brokenChain, error.message)
    } catch let error as WireError {
      throw PeerProblem(.gap, error.message)
    } catch let error as CodecError {
      throw PeerProblem(.gap, error.message)
    }
  }
}

/// A run of one peer's logs, opened and checked.
struct PeerRun {
  var content: RunContent
  /// What the writer had read.
  var vector: CursorVector
  /// After the last log of the run.
  var cursor: Cursor
}
