import SQLite
import TributaryModel

/// Refuses tables that were filled before the engine knew them: such rows have no stamps, so they would never travel.
struct UnknownRows {
  let connection: Connection
  let numbers: LocalNumbers

  /// Looks at the tables that become synced now. Call it before the schema is brought up, in the same transaction.
  /// - Throws: ``StoreError`` with `.unknownRows`.
  func check(_ schema: Schema) throws {
    let isNew = try connection.table(LocalTables.prefix + "meta") == nil
    for table in schema.syncedTables {
      if try !isNew && numbers.knownType(named: table.name) != nil { continue }
      guard try connection.table(table.name)?.kind == .table, try hasRows(table.name) else { continue }
      throw StoreError(
        .unknownRows,
        """
        The table “\(table.name)” holds rows that were written without the engine, so they would never reach another \
        device. Rename it (ALTER TABLE \(quoted(table.name)) RENAME TO …), open the store, and copy the rows with \
        INSERT … SELECT inside `write`.
        """)
    }
  }

  private func hasRows(_ table: String) throws -> Bool {
    try connection.value("SELECT 1 FROM main.\(quoted(table)) LIMIT 1") != nil
  }
}
