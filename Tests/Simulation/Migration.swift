import SQLite
import TestSupport
import TributaryModel

/// What the triggers of an adopted database are away for.
enum Unwatched: CustomStringConvertible {
  /// Adoption is paused, and resumed.
  case paused
  /// Somebody drops some of the triggers, chosen by a number, before an app starts that brings them back.
  case dropped(Int)

  var description: String {
    switch self {
    case .paused: "paused"
    case .dropped(let number): "some triggers dropped (\(number))"
    }
  }
}

/// One change that an app makes to the tables or the file of an adopted database.
enum Migration: CustomStringConvertible {
  case addColumn(Int)
  /// Renames `due` and, the next time, back.
  case rename
  /// A table is made anew with the same rows.
  case rebuild(String)
  /// With one value of every row changed.
  case rebuildChanged
  case vacuum
  case journal(String)
  /// Anything else.
  case sql(String, isPaused: Bool = false)

  var description: String {
    switch self {
    case .addColumn(let number): "add extra\(number)"
    case .rename: "rename due"
    case .rebuild(let table): "rebuild \(table)"
    case .rebuildChanged: "rebuild secret with other values"
    case .vacuum: "vacuum"
    case .journal(let mode): "journal \(mode)"
    case .sql(let sql, let isPaused): isPaused ? "paused, " + sql : sql
    }
  }

  var changesColumns: Bool {
    switch self {
    case .addColumn, .rename, .sql: true
    default: false
    }
  }

  static let otherName = "deadline"

  func run(_ connection: Connection) throws {
    switch self {
    case .addColumn(let number):
      guard try !Self.hasColumn("extra\(number)", connection) else { return }
      try connection.execute("ALTER TABLE item ADD COLUMN extra\(number) TEXT")
    case .rename:
      let (from, to) =
        try Self.hasColumn("due", connection) ? ("due", Self.otherName) : (Self.otherName, "due")
      try connection.execute("ALTER TABLE item RENAME COLUMN \(from) TO \(to)")
    case .rebuild(let table): try Self.rebuild(table, connection)
    case .rebuildChanged: try Self.rebuild("secret", connection, "UPDATE fresh SET note='rebuilt'")
    case .vacuum: try connection.execute("VACUUM")
    case .journal(let mode): try connection.execute("PRAGMA journal_mode=\(mode)")
    case .sql(let sql, _): try connection.execute("PRAGMA foreign_keys=OFF; BEGIN IMMEDIATE; \(sql); COMMIT")
    }
  }

  static func hasColumn(_ name: String, _ connection: Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM pragma_table_info('item') WHERE name=?1", [.text(name)]) != nil
  }

  /// As SQLite's manual says.
  ///
  /// - Parameter more: runs over the table `fresh` before it takes the old one's place.
  static func rebuild(_ table: String, _ connection: Connection, _ more: String = "") throws {
    try connection.execute("PRAGMA foreign_keys=OFF")
    let sql =
      try connection.value("SELECT sql FROM sqlite_master WHERE name=?1", [.text(table)])?.string ?? ""
    let body = sql.drop { $0 != "(" }
    let triggers = try connection.rows(
      "SELECT sql FROM sqlite_master WHERE type='trigger' AND tbl_name=?1 AND name NOT GLOB 'tributary_*'",
      [.text(table)])
    try connection.transaction(.immediate) {
      try connection.execute(
        """
        CREATE TABLE fresh\(body); INSERT INTO fresh SELECT * FROM \(table); \(more);
        DROP TABLE \(table); ALTER TABLE fresh RENAME TO \(table)
        """)
      for sql in triggers.compactMap({ $0[0].string }) { try connection.execute(sql) }
    }
  }
}
