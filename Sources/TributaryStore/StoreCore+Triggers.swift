import SQLite
import TributaryModel

/// The app's own triggers fire while the engine writes, since search indexes need them. Whatever they do to synced
/// records is put back to the state.
extension StoreCore {
  /// Puts the records back that triggers changed beside what was `written`.
  ///
  /// At first with the triggers on, so that an index over those records follows. What they change once more is put back
  /// with the triggers off.
  ///
  /// - Parameter direct: entries of which some were written without being worked out.
  func undoTriggers(_ written: [ProjectionNode.Name: StoredRecord], _ direct: [Entry] = []) throws {
    var written = written
    var watched = capture.takeWatched()
    if watched.isEmpty { return }
    written.merge(try showing(direct, among: watched)) { worked, _ in worked }
    written.merge(try putBack(watched, written)) { $1 }
    watched = capture.takeWatched()
    if watched.isEmpty { return }
    try writer.setTriggers(isOn: false)
    defer { try? writer.setTriggers(isOn: true) }
    _ = try putBack(watched, written)
  }

  /// The watched records that were written directly, with the values that their entries set: their other values are those
  /// of their committed rows.
  private func showing(
    _ entries: [Entry], among watched: [(type: Int64, id: RecordID)]
  ) throws -> [ProjectionNode.Name: StoredRecord] {
    let names = Set(watched.map { ProjectionNode.Name(type: $0.type, id: $0.id) })
    var shown: [ProjectionNode.Name: StoredRecord] = [:]
    for entry in entries {
      guard let access = tables.access(named: entry.name.type) else { continue }
      let name = ProjectionNode.Name(type: access.shape.type, id: entry.name.id)
      guard names.contains(name) else { continue }
      let loaded = try shown[name] ?? tables.load(access, [name.id], rows: reader).first
      guard var record = loaded else { continue }
      let clock = try tables.clock(access.shape.type, name.id)
      for field in entry.change.fields {
        let number = try tables.numbers.field(type: access.shape.type, named: field.name)
        if let stamp = field.register?.stamp, stamp == clock?.run(of: number)?.stamp {
          record.state[field.name] = field
        }
      }
      shown[name] = record
    }
    return shown
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
