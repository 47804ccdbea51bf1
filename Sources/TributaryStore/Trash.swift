import SQLite
package import TributaryModel

/// A deleted record whose last values are kept.
package struct TrashedRecord: Sendable, Hashable {
  package var name: RecordName
  /// The delete that counts.
  package var deleted: Stamp
  /// Whether the delete is one of this device's that no sync has settled.
  package var isUnsettled: Bool
  /// The last values by column, in the table's order.
  package var values: [(column: String, value: Value)]
  /// Columns that the table here does not have, of which values are kept as well.
  package var unknownColumns: [String]

  package static func == (left: TrashedRecord, right: TrashedRecord) -> Bool {
    left.name == right.name && left.deleted == right.deleted
      && left.values.elementsEqual(right.values) { $0.column == $1.column && $0.value == $1.value }
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(deleted)
  }
}

/// Looks through what is deleted and kept. Within one transaction of the connection of the tables.
struct Trash {
  /// Records that are looked at in one go.
  private static let batch = 512

  let edited: EditedRecords

  /// The records that were deleted last, newest first. Holds no more than `limit` and one batch of them.
  func newest(_ limit: Int, table: String?) throws -> [TrashedRecord] {
    guard limit > 0 else { return [] }
    let changes = try changesOfDeleted()
    var newest: [TrashedRecord] = []
    for shape in edited.tables.shapes where table.map({ $0 == shape.name }) ?? true {
      guard let access = edited.tables.access(shape.type) else { continue }
      try forEachBatch(access, changes) { ids in
        newest += try trashed(access, ids, changes)
        newest.sort { $0.deleted == $1.deleted ? $0.name < $1.name : $0.deleted > $1.deleted }
        newest.removeLast(max(0, newest.count - limit))
      }
    }
    return newest
  }

  /// What is kept of one record; nil if it is not deleted, or nothing is kept of it.
  func record(_ access: RowAccess, _ id: RecordID) throws -> TrashedRecord? {
    guard let found = try edited.record(access, id) else { return nil }
    return trashed(found.record, access, found.unsettled)
  }

  /// The unsettled changes of records that are, or were before them, deleted: an insert may have brought one back.
  private func changesOfDeleted() throws -> [ProjectionNode.Name: EditedRecords.Changes] {
    var deleted: Set<ProjectionNode.Name> = []
    try edited.forEachChange { _, change in
      if change.kind == .delete { deleted.insert(change.name) }
    }
    return try edited.changes { name in
      if deleted.contains(name) { return true }
      return try edited.tables.overlay(name.type, name.id)?.flags.contains(.unseen) ?? false
    }
  }

  private func forEachBatch(
    _ access: RowAccess, _ changes: [ProjectionNode.Name: EditedRecords.Changes],
    _ body: ([RecordID]) throws -> Void
  ) throws {
    let type = access.shape.type
    let pending = Set(changes.keys.filter { $0.type == type }.map(\.id))
    try body(pending.sorted())
    var last: [UInt8] = []
    while true {
      let sql = """
        SELECT id FROM main.tributary_overlay WHERE type=?1 AND id>?2 AND flags&1 ORDER BY id LIMIT \(Self.batch)
        """
      let ids = try edited.tables.connection.rows(sql, [.integer(type), .blob(last)]).compactMap { row in
        if case .blob(let bytes) = row[0] { RecordID(encoded: bytes) } else { nil }
      }
      guard let end = ids.last else { return }
      last = end.bytes
      try body(ids.filter { !pending.contains($0) })
    }
  }

  private func trashed(
    _ access: RowAccess, _ ids: [RecordID], _ changes: [ProjectionNode.Name: EditedRecords.Changes]
  ) throws -> [TrashedRecord] {
    func own(_ id: RecordID) -> EditedRecords.Changes {
      changes[ProjectionNode.Name(type: access.shape.type, id: id)] ?? []
    }
    return try edited.load(access, ids, own).compactMap { record in
      trashed(record, access, edited.stamps(own(record.id)))
    }
  }

  private func trashed(
    _ record: StoredRecord, _ access: RowAccess, _ unsettled: Set<Stamp>
  ) -> TrashedRecord? {
    let state = record.state
    guard !state.isVisible(), let deleted = state.deletes.last else { return nil }
    // A table of keys alone has nothing else to keep.
    guard !state.fields.isEmpty || (access.shape.fields.isEmpty && state.born != nil && !deleted.erases)
    else { return nil }
    let columns = access.shape.fields.map(\.name)
    return TrashedRecord(
      name: RecordName(access.shape.name, record.id), deleted: deleted.stamp,
      isUnsettled: unsettled.contains(deleted.stamp),
      values: columns.compactMap { column in state[column].map { (column, $0.value) } },
      unknownColumns: state.fields.map(\.name).filter { !columns.contains($0) })
  }
}

extension StoreView {
  /// The records that were deleted last and whose values are kept, newest first. Within ``read(_:)``.
  ///
  /// - Parameters:
  ///   - table: only of this one; nil for all.
  ///   - own: the device that local edits are stamped with.
  package func trash(table: String?, limit: Int, own: DeviceID) throws -> [TrashedRecord] {
    try Trash(edited: EditedRecords(tables, own: own, schemaVersion: schema.version))
      .newest(limit, table: table)
  }
}

extension StoreCore {
  /// What is kept of a deleted record; nil if it is not deleted, or nothing is kept of it. Within ``write(_:)``.
  package func trashed(_ name: RecordName, own: DeviceID) throws -> TrashedRecord? {
    guard let access = tables.access(named: name.type) else { return nil }
    let edited = try EditedRecords(tables, own: own, schemaVersion: schema.version)
    return try Trash(edited: edited).record(access, name.id)
  }
}
