import SQLite
import TestSupport
import TributaryModel
import TributaryStore

/// A program that has nothing of the engine's in it, and writes an adopted database as it likes.
struct ForeignApp {
  typealias Row = [String: Value]

  /// How a program sets its connection.
  struct Habits: CustomStringConvertible {
    var foreignKeys = true
    var recursiveTriggers = false
    var rollsBack = false

    var description: String {
      let words = [
        foreignKeys ? "with keys" : "without keys", recursiveTriggers ? "recursive" : nil,
        rollsBack ? "rolled back" : nil,
      ]
      return "(\(words.compactMap(\.self).joined(separator: ", ")))"
    }
  }

  /// One row as a statement found and left it; nil where there was none.
  struct Difference {
    var name: RecordName
    var before: Row?
    var after: Row?
  }

  private struct RolledBack: Error {}

  let path: String

  /// Runs one transaction, and says what each of its statements did; nil if nothing was committed.
  ///
  /// - Parameter time: milliseconds since 1970, which the triggers' notes get: SQLite's own clock is not the world's.
  func run(_ statements: [Statement], _ habits: Habits, at time: Int64) throws -> [Difference]? {
    try open { connection in
      let noted = try noted(connection)
      try connection.execute("PRAGMA foreign_keys=\(habits.foreignKeys ? "ON" : "OFF")")
      try connection.execute("PRAGMA recursive_triggers=\(habits.recursiveTriggers ? "ON" : "OFF")")
      do {
        var differences: [Difference] = []
        try connection.transaction(.immediate) {
          var before = try rows(connection)
          for statement in statements {
            try connection.execute(statement.sql, statement.values)
            let after = try rows(connection)
            differences += Self.differences(before, after)
            before = after
          }
          if habits.rollsBack { throw RolledBack() }
        }
        try date(connection, after: noted, time)
        return differences
      } catch is RolledBack {
        return nil
      } catch let error as DatabaseError {
        guard case .constraint = error.code else { throw error }
        return nil
      }
    }
  }

  /// Does something to the file by a connection of its own, and says what became of the rows.
  func change(_ body: (Connection) throws -> Void) throws -> [Difference] {
    try open { connection in
      let before = try rows(connection)
      try body(connection)
      return Self.differences(before, try rows(connection))
    }
  }

  /// Every row of the synced tables that are there.
  func rows() throws -> [RecordName: Row] { try open(rows) }

  static func differences(_ before: [RecordName: Row], _ after: [RecordName: Row]) -> [Difference] {
    Set(before.keys).union(after.keys).sorted().compactMap { name in
      guard before[name] != after[name] else { return nil }
      return Difference(name: name, before: before[name], after: after[name])
    }
  }
}

extension ForeignApp {
  private func open<T>(_ body: (Connection) throws -> T) throws -> T {
    let connection = try Connection.open(path)
    defer { connection.close() }
    return try body(connection)
  }

  private func rows(_ connection: Connection) throws -> [RecordName: Row] {
    var all: [RecordName: Row] = [:]
    for table in Workload.adoptedSchema.tables {
      let columns = try connection.rows("SELECT name FROM pragma_table_info(?1)", [.text(table.name)])
        .compactMap { $0[0].string }
      guard !columns.isEmpty else { continue }
      for values in try connection.rows("SELECT \(columns.joined(separator: ",")) FROM \(table.name)") {
        var row = Row(uniqueKeysWithValues: zip(columns, values))
        guard let id = RecordID(table.key.compactMap { row[$0] }) else { continue }
        for name in table.key { row[name] = nil }
        all[RecordName(table.name, id)] = row
      }
    }
    return all
  }

  /// The last note in each table of notes.
  private func noted(_ connection: Connection) throws -> [String: Int64] {
    let names = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type='table' AND name GLOB 'tributary_edit_*' ORDER BY name")
    var last: [String: Int64] = [:]
    for name in names.compactMap({ $0[0].string }) {
      last[name] = try connection.integer("SELECT max(seq) FROM \(name)") ?? 0
    }
    return last
  }

  private func date(_ connection: Connection, after noted: [String: Int64], _ time: Int64) throws {
    for (name, seq) in noted.sorted(by: { $0.key < $1.key }) {
      try connection.execute("UPDATE \(name) SET time=?1 WHERE seq>?2", [.integer(time), .integer(seq)])
    }
  }
}
