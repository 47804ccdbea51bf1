import TributaryCodec
package import TributaryModel

/// A block that a device holds, and where it came from.
package struct HeldBlock: Hashable, Sendable {
  /// The writer of the log.
  package var device: DeviceID
  /// The log.
  package var seq: UInt64
  /// The block; a single held entry is a block of one row.
  package var block: RawBlock

  /// A held block and its origin.
  package init(device: DeviceID, seq: UInt64, block: RawBlock) {
    self.device = device
    self.seq = seq
    self.block = block
  }
}

/// The content of one part of a snapshot: full states in the order of (type, id) across the parts, block by block within
/// one; then held blocks; the manifest in the last.
package struct SnapshotPart: Sendable {
  /// States.
  package var blocks: [EncodedBlock]
  /// Held blocks, in the order in which they were held.
  package var held: [HeldBlock]
  /// Only in the last part.
  package var manifest: SnapshotManifest?

  /// A part.
  package init(blocks: [EncodedBlock] = [], held: [HeldBlock] = [], manifest: SnapshotManifest? = nil) {
    self.blocks = blocks
    self.held = held
    self.manifest = manifest
  }

  /// The body's bytes.
  package func encode() throws -> EncodedBody {
    var map = MapWriter()
    map.put(1, list: held) { output, item in
      output.write(array: 3)
      output.write(bytes: item.device.bytes)
      output.write(uint: item.seq)
      item.block.write(to: &output)
    }
    map.put(2, bytes: try manifest?.encode())
    return EncodedBody(blocks: blocks, key: 5, in: map)
  }

  /// The body of an opened part; its blocks are still unread.
  package init(decoding bytes: [UInt8]) throws {
    self.init()
    try CBORReader.readWhole(bytes) { key, reader in
      switch key {
      case 1: held = try reader.readList(limit: WireLimit.entries, Self.readHeld)
      case 2: manifest = try SnapshotManifest(decoding: try reader.readBytes(limit: .max))
      case 5: blocks = try reader.readList(limit: WireLimit.entries) { EncodedBlock(try RawBlock.read(&$0)) }
      default: return false
      }
      return true
    }
  }

  private static func readHeld(_ reader: inout CBORReader) throws -> HeldBlock {
    try reader.readTuple(least: 3) { reader, _ in
      let (device, seq) = (try reader.readDevice(), try reader.readSeq())
      return (HeldBlock(device: device, seq: seq, block: try RawBlock.read(&reader)), 3)
    }
  }
}
