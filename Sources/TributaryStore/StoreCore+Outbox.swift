import SQLite
import TributaryCodec
package import TributaryModel

/// Sealed files of this device, kept from before their upload until a snapshot covers them. Each call runs inside the
/// caller's transaction.
extension StoreCore {
  /// A sealed file of this device.
  package struct OutboxFile {
    /// The whole path on the remote.
    package var name: String
    package var seq: UInt64
    package var bytes: [UInt8]

    package init(name: String, seq: UInt64, bytes: [UInt8]) {
      self.name = name
      self.seq = seq
      self.bytes = bytes
    }
  }

  /// The names of the files whose upload was not confirmed yet, in the order in which they must go: by number, and a
  /// log after the parts of the snapshot that it stands for.
  package func unsentNames() throws -> [String] {
    try writer.rows(
      "SELECT name FROM tributary_outbox WHERE sent=0 ORDER BY seq, substr(name,-4)='.log', name"
    ).compactMap { $0[0].string }
  }

  /// The file of a name, or nil.
  package func outboxFile(_ name: String) throws -> OutboxFile? {
    let rows = try writer.rows("SELECT seq,data FROM tributary_outbox WHERE name=?1", [.text(name)])
    guard let row = rows.first, let seq = row[0].integer, case .blob(let bytes) = row[1] else { return nil }
    return OutboxFile(name: name, seq: UInt64(bitPattern: seq), bytes: bytes)
  }

  package func freeze(_ file: OutboxFile) throws {
    try writer.execute(
      "INSERT INTO tributary_outbox(name,seq,sent,hash,data) VALUES(?1,?2,0,?3,?4)",
      [
        .text(file.name), .integer(Int64(bitPattern: file.seq)), .blob(Hash.digest(file.bytes).bytes),
        .blob(file.bytes),
      ])
  }

  package func markSent(_ name: String) throws {
    try writer.execute("UPDATE tributary_outbox SET sent=1 WHERE name=?1", [.text(name)])
  }

  /// Forgets a file: a snapshot's part once it is up, since a later snapshot replaces it.
  package func removeFromOutbox(_ name: String) throws {
    try writer.execute("DELETE FROM tributary_outbox WHERE name=?1", [.text(name)])
  }

  /// Forgets the confirmed logs that a confirmed snapshot covers.
  package func removeFromOutbox(through seq: UInt64) throws {
    try writer.execute(
      "DELETE FROM tributary_outbox WHERE sent=1 AND seq<=?1", [.integer(Int64(bitPattern: seq))])
  }

  /// Bytes of the change log that no sealed file carries yet.
  package func unsealedWeight() throws -> Int64 {
    try writer.integer(
      "SELECT coalesce(sum(length(data)),0) FROM tributary_change_log WHERE seq>?1",
      [.integer(try meta.integer(.sealed))]) ?? 0
  }

  /// Whether every local edit is in a sealed file.
  package func isAllSealed() throws -> Bool {
    // What a foreign program did and nobody took over shows in the rows, without its stamps.
    try changeLog.lastSeq <= meta.integer(.sealed) && drain?.isEmpty() ?? true
  }

  /// The moment of the latest edit that is in the state.
  package func lastSettledMoment() throws -> Moment? { try changeLog.lastMoment }
}
