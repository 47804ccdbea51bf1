import SQLite
import TributaryModel

/// Reads and writes rows of one synced table by record identity. Values come in the order of `columns`.
struct RowAccess {
  let shape: TableShape
  /// The synced fields, then columns on disk that this build no longer declares but once synced.
  let columns: [(name: String, field: Int)]

  private let selectSQL: String
  private let insertSQL: String
  private let deleteSQL: String
  private let updatePrefix: String
  private let whereKey: String

  init(_ shape: TableShape, numbers: LocalNumbers) throws {
    self.shape = shape
    let known = try numbers.names(of: shape.type)
    let retired = shape.otherColumns.compactMap { name in
      known.firstIndex(of: name).map { (name: name, field: $0) }
    }
    columns = shape.fields.map { (name: $0.name, field: $0.field) } + retired
    let table = quoted(shape.name)
    let keys = shape.key.map { quoted($0.name) }
    let names = shape.fields.map { quoted($0.name) }
    whereKey = " WHERE " + shape.keyTest
    let selected = columns.map { quoted($0.name) } + (columns.isEmpty ? ["1"] : [])
    selectSQL = "SELECT \(selected.joined(separator: ",")) FROM main.\(table)" + whereKey
    deleteSQL = "DELETE FROM main.\(table)" + whereKey
    updatePrefix = "UPDATE main.\(table) SET "
    let places = (1...(keys.count + names.count)).map { "?\($0)" }.joined(separator: ",")
    insertSQL = "INSERT INTO main.\(table)(\((keys + names).joined(separator: ","))) VALUES(\(places))"
  }

  /// The row's values, or nil when there is none.
  func read(_ id: RecordID, _ connection: Connection) throws -> [Value]? {
    let statement = try reader(connection)
    defer { statement.reset() }
    return try read(id, statement)
  }

  /// The statement that reads a row, for many of them. Reset it after the last.
  func reader(_ connection: Connection) throws -> Statement { try connection.cached(selectSQL) }

  /// The row's values by that statement, or nil when there is none.
  func read(_ id: RecordID, _ reader: Statement) throws -> [Value]? {
    reader.reset()
    try bindKey(id, reader)
    guard try reader.step() else { return nil }
    return columns.indices.map { reader.column($0) }
  }

  /// Inserts a row. `row` holds at least the synced fields.
  func insert(_ id: RecordID, _ row: [Value], _ connection: Connection) throws {
    let statement = try connection.cached(insertSQL)
    defer { statement.reset() }
    let count = try bindKey(id, statement)
    for index in shape.fields.indices { try statement.bind(count + index + 1, row[index]) }
    _ = try statement.step()
  }

  /// Sets the given columns (positions among the synced fields) to their values in `row`.
  func update(_ id: RecordID, _ row: [Value], _ changed: [Int], _ connection: Connection) throws {
    let statement = try connection.cached(editSQL(changed))
    defer { statement.reset() }
    let keys = try bindKey(id, statement)
    for (place, index) in changed.enumerated() { try statement.bind(keys + place + 1, row[index]) }
    _ = try statement.step()
  }

  /// The statement that inserts a row, for many of them: the key is bound by ``bindKey(_:_:)``, then the synced fields.
  func insertion(_ connection: Connection) throws -> Statement { try connection.cached(insertSQL) }

  /// The same for a statement that sets the fields at these positions.
  func edit(of positions: [Int], _ connection: Connection) throws -> Statement {
    try connection.cached(editSQL(positions))
  }

  private func editSQL(_ positions: [Int]) -> String {
    let keys = shape.key.count
    let sets = positions.enumerated().map { "\(quoted(shape.fields[$1].name))=?\(keys + $0 + 1)" }
    return updatePrefix + sets.joined(separator: ",") + whereKey
  }

  func delete(_ id: RecordID, _ connection: Connection) throws {
    let statement = try connection.cached(deleteSQL)
    defer { statement.reset() }
    try bindKey(id, statement)
    _ = try statement.step()
  }

  /// The identities of rows in which the columns hold `values`, as the columns themselves compare them.
  func find(_ names: [String], _ values: [Value], _ connection: Connection) throws -> [RecordID] {
    try find(where: names.map { "\(quoted($0))=?" }, values, connection)
  }

  /// Whether a row that can be no record holds `values` in the columns.
  func hasKeyless(_ names: [String], _ values: [Value], _ connection: Connection) throws -> Bool {
    let keys = shape.key.map { quoted($0.name) }.joined(separator: ",")
    let test = names.map { "\(quoted($0))=?" }.joined(separator: " AND ")
    let statement = try connection.cached("SELECT \(keys) FROM main.\(quoted(shape.name)) WHERE \(test)")
    defer { statement.reset() }
    for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
    while try statement.step() {
      if RecordID(shape.key.indices.map { statement.column($0) }) == nil { return true }
    }
    return false
  }

  /// The identities of rows that a unique set holds equal to `values`.
  func find(_ set: TableShape.UniqueSet, _ values: [Value], _ connection: Connection) throws -> [RecordID] {
    let tests = zip(set.columns, set.collations).map { "\(quoted($0))=? COLLATE \(quoted($1))" }
    return try find(where: tests, values, connection)
  }

  private func find(where tests: [String], _ values: [Value], _ connection: Connection) throws -> [RecordID] {
    let keys = shape.key.map { quoted($0.name) }.joined(separator: ",")
    let test = tests.joined(separator: " AND ")
    let statement = try connection.cached("SELECT \(keys) FROM main.\(quoted(shape.name)) WHERE \(test)")
    defer { statement.reset() }
    for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
    var found: [RecordID] = []
    while try statement.step() {
      if let id = RecordID(shape.key.indices.map { statement.column($0) }) { found.append(id) }
    }
    return found
  }

  /// The values that a record with this row has in the named columns, key columns included; nil if there is no such
  /// column.
  func values(_ names: [String], _ id: RecordID, _ row: [Value]) -> [Value]? {
    var values: [Value] = []
    for name in names {
      switch position(of: name) {
      case .field(let index) where index < row.count: values.append(row[index])
      case .key(let index):
        guard let key = id.values, index < key.count else { return nil }
        values.append(key[index])
      default: return nil
      }
    }
    return values
  }

  /// Where a column's value is in a row of this table, or in the key.
  func position(of name: String) -> Place? {
    if let index = shape.fields.firstIndex(where: { $0.name == name }) { return .field(index) }
    return shape.key.firstIndex { $0.name == name }.map { .key($0) }
  }

  enum Place {
    case field(Int)
    case key(Int)
  }

  /// Binds the key as the first parameters; returns how many they are.
  @discardableResult
  func bindKey(_ id: RecordID, _ statement: Statement) throws -> Int {
    if shape.key.count == 1, try statement.bindSingleKey(id) { return 1 }
    guard let values = id.values, values.count == shape.key.count else {
      throw StoreError(
        .damaged, "A record of \(shape.name) has a key that does not fit the table's key columns.")
    }
    for (index, value) in values.enumerated() { try statement.bind(index + 1, value) }
    return values.count
  }
}

extension Statement {
  /// Binds a key of one text or blob without taking it out of its identity; false for other keys.
  fileprivate func bindSingleKey(_ id: RecordID) throws -> Bool {
    try id.withSingleContent { content, isText in
      if isText { try bindText(1, content) } else { try bindBlob(1, content) }
    } != nil
  }
}
