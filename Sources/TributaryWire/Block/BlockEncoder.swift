import TributaryCodec
import TributaryModel

/// Writes entries as blocks, each of entries of one type and one shape, column by column.
package enum BlockEncoder {
  /// Blocks in the order in which their shapes first appear, those of pieces first; rows keep the order of `entries`, which are sorted by
  /// (type, id). Equal input gives equal bytes.
  ///
  /// - Parameter valueLimit: the most bytes of a value that is not cut.
  package static func encode(
    _ entries: [WireEntry], valueLimit: Int = WireLimit.piece
  ) throws -> [EncodedBlock] {
    var groups: [[WireEntry]] = []
    var numbers: [[UInt8]: Int] = [:]
    var current = 0
    for entry in entries {
      if let first = groups.isEmpty ? nil : groups[current].first, entry.hasShape(of: first) {
        groups[current].append(entry)
        continue
      }
      let shape = entry.shape
      current = numbers[shape] ?? groups.count
      if current == groups.count {
        numbers[shape] = current
        groups.append([])
      }
      groups[current].append(entry)
    }
    // Pieces first: a reader puts them together before it meets the entry that they belong to.
    let ordered = groups.filter { $0[0].isPart } + groups.filter { !$0[0].isPart }
    return try ordered.map { try block(of: $0, valueLimit) }
  }

  private static func block(of rows: [WireEntry], _ valueLimit: Int) throws -> EncodedBlock {
    var writer = try BlockContentWriter(rows, valueLimit: valueLimit)
    let (content, ends) = try writer.write()
    let first = rows[0].entry
    return EncodedBlock(
      RawBlock(minReader: first.minReader, isBarrier: first.isBarrier, content: content), columnEnds: ends)
  }
}

/// The content of one block in layout 1: a map with the keys of `BlockKey`.
struct BlockContentWriter {
  let rows: [WireEntry]
  let rowStamps: [Stamp]
  let valueLimit: Int
  var devices = DeviceTable()
  var types: [String]
  private var columnEnds: [Int] = []
  private var output = CBORWriter()
  private var count = 3

  init(_ rows: [WireEntry], valueLimit: Int) throws {
    self.rows = rows
    self.valueLimit = valueLimit
    rowStamps = rows.map(\.rowStamp)
    let entry = rows[0].entry
    types = [entry.name.type]
    for name in [entry.name.type] + entry.change.fields.map(\.name) where name.utf8.count > WireLimit.name {
      throw WireError(
        .tooLarge, "The name \(name.prefix(40)) has more than \(WireLimit.name) bytes. Shorten it.")
    }
    guard entry.change.fields.count <= WireLimit.fields else {
      throw WireError(.tooLarge, "A record of \(entry.name.type) has more than \(WireLimit.fields) fields.")
    }
  }

  mutating func write() throws -> (bytes: [UInt8], columnEnds: [Int]) {
    let estimate = rows.count * (24 + 16 * rows[0].entry.change.fields.count)
    output = CBORWriter(capacity: min(estimate, 8 << 20))
    let ids = try ids()
    put(BlockKey.idLengths, bytes: ids.lengths)
    put(BlockKey.ids, bytes: ids.suffixes)
    put(BlockKey.stamps, bytes: StampColumn.encode(rowStamps, &devices))
    try putFields()
    putBorn()
    putDeletes()
    return head()
  }

  private mutating func put(_ key: UInt64, bytes: [UInt8]) {
    output.write(uint: key)
    output.write(bytes: bytes)
    count += 1
    endColumn()
  }

  private mutating func endColumn() {
    if output.count - (columnEnds.last ?? 0) >= 3 << 10 { columnEnds.append(output.count) }
  }

  /// What comes first is known last: the numbers of types and devices.
  private func head() -> (bytes: [UInt8], columnEnds: [Int]) {
    var head = CBORWriter(capacity: output.count + 64)
    head.write(map: count)
    head.write(uint: BlockKey.types)
    head.write(array: types.count)
    for type in types { head.write(text: type) }
    head.write(uint: BlockKey.count)
    head.write(uint: UInt64(rows.count))
    head.write(uint: BlockKey.devices)
    head.write(bytes: devices.bytes)
    let shift = head.count
    head.write(encoded: output.bytes)
    return (head.bytes, columnEnds.map { $0 + shift })
  }

