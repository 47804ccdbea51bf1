import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// This device's own head as the remote has it: whether somebody else writes under this id, or the remote went back.
extension SyncEngine {
  private enum Finding {
    /// What was written last.
    case current
    /// Older, gone or damaged: the remote's lag, not a reason for a new id.
    case behind
    /// Not written by this store.
    case foreign(String)
  }

  func checkOwnHead(_ report: inout SyncReport) throws {
    switch try ownHead() {
    case .current: return
    case .behind:
      try store.engineWrite { try store.removeNote(.head) }
      try checkOwnFiles(&report)
    case .foreign(let why): try takeNewIdentity(why, &report)
    }
  }

  /// Looks at the own head once more right before a publish: a twin may have written since the sync began.
  ///
  /// - Throws: ``SyncError`` `.twin`, upon which `sync` takes a new id.
  func checkNobodyElseWrote() throws {
    if case .foreign(let why) = try ownHead() { throw SyncError(.twin, why) }
  }

  /// Whether peers have read more logs of this device than it wrote, and the next one is there: a twin wrote it and was
  /// stopped before its head. A peer's word alone is no reason, since it may lie.
  ///
  /// - Throws: ``SyncError`` `.twin`, upon which `sync` takes a new id.
  func checkReaders() throws {
    let own = try store.cursors()[device] ?? .start
    guard heads.values.contains(where: { $0.head.cursors[device]?.seq ?? 0 > own.seq }),
      case .bytes(let bytes, _) = try remote.read(.log(device, seq: own.seq + 1)),
      (try? SealedFile.open(bytes, at: .log(device, own.seq + 1), dataKey: ownKey())) != nil
    else { return }
    throw SyncError(.twin, "Another device writes logs under this device's id, \(device). Attach it again.")
  }

  /// Writes the head under the next counter. The store knows the counter and the bytes' hash before the remote does.
  func replaceHead(_ head: Head) throws {
    let counter = (try store.note(.headCounter)?.integer ?? 0) + 1
    let bytes = try SealedFile.seal(
      try head.encode(), at: .head(device), counter: UInt64(counter), with: try sealing())
    try store.engineWrite {
      try store.setNote(.headCounter, .integer(counter))
      try store.setNote(.headHash, .blob(Hash.digest(bytes).bytes))
    }
    tags[device] = nil
    try environment.step("head")
    try remote.replace(.head(device), bytes)
  }

  private func ownHead() throws -> Finding {
    let counter = UInt64(max(0, try store.note(.headCounter)?.integer ?? 0))
    let (bytes, tag): ([UInt8], Tag)
    switch try remote.read(.head(device), ifNot: tags[device]) {
    case .bytes(let read, let mark): (bytes, tag) = (read, mark)
    case .absent: return counter == 0 ? .current : .behind
    case .listedButRefused: return .behind
    case .notDownloaded, .notModified: return .current
    }
    guard let opened = try? SealedFile.open(bytes, at: .head(device), dataKey: ownKey()) else {
      return .behind
    }
    guard opened.header.installNonce == installNonce else {
      return .foreign("Another installation writes under this device's id.")
    }
    guard opened.header.seq <= counter else {
      return .foreign("The remote knows of more than this database: it was restored, or copied elsewhere.")
    }
    if opened.header.seq < counter { return .behind }
    guard case .blob(let hash)? = try store.note(.headHash), hash != opened.hash.bytes else {
      // Unchanged, it need not be read again.
      tags[device] = tag
      return .current
    }
    return .foreign("A copy of this database writes under this device's id.")
  }

  /// Looks for own files that the remote lost while it kept the head, which only peers notice: they stay behind.
  func checkFilesOfLateReaders(_ report: inout SyncReport) throws {
    let own = try store.cursors()[device] ?? .start
    guard heads.values.contains(where: { $0.head.cursors[device]?.seq ?? 0 < own.seq }) else { return }
    try checkOwnFiles(&report)
  }

  /// A snapshot that the remote lost a part of is named no more, and the next log brings another: its parts are not kept.
  private func checkSnapshot(_ there: Set<String>) throws {
    guard let snapshot = try snapshotNote(.snapshot) else { return }
    let isWhole = (0..<snapshot.parts).allSatisfy { part in
      UInt16(exactly: part).map {
        there.contains(RemoteName.snapshot(device, seq: snapshot.seq, part: $0).path)
      } ?? true
    }
    guard !isWhole else { return }
    try store.engineWrite {
      try store.removeNote(.snapshot)
      try store.setNote(.snapshotLost, .integer(Int64(snapshot.seq)))
    }
  }

  /// Own files that the remote lost, or cut off, are unsent again.
  private func checkOwnFiles(_ report: inout SyncReport) throws {
    let listing = try remote.list(device: device)
    // A directory that is gone whole is another matter: a switched or emptied remote.
    guard listing.complete, listing.devices.contains(device) else { return }
    // A size that the remote does not tell is no reason to doubt the file.
    let sizes = Dictionary(listing.entries.map { ($0.name.path, $0.size ?? .max) }) { max($0, $1) }
    func isLost(_ name: String, _ size: Int) -> Bool { sizes[name].map { $0 < size } ?? true }
    let lost = try store.outbox(in: Self.directory(of: device)).filter {
      $0.isSent && isLost($0.name, $0.size)
    }
    try checkSnapshot(Set(sizes.keys))
    var keySize = 0
    if case .blob(let key)? = try store.note(.keyFile) { keySize = key.count }
    let isKeyLost = isLost(RemoteName.key(device, epoch: Self.firstEpoch).path, keySize)
    guard !lost.isEmpty || isKeyLost else { return }
    try store.engineWrite {
      for file in lost { try store.markUnsent(file.name) }
      if isKeyLost { try store.setNote(.keySent, .integer(0)) }
    }
    try publishKey()
    guard !lost.isEmpty else { return }
    report.notices.append(
      SyncNotice(
        .uploadedAgain, nil, "The remote lost \(lost.count) of this device's files. They are uploaded again.")
    )
  }
}
