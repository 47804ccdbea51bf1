import TributaryRemotes

/// The files of a `MemoryRemote` with their past, which viewers that lag behind still see.
struct Shelf: Sendable {
  /// One state of one name.
  struct Version: Sendable {
    /// nil once it was deleted.
    var bytes: [UInt8]?
    var writer: String
    var written: Int
    /// The lags of the moment it was written, so that a later change of the faults leaves it alone.
    var delivery: Int
    var listing: Int
    var tear: Tear?
    /// Counts the versions of all names.
    var number: Int
  }

  /// How a version is cut.
  struct Tear: Sendable {
    var keeping: Int
    /// nil means for ever, and for the writer too.
    var until: Int?
  }

  var seed: UInt64
  /// Ticks since the start.
  var time = 0
  /// Versions written at this tick or before have arrived everywhere.
  private var settled = -1
  private var count = 0
  private var versions: [RemoteName: [Version]] = [:]
  private var read: [String: Set<RemoteName>] = [:]

  init(seed: UInt64) { self.seed = seed }

  mutating func write(_ name: RemoteName, _ bytes: [UInt8]?, by writer: String, _ faults: Faults, tear: Tear?)
  {
    count += 1
    forget(name)
    let headLag = name.isReplaceable ? faults.headLag : 0
    versions[name, default: []].append(
      Version(
        bytes: bytes, writer: writer, written: time, delivery: faults.deliveryLag + headLag,
        listing: faults.listingLag, tear: tear, number: count))
  }

  /// Drops the versions that nobody can see any more, so that a long simulation stays small.
  private mutating func forget(_ name: RemoteName) {
    guard let all = versions[name] else { return }
    let everywhere = all.lastIndex { $0.written <= settled || $0.written + $0.delivery + $0.listing <= time }
    if let everywhere { versions[name] = Array(all[everywhere...]) }
  }

  /// Ends every lag and every tear that is not for ever.
  mutating func settle() {
    settled = time
    for (name, all) in versions {
      guard let last = all.last else { continue }
      versions[name] = last.bytes == nil ? nil : [last]
    }
  }

  /// What the storage itself holds, whatever anybody sees.
  func truth(_ name: RemoteName) -> [UInt8]? {
    guard let last = versions[name]?.last, let bytes = last.bytes else { return nil }
    guard let tear = last.tear, tear.until == nil else { return bytes }
    return Array(bytes.prefix(tear.keeping))
  }

  /// The newest version of a name, which may be its deletion.
  func newest(_ name: RemoteName) -> Version? { versions[name]?.last }

  /// Whether a viewer has ever read the name.
  func hasSeen(_ name: RemoteName, _ viewer: String) -> Bool { read[viewer]?.contains(name) ?? false }

  mutating func remember(_ name: RemoteName, by viewer: String) { read[viewer, default: []].insert(name) }

  /// Whether a viewer sees a file of the same device that was written after this one.
  func hasLater(than name: RemoteName, for viewer: String) -> Bool {
    guard let version = newest(name) else { return false }
    return versions.keys.contains { other in
      other != name && other.device == name.device
        && (seen(other, by: viewer).map { $0.number > version.number } ?? false)
    }
  }

  var names: [RemoteName] { versions.keys.sorted() }

  var used: Int { versions.keys.reduce(0) { $0 + (truth($1)?.count ?? 0) } }

  /// What a viewer reads, with the number of the version.
  func seen(_ name: RemoteName, by viewer: String) -> (bytes: [UInt8], number: Int)? {
    let arrived = versions[name]?.last { hasArrived($0, name, viewer, listed: false) }
    guard let arrived, let bytes = arrived.bytes else { return nil }
    return (cut(bytes, arrived, viewer), arrived.number)
  }

  /// Whether a viewer's listing shows the name.
  func isListed(_ name: RemoteName, for viewer: String) -> Bool {
    versions[name]?.last { hasArrived($0, name, viewer, listed: true) }?.bytes != nil
  }

  private func hasArrived(_ version: Version, _ name: RemoteName, _ viewer: String, listed: Bool) -> Bool {
    if version.writer == viewer || version.written <= settled { return true }
    var lag = draw(version.delivery, name, viewer, version, "delivery")
    if listed { lag += draw(version.listing, name, viewer, version, "listing") }
    return version.written + lag <= time
  }

  private func draw(_ limit: Int, _ name: RemoteName, _ viewer: String, _ version: Version, _ use: String)
    -> Int
  {
    guard limit > 0 else { return 0 }
    let number = Chance.number(seed, viewer, name.path, String(version.number), use)
    return Int(number % UInt64(limit + 1))
  }

  private func cut(_ bytes: [UInt8], _ version: Version, _ viewer: String) -> [UInt8] {
    guard let tear = version.tear else { return bytes }
    guard let until = tear.until else { return Array(bytes.prefix(tear.keeping)) }
    let isWhole = version.writer == viewer || until <= time || version.written <= settled
    return isWhole ? bytes : Array(bytes.prefix(tear.keeping))
  }
}