  /// The number of bytes that each shares with the one before, then how many more it has; apart from them those bytes.
  private func ids() throws -> (lengths: [UInt8], suffixes: [UInt8]) {
    var prefixes = ByteWriter(capacity: rows.count * 2)
    var lengths = ByteWriter(capacity: rows.count * 2)
    var suffixes = ByteWriter(capacity: rows.count * 24)
    var previous: [UInt8] = []
    for row in rows {
      let id = row.entry.name.id.bytes
      guard !id.isEmpty, id.count <= WireLimit.id else {
        throw WireError(
          .tooLarge, "An identity of \(row.entry.name.type) has \(id.count) bytes, not 1 to 512.")
      }
      let shared = sharedPrefix(previous, id)
      prefixes.write(varint: UInt64(shared))
      lengths.write(varint: UInt64(id.count - shared))
      suffixes.write(bytes: id[shared...])
      previous = id
    }
    prefixes.write(bytes: lengths.bytes)
    return (prefixes.bytes, suffixes.bytes)
  }

  private func sharedPrefix(_ left: [UInt8], _ right: [UInt8]) -> Int {
    left.withUnsafeBytes { left in right.withUnsafeBytes { ByteOrder.commonPrefix(left, $0) } }
  }

  private mutating func putFields() throws {
    let fields = rows[0].entry.change.fields
    guard !fields.isEmpty else { return }
    output.write(uint: BlockKey.fields)
    output.write(array: fields.count)
    count += 1
    for index in fields.indices {
      switch fields[index].kind {
      case 0: try putRegisters(index, fields[index].name)
      case 1: output.write(encoded: try counters(index))
      default: output.write(encoded: try sets(index))
      }
      endColumn()
    }
  }

  private mutating func putBorn() {
    guard rows[0].entry.change.born != nil else { return }
    let born = rows.map { $0.entry.change.born ?? StampDelta.origin }
    if born != rowStamps {
      return put(BlockKey.born, bytes: StampColumn.encode(born, from: rowStamps, &devices))
    }
    output.write(uint: BlockKey.born)
    output.write(bool: true)
    count += 1
  }

  private mutating func putDeletes() {
    guard rows.contains(where: { !$0.entry.change.deletes.isEmpty }) else { return }
    put(BlockKey.deletes, bytes: deletes())
  }

  private mutating func putRegisters(_ index: Int, _ name: String) throws {
    var column = RegisterColumn(capacity: rows.count)
    var values: [Value] = []
    values.reserveCapacity(rows.count)
    for row in rows {
      guard case .register(let register) = row.entry.change.fields[index].content else { continue }
      column.add(register)
      values.append(register.value)
    }
    var map = MapWriter()
    map.put(ColumnKey.name, text: name)
    map.put(ColumnKey.kind, uint: 0)
    column.put(in: &map, rows: rowStamps, &devices)
    if let packed = RegisterColumn.packed(values) {
      map.put(packed.key, bytes: packed.bytes)
      output.write(encoded: map.bytes)
      return
    }
    // Written in place: the values are most of a block.
    output.write(map: map.count + 1)
    output.write(encoded: map.pairBytes)
    output.write(uint: ColumnKey.values)
    output.write(array: rows.count)
    for (number, value) in values.enumerated() {
      if !rows[number].pieces.isEmpty, let piece = rows[number].pieces[index] {
        output.write(piece: piece)
      } else {
        try output.write(value, limit: valueLimit, of: name)
      }
    }
  }
}

/// The keys of a block's content.
enum BlockKey {
  static let types: UInt64 = 0
  static let count: UInt64 = 1
  static let devices: UInt64 = 2
  static let idLengths: UInt64 = 3
  static let ids: UInt64 = 4
  static let stamps: UInt64 = 5
  static let fields: UInt64 = 6
  static let born: UInt64 = 7
  static let deletes: UInt64 = 8
}

/// The keys of a field's column.
enum ColumnKey {
  static let name: UInt64 = 0
  static let kind: UInt64 = 1
  static let stamps: UInt64 = 2
  static let roots: UInt64 = 3
  static let versions: UInt64 = 4
  static let data: UInt64 = 5
  static let values: UInt64 = 6
  static let integers: UInt64 = 7
  static let reals: UInt64 = 8
}
