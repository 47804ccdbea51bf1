import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// The ids that this database wrote under before, until their directories were read to the end.
extension SyncEngine {
  /// Former ids that may have sent what is unsent here; nothing is sent while there are any.
  func formers() throws -> [DeviceID] { try devices(.former) }

  /// A list of devices that the store keeps.
  func devices(_ key: NoteKey) throws -> [DeviceID] {
    DeviceID.list(try store.note(key))
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
    for former in try formers() {
      let isThere = devices.contains(former)
      // One of which nothing was ever confirmed there is not missing.
      guard try isThere || store.cursors()[former] == nil else {
        report.gaps[former] =
          "the files of this database's former id are not on the remote; nothing is sent until they are"
        continue
      }
      do {
        try settle(former, isThere: isThere, hasGap: report.gaps[former] != nil, &report)
      } catch let problem as PeerProblem {
        report.gaps[former] = problem.reason
      }
    }
  }

  /// The last log of an id of this database's that was confirmed to be on the remote; nil if it sealed none.
  func confirmedCursor(of former: DeviceID) throws -> Cursor? {
    guard var cursor = try store.cursors()[former] else { return nil }
    let files = try store.outbox(in: Self.directory(of: former)).filter(\.isLog)
    var first = cursor.seq + 1
    for file in files.reversed() where !file.isSent && file.seq == first - 1 { first = file.seq }
    guard first <= cursor.seq else { return cursor }
    func bytes(_ seq: UInt64) throws -> [UInt8]? {
      try files.first { $0.seq == seq }.flatMap { try store.outboxFile($0.name)?.bytes }
    }
    // A run is read whole.
    if let sealed = try bytes(first), let run = try body(sealed, of: former, first)?.run {
      let start = first - min(UInt64(run.index), first - 1)
      if try bytes(start) != nil { first = start }
    }
    guard let next = try bytes(first) else { return cursor }
    cursor.hash = try SealedFile.peek(next, at: .log(former, first)).previousHash.bytes
    cursor.seq = first - 1
    return cursor
  }

  /// Where a device's files lie.
  static func directory(of device: DeviceID) -> String { "\(RemoteName.root)/\(device)/" }

  private func settle(
    _ former: DeviceID, isThere: Bool, hasGap: Bool, _ report: inout SyncReport
  ) throws {
    if isThere, try !hasUnfinishedSnapshot(former) {
      guard try !hasGap || endsInHalfRun(former) else { return }
      if let bodies = try unconfirmed(of: former) {
        return try sealAgain(bodies, of: former) { try merge(bodies, of: former, &report) }
      }
    }
    // The frozen files do not help: what the state holds of the former id's edits goes instead.
    let entries = try store.allEdits(of: former).sorted { $0.name < $1.name }
    let bodies = entries.isEmpty ? [] : try LogWriter.split(entries, limits: environment.sizes.file)
    try sealAgain(bodies, of: former) {}
  }

  /// Merges the former id's logs that nobody can read from the remote, within the caller's transaction. The state may
  /// have lost what they say: rows that went unseen are forgotten, to be read again.
  private func merge(_ bodies: [LogBody], of former: DeviceID, _ report: inout SyncReport) throws {
    var rest = bodies[...]
    while let first = rest.first {
      let run = Array(rest.prefix(Int(first.run.count)))
      rest = rest.dropFirst(run.count)
      let read = try wireProblems { try assemble(run, store.cursors()[former] ?? .start, former) }
      report.add(try take(read.content, from: former, seq: read.cursor.seq, &report))
    }
  }

  /// Whether the former id began with a snapshot and was stopped before its head named it: nobody else will do it, so
  /// nobody can read it.
  private func hasUnfinishedSnapshot(_ former: DeviceID) throws -> Bool {
    guard heads[former]?.head.snapshot == nil else { return false }
    let name = RemoteName.log(former, seq: 1)
    var sealed = try store.outboxFile(name.path)?.bytes
    if sealed == nil, case .bytes(let bytes, _) = try remote.read(name) { sealed = bytes }
    return try sealed.flatMap { try body($0, of: former, 1)?.isSnapshot } ?? false
  }

  /// Whether the remote holds the beginning of a run and nothing after it, nor says the head that there is more. If the
  /// former id is given up, nobody else will complete it; nobody has applied it either.
  private func endsInHalfRun(_ former: DeviceID) throws -> Bool {
    let read = try store.cursors()[former]?.seq ?? 0
    guard heads[former]?.head.lastLog?.seq ?? 0 <= read else { return false }
    var seq = read
    while true {
      switch try remote.read(.log(former, seq: seq + 1)) {
      case .bytes(let bytes, _):
        guard let run = try body(bytes, of: former, seq + 1)?.run, UInt64(run.index) == seq - read,
          run.index + 1 < run.count
        else { return false }
        seq += 1
      case .absent: return seq > read
      default: return false
      }
    }
  }

  /// The logs that were sealed under the former id and are not on the remote, each with the whole of its run; nil if
  /// they cannot be opened.
  private func unconfirmed(of former: DeviceID) throws -> [LogBody]? {
    let files = try store.outbox(in: Self.directory(of: former)).filter(\.isLog)
    func kept(_ seq: UInt64) throws -> LogBody? {
      guard let file = files.first(where: { $0.seq == seq }) else { return nil }
      return try store.outboxFile(file.name).flatMap { try body($0.bytes, of: former, seq) }
    }
    var bodies: [UInt64: LogBody] = [:]
    for file in files where !file.isSent {
      if case .bytes(let bytes, _) = try remote.read(.log(former, seq: file.seq)),
        try store.outboxFile(file.name)?.bytes == bytes
      {
        continue
      }
      guard let run = try kept(file.seq)?.run else { return nil }
      let start = file.seq - min(UInt64(run.index), file.seq)
      for seq in start..<start + UInt64(run.count) where bodies[seq] == nil {
        guard let body = try kept(seq) else { return nil }
        bodies[seq] = body
      }
    }
    return bodies.sorted { $0.key < $1.key }.map(\.value)
  }

  /// A log of a former id; nil if its key is gone, or the bytes are not whole.
  private func body(_ bytes: [UInt8], of former: DeviceID, _ seq: UInt64) throws -> LogBody? {
    let kept = former == device ? secrets.dataKeys[Self.firstEpoch] : secrets.extra[Self.keyName(former)]
    do {
      let key = try kept.map { try Secret($0) } ?? key(of: former)
      return try LogBody(decoding: SealedFile.open(bytes, at: .log(former, seq), dataKey: key).body)
    } catch is PeerProblem { return nil } catch is CodecError { return nil } catch is WireError { return nil }
  }

  /// Seals the former id's logs as this device's, edits and stamps kept, and forgets the former id; one transaction,
  /// which begins with `before`.
  private func sealAgain(_ bodies: [LogBody], of former: DeviceID, after before: () throws -> Void) throws {
    try environment.step("settle former \(former)")
    try changingNonce { nonce in
      var own = Cursor.start
      try store.settledWrite(as: device) {
        try before()
        own = try store.cursors()[device] ?? .start
        for var body in bodies {
          body.isRepublished = true
          try freezeLog(body, &own)
        }
        if !bodies.isEmpty { try store.setCursor(own, of: device) }
        try store.clearOutbox(in: Self.directory(of: former))
        let rest = try formers().filter { $0 != former }
        try store.setNote(.former, rest.isEmpty ? .null : .blob(rest.flatMap(\.bytes)))
        try store.setNote(.nonce, nonce)
        try environment.step("commit former \(former)")
      }
      secrets.extra[Self.keyName(former)] = nil
      return own.seq
    }
  }
}
