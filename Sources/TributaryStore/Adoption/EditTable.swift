import SQLite
import TributaryModel

/// The table in which the triggers of one adopted table note edits until the engine takes them over, one row an edit:
///
/// ```
/// seq    in order of arrival
/// time   milliseconds since 1970, by SQLite's clock
/// op     what happened
/// k0 …   the key
/// m0 …   for an update, which fields changed: 62 fields a column
/// f<n> … for a row that went, the values of the fields with these numbers
/// ```
struct EditTable {
  enum Operation: Int64 {
    case inserted = 1
    case updated = 2
    case deleted = 3
    /// The row was in the way of another, which may have replaced it.
    case displaced = 4
  }

  /// Bits of a column of a mask: SQLite's integers have a sign.
  static let maskBits = 62

  let type: Int64
  let keyCount: Int
  let maskCount: Int
  /// The numbers of the fields whose values are kept.
  let fields: [Int]

  var name: String { Self.name(type) }

  private static let prefix = "\(LocalTables.prefix)edit_"

  static func name(_ type: Int64) -> String { "\(prefix)\(type)" }
  static func isName(_ name: String) -> Bool { name.hasPrefix(prefix) }

  init(_ shape: TableShape) {
    type = shape.type
    keyCount = shape.key.count
    fields = shape.fields.map(\.field)
    maskCount = ((fields.max() ?? -1) + Self.maskBits) / Self.maskBits
  }

  /// As the database has it; nil if it has none.
  init?(_ type: Int64, _ connection: Connection) throws {
    let names = try connection.rows(
      "SELECT name FROM pragma_table_info(?1) ORDER BY cid", [.text(Self.name(type))]
    )
    .compactMap { $0[0].string }
    guard !names.isEmpty else { return nil }
    self.type = type
    func numbers(_ letter: String) -> [Int] {
      names.compactMap { $0.hasPrefix(letter) ? Int($0.dropFirst()) : nil }
    }
    keyCount = numbers("k").count
    maskCount = numbers("m").count
    fields = numbers("f")
  }

  var creation: String {
    let columns = ["seq INTEGER PRIMARY KEY", "time INTEGER NOT NULL", "op INTEGER NOT NULL"] + others
    return "CREATE TABLE \(name)(\(columns.joined(separator: ",")))"
  }

  /// Columns without a type, so that every value stays as it is.
  private var others: [String] { keys + masks + fields.map { "f\($0)" } }
  private var keys: [String] { (0..<keyCount).map { "k\($0)" } }
  private var masks: [String] { (0..<maskCount).map { "m\($0)" } }

  /// The noted edits, oldest first.
  func read(_ connection: Connection, limit: Int) throws -> [StagedEdit] {
    let columns = (["seq", "time", "op"] + others).joined(separator: ",")
    let statement = try connection.prepare("SELECT \(columns) FROM main.\(name) ORDER BY seq LIMIT \(limit)")
    var edits: [StagedEdit] = []
    while try statement.step() { edits.append(edit(statement)) }
    return edits
  }

  private func edit(_ row: Statement) -> StagedEdit {
    let operation = Operation(rawValue: row.integer(2)) ?? .updated
    var mask = FieldMask()
    for word in 0..<maskCount {
      var bits = UInt64(bitPattern: row.integer(3 + keyCount + word))
      while bits != 0 {
        mask.insert(word * Self.maskBits + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    var image: [(field: Int, value: Value)] = []
    if operation == .deleted || operation == .displaced {
      image = fields.enumerated().map { ($1, row.column(3 + keyCount + maskCount + $0)) }
    }
    return StagedEdit(
      type: type, seq: row.integer(0), time: row.integer(1), operation: operation,
      id: RecordID((0..<keyCount).map { row.column(3 + $0) }), fields: mask, image: image)
  }

  func remove(through seq: Int64, _ connection: Connection) throws {
    try connection.execute("DELETE FROM main.\(name) WHERE seq<=?1", [.integer(seq)])
  }

  static func isEmpty(_ type: Int64, _ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM main.\(name(type)) LIMIT 1") == nil
  }
}

/// One edit as a trigger noted it.
struct StagedEdit {
  var type: Int64
  var seq: Int64
  /// Milliseconds since 1970.
  var time: Int64
  var operation: EditTable.Operation
  /// Nil for a key that no record can have: one with a NULL, or a very long one.
  var id: RecordID?
  var fields: FieldMask
  var image: [(field: Int, value: Value)]
}
