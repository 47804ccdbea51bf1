import SQLite
import TributaryModel

/// The sealed files of this store by the directory that they belong in: it may have written under other ids before.
extension StoreCore {
  /// A sealed file, without its bytes.
  package struct OutboxEntry {
    package var name: String
    package var seq: UInt64
    package var isSent: Bool
    package var size: Int

    package var isLog: Bool { name.hasSuffix(".log") }
  }

  /// The sealed files whose names begin with `directory`, oldest first.
  package func outbox(in directory: String) throws -> [OutboxEntry] {
    try writer.rows(
      "SELECT name,seq,sent,length(data) FROM tributary_outbox WHERE substr(name,1,?2)=?1 ORDER BY seq",
      [.text(directory), .integer(Int64(directory.utf8.count))]
    ).compactMap { row in
      guard let name = row[0].string, let seq = row[1].integer else { return nil }
      return OutboxEntry(
        name: name, seq: UInt64(bitPattern: seq), isSent: row[2] == .integer(1),
        size: Int(row[3].integer ?? 0))
    }
  }

  /// Makes a file one that is to be uploaded again, within the caller's transaction.
  package func markUnsent(_ name: String) throws {
    try writer.execute("UPDATE tributary_outbox SET sent=0 WHERE name=?1", [.text(name)])
  }

  /// Forgets the sealed files whose names begin with `directory`, within the caller's transaction.
  package func clearOutbox(in directory: String) throws {
    try writer.execute(
      "DELETE FROM tributary_outbox WHERE substr(name,1,?2)=?1",
      [.text(directory), .integer(Int64(directory.utf8.count))])
  }
}
