import SQLite
import TributaryModel

/// What the engine kept out of the tables, when it goes.
extension Adoption {
  /// Writes the rows that are parked or shown repaired as their programs wrote them; returns how many a rule refuses.
  /// Foreign keys are off.
  func putBack() throws -> Int {
    guard let known = try knownSchema() else { return 0 }
    var found = FoundSchema(schema: known)
    for table in known.tables { found.infos[table.name] = try connection.table(table.name) }
    found.schema.tables.removeAll { !isThere($0, found.infos[$0.name]) }
    let state = try StateTables(connection, shapes: try shapes(found), numbers: numbers)
    return try state.shapes.compactMap { state.access($0.type) }.reduce(0) { try $0 + putBack($1, state) }
  }

  /// Whether the table still has what is known of it.
  private func isThere(_ table: Table, _ info: TableInfo?) -> Bool {
    let columns = info?.columns.map(\.name) ?? []
    return table.columns.allSatisfy { columns.contains($0.name) }
  }

  private func putBack(_ access: RowAccess, _ state: StateTables) throws -> Int {
    let ids = try state.ids(access.shape.type, flagged: [.parked, .repaired])
    return try state.load(access, ids).filter { try !putBack($0, access) }.count
  }

  private func putBack(_ record: StoredRecord, _ access: RowAccess) throws -> Bool {
    let node = ProjectionNode(ProjectionNode.Name(type: access.shape.type, id: record.id), access, record)
    node.restart()
    do {
      if let row = record.row {
        let changed = node.row.indices.filter { row[$0] != node.row[$0] }
        if !changed.isEmpty { try access.update(record.id, node.row, changed, connection) }
      } else if try access.read(record.id, connection) == nil {
        try access.insert(record.id, node.row, connection)
      }
      return true
    } catch let error as DatabaseError where error.code.primary == .constraint && connection.inTransaction {
      return false
    }
  }
}
