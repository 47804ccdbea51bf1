import TributaryCodec
import TributaryModel

/// A block that was read, or one that this build keeps unread.
package enum DecodedBlock: Sendable {
  /// The rows in the order of identities.
  case entries([WireEntry])
  /// A block for a later build, to be held (or, for a barrier, to stop at).
  case opaque(RawBlock)
}

/// Reads blocks.
package enum BlockDecoder {
  /// The rows of a block, or the block itself if it needs a later build.
  ///
  /// - Parameters:
  ///   - format: the format that this build reads.
  ///   - budget: what the file may still hold.
  package static func decode(
    _ raw: RawBlock, format: UInt32, budget: inout WireBudget
  ) throws -> DecodedBlock {
    guard raw.layout == RawBlock.currentLayout, raw.minReader <= format else { return .opaque(raw) }
    do {
      var reader = BlockContentReader(minReader: raw.minReader, isBarrier: raw.isBarrier)
      return .entries(try reader.read(raw.content, &budget))
    } catch is UnknownForm {
      // A form of value that is reserved: the writer should have said so in minReader, and did not.
      var kept = raw
      kept.minReader = max(raw.minReader, format + 1)
      return .opaque(kept)
    }
  }

  /// The same for a block alone, with a budget of its own.
  package static func decode(_ raw: RawBlock, format: UInt32) throws -> DecodedBlock {
    var budget = WireBudget()
    return try decode(raw, format: format, budget: &budget)
  }
}

/// A reserved form of value or kind of field.
struct UnknownForm: Error {}

/// Reads the content of one block in layout 1.
struct BlockContentReader {
  let minReader: UInt32
  let isBarrier: Bool
  private var types: [String] = []
  private(set) var count = 0
  private(set) var devices = DeviceTable()
  private var idLengths: [UInt8] = []
  private var ids: [RecordID] = []
  /// Whether an identity stands in several rows, as it may where each is a piece.
  private var repeats = false
  private(set) var rowStamps: [Stamp] = []
  private var columns: [FieldColumn] = []
  private var born: [Stamp]?
  private var deletes: [[Delete]] = []

  init(minReader: UInt32, isBarrier: Bool) {
    self.minReader = minReader
    self.isBarrier = isBarrier
  }

  mutating func read(_ bytes: [UInt8], _ budget: inout WireBudget) throws -> [WireEntry] {
    var reader = CBORReader(bytes)
    try reader.readFields { key, reader in
      try self.read(key, &reader, &budget)
    }
    try reader.finish()
    guard !types.isEmpty, count > 0, ids.count == count, rowStamps.count == count else {
      throw WireError(.missing, "A block lacks its types, identities or stamps. Discard the file.")
    }
    return try rows()
  }

  private mutating func read(
    _ key: UInt64, _ reader: inout CBORReader, _ budget: inout WireBudget
  ) throws -> Bool {
    switch key {
    case BlockKey.types:
      types = try reader.readList(limit: WireLimit.entries) { try $0.readText(limit: WireLimit.name) }
    case BlockKey.count:
      count = Int(try reader.readUInt(limit: UInt64(WireLimit.entries)))
      try budget.take(entries: count, fields: 1)
    case BlockKey.devices:
      devices = try DeviceTable(bytes: try reader.readBytes(limit: 16 * WireLimit.devices))
    case BlockKey.idLengths: idLengths = try reader.readBytes(limit: ContainerKind.log.plainLimit)
    case BlockKey.ids: ids = try readIDs(try reader.readBytes(limit: ContainerKind.log.plainLimit))
    case BlockKey.stamps:
      rowStamps = try StampColumn.decode(
        try reader.readBytes(limit: ContainerKind.log.plainLimit), count: count, devices)
    case BlockKey.fields: try readFields(&reader, &budget)
    case BlockKey.born: born = try readBorn(&reader)
    case BlockKey.deletes:
      deletes = try readDeletes(try reader.readBytes(limit: ContainerKind.log.plainLimit), &budget)
    default: return false
    }
    return true
  }

  private mutating func readIDs(_ bytes: [UInt8]) throws -> [RecordID] {
    var input = ByteReader(bytes)
    var prefixes = ByteReader(idLengths)
    var lengths = prefixes
    for _ in 0..<count { _ = try lengths.readVarint() }
    var ids: [RecordID] = []
    ids.reserveCapacity(count)
    var previous: [UInt8] = []
    for _ in 0..<count {
      let (shared, more) = (try prefixes.readVarint(), try lengths.readVarint())
      guard shared <= UInt64(previous.count), more <= UInt64(WireLimit.id),
        (1...UInt64(WireLimit.id)).contains(shared + more)
      else {
        throw WireError(.malformed, "An identity outside 1 to \(WireLimit.id) bytes. Discard the file.")
      }
      let range = try input.advance(Int(more))
      var id: [UInt8] = []
      id.reserveCapacity(Int(shared + more))
      id.append(contentsOf: previous[..<Int(shared)])
      id.append(contentsOf: input.bytes[range])
      if id == previous, !ids.isEmpty {
        repeats = true
      } else if !ids.isEmpty, !previous.lexicographicallyPrecedes(id) {
        throw WireError(.malformed, "The identities of a block do not ascend. Discard the file.")
      }
      ids.append(RecordID(encoded: id))
      previous = id
    }
    try lengths.finish()
    try input.finish()
    return ids
  }

