import TributaryCodec
package import TributaryModel

/// The content of one log.
package struct LogBody: Sendable {
  /// Where a log stands among those that apply together.
  package struct Run: Hashable, Sendable {
    /// From 0.
    package var index: UInt32
    /// At least 1.
    package var count: UInt32

    /// A place in a run.
    package init(index: UInt32 = 0, count: UInt32 = 1) {
      self.index = index
      self.count = count
    }
  }

  /// What the writer had read when it sealed this. A cursor may lack its hash here: the head has it.
  package var cursors: CursorVector
  /// The log's place among those that apply together or not at all.
  package var run: Run
  /// Whether entries here may carry other devices' edits: state that is sent again.
  package var isRepublished: Bool
  /// The writer's schema as bytes (`SchemaCoding`), when the log before had another. Not parsed here: a later build's
  /// may hold words that this build does not know, which must not keep it from the entries.
  package var schema: [UInt8]?
  /// Whether the log stands for the snapshot of its seq: it has no entries, and a reader takes the snapshot, or a later
  /// one, instead.
  package var isSnapshot: Bool
  /// The entries.
  package var blocks: [EncodedBlock]

  /// A body.
  package init(
    cursors: CursorVector = [:], run: Run = Run(), isRepublished: Bool = false, schema: [UInt8]? = nil,
    isSnapshot: Bool = false, blocks: [EncodedBlock] = []
  ) {
    self.cursors = cursors
    self.run = run
    self.isRepublished = isRepublished
    self.schema = schema
    self.isSnapshot = isSnapshot
    self.blocks = blocks
  }

  /// The body's bytes.
  package func encode() throws -> EncodedBody {
    var map = MapWriter()
    map.put(0, flag: isSnapshot)
    CursorCoding.put(cursors, 1, in: &map)
    if run != Run() {
      map.put(2) {
        $0.write(array: 2)
        $0.write(uint: UInt64(run.index))
        $0.write(uint: UInt64(run.count))
      }
    }
    map.put(3, flag: isRepublished)
    map.put(4, bytes: schema)
    return EncodedBody(blocks: blocks, key: 5, in: map)
  }

  /// The body of an opened log; its blocks are still unread.
  package init(decoding bytes: [UInt8]) throws {
    self.init()
    try CBORReader.readWhole(bytes) { key, reader in
      switch key {
      case 0: isSnapshot = try reader.readBool()
      case 1: cursors = try CursorCoding.read(&reader)
      case 2: run = try Self.readRun(&reader)
      case 3: isRepublished = try reader.readBool()
      case 4: schema = try reader.readBytes(limit: WireLimit.schema)
      case 5: blocks = try reader.readList(limit: WireLimit.entries) { EncodedBlock(try RawBlock.read(&$0)) }
      default: return false
      }
      return true
    }
  }

  private static func readRun(_ reader: inout CBORReader) throws -> Run {
    try reader.readTuple(least: 2) { reader, _ in
      let index = UInt32(try reader.readUInt(limit: UInt64(WireLimit.run)))
      let count = UInt32(try reader.readUInt(limit: UInt64(WireLimit.run)))
      guard index < count else { throw WireError(.malformed, "Log \(index) of a run of \(count).") }
      return (Run(index: index, count: count), 2)
    }
  }
}
