import TributaryCodec
import TributaryModel
import TributaryStore

/// What the app of an adopted database did to its tables.
extension SyncEngine {
  /// Tells once what opening the database found changed.
  func noteDrift(_ report: inout SyncReport) throws {
    guard let lines = try store.note(.drift)?.string else { return }
    for line in lines.split(separator: "\n") {
      report.notices.append(SyncNotice(.schemaChanged, nil, String(line)))
    }
    try store.engineWrite { try store.removeNote(.drift) }
  }

  /// Where tables, columns or rows went away with their values, all devices are read again from the start, and what
  /// this one sent with them: as a device of its own, which reads its former directory like a peer's.
  func readAgain(_ report: inout SyncReport) throws {
    guard try store.note(.rereading) != nil else { return }
    guard try store.cursors().values.contains(where: { $0.seq > 0 }) else {
      return try store.engineWrite { try store.removeNote(.rereading) }
    }
    try takeNewIdentity("Tables of this database lost rows or columns that others may have.", &report) {
      [store] former in
      try store.forgetCursors()
      try store.removeNote(.rereading)
      // From its first log on, if it has sent any.
      return try store.cursors()[former] ?? .start
    }
  }
}
