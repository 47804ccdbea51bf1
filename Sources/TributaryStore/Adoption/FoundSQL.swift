import SQLite
package import TributaryModel

/// The SQL by which a device that joins makes tables as another one found them. Everything in it is quoted or checked:
/// a description is data, and comes from the remote.
package enum FoundSQL {
  /// The statements for all tables and indexes.
  package static func statements(_ schema: Schema) -> [String] {
    schema.syncedTables.flatMap { table in [create(table)] + table.indexes.map { index($0, table) } }
  }

  private static func index(_ index: Index, _ table: Table) -> String {
    SchemaSQL.createIndex(index.name, on: table.name, index.columns, isUnique: false)
  }

  private static func create(_ table: Table) -> String {
    let found = table.found ?? []
    let rowID = rowIDKey(table)
    var parts = table.columns.map { column($0, table, isRowIDKey: $0.name == rowID) }
    if rowID == nil { parts.append("PRIMARY KEY(\(list(table.key)))") }
    parts += table.unique.map { "UNIQUE(\(list($0)))" }
    parts += table.foundUnique.map { unique in
      let columns = zip(unique.columns, unique.collations).map { "\(quoted($0)) COLLATE \($1)" }
      return "UNIQUE(\(columns.joined(separator: ", ")))"
    }
    parts += table.references.map { "FOREIGN KEY(\(list($0.columns))) \(SchemaSQL.references($0))" }
    var options: [String] = []
    if found.contains(.withoutRowID) { options.append("WITHOUT ROWID") }
    if found.contains(.strict) { options.append("STRICT") }
    let end = options.isEmpty ? "" : " " + options.joined(separator: ", ")
    return "CREATE TABLE \(quoted(table.name))(\n  \(parts.joined(separator: ",\n  ")))\(end)"
  }

  /// The key whose values SQLite hands out.
  private static func rowIDKey(_ table: Table) -> String? {
    guard table.sharedIntegerKey, table.key.count == 1, table.found?.contains(.withoutRowID) != true else {
      return nil
    }
    let column = table.columns.first { $0.name == table.key[0] }
    return column?.found?.type.sqlFolded == "integer" ? table.key[0] : nil
  }

  private static func column(_ column: Column, _ table: Table, isRowIDKey: Bool) -> String {
    var words = [quoted(column.name)]
    if let type = column.found?.type, !type.isEmpty { words.append(type) }
    if isRowIDKey {
      words.append("PRIMARY KEY" + (table.found?.contains(.autoincrement) == true ? " AUTOINCREMENT" : ""))
    } else if !column.rule.allowsNull {
      words.append("NOT NULL")
    }
    if let collation = column.found?.collation { words.append("COLLATE \(quoted(collation))") }
    if let value = column.defaultValue {
      words.append("DEFAULT \(SchemaSQL.literal(value))")
    } else if let now = column.found?.now {
      words.append("DEFAULT \(now.rawValue)")
    }
    return words.joined(separator: " ")
  }

  private static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }
}
