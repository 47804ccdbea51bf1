import TributaryCodec
import TributaryModel

/// Cursors as a list of `[device, seq, moment]` with the hash as a fourth item where it is not zero, in the order of
/// devices.
enum CursorCoding {
  static func put(_ cursors: CursorVector, _ key: UInt64, in map: inout MapWriter) {
    map.put(key, list: cursors.sorted { $0.key < $1.key }) { write($1.key, $1.value, to: &$0) }
  }

  /// The same, where a cursor that `known` has too is only its device.
  static func put(_ cursors: CursorVector, beside known: CursorVector, _ key: UInt64, in map: inout MapWriter)
  {
    map.put(key, list: cursors.sorted { $0.key < $1.key }) { output, item in
      guard known[item.key] == item.value else { return write(item.key, item.value, to: &output) }
      output.write(array: 1)
      output.write(bytes: item.key.bytes)
    }
  }

  static func read(_ reader: inout CBORReader, beside known: CursorVector = [:]) throws -> CursorVector {
    var cursors: CursorVector = [:]
    var previous: DeviceID?
    for (device, cursor) in try reader.readList(limit: WireLimit.peers, { try readOne(&$0, known) }) {
      if let previous, device <= previous {
        throw WireError(.malformed, "The cursors are not in the order of their devices.")
      }
      previous = device
      cursors[device] = cursor
    }
    return cursors
  }

  private static func write(_ device: DeviceID, _ cursor: Cursor, to output: inout CBORWriter) {
    let hasHash = cursor.hash.contains { $0 != 0 }
    output.write(array: hasHash ? 4 : 3)
    output.write(bytes: device.bytes)
    output.write(uint: cursor.seq)
    output.write(uint: cursor.moment.raw)
    if hasHash { output.write(bytes: cursor.hash) }
  }

  private static func readOne(
    _ reader: inout CBORReader, _ known: CursorVector
  ) throws -> (DeviceID, Cursor) {
    try reader.readTuple(least: 1) { reader, count in
      let device = try reader.readDevice()
      if count == 1 {
        guard let cursor = known[device] else {
          throw WireError(.malformed, "A cursor refers to one that is not there.")
        }
        return ((device, cursor), 1)
      }
      guard count > 2 else { throw WireError(.malformed, "A cursor has two items.") }
      let seq = try reader.readSeq()
      let moment = Moment(raw: try reader.readUInt())
      let hash = count > 3 ? try reader.readExactly(32) : Cursor.start.hash
      return ((device, Cursor(seq: seq, hash: hash, moment: moment)), count > 3 ? 4 : 3)
    }
  }
}

extension CBORReader {
  mutating func readDevice() throws -> DeviceID {
    guard let device = DeviceID(bytes: try readExactly(16)) else {
      throw WireError(.malformed, "A device has not 16 bytes.")
    }
    return device
  }

  mutating func readSeq() throws -> UInt64 { try readUInt(limit: ContainerHeader.seqLimit - 1) }

  mutating func readStamp() throws -> Stamp {
    try readTuple(least: 2) { reader, _ in
      (Stamp(Moment(raw: try reader.readUInt()), try reader.readDevice()), 2)
    }
  }

  mutating func readDigest() throws -> Digest {
    guard let digest = Digest(bytes: try readExactly(Digest.size)) else {
      throw WireError(.malformed, "A hash has not \(Digest.size) bytes.")
    }
    return digest
  }

  mutating func readUInt32() throws -> UInt32 {
    UInt32(truncatingIfNeeded: try readUInt(limit: UInt64(UInt32.max)))
  }
}

extension CBORWriter {
  mutating func write(stamp: Stamp) {
    write(array: 2)
    write(uint: stamp.moment.raw)
    write(bytes: stamp.device.bytes)
  }
}
