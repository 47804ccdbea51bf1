import TributaryCodec

/// A block as it travels: what decides whether this build may read it, and its bytes.
///
/// A block stands for itself: it carries the names and devices that it uses, so it can be kept unread, passed on in
/// a snapshot, and read by a later build.
package struct RawBlock: Hashable, Sendable {
  /// How the content is laid out; this build knows 1.
  package var layout: UInt32
  /// The lowest format of a build that may apply the entries.
  package var minReader: UInt32
  /// A block that a build may not pass over.
  package var isBarrier: Bool
  /// The content, in the layout.
  package var content: [UInt8]

  /// The layout that this build writes.
  package static let currentLayout: UInt32 = 1

  /// A block of content in a layout.
  package init(layout: UInt32 = currentLayout, minReader: UInt32, isBarrier: Bool, content: [UInt8]) {
    self.layout = layout
    self.minReader = minReader
    self.isBarrier = isBarrier
    self.content = content
  }

  /// The whole block as bytes of their own.
  package var bytes: [UInt8] {
    var output = CBORWriter(capacity: content.count + 16)
    write(to: &output)
    return output.bytes
  }

  /// From `bytes`, exactly.
  package init(bytes: [UInt8]) throws {
    var reader = CBORReader(bytes)
    self = try Self.read(&reader)
    try reader.finish()
  }

  /// The array `[layout, minReader, isBarrier, content]`. The content comes last.
  func write(to output: inout CBORWriter) {
    output.write(array: 4)
    output.write(uint: UInt64(layout))
    output.write(uint: UInt64(minReader))
    output.write(bool: isBarrier)
    output.write(bytes: content)
  }

  static func read(_ reader: inout CBORReader) throws -> RawBlock {
    try reader.readTuple(least: 4) { reader, _ in
      let layout = try reader.readUInt32()
      let minReader = try reader.readUInt32()
      let isBarrier = try reader.readBool()
      let content = try reader.readBytes(limit: .max)
      return (RawBlock(layout: layout, minReader: minReader, isBarrier: isBarrier, content: content), 4)
    }
  }
}

/// A block that was just written, with the ends of its large columns, where compression starts anew.
package struct EncodedBlock: Sendable {
  /// The block.
  package var raw: RawBlock
  /// Offsets in its content.
  package var columnEnds: [Int]

  /// A block and where its columns end.
  package init(_ raw: RawBlock, columnEnds: [Int] = []) {
    self.raw = raw
    self.columnEnds = columnEnds
  }
}
