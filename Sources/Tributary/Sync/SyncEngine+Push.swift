import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

extension SyncEngine {
  /// Seals what is new, uploads what is sealed, and writes the head if it says anything new.
  func push(_ report: inout SyncReport) throws {
    try publishFrozen(&report)
    environment.progress(SyncProgress(.sealing))
    if try store.cursors()[device] == nil, try store.unsealedWeight() > environment.sizes.firstSnapshot {
      report.sent = try freezeFirstSnapshot()
    } else if try !store.isAllSealed() {
      report.sent = try freezeLogs()
    }
    try publishFrozen(&report)
    if try isSnapshotMissed(), try logsSinceSnapshot() == 0 {
      // A snapshot stands on a log of its own number, and this device has nothing to say: an empty log it is.
      report.sent += try freezeLogs(isEmptyFine: true)
      try publishFrozen(&report)
    }
    if try isSnapshotDue() { try freezeLaterSnapshot() }
    try publishFrozen(&report)
    try writeHead(&report)
  }

  /// Freezes the bytes of the next logs in the store, so that every retry sends the same ones. Returns the number of
  /// entries; none if all that is unsent was overwritten meanwhile, so that there is nothing left that a log could carry.
  private func freezeLogs(isEmptyFine: Bool = false) throws -> Int {
    var count = 0
    try freezing { count = try freezeLogs(&$0, isEmptyFine: isEmptyFine) }
    return count
  }

  /// Within the caller's transaction.
  private func freezeLogs(_ own: inout Cursor, isEmptyFine: Bool) throws -> Int {
    let entries = try store.unsentEdits(of: device)
    guard !entries.isEmpty || isEmptyFine else { return 0 }
    let (schema, schemaHash) = try changedSchema()
    let read = try store.vectorOfUnsealedEdits().filter { $0.key != device }
    let template = LogBody(cursors: read, schema: schema)
    let bodies =
      try entries.isEmpty
      ? [template] : LogWriter.split(entries, template: template, limits: environment.sizes.file)
    for body in bodies { try freezeLog(body, &own) }
    own.moment = entries.compactMap { $0.latestMoment(of: device) }.max() ?? own.moment
    try store.addVector(of: device, upTo: own.moment, read)
    try store.setNote(.schema, schemaHash)
    return entries.count
  }

  /// Freezes what nobody has yet as one snapshot in parts, and a log that stands for it. Returns the number of records.
  private func freezeFirstSnapshot() throws -> Int {
    var count = 0
    try freezing { own in
      guard try isStateWhole() else {
        count = try freezeLogs(&own, isEmptyFine: false)
        return
      }
      let (schema, schemaHash) = try changedSchema()
      let read = try store.vectorOfUnsealedEdits().filter { $0.key != device }
      try freezeLog(LogBody(cursors: read, schema: schema, isSnapshot: true), &own)
      own.moment = try store.lastSettledMoment() ?? own.moment
      count = try freezeSnapshot(own)
      try store.setNote(.schema, schemaHash)
    }
    return count
  }

  /// One transaction that seals what is unsent.
  private func freezing(_ body: (inout Cursor) throws -> Void) throws {
    try changingNonce { nonce in
      try environment.step("seal")
      var own = Cursor.start
      try store.settledWrite(as: device) {
        own = try store.cursors()[device] ?? .start
        try body(&own)
        try store.setCursor(own, of: device)
        try store.markSealed()
        try store.setNote(.nonce, nonce)
        try environment.step("commit seal")
      }
      return own.seq
    }
  }

  /// Runs a transaction that seals files and notes a new nonce, so that a copy made before it is noticed. The secrets know
  /// the nonce before the database does, and take it over afterwards, with the last seq that `transaction` returns.
  func changingNonce(_ transaction: (Value) throws -> UInt64) throws {
    let nonce = environment.random.bytes(16)
    secrets.marks.pendingNonce = nonce
    try vault.write(secrets)
    let seq = try transaction(.blob(nonce))
    secrets.marks = StoreMarks(sealedSeq: seq, databaseNonce: nonce, location: secrets.marks.location)
    try vault.write(secrets)
  }

  func freezeLog(_ body: LogBody, _ own: inout Cursor) throws {
    guard let previous = Digest(bytes: own.hash) else {
      throw SyncError(.notStored, "The hash of this device's last log is damaged. Attach it again.")
    }
    own.seq += 1
    let bytes = try SealedFile.seal(
      try body.encode(), at: .log(device, own.seq), previous: previous, with: try sealing())
    own.hash = Container.fileHash(bytes).bytes
    try store.freeze(.init(name: RemoteName.log(device, seq: own.seq).path, seq: own.seq, bytes: bytes))
  }

  /// The schema's description if no log has carried it yet, and what to remember of it.
  private func changedSchema() throws -> ([UInt8]?, Value) {
    let bytes = try SchemaCoding.encode(store.schema)
    let hash = Value.blob(Hash.digest(bytes).bytes)
    return (try store.note(.schema) == hash ? nil : bytes, hash)
  }

  /// Uploads what is frozen, in order. A file counts as sent once it was read back.
  func publishFrozen(_ report: inout SyncReport) throws {
    let names = try store.unsentNames()
    if !names.isEmpty {
      try checkNobodyElseWrote()
      // An upload that was cut off a day ago or more has left what nobody will finish. Nothing depends on its going.
      _ = try? remote.sweep(device)
    }
    for (index, path) in names.enumerated() {
      environment.progress(SyncProgress(.uploading, done: index, total: names.count))
      guard let name = RemoteName(path: path), let file = try store.outboxFile(path) else { continue }
      try publish(name, file.bytes)
      try store.engineWrite {
        // A part is needed no more once it is up; a log is, until a snapshot covers it.
        if case .snapshot = name { try store.removeFromOutbox(path) } else { try store.markSent(path) }
      }
      report.filesWritten += 1
    }
    try confirmSnapshot()
  }
}

// MARK: - Head

extension SyncEngine {
  /// Writes the head if it says anything new.
  func writeHead(_ report: inout SyncReport) throws {
    var head = try newHead()
    let fingerprint = Value.blob(Hash.digest(try head.encode().bytes).bytes)
    guard try store.note(.head) != fingerprint else { return }
    head.wall = environment.wall()
    try replaceHead(head)
    try store.engineWrite { try store.setNote(.head, fingerprint) }
    report.filesWritten += 1
  }

  private func newHead() throws -> Head {
    let cursors = try store.cursors()
    var head = Head(
      schemaName: store.schema.name, appVersion: store.build.appVersion, format: store.build.format,
      schemaVersion: store.build.schemaVersion, deviceName: deviceName, epoch: Self.firstEpoch)
    head.cursors = cursors.filter { $0.key != device }
    head.acknowledged = try acknowledged(head.cursors)
    head.snapshot = try snapshotNote(.snapshot)
    if let own = cursors[device], let hash = Digest(bytes: own.hash) {
      head.lastLog = .init(seq: own.seq, hash: hash)
    }
    return head
  }

  /// What was read as far as it counts for pruning: up to the first thing that is only held.
  func acknowledged(_ cursors: CursorVector) throws -> CursorVector {
    var acknowledged = cursors
    for (peer, seq) in try store.firstHeld() {
      guard let cursor = acknowledged[peer], cursor.seq >= seq else { continue }
      acknowledged[peer] = seq > 1 ? Cursor(seq: seq - 1, hash: [], moment: Cursor.start.moment) : nil
    }
    return acknowledged
  }
}
