import TributaryModel

/// One index of a table, whether declared as an index or made by SQLite for a constraint.
package struct IndexInfo: Equatable, Sendable {
  /// Why an index is there.
  package enum Origin: String, Sendable {
    /// CREATE INDEX.
    case created = "c"
    /// A UNIQUE constraint.
    case unique = "u"
    /// A PRIMARY KEY that is no alias of the rowid.
    case primaryKey = "pk"
  }

  /// One column of an index's key.
  package struct Column: Equatable, Sendable {
    /// The table's column; nil for an expression.
    package let name: String?
    /// The collation by which the index compares.
    package let collation: String
    /// Whether the order is descending.
    package let isDescending: Bool
  }

  /// The index's name.
  package let name: String
  /// Whether it refuses duplicates.
  package let isUnique: Bool
  /// Why it is there.
  package let origin: Origin
  /// Whether it holds only the rows that meet its WHERE.
  package let isPartial: Bool
  /// The columns of the key, in order.
  package let columns: [Column]
}

extension IndexInfo {
  static func read(_ connection: Connection, _ table: String, _ schema: String) throws -> [IndexInfo] {
    // SQLite numbers them from the latest.
    let sql = """
      SELECT name, "unique", origin, partial FROM pragma_index_list(?1, ?2) ORDER BY seq DESC
      """
    return try connection.rows(sql, [.text(table), .text(schema)]).map { row in
      let name = row[0].string ?? ""
      return IndexInfo(
        name: name, isUnique: row[1].integer == 1, origin: row[2].string.flatMap(Origin.init) ?? .created,
        isPartial: row[3].integer == 1, columns: try Column.read(connection, name, schema))
    }
  }
}

extension IndexInfo.Column {
  fileprivate static func read(
    _ connection: Connection, _ index: String, _ schema: String
  ) throws -> [IndexInfo.Column] {
    let sql = """
      SELECT name, coll, "desc" FROM pragma_index_xinfo(?1, ?2) WHERE key ORDER BY seqno
      """
    return try connection.rows(sql, [.text(index), .text(schema)]).map { row in
      IndexInfo.Column(
        name: row[0].string, collation: row[1].string ?? "BINARY", isDescending: row[2].integer == 1)
    }
  }
}
