import SQLite
package import TributaryModel

/// A record that a constraint keeps out of its table, or lets in with repaired values only.
package struct PutAside: Sendable, Hashable {
  /// What stands against the record as its state has it.
  package enum Cause: Sendable, Hashable {
    /// Another record has the values that must be unique.
    case unique(columns: [String], other: [Value])
    /// It refers to a record that its table does not show.
    case reference(columns: [String], parent: String, values: [Value])
    /// A column that must have a value has none.
    case missing(column: String)
    /// Something that is not known, a check of the table's own for example.
    case unknown
  }

  package var table: String
  /// Empty if it cannot be read.
  package var key: [Value]
  /// Out of the table; else in it, with other values in `columns`.
  package var isParked: Bool
  /// Columns that show something else than their value.
  package var columns: [String] = []
  package var cause = Cause.unknown
}

extension StoreView {
  /// The first records that are parked, then those that are repaired, at most `limit`. Within ``read(_:)``.
  package func putAside(limit: Int) throws -> [PutAside] {
    var found: [PutAside] = []
    for flag in [Overlay.Flags.parked, .repaired] {
      let sql = """
        SELECT type,id FROM tributary_overlay WHERE flags & 6 AND flags & \(flag.rawValue)
        ORDER BY type,id LIMIT ?1
        """
      for row in try connection.rows(sql, [.integer(Int64(limit - found.count))]) {
        guard let type = row[0].integer, case .blob(let id) = row[1] else { continue }
        found.append(try putAside(type, RecordID(encoded: id), isParked: flag == .parked))
      }
    }
    return found
  }

  private func putAside(_ type: Int64, _ id: RecordID, isParked: Bool) throws -> PutAside {
    let table = try tables.numbers.name(ofType: type) ?? "?"
    var item = PutAside(table: table, key: id.values ?? [], isParked: isParked)
    guard let access = tables.access(type), let record = try tables.load(access, [id]).first else {
      return item
    }
    let node = ProjectionNode(ProjectionNode.Name(type: type, id: id), access, record)
    node.restart()
    if let shown = record.row {
      item.columns = node.row.indices.filter { shown[$0] != node.row[$0] }.map {
        access.shape.fields[$0].name
      }
    }
    item.cause = try cause(node) ?? .unknown
    return item
  }

  private func cause(_ node: ProjectionNode) throws -> PutAside.Cause? {
    let access = node.access
    for set in access.shape.unique {
      guard let values = held(set.columns, by: node) else { continue }
      let others = try access.find(set, values, connection)
      if let other = others.first(where: { $0 != node.name.id }) {
        return .unique(columns: set.columns, other: other.values ?? [])
      }
    }
    for key in access.shape.foreignKeys {
      guard let values = held(key.columns, by: node), let parent = tables.access(named: key.parent),
        try parent.find(key.parentColumns, values, connection).isEmpty
      else { continue }
      return .reference(columns: key.columns, parent: key.parent, values: values)
    }
    let missing = access.shape.fields.indices.first {
      access.shape.fields[$0].isNotNull && node.row[$0].isNull
    }
    return missing.map { .missing(column: access.shape.fields[$0].name) }
  }

  /// The values that the record's state has in these columns, if none is NULL: NULL breaks nothing.
  private func held(_ columns: [String], by node: ProjectionNode) -> [Value]? {
    guard let values = node.values(columns, in: node.row), !values.contains(where: \.isNull) else {
      return nil
    }
    return values
  }
}
