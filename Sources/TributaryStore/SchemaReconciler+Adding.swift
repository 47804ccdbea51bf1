import SQLite
import TributaryModel

extension SchemaReconciler {
  /// Makes the table, or adds the columns that it lacks.
  func addTable(_ table: Table, _ schema: Schema) throws {
    guard let info = try connection.table(table.name) else {
      try checkIsNew(table)
      return try add("the table “\(table.name)”", SchemaSQL.createTable(table))
    }
    if table.scope == .synced { try TableFit(table: table, info: info, schema: schema).check() }
    let present = Set(info.columns.map(\.name.sqlFolded))
    for column in table.columns where !present.contains(column.name.sqlFolded) {
      try add(
        "the column “\(column.name)” of “\(table.name)”",
        SchemaSQL.addColumn(column, to: table, isStrict: info.isStrict))
    }
  }

  /// A table whose records are known was dropped by another program. Making it anew would hide that its rows are gone.
  private func checkIsNew(_ table: Table) throws {
    let known = try connection.integer(
      "SELECT 1 FROM tributary_clock WHERE type=(SELECT id FROM tributary_type WHERE name=?1) LIMIT 1",
      [.text(table.name)])
    guard known == 1 else { return }
    throw StoreError(
      .damaged,
      "The table “\(table.name)” is gone: another program dropped it with its rows. Restore the database from a backup, "
        + "or start a new one and attach that: other devices hold what was synced.")
  }

  /// Makes the table's indexes that are missing.
  func addIndexes(_ table: Table) throws {
    let info = try info(table)
    guard info.kind == .table else { return }
    for columns in table.unique where !isUnique(columns, in: info) {
      try add(
        "the unique index over \(columns.joined(separator: ", ")) of “\(table.name)”",
        SchemaSQL.createIndex(try freeName(table, columns), on: table.name, columns, isUnique: true))
    }
    for index in table.indexes where try !isPresent(index, table) {
      try add(
        "the index “\(index.name)” of “\(table.name)”",
        SchemaSQL.createIndex(index.name, on: table.name, index.columns, isUnique: false))
    }
  }

  private func isUnique(_ columns: [String], in info: TableInfo) -> Bool {
    let wanted = Set(columns)
    if Set(info.primaryKey.map(\.name)) == wanted { return true }
    return info.uniqueIndexes.contains { Set($0.columns.compactMap(\.name)) == wanted }
  }

  /// An index that is there under the name stays as it is, whatever its columns.
  private func isPresent(_ index: Index, _ table: Table) throws -> Bool {
    guard let (kind, owner) = try holder(of: index.name) else { return false }
    guard kind == "index", owner.sqlFolded == table.name.sqlFolded else {
      throw StoreError(
        .schema,
        "The index “\(index.name)” of “\(table.name)” has the name of another \(kind). Give it another name.")
    }
    return true
  }

  /// A name for a unique index that nothing else has.
  private func freeName(_ table: Table, _ columns: [String]) throws -> String {
    let name = "\(table.name)_\(columns.joined(separator: "_"))_unique"
    var candidate = name
    var number = 2
    while try holder(of: candidate) != nil {
      candidate = "\(name)\(number)"
      number += 1
    }
    return candidate
  }

  private func holder(of name: String) throws -> (kind: String, table: String)? {
    let rows = try connection.rows(
      "SELECT type, tbl_name FROM sqlite_master WHERE name = ?1 COLLATE NOCASE AND type <> 'trigger'",
      [.text(name)])
    return rows.first.map { ($0[0].string ?? "", $0[1].string ?? "") }
  }

  private func add(_ what: String, _ sql: String) throws {
    do {
      try connection.execute(sql)
    } catch let error as DatabaseError {
      if case .constraint = error.code {
        throw StoreError(
          .schema, "Cannot add \(what): rows that are there break it. Mend them first, or declare less.",
          cause: error)
      }
      throw StoreError(.schema, "Cannot add \(what).", cause: error)
    }
  }
}
