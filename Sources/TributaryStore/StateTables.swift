package import SQLite
import TributaryModel

/// The merged state of a store's records, assembled from the app's tables, the clock table and the overlay.
///
/// Confined to whoever holds the connection; every call runs inside that connection's transaction.
package final class StateTables {
  package let connection: Connection
  package let numbers: LocalNumbers
  /// The synced tables, in the order of their local numbers.
  package let shapes: [TableShape]
  let clocks: ClockTable
  let clockCoding: RecordClockCoding
  /// Of an adopted store.
  var prints: RowPrints?
  private let accesses: [Int64: RowAccess]
  private let types: [String: Int64]

  package init(_ connection: Connection, shapes: [TableShape], numbers: LocalNumbers) throws {
    self.connection = connection
    self.numbers = numbers
    clocks = ClockTable(connection)
    clockCoding = RecordClockCoding(numbers: numbers)
    self.shapes = shapes.sorted { $0.type < $1.type }
    let pairs = try shapes.map { ($0.type, try RowAccess($0, numbers: numbers)) }
    accesses = Dictionary(pairs) { first, _ in first }
    types = Dictionary(shapes.map { ($0.name, $0.type) }) { first, _ in first }
  }

  func access(_ type: Int64) -> RowAccess? { accesses[type] }
  func access(named name: String) -> RowAccess? { types[name].flatMap { accesses[$0] } }

  /// What the store holds of the given records, which are sorted and different from each other.
  ///
  /// - Parameter rows: where the rows are read; the store's own connection if nil.
  func load(_ access: RowAccess, _ ids: [RecordID], rows: Connection? = nil) throws -> [StoredRecord] {
    let type = access.shape.type
    let packed = try clocks.read(type: type, ids: ids)
    let hasOverlay = try self.hasOverlay(type)
    let names = try numbers.names(of: type)
    let rows = rows ?? connection
    let reader = try access.reader(rows)
    defer { reader.reset() }
    var last: StateTemplate?
    return try ids.indices.map { index in
      guard let bytes = packed[index] else { return StoredRecord(id: ids[index]) }
      let overlay = hasOverlay ? try self.overlay(type, ids[index]) : nil
      if let overlay {
        return try assemble(access, ids[index], clockCoding.decode(bytes), overlay, names, rows)
      }
      if last?.bytes != bytes {
        last = StateTemplate(bytes, try clockCoding.decode(bytes), access, names)
      }
      let row = try access.read(ids[index], reader)
      return StoredRecord(id: ids[index], state: last?.state(of: row) ?? RecordState(), row: row)
    }
  }

  /// The clock of one record; nil where there is none.
  func clock(_ type: Int64, _ id: RecordID) throws -> RecordClock? {
    try clocks.read(type: type, ids: [id])[0].map { try clockCoding.decode($0) }
  }

  /// Whether anything is kept beside the rows of a type.
  func hasOverlay(_ type: Int64) throws -> Bool {
    try connection.integer("SELECT 1 FROM tributary_overlay WHERE type=?1 LIMIT 1", [.integer(type)]) != nil
  }

  func overlay(_ type: Int64, _ id: RecordID) throws -> Overlay? {
    let statement = try connection.cached("SELECT flags,data FROM tributary_overlay WHERE type=?1 AND id=?2")
    defer { statement.reset() }
    try statement.bindInteger(1, type)
    try statement.bind(2, .blob(id.bytes))
    guard try statement.step() else { return nil }
    return try OverlayCoding.decode(Array(statement.bytes(1)), flags: statement.integer(0))
  }

  /// The records of a type whose overlays have any of the flags, in order.
  func ids(_ type: Int64, flagged flags: Overlay.Flags) throws -> [RecordID] {
    // The number stands in the text, so that SQLite knows when the index of the repaired ones fits.
    let sql = "SELECT id FROM tributary_overlay WHERE type=?1 AND flags & \(flags.rawValue) ORDER BY id"
    return try connection.rows(sql, [.integer(type)]).compactMap { row in
      if case .blob(let bytes) = row[0] { RecordID(encoded: bytes) } else { nil }
    }
  }

  func write(_ overlay: Overlay?, _ type: Int64, _ id: RecordID) throws {
    guard let overlay, !overlay.isEmpty else {
      return try connection.execute(
        "DELETE FROM tributary_overlay WHERE type=?1 AND id=?2", [.integer(type), .blob(id.bytes)])
    }
    try connection.execute(
      "INSERT INTO tributary_overlay(type,id,flags,data) VALUES(?1,?2,?3,?4)"
        + " ON CONFLICT DO UPDATE SET flags=excluded.flags,data=excluded.data",
      [
        .integer(type), .blob(id.bytes), .integer(overlay.flags.rawValue),
        .blob(OverlayCoding.encode(overlay)),
      ])
  }

  /// A record from its parts, beside its row.
  func assemble(
    _ access: RowAccess, _ id: RecordID, _ clock: RecordClock, _ overlay: Overlay?, _ names: [String],
    _ rows: Connection
  ) throws -> StoredRecord {
    let isOut = overlay.map { !$0.flags.isDisjoint(with: [.unseen, .parked]) } ?? false
    let row = isOut ? nil : try access.read(id, rows)
    var shown: [Int: Value] = [:]
    if let row { for (index, column) in access.columns.enumerated() { shown[column.field] = row[index] } }
    var fields: [Field] = []
    for run in clock.runs {
      for number in run.fields {
        guard number < names.count, let value = overlay?.values[number] ?? shown[number] else { continue }
        fields.append(
          Field(
            names[number],
            Register(stamp: run.stamp, value: value, schemaVersion: run.schemaVersion, life: run.life)))
      }
    }
    for (number, contents) in overlay?.mergeables ?? [:] where number < names.count {
      for content in contents { fields.append(Field(names[number], content)) }
    }
    let state = RecordState(born: clock.born, deletes: clock.deletes, fields: fields)
    return StoredRecord(
      id: id, state: state, flags: overlay?.flags ?? [], row: row, hasOverlay: overlay != nil)
  }
}

/// One record as the store holds it.
struct StoredRecord {
  var id: RecordID
  var state = RecordState()
  var flags: Overlay.Flags = []
  /// The table's row in the order of the access's columns; nil when the record is not in the table.
  var row: [Value]?
  var hasOverlay = false
}
