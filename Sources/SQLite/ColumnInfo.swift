import CSQLite
import TributaryModel

/// One column of a table, as declared.
package struct ColumnInfo: Equatable, Sendable {
  /// How a column comes by its values.
  package enum Kind: Int64, Sendable {
    /// Written by statements.
    case ordinary = 0
    /// An argument of a virtual table.
    case hidden = 1
    /// Computed when read.
    case generatedVirtual = 2
    /// Computed when written.
    case generatedStored = 3
  }

  /// The name, in its declared case.
  package let name: String
  /// The declared type, empty if none.
  package let declaredType: String
  /// Whether NOT NULL is declared.
  package let notNull: Bool
  /// The default as SQL text.
  package let defaultSQL: String?
  /// The place in the primary key, from 1; 0 for a column outside of it.
  package let primaryKeyIndex: Int
  /// How the column comes by its values.
  package let kind: Kind
  /// The collation, `BINARY` if none is declared.
  package let collation: String

  /// Whether the column is computed, so that no statement may write it.
  package var isGenerated: Bool { kind == .generatedVirtual || kind == .generatedStored }
}

extension ColumnInfo {
  static func read(_ connection: Connection, _ table: String, _ schema: String) throws -> [ColumnInfo] {
    let sql = """
      SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, ?2) ORDER BY cid
      """
    return try connection.rows(sql, [.text(table), .text(schema)]).map { row in
      let name = row[0].string ?? ""
      return ColumnInfo(
        name: name, declaredType: row[1].string ?? "", notNull: row[2].integer == 1,
        defaultSQL: row[3].string,
        primaryKeyIndex: Int(row[4].integer ?? 0), kind: row[5].integer.flatMap(Kind.init) ?? .ordinary,
        collation: collation(connection, schema, table, name))
    }
  }

  /// A view's columns have no collation of their own.
  private static func collation(
    _ connection: Connection, _ schema: String, _ table: String, _ column: String
  ) -> String {
    var name: UnsafePointer<CChar>?
    let code = sqlite3_table_column_metadata(
      connection.handle, schema, table, column, nil, &name, nil, nil, nil)
    guard code == SQLITE_OK, let name else { return "BINARY" }
    return String(cString: name)
  }
}
