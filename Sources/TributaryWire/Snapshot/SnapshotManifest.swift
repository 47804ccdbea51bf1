import TributaryCodec
package import TributaryModel

/// How far a device pruned past a peer that had not acknowledged it.
package struct PrunedPast: Hashable, Sendable {
  /// The peer that was not waited for.
  package var device: DeviceID
  /// The last of that peer's logs that had been read.
  package var seq: UInt64

  /// What was pruned.
  package init(device: DeviceID, seq: UInt64) {
    self.device = device
    self.seq = seq
  }
}

/// What a snapshot says of itself, in its last part.
package struct SnapshotManifest: Hashable, Sendable {
  /// What is merged into the snapshot: a record that is absent although these cover its entries was pruned.
  package var cursors: CursorVector
  /// The cursors as far as they count for pruning: they stop before a held delete.
  package var acknowledged: CursorVector
  /// The greatest minReader of a barrier that is merged into the snapshot; 0 for none.
  package var greatestBarrier: UInt32
  /// The number of records of each type, the deleted among them.
  package var counts: [String: UInt64]
  /// The writer's schema as bytes (`SchemaCoding`), which a later build may have written in words unknown here.
  package var schema: [UInt8]?
  /// The digest of the state; 16 bytes, or none.
  package var stateDigest: [UInt8]
  /// What was pruned without waiting for whom, in the order of devices.
  package var pruned: [PrunedPast]
  /// The number of held entries in all parts.
  package var heldCount: UInt64

  /// A manifest; the writer of a snapshot sets the counts.
  package init(
    cursors: CursorVector, acknowledged: CursorVector, greatestBarrier: UInt32 = 0, schema: [UInt8]? = nil,
    stateDigest: [UInt8] = [], pruned: [PrunedPast] = []
  ) {
    self.cursors = cursors
    self.acknowledged = acknowledged
    self.greatestBarrier = greatestBarrier
    self.counts = [:]
    self.schema = schema
    self.stateDigest = stateDigest
    self.pruned = pruned.sorted { $0.device < $1.device }
    self.heldCount = 0
  }

  func encode() throws -> [UInt8] {
    var map = MapWriter(capacity: 1024)
    CursorCoding.put(cursors, 1, in: &map)
    CursorCoding.put(acknowledged, beside: cursors, 2, in: &map)
    if greatestBarrier > 0 { map.put(3, uint: UInt64(greatestBarrier)) }
    map.put(4, list: counts.sorted { $0.key.isBefore($1.key) }) { output, item in
      output.write(array: 2)
      output.write(text: item.key)
      output.write(uint: item.value)
    }
    map.put(5, bytes: schema)
    if !stateDigest.isEmpty { map.put(6, bytes: stateDigest) }
    PrunedPast.put(pruned, 7, in: &map)
    if heldCount > 0 { map.put(8, uint: heldCount) }
    return map.bytes
  }

  init(decoding bytes: [UInt8]) throws {
    self.init(cursors: [:], acknowledged: [:])
    try CBORReader.readWhole(bytes) { key, reader in
      switch key {
      case 1: cursors = try CursorCoding.read(&reader)
      case 2: acknowledged = try CursorCoding.read(&reader, beside: cursors)
      case 3: greatestBarrier = try reader.readUInt32()
      case 4: counts = try Self.readCounts(&reader)
      case 5: schema = try reader.readBytes(limit: WireLimit.schema)
      case 6: stateDigest = try reader.readExactly(16)
      case 7: pruned = try PrunedPast.read(&reader)
      case 8: heldCount = try reader.readUInt()
      default: return false
      }
      return true
    }
  }

  private static func readCounts(_ reader: inout CBORReader) throws -> [String: UInt64] {
    var counts: [String: UInt64] = [:]
    let list = try reader.readList(limit: WireLimit.schemaItems) { reader in
      try reader.readTuple(least: 2) { reader, _ in
        ((try reader.readText(limit: WireLimit.name), try reader.readUInt()), 2)
      }
    }
    for (type, count) in list { counts[type] = count }
    return counts
  }
}

extension PrunedPast {
  static func put(_ list: [PrunedPast], _ key: UInt64, in map: inout MapWriter) {
    map.put(key, list: list.sorted { $0.device < $1.device }) { output, item in
      output.write(array: 2)
      output.write(bytes: item.device.bytes)
      output.write(uint: item.seq)
    }
  }

  static func read(_ reader: inout CBORReader) throws -> [PrunedPast] {
    try reader.readList(limit: WireLimit.peers) { reader in
      try reader.readTuple(least: 2) { reader, _ in
        (PrunedPast(device: try reader.readDevice(), seq: try reader.readSeq()), 2)
      }
    }
  }
}
