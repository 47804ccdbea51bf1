import TributaryModel

/// Why a table cannot be written by a connection on which the app's own functions are not registered.
package struct TableFault: Error, Sendable {
  /// What cannot be done with the table.
  package enum Action: String, Sendable {
    case insert, update, delete, select
  }

  /// The table's name.
  package let table: String
  /// The first thing that fails.
  package let action: Action
  /// Whether it works while foreign keys are not enforced.
  package let isOnlyForForeignKeys: Bool
  /// What SQLite says, as "no such function: X", "unknown function: X()", "no such collation sequence: X", "no such
  /// module: X", "no such tokenizer: X", "unsafe use of X", "no such table: X", "foreign key mismatch".
  package let cause: DatabaseError
}

extension TableFault: CustomStringConvertible {
  package var description: String {
    let when = isOnlyForForeignKeys ? " while foreign keys are enforced" : ""
    return "The table \(quoted(table)) does not allow \(action.rawValue)\(when): \(cause.message). \(remedy)"
  }

  /// What a person can do about it.
  package var remedy: String {
    if isOnlyForForeignKeys { return "Mend the foreign key, or leave the table out." }
    if cause.message.hasPrefix("unsafe use") {
      return
        "Its triggers, rules or indexes use what a database from elsewhere must not use. Leave the table out."
    }
    return """
      Its triggers, rules or indexes may need what only the program that made them has. Leave the table out, or drop \
      what needs it.
      """
  }
}

extension Connection {
  /// The faults of all ordinary tables, one for each table that has any. Statements are compiled, and none is run.
  ///
  /// Foreign keys are switched on and off meanwhile, which SQLite does not do in a transaction: call it outside of one.
  package func tableFaults() throws -> [TableFault] {
    guard !inTransaction else {
      throw DatabaseError(.misuse, "Tables cannot be probed within a transaction.")
    }
    let enforced = try integer("PRAGMA foreign_keys") ?? 0
    defer { try? execute("PRAGMA foreign_keys = \(enforced)") }
    let tables = try tableNames().compactMap { try table($0) }
    try execute("PRAGMA foreign_keys = OFF")
    let plain = tables.map { fault(of: $0, isForForeignKeys: false) }
    try execute("PRAGMA foreign_keys = ON")
    return zip(tables, plain).compactMap { table, found in found ?? fault(of: table, isForForeignKeys: true) }
  }

  private func fault(of table: TableInfo, isForForeignKeys: Bool) -> TableFault? {
    for (action, sql) in Self.probes(table) {
      do {
        _ = try prepare(sql)
      } catch {
        let cause = error as? DatabaseError ?? DatabaseError(.error, "\(error)")
        return TableFault(
          table: table.name, action: action, isOnlyForForeignKeys: isForForeignKeys, cause: cause)
      }
    }
    return nil
  }

  /// Statements that name all columns, so that every trigger, rule and index is compiled with them.
  private static func probes(_ table: TableInfo) -> [(TableFault.Action, String)] {
    let name = "main.\(quoted(table.name))"
    let written = table.columns.filter { $0.kind == .ordinary }.map { quoted($0.name) }
    let all = table.columns.map { quoted($0.name) }
    let key = table.primaryKey.map { "\(quoted($0.name)) = ?1" }
    let match = key.isEmpty ? "?1" : key.joined(separator: " AND ")
    let values = written.map { _ in "?1" }.joined(separator: ", ")
    return [
      (.insert, "INSERT INTO \(name) (\(written.joined(separator: ", "))) VALUES (\(values))"),
      (.update, "UPDATE \(name) SET \(written.map { "\($0) = ?1" }.joined(separator: ", ")) WHERE \(match)"),
      (.delete, "DELETE FROM \(name) WHERE \(match)"),
      (.select, "SELECT \(all.joined(separator: ", ")) FROM \(name) WHERE \(match)"),
    ]
  }
}
