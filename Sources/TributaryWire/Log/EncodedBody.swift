import TributaryCodec

/// A body that is ready to be sealed.
package struct EncodedBody: Sendable {
  /// The CBOR.
  package private(set) var bytes: [UInt8]
  /// Where compression starts anew, so that unlike columns do not share tables.
  package private(set) var blockEnds: [Int]

  /// A body without columns.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    blockEnds = []
  }

  /// A body whose last pair is the list of blocks.
  init(blocks: [EncodedBlock], key: UInt64 = 5, in map: MapWriter = MapWriter()) {
    let size = blocks.reduce(64) { $0 + $1.raw.content.count + 16 }
    var output = CBORWriter(capacity: size + map.pairBytes.count)
    output.write(map: map.count + (blocks.isEmpty ? 0 : 1))
    output.write(encoded: map.pairBytes)
    var ends: [Int] = []
    if !blocks.isEmpty {
      output.write(uint: key)
      output.write(array: blocks.count)
    }
    for block in blocks {
      block.raw.write(to: &output)
      let start = output.count - block.raw.content.count
      ends += block.columnEnds.map { $0 + start }
    }
    bytes = output.bytes
    blockEnds = ends
  }

  /// The sealed length before padding.
  func sealedEstimate() throws -> Int {
    let frame = try Zstd.compress(bytes, level: 1, blockEnds: blockEnds).count + 4
    return 136 + frame + (frame + 65_535) / 65_536 * 17
  }
}
