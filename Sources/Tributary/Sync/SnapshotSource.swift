import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// The parts of one snapshot on the remote, each known by its hash once it was read: what is merged is what was
/// verified, although the parts are read twice where they are too large to be kept.
struct SnapshotSource {
  /// Sealed bytes that are kept between the two readings.
  private static let keptLimit = 16 << 20

  let snapshot: Head.Snapshot
  let owner: DeviceID
  private let key: Secret
  private var hashes: [Digest] = []
  private var kept: [UInt32: [UInt8]] = [:]
  private var keptSize = 0
  /// What the first part says comes before it.
  private var before: Digest = .zero

  init(_ snapshot: Head.Snapshot, owner: DeviceID, key: Secret) {
    self.snapshot = snapshot
    self.owner = owner
    self.key = key
  }

  /// Opens a part. The first time, parts must be asked for in order: each must follow the one before.
  mutating func part(_ index: UInt32, _ engine: SyncEngine) throws -> SnapshotPart {
    guard let number = UInt16(exactly: index) else {
      throw PeerProblem(.other, "its snapshot claims \(snapshot.parts) parts")
    }
    let bytes = try kept[index] ?? read(number, engine)
    return try engine.wireProblems {
      let place = FilePlace.snapshot(owner, snapshot.seq, part: number)
      let opened = try SealedFile.open(bytes, at: place, dataKey: key)
      if Int(index) < hashes.count {
        guard hashes[Int(index)] == opened.hash else { throw changed }
      } else {
        try remember(opened, index, bytes)
      }
      return try SnapshotPart(decoding: opened.body)
    }
  }

  /// Fails unless the parts are those that the head names, over the log that the manifest names.
  func checkEnds(_ manifest: SnapshotManifest) throws {
    guard hashes.last == snapshot.hash else { throw changed }
    guard let cursor = manifest.cursors[owner], cursor.seq == snapshot.seq, cursor.hash == before.bytes else {
      throw PeerProblem(.other, "its snapshot does not say which of its logs it covers")
    }
  }

  private func read(_ number: UInt16, _ engine: SyncEngine) throws -> [UInt8] {
    let name = RemoteName.snapshot(owner, seq: snapshot.seq, part: number)
    guard let bytes = try engine.bytes(name, "part \(number) of its snapshot \(snapshot.seq)") else {
      throw PeerProblem(.gap, "part \(number) of its snapshot \(snapshot.seq) is not there yet")
    }
    return bytes
  }

  private mutating func remember(_ opened: SealedFile.Opened, _ index: UInt32, _ bytes: [UInt8]) throws {
    if let last = hashes.last {
      guard opened.header.previousHash == last else { throw changed }
    } else {
      before = opened.header.previousHash
    }
    hashes.append(opened.hash)
    if keptSize + bytes.count <= Self.keptLimit {
      kept[index] = bytes
      keptSize += bytes.count
    }
  }

  private var changed: PeerProblem {
    PeerProblem(.other, "the parts of its snapshot \(snapshot.seq) do not belong together")
  }
}