  private mutating func readFields(_ reader: inout CBORReader, _ budget: inout WireBudget) throws {
    guard rowStamps.count == count else { throw WireError(.missing, "A block lacks its stamps.") }
    let number = try reader.readArray(limit: WireLimit.fields)
    try budget.take(cells: number * count)
    columns.reserveCapacity(number)
    for _ in 0..<number {
      let column = try FieldColumn(&reader, rows: rowStamps, devices, &budget)
      if let last = columns.last, !last.precedes(column) {
        throw WireError(.malformed, "The fields of a block do not ascend. Discard the file.")
      }
      columns.append(column)
    }
  }

  private func readBorn(_ reader: inout CBORReader) throws -> [Stamp]? {
    guard rowStamps.count == count else { throw WireError(.missing, "A block lacks its stamps.") }
    if try reader.peekType() == .bool { return try reader.readBool() ? rowStamps : nil }
    return try StampColumn.decode(
      try reader.readBytes(limit: ContainerKind.log.plainLimit), from: rowStamps, devices)
  }

  private func readDeletes(_ bytes: [UInt8], _ budget: inout WireBudget) throws -> [[Delete]] {
    guard rowStamps.count == count else { throw WireError(.missing, "A block lacks its stamps.") }
    var input = ByteReader(bytes)
    var deletes = [[Delete]](repeating: [], count: count)
    var row: UInt64 = 0
    while !input.isAtEnd {
      let (skipped, number) = (try input.readVarint(), try input.readVarint())
      guard skipped < UInt64(count), row + skipped < UInt64(count), number > 0,
        number <= UInt64(input.remaining)
      else { throw WireError(.malformed, "Deletes of a row that is not there. Discard the file.") }
      row += skipped
      try budget.take(cells: Int(number))
      for _ in 0..<number {
        let delete = try readDelete(&input, from: rowStamps[Int(row)])
        if let last = deletes[Int(row)].last, last.stamp >= delete.stamp {
          throw WireError(.malformed, "The deletes of a record do not ascend. Discard the file.")
        }
        deletes[Int(row)].append(delete)
      }
      row += 1
    }
    return deletes
  }

  private func readDelete(_ input: inout ByteReader, from row: Stamp) throws -> Delete {
    let stamp = try StampDelta(from: &input).applied(to: row, devices)
    let flags = try input.readVarint()
    guard flags < 4 else { throw UnknownForm() }
    guard flags & 2 != 0 else { return Delete(stamp: stamp, erases: flags & 1 != 0) }
    let (type, length) = (try input.readVarint(), try input.readVarint())
    guard type < UInt64(types.count), (1...UInt64(WireLimit.id)).contains(length) else {
      throw WireError(.malformed, "A delete's cause names no type, or no identity. Discard the file.")
    }
    let id = RecordID(encoded: try input.readBytes(Int(length)))
    return Delete(stamp: stamp, erases: flags & 1 != 0, cause: RecordName(types[Int(type)], id))
  }

  private func rows() throws -> [WireEntry] {
    var rows: [WireEntry] = []
    rows.reserveCapacity(count)
    let hasPieces = columns.contains { !$0.pieces.isEmpty }
    guard !repeats || columns.contains(where: { $0.pieces.count == count }) else {
      throw WireError(.malformed, "The identities of a block repeat. Discard the file.")
    }
    for row in 0..<count {
      var fields: [Field] = []
      fields.reserveCapacity(columns.count)
      for column in columns { fields.append(column.field(row)) }
      let change = RecordState(
        born: born?[row], deletes: deletes.isEmpty ? [] : deletes[row], fields: fields)
      let entry = Entry(
        RecordName(types[0], ids[row]), change, minReader: minReader, isBarrier: isBarrier)
      rows.append(WireEntry(entry, pieces: hasPieces ? pieces(of: row, in: change) : [:]))
    }
    return rows
  }

  /// The pieces by the place of their fields in the change, which may lack some that a delete ended.
  private func pieces(of row: Int, in change: RecordState) -> [Int: Piece] {
    var pieces: [Int: Piece] = [:]
    for column in columns {
      guard let piece = column.pieces[row],
        let index = change.fields.firstIndex(where: { $0.kind == 0 && $0.name.isSame(as: column.name) })
      else { continue }
      pieces[index] = piece
    }
    return pieces
  }
}
