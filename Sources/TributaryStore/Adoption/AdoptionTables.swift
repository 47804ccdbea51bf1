package import SQLite
import TributaryModel

/// What the engine adds to a store for being adopted, beside its own tables: the gate, the prints, and for each synced
/// table its triggers and the table that they write to.
package struct AdoptionTables {
  static let gate = "\(LocalTables.prefix)gate"
  let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// Whether the database is adopted.
  package static func arePresent(_ connection: Connection) throws -> Bool {
    try connection.table(gate) != nil
  }

  /// Makes what does not belong to one table.
  func create() throws {
    try connection.execute(
      """
      CREATE TABLE \(Self.gate)(open INTEGER PRIMARY KEY);
      CREATE TABLE tributary_print(type INTEGER NOT NULL, id BLOB NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY(type, id)) WITHOUT ROWID
      """)
    try connection.execute(
      "UPDATE tributary_meta SET value=?1 WHERE key='format'", [.integer(LocalTables.adoptedVersion)])
  }

  /// Whether a table is the engine's: the app may have made one whose name only begins alike.
  private static func isOwn(_ name: String) -> Bool {
    if [gate, "\(LocalTables.prefix)print"].contains(name) || LocalTables.names.contains(name) {
      return true
    }
    return name.hasPrefix(EditTable.prefix) && Int64(name.dropFirst(EditTable.prefix.count)) != nil
  }

  /// The triggers that are there, with their text.
  func triggers() throws -> [String: String] {
    let sql = """
      SELECT name, sql FROM main.sqlite_master
      WHERE type = 'trigger' AND name LIKE 'tributary\\_adopt\\_%' ESCAPE '\\'
      """
    let rows = try connection.rows(sql).map { ($0[0].string ?? "", $0[1].string ?? "") }
    return Dictionary(rows) { first, _ in first }
  }

  /// Whether a table's triggers are all there, just as they should be, and what they write to.
  func areIntact(_ shape: TableShape, _ existing: [String: String]) throws -> Bool {
    let wanted = AdoptionTriggers(shape).creations
    return try EditTable(shape.type, connection) == EditTable(shape)
      && wanted.allSatisfy { existing[$0.name] == $0.sql }
      && existing.keys.count { $0.hasPrefix("\(AdoptionTriggers.prefix)\(shape.type)_") } == wanted.count
  }

  /// Whether triggers of a table are missing, so that edits may have gone unseen.
  func lacksTriggers(_ shape: TableShape, _ existing: [String: String]) -> Bool {
    AdoptionTriggers(shape).creations.contains { existing[$0.name] == nil }
  }

  /// The page on which each table begins, by type. A program that makes a table anew may make its triggers anew as
  /// well, just as they were; then only the place is another. So it is after VACUUM, which costs a look at every row.
  func places(_ shapes: [TableShape]) throws -> [Int64: Int64] {
    let rows = try connection.rows("SELECT name, rootpage FROM main.sqlite_master WHERE type='table'")
    let roots = Dictionary(rows.map { ($0[0].string ?? "", $0[1].integer ?? 0) }) { first, _ in first }
    return Dictionary(shapes.map { ($0.type, roots[$0.name] ?? 0) }) { first, _ in first }
  }

  /// Makes a table's triggers, and the table that they write to, anew. Edits that it holds must be taken over before.
  func install(_ shape: TableShape) throws {
    try removeTriggers(of: shape.type)
    try connection.execute("DROP TABLE IF EXISTS main.\(EditTable.name(shape.type))")
    try connection.execute(EditTable(shape).creation)
    for trigger in AdoptionTriggers(shape).creations { try connection.execute(trigger.sql) }
  }

  /// Removes the triggers of one table; those of all if nil.
  func removeTriggers(of type: Int64? = nil) throws {
    let prefix = AdoptionTriggers.prefix + (type.map { "\($0)_" } ?? "")
    for name in try triggers().keys.sorted() where name.hasPrefix(prefix) {
      try connection.execute("DROP TRIGGER main.\(quoted(name))")
    }
  }

  /// Removes everything of the engine's: its triggers, tables and indexes. The app's schema is as it was.
  package func removeEverything() throws {
    try removeTriggers()
    let tables = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type='table' AND name LIKE 'tributary\\_%' ESCAPE '\\' ORDER BY name"
    )
    for name in tables.compactMap({ $0[0].string }) where Self.isOwn(name) {
      try connection.execute("DROP TABLE main.\(quoted(name))")
    }
  }
}
