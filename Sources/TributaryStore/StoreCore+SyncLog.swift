import SQLite
import TributaryModel

/// The log of what syncs did. It stays on this device.
extension StoreCore {
  /// The log keeps as many entries; the oldest go first.
  package static let syncLogLimit: Int64 = 1_000
  /// Characters of one message; what an error quotes can be long.
  private static let messageLimit = 2_000

  /// Adds entries, oldest first, within the caller's transaction.
  package func appendToSyncLog(_ entries: [SyncLogEntry]) throws {
    for entry in entries {
      try writer.execute(
        "INSERT INTO tributary_sync_log(time,kind,message) VALUES(?1,?2,?3)",
        [
          .integer(entry.time), .text(entry.kind.description),
          .text(String(entry.message.prefix(Self.messageLimit))),
        ])
    }
    try writer.execute(
      "DELETE FROM tributary_sync_log WHERE id <= (SELECT max(id) FROM tributary_sync_log) - ?1",
      [.integer(Self.syncLogLimit)])
  }

  /// The log's entries, newest first.
  package func syncLog(limit: Int) throws -> [SyncLogEntry] { try writer.syncLog(limit: limit) }
}

extension StoreView {
  /// The entries of the log of syncs, newest first. Within ``read(_:)``.
  package func syncLog(limit: Int) throws -> [SyncLogEntry] { try connection.syncLog(limit: limit) }
}

extension Connection {
  fileprivate func syncLog(limit: Int) throws -> [SyncLogEntry] {
    let sql = "SELECT time,kind,message FROM tributary_sync_log ORDER BY id DESC LIMIT ?1"
    return try rows(sql, [.integer(Int64(max(0, limit)))]).map { row in
      guard let time = row[0].integer, let kind = row[1].string, let message = row[2].string else {
        throw StoreError(.damaged, "The sync log has a row that is not one of its own. Run `check`.")
      }
      return SyncLogEntry(time: time, kind: SyncLogEntry.Kind(kind), message: message)
    }
  }
}
