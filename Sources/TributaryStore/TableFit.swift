import SQLite
import TributaryModel

/// Checks that a table which is there already can be synced as declared. Columns that are still missing are no matter.
struct TableFit {
  let table: Table
  let info: TableInfo
  let schema: Schema

  func check() throws {
    try checkKind()
    try checkKey()
    for column in info.columns { try checkColumn(column) }
    for key in info.foreignKeys { try checkForeignKey(key) }
  }

  private func refusal(_ problem: String) -> StoreError {
    StoreError(.schema, "The table “\(table.name)” cannot be synced: \(problem)")
  }

  private func checkKind() throws {
    guard info.kind == .table else {
      let what = info.kind == .view ? "a view" : "a virtual table or part of one"
      throw refusal("it is \(what). Sync the tables that it is made of, or declare it local.")
    }
    guard info.name == table.name else {
      throw refusal("the database calls it “\(info.name)”. Declare it in that case.")
    }
  }

  private func checkKey() throws {
    let key = info.primaryKey
    guard !key.isEmpty else {
      throw refusal("it has no primary key. Rebuild it with one: \(list(table.key)).")
    }
    guard key.map(\.name) == table.key else {
      throw refusal(
        "its primary key is \(list(key.map(\.name))), declared is \(list(table.key)). Declare the key of the table."
      )
    }
    if info.rowIDAlias != nil, !table.sharedIntegerKey {
      throw refusal(
        """
        SQLite hands out its key “\(key[0].name)” alike on every device. Use a text or blob key made at random, or \
        declare `sharedIntegerKey` if the app chooses the numbers itself.
        """)
    }
    for column in key where column.collation.sqlFolded != "binary" {
      throw refusal(
        """
        its key column “\(column.name)” compares by \(column.collation), so that two records could have one key. \
        Rebuild it with COLLATE BINARY.
        """)
    }
  }

  private func checkColumn(_ column: ColumnInfo) throws {
    let declared = table.columns.first { $0.name.sqlFolded == column.name.sqlFolded }
    guard let declared else { return try checkUndeclared(column) }
    guard declared.name == column.name else {
      throw refusal("it calls “\(declared.name)” “\(column.name)”. Declare the column in that case.")
    }
    if column.isGenerated {
      throw refusal("“\(column.name)” is a generated column. Do not declare it: every device computes it.")
    }
    let kind = declared.rule.kind
    guard column.keeps(kind, isStrict: info.isStrict) else {
      throw refusal(
        """
        “\(column.name)” is \(column.declaredType.isEmpty ? "untyped" : column.declaredType) there, which does not \
        keep every value of the declared kind, \(kind.rawValue). Declare what the table holds.
        """)
    }
  }

  private func checkUndeclared(_ column: ColumnInfo) throws {
    guard column.notNull, column.defaultSQL == nil, !column.isGenerated else { return }
    throw refusal(
      """
      “\(column.name)” is NOT NULL without a default and not declared, so that no row from another device could be \
      inserted. Declare the column.
      """)
  }

  private func checkForeignKey(_ key: ForeignKeyInfo) throws {
    guard key.columns.allSatisfy({ name in table.columns.contains { $0.name == name } }) else { return }
    let parent = schema.tables.first { $0.name.sqlFolded == key.parentTable.sqlFolded }
    guard parent?.scope == .synced else {
      let why = parent == nil ? "is not declared" : "is declared local"
      throw refusal(
        """
        \(list(key.columns)) refers to “\(key.parentTable)”, which \(why), so that other devices lack its rows. \
        Declare that table synced, or rebuild this one without the foreign key.
        """)
    }
  }

  private func list(_ names: [String]) -> String { names.map { "“\($0)”" }.joined(separator: ", ") }
}
