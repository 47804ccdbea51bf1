import TributaryCodec
import TributaryModel

/// The stamps, lives and versions of one field's column; the values are written beside it.
struct RegisterColumn {
  private(set) var stamps: [Stamp] = []
  private(set) var roots: [Stamp] = []
  private(set) var versions: [UInt32] = []

  init(capacity: Int) {
    stamps.reserveCapacity(capacity)
    roots.reserveCapacity(capacity)
    versions.reserveCapacity(capacity)
  }

  mutating func add(_ register: Register) {
    stamps.append(register.stamp)
    roots.append(register.root)
    versions.append(register.schemaVersion)
  }

  func put(in map: inout MapWriter, rows: [Stamp], _ devices: inout DeviceTable) {
    if stamps != rows { map.put(ColumnKey.stamps, bytes: StampColumn.encode(stamps, from: rows, &devices)) }
    if roots != stamps { map.put(ColumnKey.roots, bytes: StampColumn.encode(roots, from: stamps, &devices)) }
    guard let first = versions.first, versions.contains(where: { $0 != first }) else {
      if let first = versions.first, first != 1 { map.put(ColumnKey.versions, uint: UInt64(first)) }
      return
    }
    var output = ByteWriter(capacity: versions.count)
    for version in versions { output.write(varint: UInt64(version)) }
    map.put(ColumnKey.versions, bytes: output.bytes)
  }
}

/// The versions of a column: one for all, or each its own.
enum VersionColumn: Sendable {
  case same(UInt32)
  case each([UInt32])

  init(_ reader: inout CBORReader, count: Int) throws {
    if try reader.peekType() == .unsigned {
      self = .same(try reader.readUInt32())
      return
    }
    var input = ByteReader(try reader.readBytes(limit: count * 5))
    var versions: [UInt32] = []
    versions.reserveCapacity(count)
    for _ in 0..<count { versions.append(try input.readVersion()) }
    try input.finish()
    self = .each(versions)
  }

  subscript(row: Int) -> UInt32 {
    switch self {
    case .same(let version): version
    case .each(let versions): versions[row]
    }
  }
}

extension ByteReader {
  mutating func readVersion() throws -> UInt32 {
    guard let version = UInt32(exactly: try readVarint()) else {
      throw WireError(.tooLarge, "A schema version is above 32 bits.")
    }
    return version
  }
}

extension CBORWriter {
  /// A value that fits into one file; larger ones must be cut first.
  mutating func write(_ value: Value, limit: Int, of field: String) throws {
    switch value {
    case .text(let bytes), .blob(let bytes):
      guard bytes.count <= limit else {
        throw WireError(
          .tooLarge, "A value of \(field) has \(bytes.count) bytes, above \(limit). Store it as a blob file.")
      }
    default: break
    }
    try write(value: value)
  }

  /// `[2, index, count, kind, bytes]`; kind is 3 for text and 4 for a blob.
  mutating func write(piece: Piece) {
    write(array: 5)
    write(uint: 2)
    write(uint: UInt64(piece.index))
    write(uint: UInt64(piece.count))
    write(uint: piece.isText ? 3 : 4)
    write(bytes: piece.bytes)
  }
}
