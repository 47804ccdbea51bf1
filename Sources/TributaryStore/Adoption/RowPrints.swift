package import SQLite
import TributaryModel

/// A short hash of every value that an adopted table showed when the engine last looked: by them it finds what changed
/// while its triggers were missing.
///
/// Four bytes a field, at the place of the field's number: 0 where there was no such column.
package final class RowPrints {
  private let connection: Connection
  /// Records whose rows the engine has written since the last ``refresh(_:)``.
  private var written: Set<ProjectionNode.Name> = []

  package init(_ connection: Connection) { self.connection = connection }

  /// The print that is kept of a row; nil for one that was not in the table.
  func read(_ type: Int64, _ id: RecordID) throws -> [UInt8]? {
    let statement = try connection.cached("SELECT data FROM tributary_print WHERE type=?1 AND id=?2")
    defer { statement.reset() }
    try statement.bindInteger(1, type)
    try statement.bind(2, .blob(id.bytes))
    return try statement.step() ? Array(statement.bytes(0)) : nil
  }

  /// Keeps the print of a row, or forgets it.
  func write(_ type: Int64, _ id: RecordID, _ print: [UInt8]?) throws {
    let sql =
      print == nil
      ? "DELETE FROM tributary_print WHERE type=?1 AND id=?2"
      : "INSERT INTO tributary_print(type,id,data) VALUES(?1,?2,?3) ON CONFLICT DO UPDATE SET data=excluded.data"
    let statement = try connection.cached(sql)
    defer { statement.clearBindings() }
    try statement.bindInteger(1, type)
    try statement.bind(2, .blob(id.bytes))
    if let print { try statement.bind(3, .blob(print)) }
    try statement.run()
  }

  /// Notes a record whose row the engine may have written.
  func note(_ name: ProjectionNode.Name) { written.insert(name) }

  /// Forgets what was noted, after a rollback.
  func forget() { written = [] }

  /// Brings the prints of all noted records up to date.
  func refresh(_ tables: StateTables) throws {
    for name in written.sorted() {
      guard let access = tables.access(name.type) else { continue }
      let row = try access.read(name.id, connection)
      try write(name.type, name.id, row.map { Self.print(of: $0, access.shape) })
    }
    written = []
  }
}

extension RowPrints {
  private static let width = 4

  /// The print of a row, whose values are in the order of the shape's fields.
  static func print(of row: [Value], _ shape: TableShape) -> [UInt8] {
    let count = (shape.fields.map(\.field).max() ?? -1) + 1
    var print = [UInt8](repeating: 0, count: count * width)
    for (index, column) in shape.fields.enumerated() {
      let hash = hash(row[index])
      for byte in 0..<width {
        print[column.field * width + byte] = UInt8(truncatingIfNeeded: hash >> (8 * UInt32(byte)))
      }
    }
    return print
  }

  /// The fields in which the row differs from its print. A column that the print does not know was added since: it
  /// differs where the row has more than the column's default.
  static func changed(_ row: [Value], _ shape: TableShape, since print: [UInt8]) -> FieldMask {
    var changed = FieldMask()
    for (index, column) in shape.fields.enumerated() {
      let known = hash(in: print, column.field)
      let differs = known == 0 ? row[index] != column.defaultValue ?? .null : hash(row[index]) != known
      if differs { changed.insert(column.field) }
    }
    return changed
  }

  /// The same for some of a row's values, by field number.
  static func changed(
    _ image: [(field: Int, value: Value)], _ shape: TableShape, since print: [UInt8]
  ) -> FieldMask {
    let values = Dictionary(image.map { ($0.field, $0.value) }) { $1 }
    var changed = changed(shape.fields.map { values[$0.field] ?? .null }, shape, since: print)
    changed.subtract(FieldMask(shape.fields.map(\.field).filter { values[$0] == nil }))
    return changed
  }

  /// The fields of which the print knows nothing.
  static func unknown(_ shape: TableShape, in print: [UInt8]) -> FieldMask {
    FieldMask(shape.fields.map(\.field).filter { hash(in: print, $0) == 0 })
  }

  private static func hash(in print: [UInt8], _ field: Int) -> UInt32 {
    let start = field * width
    guard start + width <= print.count else { return 0 }
    return (0..<width).reduce(0) { $0 | UInt32(print[start + $1]) << (8 * UInt32($1)) }
  }

  /// FNV-1a over the kind and the bytes of the value, folded to 32 bits; never 0.
  private static func hash(_ value: Value) -> UInt32 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    func mix(_ number: UInt64) {
      for shift in stride(from: UInt64(0), to: 64, by: 8) { mix(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    mix(value.rank)
    switch value {
    case .null: break
    case .integer(let number): mix(UInt64(bitPattern: number))
    case .real(let number): mix(number.bitPattern)
    case .text(let bytes), .blob(let bytes): for byte in bytes { mix(byte) }
    }
    let folded = UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    return folded == 0 ? 1 : folded
  }
}

@available(*, unavailable)
extension RowPrints: Sendable {}
