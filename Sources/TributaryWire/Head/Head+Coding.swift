import TributaryCodec
import TributaryModel

extension Head {
  /// The body's bytes.
  package func encode() throws -> EncodedBody {
    guard deviceName.utf8.count <= WireLimit.name, schemaName.utf8.count <= WireLimit.name,
      movedTo?.utf8.count ?? 0 <= WireLimit.movedTo
    else {
      throw WireError(
        .tooLarge, "The device's or schema's name has more than \(WireLimit.name) bytes. Shorten it.")
    }
    var map = MapWriter(capacity: 1024)
    map.put(1, text: schemaName)
    put(lastLog, in: &map)
    put(snapshot, in: &map)
    CursorCoding.put(cursors, 4, in: &map)
    CursorCoding.put(acknowledged, beside: cursors, 5, in: &map)
    map.put(6, list: retired.sorted { $0.device < $1.device }) { output, item in
      output.write(array: 2)
      output.write(bytes: item.device.bytes)
      output.write(int: item.time)
    }
    PrunedPast.put(pruned, 7, in: &map)
    map.put(8, uint: UInt64(appVersion))
    map.put(9, uint: UInt64(format))
    map.put(10, uint: UInt64(schemaVersion))
    if !deviceName.isEmpty { map.put(11, text: deviceName) }
    map.put(12, uint: UInt64(epoch))
    if !stateDigest.isEmpty { map.put(13, bytes: stateDigest) }
    put(floor, in: &map)
    map.put(15, text: movedTo)
    map.put(16) { $0.write(int: wall) }
    return EncodedBody(map.bytes)
  }

  private func put(_ log: Log?, in map: inout MapWriter) {
    guard let log else { return }
    map.put(2) {
      $0.write(array: 2)
      $0.write(uint: log.seq)
      $0.write(bytes: log.hash.bytes)
    }
  }

  private func put(_ snapshot: Snapshot?, in map: inout MapWriter) {
    guard let snapshot else { return }
    map.put(3) {
      $0.write(array: 3)
      $0.write(uint: snapshot.seq)
      $0.write(uint: UInt64(snapshot.parts))
      $0.write(bytes: snapshot.hash.bytes)
    }
  }

  private func put(_ floor: Floor?, in map: inout MapWriter) {
    guard let floor else { return }
    map.put(14) {
      $0.write(array: 3)
      $0.write(uint: UInt64(floor.version))
      $0.write(stamp: floor.stamp)
      $0.write(bytes: floor.setter.bytes)
    }
  }
}

extension Head {
  /// The body of an opened head.
  package init(decoding bytes: [UInt8]) throws {
    var name: String?
    self.init(schemaName: "")
    try CBORReader.readWhole(bytes) { key, reader in
      if key == 1 {
        name = try reader.readText(limit: WireLimit.name)
        return true
      }
      return try key < 8 ? readPlaces(key, &reader) : readBuild(key, &reader)
    }
    guard let name else { throw WireError(.missing, "A head lacks its schema's name. Fetch it again.") }
    schemaName = name
  }

  private mutating func readPlaces(_ key: UInt64, _ reader: inout CBORReader) throws -> Bool {
    switch key {
    case 2:
      lastLog = try reader.readTuple(least: 2) { reader, _ in
        (Log(seq: try reader.readSeq(), hash: try reader.readDigest()), 2)
      }
    case 3:
      snapshot = try reader.readTuple(least: 3) { reader, _ in
        let (seq, parts) = (try reader.readSeq(), try reader.readUInt(limit: UInt64(WireLimit.parts)))
        return (Snapshot(seq: seq, parts: UInt32(parts), hash: try reader.readDigest()), 3)
      }
    case 4: cursors = try CursorCoding.read(&reader)
    case 5: acknowledged = try CursorCoding.read(&reader, beside: cursors)
    case 6:
      retired = try reader.readList(limit: WireLimit.peers) { reader in
        try reader.readTuple(least: 2) { reader, _ in
          (Retired(device: try reader.readDevice(), time: try reader.readInt()), 2)
        }
      }
    case 7: pruned = try PrunedPast.read(&reader)
    default: return false
    }
    return true
  }

  private mutating func readBuild(_ key: UInt64, _ reader: inout CBORReader) throws -> Bool {
    switch key {
    case 8: appVersion = try reader.readUInt32()
    case 9: format = try reader.readUInt32()
    case 10: schemaVersion = try reader.readUInt32()
    case 11: deviceName = try reader.readText(limit: WireLimit.name)
    case 12: epoch = try reader.readUInt32()
    case 13: stateDigest = try reader.readExactly(16)
    case 14:
      floor = try reader.readTuple(least: 3) { reader, _ in
        let (version, stamp) = (try reader.readUInt32(), try reader.readStamp())
        return (Floor(version: version, stamp: stamp, setter: try reader.readDevice()), 3)
      }
    case 15: movedTo = try reader.readText(limit: WireLimit.movedTo)
    case 16: wall = try reader.readInt()
    default: return false
    }
    return true
  }
}
