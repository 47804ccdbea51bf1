import CSQLite

/// When a transaction takes its lock.
package enum TransactionKind: Sendable {
  /// At the first read or write, each for itself.
  case deferred
  /// To write, at once; so it fails or waits here and not in the middle.
  case immediate
}

extension Connection {
  /// Whether a transaction is open.
  package var inTransaction: Bool { isOpen && sqlite3_get_autocommit(handle) == 0 }

  /// Runs `body` in a transaction: all of it is kept, or, when it throws or cannot be committed, none.
  ///
  /// - Throws: what `body` threw. If the rollback failed as well, that failure, with the first as its cause.
  package func transaction<T>(_ kind: TransactionKind = .deferred, _ body: () throws -> T) throws -> T {
    try cached(kind == .immediate ? "BEGIN IMMEDIATE" : "BEGIN").run()
    do {
      let result = try body()
      try cached("COMMIT").run()
      return result
    } catch {
      try undo(after: error, ["ROLLBACK"])
      throw error
    }
  }

  /// Runs `body` so that it can be undone alone, within a transaction or as one: all of it is kept or none.
  package func savepoint<T>(_ body: () throws -> T) throws -> T {
    // One name serves every depth: SQLite takes the innermost.
    try cached("SAVEPOINT tributary").run()
    do {
      let result = try body()
      try cached("RELEASE tributary").run()
      return result
    } catch {
      try undo(after: error, ["ROLLBACK TO tributary", "RELEASE tributary"])
      throw error
    }
  }

  /// Undoes, unless SQLite has rolled the whole transaction back already, as it does when the disk is full.
  private func undo(after cause: any Error, _ statements: [String]) throws {
    guard inTransaction else { return }
    do {
      for sql in statements { try cached(sql).run() }
    } catch let error as DatabaseError {
      throw error.caused(by: cause)
    }
  }
}
