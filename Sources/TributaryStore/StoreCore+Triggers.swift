import SQLite
import TributaryModel

/// The app's own triggers fire while the engine writes, since search indexes need them. Whatever they do to synced
/// records is put back to the state.
extension StoreCore {
  /// Puts the records back that triggers changed beside what was `written`.
  ///
  /// At first with the triggers on, so that an index over those records follows. What they change once more is put back
  /// with the triggers off.
  func undoTriggers(_ written: [ProjectionNode.Name: StoredRecord]) throws {
    var written = written
    var watched = capture.takeWatched()
    if watched.isEmpty { return }
    written.merge(try putBack(watched, written)) { $1 }
    watched = capture.takeWatched()
    if watched.isEmpty { return }
    try writer.setTriggers(isOn: false)
    defer { try? writer.setTriggers(isOn: true) }
    _ = try putBack(watched, written)
  }

  private func putBack(
    _ watched: [(type: Int64, id: RecordID)], _ written: [ProjectionNode.Name: StoredRecord]
  ) throws -> [ProjectionNode.Name: StoredRecord] {
    let touched = try Dictionary(grouping: watched, by: \.type).compactMap { type, ids in
      try tables.access(type).map { ($0, try records(ids.map(\.id), $0, written)) }
    }
    return try Applier(tables).project(touched)
  }

  /// The records as they should be, beside the rows that the triggers left.
  ///
  /// A value that a table shows is kept nowhere else. So the values of a record that this transaction wrote come from
  /// what was written, and those of another from its committed row, which a second connection still sees.
  private func records(
    _ ids: [RecordID], _ access: RowAccess, _ written: [ProjectionNode.Name: StoredRecord]
  ) throws -> [StoredRecord] {
    func known(_ id: RecordID) -> StoredRecord? {
      written[ProjectionNode.Name(type: access.shape.type, id: id)]
    }
    let others = try tables.load(access, ids.filter { known($0) == nil }.sorted(), rows: reader)
    return try (ids.compactMap(known) + others).map { record in
      var record = record
      record.row = try access.read(record.id, writer)
      return record
    }
  }
}
