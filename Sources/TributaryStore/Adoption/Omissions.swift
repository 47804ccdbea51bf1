import SQLite
import TributaryModel

/// What a database has that a description does not carry: a device that joins goes without, and says so.
struct Omissions {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  func lines(of found: FoundSchema) throws -> [String] {
    var lines: [String] = []
    for table in found.schema.tables {
      if let info = found.infos[table.name] { lines += try self.lines(of: table, info) }
    }
    let others = try connection.rows(
      """
      SELECT CASE WHEN type = 'table' THEN 'virtual table' ELSE type END, name FROM main.sqlite_master
      WHERE (type IN ('view', 'trigger') OR type = 'table' AND rootpage = 0)
        AND name NOT LIKE 'tributary\\_%' ESCAPE '\\' ORDER BY 1, 2
      """)
    lines += others.map { "the \($0[0].string ?? "") “\($0[1].string ?? "")”" }
    return lines.prefix(SchemaLimits.omissions).map(Self.cut)
  }

  private func lines(of table: Table, _ info: TableInfo) throws -> [String] {
    var lines: [String] = []
    if try SQLWords(connection.sql(ofTable: table.name)).contains("CHECK") {
      lines.append("the checks of “\(table.name)”")
    }
    for column in info.columns where column.isGenerated {
      lines.append("the generated column “\(table.name).\(column.name)”")
    }
    for column in table.columns {
      let sql = info.columns.first { $0.name == column.name }?.defaultSQL
      if sql != nil, sql?.sqlFolded != "null", column.defaultValue == nil, column.found?.now == nil {
        lines.append("the default of “\(table.name).\(column.name)”")
      }
    }
    let carried = Set(table.indexes.map(\.name))
    for index in info.indexes
    where index.origin == .created && !index.isUnique && !carried.contains(index.name) {
      lines.append("the index “\(index.name)”")
    }
    return lines
  }

  private static func cut(_ line: String) -> String {
    guard line.utf8.count > SchemaLimits.omission else { return line }
    var short = ""
    for character in line where short.utf8.count + String(character).utf8.count <= SchemaLimits.omission - 3 {
      short.append(character)
    }
    return short + "…"
  }
}
