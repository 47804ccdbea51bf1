package import SQLite
package import TributaryModel

/// Finds out what a transaction changed by comparing the committed rows with those of the writer, for when the hook
/// has also seen changes that were undone.
package struct CaptureVerifier {
  private let writer: Connection
  private let reader: Connection
  private let tables: [Int64: TableShape]

  /// The reader is a second connection that is in no transaction. In WAL mode it sees the last committed state while
  /// the writer's transaction is open.
  package init(writer: Connection, reader: Connection, tables: [TableShape]) {
    self.writer = writer
    self.reader = reader
    self.tables = Dictionary(tables.map { ($0.type, $0) }) { first, _ in first }
  }

  /// The outcome's changes, looked up if need be.
  package func changes(_ outcome: Capture.Outcome) throws -> [LocalChange] {
    switch outcome {
    case .exact(let changes): changes
    case .verify(let records): try changes(of: records)
    }
  }

  /// The changes among these records, in their order. A delete says nothing of fields changed before it.
  package func changes(of records: [(type: Int64, id: RecordID)]) throws -> [LocalChange] {
    guard !records.isEmpty else { return [] }
    return try reader.transaction { try records.compactMap { try change($0.type, $0.id) } }
  }

  private func change(_ type: Int64, _ id: RecordID) throws -> LocalChange? {
    guard let table = tables[type], let key = id.values, key.count == table.key.count else {
      throw StoreError(.damaged, "A captured change names a record that no synced table can hold.")
    }
    let before = try row(id, key, table, reader)
    let after = try row(id, key, table, writer)
    switch (before, after) {
    case (nil, nil): return nil
    case (nil, _?): return LocalChange(type: type, id: id, kind: .insert)
    case (let before?, nil):
      let image = zip(table.fields, before).map { (field: $0.field, value: $1) }
      return LocalChange(type: type, id: id, kind: .delete, image: table.onDelete == .erases ? [] : image)
    case (let before?, let after?):
      let changed = table.fields.indices.filter { before[$0] != after[$0] }
      if changed.isEmpty { return nil }
      return LocalChange(
        type: type, id: id, kind: .update, fields: FieldMask(changed.map { table.fields[$0].field }))
    }
  }

  /// The fields' values of a row; nil if there is none with exactly this key.
  private func row(
    _ id: RecordID, _ key: [Value], _ table: TableShape, _ connection: Connection
  ) throws -> [Value]? {
    let names = (table.key.map(\.name) + table.fields.map(\.name)).map(quoted).joined(separator: ", ")
    let matches = table.key.indices.map { "\(quoted(table.key[$0].name)) = ?\($0 + 1)" }
    let sql = "SELECT \(names) FROM main.\(quoted(table.name)) WHERE \(matches.joined(separator: " AND "))"
    // A column's collation may take other keys for this one.
    for row in try connection.rows(sql, key) where RecordID(Array(row[..<key.count])) == id {
      return Array(row[key.count...])
    }
    return nil
  }
}
