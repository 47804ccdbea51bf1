import TributaryCodec
import TributaryModel

/// One field of all rows of a block, as it was read.
struct FieldColumn: Sendable {
  private(set) var name = ""
  private var kind: UInt64?
  private let rows: [Stamp]
  private var stamps: [Stamp]
  private var roots: [Stamp]?
  private var versions = VersionColumn.same(1)
  private var data: [UInt8] = []
  private var values: [Value] = []
  private(set) var pieces: [Int: Piece] = [:]
  private var contents: [Field.Content] = []

  init(
    _ reader: inout CBORReader, rows: [Stamp], _ devices: DeviceTable, _ budget: inout WireBudget
  ) throws {
    self.rows = rows
    stamps = rows
    try reader.readFields { key, reader in
      try self.read(key, &reader, devices, &budget)
    }
    guard let kind, !name.isEmpty else {
      throw WireError(.missing, "A field of a block lacks its name or kind. Discard the file.")
    }
    switch kind {
    case 0:
      guard values.count == rows.count else {
        throw WireError(.malformed, "Field \(name) has \(values.count) values for \(rows.count) rows.")
      }
    case 1:
      var input = KindInput(data, values, devices)
      contents = try input.counters(rows)
    case 2:
      var input = KindInput(data, values, devices)
      contents = try input.sets(rows)
    default: throw UnknownForm()
    }
  }

  func precedes(_ other: FieldColumn) -> Bool {
    name.isBefore(other.name) || (name.isSame(as: other.name) && (kind ?? 0) < (other.kind ?? 0))
  }

  func field(_ row: Int) -> Field {
    guard kind == 0 else { return Field(name, contents[row]) }
    return Field(
      name,
      Register(
        stamp: stamps[row], value: values[row], schemaVersion: versions[row], life: roots?[row]))
  }

  private mutating func read(
    _ key: UInt64, _ reader: inout CBORReader, _ devices: DeviceTable, _ budget: inout WireBudget
  ) throws -> Bool {
    let limit = ContainerKind.log.plainLimit
    switch key {
    case ColumnKey.name: name = try reader.readText(limit: WireLimit.name)
    case ColumnKey.kind:
      kind = try reader.readUInt()
      // What follows means something else for a kind of a later build.
      guard kind ?? 0 <= 2 else { throw UnknownForm() }
    case ColumnKey.stamps:
      stamps = try StampColumn.decode(try reader.readBytes(limit: limit), from: rows, devices)
    case ColumnKey.roots:
      roots = try StampColumn.decode(try reader.readBytes(limit: limit), from: stamps, devices)
    case ColumnKey.versions: versions = try VersionColumn(&reader, count: rows.count)
    case ColumnKey.data: data = try reader.readBytes(limit: limit)
    case ColumnKey.values: try readValues(&reader, &budget)
    case ColumnKey.integers where kind == 0:
      try checkIsFirst()
      let bytes = try reader.readBytes(limit: limit)
      values = try PackedNumbers.decodeIntegers(bytes, count: rows.count).map { .integer($0) }
    case ColumnKey.reals where kind == 0:
      try checkIsFirst()
      let bytes = try reader.readBytes(limit: limit)
      values = try PackedNumbers.decodeReals(bytes, count: rows.count).map { .real($0) }
    default: return false
    }
    return true
  }

  private func checkIsFirst() throws {
    guard values.isEmpty else {
      throw WireError(.malformed, "Field \(name) has its values twice. Discard the file.")
    }
  }

  private mutating func readValues(_ reader: inout CBORReader, _ budget: inout WireBudget) throws {
    let count = try reader.readArray(limit: WireLimit.cells)
    if kind != 0 { try budget.take(cells: count) }
    guard kind != 0 || count == rows.count else {
      throw WireError(.malformed, "Field \(name) has \(count) values for \(rows.count) rows.")
    }
    values.reserveCapacity(count)
    for row in 0..<count {
      if try reader.peekType() == .array {
        try readForm(&reader, row)
      } else {
        values.append(try reader.readValue(limit: WireLimit.value))
      }
    }
  }

  /// An array is text that is not UTF-8 (0), a blob elsewhere (1, reserved) or a piece (2).
  private mutating func readForm(_ reader: inout CBORReader, _ row: Int) throws {
    var ahead = reader
    guard try ahead.readArray() > 0 else { throw WireError(.malformed, "A value is an empty array.") }
    switch try ahead.readUInt() {
    case 0: values.append(try reader.readValue(limit: WireLimit.value))
    case 2 where kind == 0:
      pieces[row] = try readPiece(&reader)
      values.append(.null)
    default: throw UnknownForm()
    }
  }

  private func readPiece(_ reader: inout CBORReader) throws -> Piece {
    guard try reader.readArray() == 5 else { throw WireError(.malformed, "A piece has not five parts.") }
    _ = try reader.readUInt()
    let index = try reader.readUInt(limit: UInt64(WireLimit.pieces))
    let count = try reader.readUInt(limit: UInt64(WireLimit.pieces))
    let kind = try reader.readUInt()
    let bytes = try reader.readBytes(limit: WireLimit.piece)
    guard index < count, kind == 3 || kind == 4 else {
      throw WireError(.malformed, "A piece of field \(name) is number \(index) of \(count).")
    }
    return Piece(isText: kind == 3, index: UInt32(index), count: UInt32(count), bytes: bytes)
  }
}
