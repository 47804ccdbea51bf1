package import SQLite
package import TributaryModel

/// The local transactions that are still to be settled, in the order of their commits.
///
/// It keeps nothing in memory, so a rollback cannot leave it ahead of the database.
package struct ChangeLog {
  private let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// Writes a transaction's changes, sorted by type and identity, under its moment. No changes write nothing.
  package func append(_ changes: [LocalChange], moment: Moment) throws {
    try append(pieces: ChangeLogCoding.encode(changes), moment: moment, after: lastSeq)
  }

  /// Writes pieces that are packed already, after the row `last`.
  func append(pieces: [[UInt8]], moment: Moment, after last: Int64) throws {
    guard !pieces.isEmpty else { return }
    var seq = last
    let insert = try connection.cached(
      "INSERT INTO main.tributary_change_log(seq, stamp, data) VALUES (?1, ?2, ?3)")
    defer { insert.clearBindings() }
    for piece in pieces {
      seq += 1
      try insert.bindInteger(1, seq)
      try insert.bindInteger(2, Int64(bitPattern: moment.raw))
      try piece.withUnsafeBytes { bytes in
        try insert.bindBlob(3, bytes, .borrowed)
        try insert.run()
      }
    }
  }

  /// The moment of the latest transaction, settled or not; nil before the first.
  package var lastMoment: Moment? {
    get throws {
      let sql = "SELECT stamp FROM main.tributary_change_log ORDER BY seq DESC LIMIT 1"
      return try connection.integer(sql).map { Moment(raw: UInt64(bitPattern: $0)) }
    }
  }

  /// The number of the latest row, 0 before the first. It never falls.
  package var lastSeq: Int64 {
    get throws { try connection.integer("SELECT max(seq) FROM main.tributary_change_log") ?? 0 }
  }

  /// The rows after `seq`, at most `limit` of them. Neighbours with one moment are pieces of one transaction.
  package func read(
    after seq: Int64, limit: Int
  ) throws -> [(seq: Int64, moment: Moment, changes: [LocalChange])] {
    let sql = """
      SELECT seq, stamp, data FROM main.tributary_change_log WHERE seq > ?1 ORDER BY seq LIMIT ?2
      """
    let rows = try connection.rows(sql, [.integer(seq), .integer(Int64(max(0, limit)))])
    return try rows.map { row in
      guard case .integer(let seq) = row[0], case .integer(let stamp) = row[1], case .blob(let data) = row[2]
      else { throw StoreError(.damaged, "The change log has a row that is not one of its own. Run `check`.") }
      return (seq, Moment(raw: UInt64(bitPattern: stamp)), try ChangeLogCoding.decode(data))
    }
  }

  /// Goes through the transactions after `seq`, some at a time.
  func forEach(after seq: Int64, _ body: (Moment, [LocalChange]) throws -> Void) throws {
    var seq = seq
    while true {
      let rows = try read(after: seq, limit: 256)
      guard let last = rows.last else { return }
      for row in rows { try body(row.moment, row.changes) }
      seq = last.seq
    }
  }

  /// Removes the rows up to `seq`, except the last row of all, which keeps the numbers from starting over.
  package func trim(through seq: Int64) throws {
    let sql = """
      DELETE FROM main.tributary_change_log
      WHERE seq <= ?1 AND seq < (SELECT max(seq) FROM main.tributary_change_log)
      """
    try connection.execute(sql, [.integer(seq)])
  }
}
