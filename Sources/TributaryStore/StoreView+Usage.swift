import SQLite
import TributaryModel

/// What the engine takes in a database.
package struct LocalUsage: Sendable, Hashable {
  /// One of the engine's tables.
  package struct EngineTable: Sendable, Hashable {
    package var name: String
    package var rows: Int
    package var bytes: Int
  }

  /// The database's size by its own count of pages, free ones included.
  package var fileBytes: Int
  /// Whether `bytes` counts whole pages, those of indexes too; else it adds up the values' lengths.
  package var isWholePages: Bool
  /// In the order of names.
  package var tables: [EngineTable]
}

extension StoreView {
  /// What the engine's tables take. Within ``read(_:)``. It goes through all of those tables.
  package func localUsage() throws -> LocalUsage {
    let names = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type='table' AND name LIKE 'tributary\\_%' ESCAPE '\\' ORDER BY name"
    ).compactMap { $0[0].string }
    let pages = try pageSizes()
    let tables = try names.map { name in
      LocalUsage.EngineTable(
        name: name, rows: Int(try connection.integer("SELECT count(*) FROM main.\(quoted(name))") ?? 0),
        bytes: try pages.map { $0[name] ?? 0 } ?? contentSize(of: name))
    }
    let file = try connection.integer(
      "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    return LocalUsage(fileBytes: Int(file ?? 0), isWholePages: pages != nil, tables: tables)
  }

  /// Bytes of whole pages by table; nil where SQLite was built without the table that tells.
  private func pageSizes() throws -> [String: Int]? {
    let hasSizes = try connection.integer("SELECT 1 FROM pragma_module_list WHERE name='dbstat'") == 1
    guard hasSizes else { return nil }
    let rows = try connection.rows(
      """
      SELECT m.tbl_name, sum(s.pgsize) FROM main.sqlite_master m JOIN dbstat s ON s.name=m.name
      WHERE s.aggregate=1 AND m.tbl_name LIKE 'tributary\\_%' ESCAPE '\\' GROUP BY m.tbl_name
      """)
    return Dictionary(rows.map { ($0[0].string ?? "", Int($0[1].integer ?? 0)) }) { $0 + $1 }
  }

  /// The lengths of a table's values, added up; numbers count as the digits that they are shown with.
  func contentSize(of table: String) throws -> Int {
    let columns = try connection.table(table)?.columns.map(\.name) ?? []
    guard !columns.isEmpty else { return 0 }
    let lengths = columns.map { "coalesce(length(CAST(\(quoted($0)) AS BLOB)),0)" }.joined(separator: "+")
    return Int(try connection.integer("SELECT sum(\(lengths)) FROM main.\(quoted(table))") ?? 0)
  }
}
