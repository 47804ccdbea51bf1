import SQLite
import TributaryModel

/// What the constraints around one table ask of a ``DirectWriter``.
struct DirectConstraints {
  private let tables: StateTables
  private let shape: TableShape
  /// For each synced field whether a constraint is about it.
  private let constrained: [Bool]
  private let parents: [Parent]

  /// A reference to another table's key, the only kind that is looked up here.
  private struct Parent {
    let access: RowAccess?
    /// The positions of its columns among the synced fields; nil for one that is part of the key.
    let positions: [Int?]
  }

  init(_ tables: StateTables, _ shape: TableShape) {
    self.tables = tables
    self.shape = shape
    let referred = tables.shapes.flatMap { child in
      child.foreignKeys.filter { $0.parent == shape.name }.flatMap(\.parentColumns)
    }
    let names = Set(shape.foreignKeys.flatMap(\.columns) + shape.unique.flatMap(\.columns) + referred)
    constrained = shape.fields.map { names.contains($0.name) }
    parents = shape.foreignKeys.map { key in
      let access = tables.access(named: key.parent)
      let isKey = access.map { $0.shape.key.map(\.name) == key.parentColumns } ?? false
      return Parent(
        access: isKey ? access : nil,
        positions: key.columns.map { name in shape.fields.firstIndex { $0.name == name } })
    }
  }

  /// Whether an edit of the field at this position can break or free something.
  func isConstrained(_ position: Int) -> Bool { constrained[position] }

  /// Whether everything that a new record refers to is in its table for certain.
  func hasParents(of entry: Entry, _ layout: EntryLayout) throws -> Bool {
    for parent in parents {
      var values: [Value] = []
      for position in parent.positions {
        guard let position else { return false }
        let value = layout.sources[position].map { entry.change.fields[$0].value }
        values.append(value ?? shape.fields[position].defaultValue ?? .null)
      }
      if values.contains(where: \.isNull) { continue }
      guard let access = parent.access, let id = RecordID(values),
        try access.read(id, tables.connection) != nil
      else { return false }
    }
    return true
  }
}
