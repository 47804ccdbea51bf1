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

  /// The triggers that are there, with their text.
  func triggers() throws -> [String: String] {
    let sql = """
      SELECT name, sql FROM main.sqlite_master
      WHERE type = 'trigger' AND name LIKE 'tributary\\_adopt\\_%' ESCAPE '\\'
      """
    let rows = try connection.rows(sql).map { ($0[0].string ?? "", $0[1].string ?? "") }
    return Dictionary(rows) { first, _ in first }
  }

  /// Whether a table's triggers are all there, just as they should be.
  func areIntact(_ shape: TableShape, _ existing: [String: String]) -> Bool {
    AdoptionTriggers(shape).creations.allSatisfy { existing[$0.name] == $0.sql }
      && existing.keys.filter { $0.hasPrefix("\(AdoptionTriggers.prefix)\(shape.type)_") }.count
        == AdoptionTriggers(shape).creations.count
  }

  /// Makes a table's triggers, and the table that they write to, anew. Edits that it holds must be taken over before.
  func install(_ shape: TableShape) throws {
    try removeTriggers(of: shape.type)
    try connection.execute("DROP TABLE IF EXISTS main.\(EditTable.name(shape.type))")
    try connection.execute(EditTable(shape).creation)
    for trigger in AdoptionTriggers(shape).creations { try connection.execute(trigger.sql) }
  }

  func removeTriggers(of type: Int64) throws {
    for name in try triggers().keys.sorted() where name.hasPrefix("\(AdoptionTriggers.prefix)\(type)_") {
      try connection.execute("DROP TRIGGER main.\(quoted(name))")
    }
  }

  /// Removes everything of the engine's: its triggers, tables and indexes. The app's schema is as it was.
  package func removeEverything() throws {
    for name in try triggers().keys.sorted() { try connection.execute("DROP TRIGGER main.\(quoted(name))") }
    let tables = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type='table' AND name LIKE 'tributary\\_%' ESCAPE '\\' ORDER BY name"
    )
    for name in tables.compactMap({ $0[0].string }) {
      try connection.execute("DROP TABLE main.\(quoted(name))")
    }
  }
}
