import TributaryModel

/// One foreign key of a table.
package struct ForeignKeyInfo: Equatable, Sendable {
  /// What happens to the children when the parent goes or changes.
  package enum Action: String, Sendable {
    /// Refuse at the end of the statement or transaction.
    case noAction = "NO ACTION"
    /// Refuse at once.
    case restrict = "RESTRICT"
    /// Set the child's columns to NULL.
    case setNull = "SET NULL"
    /// Set the child's columns to their defaults.
    case setDefault = "SET DEFAULT"
    /// Delete or change the children too.
    case cascade = "CASCADE"
  }

  /// The child's columns.
  package let columns: [String]
  /// The parent table, as written; it need not exist.
  package let parentTable: String
  /// The parent's columns, paired with `columns`; nil when they are left to be the parent's primary key.
  package let parentColumns: [String]?
  /// What happens when the parent is deleted.
  package let onDelete: Action
  /// What happens when the parent's key changes.
  package let onUpdate: Action
}

extension ForeignKeyInfo {
  /// The foreign keys in the order of their declaration.
  static func read(_ connection: Connection, _ table: String, _ schema: String) throws -> [ForeignKeyInfo] {
    // SQLite numbers them from the last declared.
    let sql = """
      SELECT id, "table", "from", "to", on_delete, on_update FROM pragma_foreign_key_list(?1, ?2)
      ORDER BY id DESC, seq
      """
    let rows = try connection.rows(sql, [.text(table), .text(schema)])
    var keys: [ForeignKeyInfo] = []
    var start = 0
    while start < rows.count {
      let end = rows[start...].firstIndex { $0[0] != rows[start][0] } ?? rows.count
      keys.append(ForeignKeyInfo(rows[start..<end], rows[start]))
      start = end
    }
    return keys
  }

  private init(_ rows: ArraySlice<[Value]>, _ first: [Value]) {
    let parents = rows.compactMap { $0[3].string }
    columns = rows.map { $0[2].string ?? "" }
    parentTable = first[1].string ?? ""
    parentColumns = parents.count == rows.count ? parents : nil
    onDelete = first[4].string.flatMap(Action.init) ?? .noAction
    onUpdate = first[5].string.flatMap(Action.init) ?? .noAction
  }
}
