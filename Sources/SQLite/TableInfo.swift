import CSQLite
import TributaryModel

/// What SQLite knows of one table.
package struct TableInfo: Equatable, Sendable {
  /// What is called a table.
  package enum Kind: String, Sendable {
    /// An ordinary table.
    case table
    /// A view.
    case view
    /// A virtual table.
    case virtual
    /// A table that belongs to a virtual one.
    case shadow
  }

  /// The name, in its declared case.
  package let name: String
  /// What it is.
  package let kind: Kind
  /// Whether it is WITHOUT ROWID.
  package let isWithoutRowID: Bool
  /// Whether it is STRICT.
  package let isStrict: Bool
  /// All columns, hidden and generated ones too, in order.
  package let columns: [ColumnInfo]
  /// The foreign keys, in the order of their declaration.
  package let foreignKeys: [ForeignKeyInfo]
  /// The indexes, those that constraints made as well.
  package let indexes: [IndexInfo]

  /// The columns of the primary key, in the key's order; empty when there is none.
  package var primaryKey: [ColumnInfo] {
    columns.filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
  }

  /// The INTEGER PRIMARY KEY that is another name for the rowid; nil when there is none.
  ///
  /// A key that is no alias has an index, and this holds for the oddities too, such as INTEGER PRIMARY KEY DESC.
  package var rowIDAlias: ColumnInfo? {
    let key = primaryKey
    guard kind == .table, key.count == 1, !isWithoutRowID else { return nil }
    return indexes.contains { $0.origin == .primaryKey } ? nil : key.first
  }

  /// The indexes that make rows unique over the whole table and by plain columns, the primary key's included.
  package var uniqueIndexes: [IndexInfo] {
    indexes.filter { index in
      index.isUnique && !index.isPartial && index.columns.allSatisfy { $0.name != nil }
    }
  }
}

extension Connection {
  /// What SQLite knows of a table or view; nil if there is none. The name's case does not matter.
  package func table(_ name: String, schema: String = "main") throws -> TableInfo? {
    guard let (name, kind) = try declaration(name, schema) else { return nil }
    let arguments: [Value] = [.text(name), .text(schema)]
    // Asked for a table's name, this pragma answers only for the key of a WITHOUT ROWID table.
    let keyed = try integer("SELECT count(*) FROM pragma_index_info(?1, ?2)", arguments) ?? 0
    return TableInfo(
      name: name, kind: kind, isWithoutRowID: kind != .virtual && keyed > 0,
      isStrict: try isStrict(arguments),
      columns: try ColumnInfo.read(self, name, schema),
      foreignKeys: try ForeignKeyInfo.read(self, name, schema),
      indexes: try IndexInfo.read(self, name, schema))
  }

  /// The names of all ordinary tables, those of SQLite and of virtual tables left out, in binary order.
  package func tableNames(schema: String = "main") throws -> [String] {
    let filter = "name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    let found =
      if Self.listsTables {
        try rows(
          "SELECT name FROM pragma_table_list WHERE schema = ?1 COLLATE NOCASE AND type = 'table' AND \(filter)",
          [.text(schema)])
      } else {
        try rows(
          "SELECT name FROM \(quoted(schema)).sqlite_master WHERE type = 'table' AND rootpage > 0 AND \(filter)"
        )
      }
    return found.compactMap { $0[0].string }
  }

  /// The statement that made a table of the main database; empty if there is no such table.
  package func sql(ofTable name: String) throws -> String {
    try value("SELECT sql FROM main.sqlite_master WHERE type='table' AND name=?1", [.text(name)])?.string
      ?? ""
  }

  private func declaration(_ name: String, _ schema: String) throws -> (String, TableInfo.Kind)? {
    let sql = """
      SELECT name, CASE WHEN type = 'view' THEN 'view' WHEN rootpage = 0 THEN 'virtual' ELSE 'table' END
      FROM \(quoted(schema)).sqlite_master WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE
      """
    guard let row = try rows(sql, [.text(name)]).first, let found = row[0].string else { return nil }
    var kind = row[1].string.flatMap(TableInfo.Kind.init) ?? .table
    if Self.listsTables {
      let listed = try value(
        "SELECT type FROM pragma_table_list(?1) WHERE schema = ?2 COLLATE NOCASE",
        [.text(found), .text(schema)])
      kind = listed?.string.flatMap(TableInfo.Kind.init) ?? kind
    }
    return (found, kind)
  }

  private func isStrict(_ arguments: [Value]) throws -> Bool {
    guard Self.listsTables else { return false }
    let sql = "SELECT strict FROM pragma_table_list(?1) WHERE schema = ?2 COLLATE NOCASE"
    return try integer(sql, arguments) == 1
  }

  /// STRICT tables and the pragma that tells of them came together.
  private static var listsTables: Bool { sqlite3_libversion_number() >= 3_037_000 }
}
