import TributaryCodec
package import TributaryModel

/// Writes a snapshot as a stream: entries in, parts out, in the memory of one part.
///
/// Feed the states type by type, each type's in the order of identities, then the held blocks, then `finish`. Each part is ready to be sealed when it
/// is handed out; the last carries the manifest.
package struct SnapshotWriter {
  private var chunker: Chunker
  private let limits: FileLimits
  private var counts: [String: UInt64] = [:]
  private var held: [HeldBlock] = []
  private var heldSize = 0
  private var heldCount: UInt64 = 0
  private var parts = 0
  private var digest = StateDigest()

  /// A writer of one snapshot.
  package init(limits: FileLimits = FileLimits()) {
    self.limits = limits
    chunker = Chunker(limits)
  }

  /// The parts that became full.
  package mutating func add(_ entry: Entry) throws -> [SnapshotPart] {
    counts[entry.name.type, default: 0] += 1
    try digest.add(entry)
    return try ready(try chunker.add(entry).map { SnapshotPart(blocks: $0) })
  }

  /// The parts that became full. Held blocks come after all states.
  package mutating func add(_ block: HeldBlock) throws -> [SnapshotPart] {
    var out = try chunker.flush().map { SnapshotPart(blocks: $0) }
    // What does not compress must fit too; a block came from one file, so it fits into one alone.
    if !held.isEmpty, heldSize + block.block.content.count > limits.sealed * 3 / 4 { out += flushHeld() }
    held.append(block)
    heldSize += block.block.content.count + 64
    heldCount += 1
    return try ready(out)
  }

  /// The last parts; the manifest's counts and digest are set here.
  package mutating func finish(_ manifest: SnapshotManifest) throws -> [SnapshotPart] {
    var manifest = manifest
    manifest.counts = counts
    manifest.stateDigest = digest.bytes
    manifest.heldCount = heldCount
    let out = try chunker.flush().map { SnapshotPart(blocks: $0) } + flushHeld()
    return try ready(out + [SnapshotPart(manifest: manifest)])
  }

  private mutating func flushHeld() -> [SnapshotPart] {
    guard !held.isEmpty else { return [] }
    defer {
      held.removeAll()
      heldSize = 0
    }
    return [SnapshotPart(held: held)]
  }

  private mutating func ready(_ out: [SnapshotPart]) throws -> [SnapshotPart] {
    parts += out.count
    guard parts <= WireLimit.parts else {
      throw WireError(.tooLarge, "A snapshot would have more than \(WireLimit.parts) parts.")
    }
    return out
  }
}

/// Reads a snapshot as a stream: parts in, entries out.
package struct SnapshotReader: Sendable {
  private let format: UInt32
  private var joiner = PieceJoiner()
  private var heldCount: UInt64 = 0
  /// The manifest, once the last part was read.
  package private(set) var manifest: SnapshotManifest?

  /// A reader for a build of a format.
  package init(format: UInt32) { self.format = format }

  /// The entries of the next part, its blocks for later builds, and what its writer held.
  package mutating func read(_ part: SnapshotPart) throws -> (content: RunContent, held: [HeldBlock]) {
    guard manifest == nil else {
      throw WireError(.malformed, "A part follows the last of its snapshot. Read the snapshot again.")
    }
    var content = RunContent()
    try content.add(part.blocks, format: format, &joiner)
    heldCount += UInt64(part.held.count)
    manifest = part.manifest
    return (content, part.held)
  }

  /// The manifest of a snapshot that was read whole.
  package func finish() throws -> SnapshotManifest {
    try joiner.finish()
    guard let manifest, manifest.heldCount == heldCount else {
      throw WireError(.incompleteRun, "The snapshot lacks parts. Wait for the others, then read it again.")
    }
    return manifest
  }
}
