import SQLite
import TributaryModel

/// Records that another program wrote, which may break what the engine keeps: a program can leave foreign keys
/// unchecked.
struct SettledRecords {
  /// Records that are looked at together.
  private static let batch = 4_096

  let tables: StateTables
  /// The last change of each record.
  private var changes: [ProjectionNode.Name: LocalChange] = [:]
  /// By type, fields that were changed, or went with their records.
  private var fields: [Int64: FieldMask] = [:]
  private var lost: [Int64: [RecordID]] = [:]

  init(_ tables: StateTables) { self.tables = tables }

  mutating func add(_ more: [LocalChange]) {
    for change in more {
      changes[change.name] = change
      let changed = change.kind == .delete ? tables.access(change.type)?.shape.allFields : change.fields
      if let changed { fields[change.type, default: FieldMask()].formUnion(changed) }
    }
  }

  /// The records, and those that refer to what is not there any more, some at a time; at least one batch, since any
  /// edit can end a repair.
  func batches() throws -> [[ProjectionNode.Name]] {
    let names = Set(changes.keys).union(try orphans()).sorted()
    guard !names.isEmpty else { return [[]] }
    return stride(from: 0, to: names.count, by: Self.batch).map {
      Array(names[$0..<min($0 + Self.batch, names.count)])
    }
  }

  /// A deleted record comes with its last row, by which the records that refer to it are found.
  mutating func load(_ names: [ProjectionNode.Name]) throws -> [(access: RowAccess, records: [StoredRecord])]
  {
    var loaded: [(access: RowAccess, records: [StoredRecord])] = []
    for (type, names) in Dictionary(grouping: names, by: \.type).sorted(by: { $0.key < $1.key }) {
      guard let access = tables.access(type) else { continue }
      var records: [StoredRecord] = []
      for var record in try tables.load(access, names.map(\.id)) {
        if record.row == nil, record.flags.isDisjoint(with: [.unseen, .parked]) {
          // It went while nothing watched, which is no delete.
          lost[type, default: []].append(record.id)
          continue
        }
        let change = changes[ProjectionNode.Name(type: type, id: record.id)]
        if record.row == nil, let change, change.kind == .delete {
          record.row = access.columns.map { column in
            change.image.first { $0.field == column.field }?.value ?? .null
          }
        }
        records.append(record)
      }
      loaded.append((access, records))
    }
    return loaded
  }

  /// Forgets the records whose rows went unseen; whether there were any. After all batches.
  func forgetLost() throws -> Bool {
    for (type, ids) in lost { try tables.forget(type, ids) }
    return !lost.isEmpty
  }

  /// Records that refer, by fields that are not the parent's key, to values that no parent has any more. An edit does
  /// not tell what it overwrote, so all are looked at.
  private func orphans() throws -> [ProjectionNode.Name] {
    try tables.shapes.flatMap { shape in
      try shape.foreignKeys.flatMap { key in try orphans(shape, key) }
    }
  }

  private func orphans(_ shape: TableShape, _ key: TableShape.ForeignKey) throws -> [ProjectionNode.Name] {
    guard let access = tables.access(named: key.parent), let changed = fields[access.shape.type],
      key.parentColumns.contains(where: {
        access.shape.field(named: $0).map { changed.contains($0.field) } ?? false
      })
    else { return [] }
    let set = key.columns.map { "child.\(quoted($0)) IS NOT NULL" }
    let same = zip(key.parentColumns, key.columns).map { "parent.\(quoted($0))=child.\(quoted($1))" }
    let sql = """
      SELECT \(shape.key.map { "child.\(quoted($0.name))" }.joined(separator: ",")) FROM main.\(quoted(shape.name)) AS child
      WHERE \(set.joined(separator: " AND ")) AND NOT EXISTS(
        SELECT 1 FROM main.\(quoted(key.parent)) AS parent WHERE \(same.joined(separator: " AND ")))
      """
    return try tables.connection.rows(sql).compactMap { row in
      RecordID(row).map { ProjectionNode.Name(type: shape.type, id: $0) }
    }
  }
}
