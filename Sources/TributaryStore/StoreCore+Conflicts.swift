import SQLite
import TributaryCodec
import TributaryModel

/// One line of the conflict journal, under the number that lasts as long as the line.
package struct JournalLine: Sendable, Hashable {
  package var number: Int64
  package var conflict: Conflict
}

extension StoreCore {
  /// The journal of values that lost to a concurrent edit, newest first. ``journal(_:)`` writes and bounds it.
  package func conflicts(limit: Int) throws -> [Conflict] {
    try writer.journalLines(limit: limit).map(\.conflict)
  }

  /// The line of a number, with those that lost with it: fields of one group, by one edit to one edit. Empty if there is
  /// no such line.
  package func conflictLines(numbered number: Int64) throws -> [JournalLine] {
    guard let line = try writer.journalLines(limit: 1, number: number).first else { return [] }
    let name = line.conflict.name
    guard let access = tables.access(named: name.type),
      let field = access.shape.field(named: line.conflict.field)?.field,
      let group = access.shape.groups[field]
    else { return [line] }
    let others = try writer.journalLines(of: name).filter { other in
      guard let field = access.shape.field(named: other.conflict.field)?.field else { return false }
      return other.number != number && group.contains(field) && other.conflict.field != line.conflict.field
        && other.conflict.won.stamp == line.conflict.won.stamp
        && other.conflict.lost.stamp == line.conflict.lost.stamp
    }
    return [line] + others
  }
}

extension StoreView {
  /// The lines of the conflict journal, newest first. Within ``read(_:)``.
  package func conflicts(limit: Int) throws -> [JournalLine] { try connection.journalLines(limit: limit) }
}

extension Connection {
  private static let columns = "SELECT id,type,record,field,won,lost FROM tributary_conflict"

  fileprivate func journalLines(limit: Int, number: Int64? = nil) throws -> [JournalLine] {
    try rows(
      Self.columns + " WHERE ?2 IS NULL OR id=?2 ORDER BY id DESC LIMIT ?1",
      [.integer(Int64(max(0, limit))), number.map { .integer($0) } ?? .null]
    ).map(line)
  }

  fileprivate func journalLines(of name: RecordName) throws -> [JournalLine] {
    try rows(
      Self.columns + " WHERE type=?1 AND record=?2 ORDER BY id", [.text(name.type), .blob(name.id.bytes)]
    ).map(line)
  }

  private func line(_ row: [Value]) throws -> JournalLine {
    guard let number = row[0].integer, let type = row[1].string, case .blob(let record) = row[2],
      let field = row[3].string, case .blob(let won) = row[4], case .blob(let lost) = row[5]
    else {
      throw StoreError(.damaged, "The conflict journal has a row that is not one of its own. Run `check`.")
    }
    return JournalLine(
      number: number,
      conflict: Conflict(
        name: RecordName(type, RecordID(encoded: record)), field: field, won: try register(won),
        lost: try register(lost)))
  }

  private func register(_ bytes: [UInt8]) throws -> Register {
    var input = ByteReader(bytes)
    return try input.readLocalRegister()
  }
}
