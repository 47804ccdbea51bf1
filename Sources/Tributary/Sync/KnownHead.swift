import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryWire

/// The newest head of a peer that this device has seen. It is kept, so that an older one is noticed.
struct KnownHead {
  var counter: UInt64
  var head: Head

  init(counter: UInt64, head: Head) {
    self.counter = counter
    self.head = head
  }

  /// From what the store keeps of a peer.
  init(facts: [UInt8]) throws {
    var input = ByteReader(facts)
    counter = try input.readU64()
    head = try Head(decoding: try input.readBytes(input.remaining))
  }

  /// From a sealed head; nil when it is torn or damaged.
  init?(opening bytes: [UInt8], of peer: DeviceID, _ key: Secret) {
    guard let opened = try? SealedFile.open(bytes, at: .head(peer), dataKey: key),
      let head = try? Head(decoding: opened.body)
    else { return nil }
    self.init(counter: opened.header.seq, head: head)
  }

  func facts() throws -> [UInt8] {
    var out = ByteWriter()
    out.write(u64: counter)
    out.write(bytes: try head.encode().bytes)
    return out.bytes
  }
}

extension SyncEngine {
  /// Loads what earlier syncs knew of the peers.
  private func loadHeads() throws {
    for (device, facts) in try store.peerFacts() where heads[device] == nil {
      // Facts that do not parse are read anew from the remote.
      heads[device] = try? KnownHead(facts: facts)
    }
  }

  /// Reads the peers' heads, all before any log: one peer's snapshot may be what another's gap needs. Returns the
  /// peers that can be read; the others are in the report.
  func refreshHeads(of peers: [DeviceID], _ report: inout SyncReport) throws -> [DeviceID] {
    try loadHeads()
    var problems: [DeviceID: String] = [:]
    let readable = try peers.filter { peer in
      do {
        try refreshHead(of: peer, try key(of: peer), &report)
        return true
      } catch let problem as PeerProblem {
        problems[peer] = problem.reason
        return false
      }
    }
    for (peer, reason) in problems where try !isFolderUnused(of: peer) { report.gaps[peer] = reason }
    return readable
  }

  /// Whether there is nothing to read, nor was there ever: an attach that was stopped before its key file was up leaves
  /// an empty folder for good. Of a device that somebody has read, the files are missing.
  private func isFolderUnused(of peer: DeviceID) throws -> Bool {
    guard heads[peer] == nil, try store.cursors()[peer] == nil,
      !heads.values.contains(where: { $0.head.cursors[peer] != nil })
    else { return false }
    let listing = try remote.list(device: peer)
    return listing.complete && listing.entries.isEmpty
  }

  /// Reads a peer's head if it has changed. A torn or older one leaves the one that was known. Logs are read without it.
  private func refreshHead(of peer: DeviceID, _ key: Secret, _ report: inout SyncReport) throws {
    let (bytes, tag): ([UInt8], Tag)
    switch try remote.read(.head(peer), ifNot: tags[peer]) {
    case .bytes(let read, let mark): (bytes, tag) = (read, mark)
    case .listedButRefused(let reason):
      report.gaps[peer] = "its head cannot be read: \(reason)"
      return
    case .absent, .notModified, .notDownloaded: return
    }
    guard let known = KnownHead(opening: bytes, of: peer, key) else { return }
    guard known.head.schemaName == store.schema.name else {
      throw PeerProblem(.other, "it holds “\(known.head.schemaName)”, another app's data")
    }
    tags[peer] = tag
    if let before = heads[peer] {
      if known.counter == before.counter { return }
      guard known.counter > before.counter else { return noteWentBack(peer, before, known, &report) }
    }
    try store.engineWrite { try store.setPeerFacts(known.facts(), of: peer) }
    heads[peer] = known
  }

  private func noteWentBack(
    _ peer: DeviceID, _ before: KnownHead, _ now: KnownHead, _ report: inout SyncReport
  ) {
    report.notices.append(
      SyncNotice(
        .wentBack, peer,
        "The remote shows an older state of device \(peer) (\(now.counter)) than before (\(before.counter)). It may "
          + "lag, or have been restored. Nothing here was undone."))
  }
}
