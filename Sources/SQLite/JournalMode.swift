import CSQLite
import TributaryModel

/// How a database keeps what a transaction replaces, until it is committed.
package enum JournalMode: String, Sendable {
  /// A rollback journal that is deleted at the end of the transaction.
  case delete
  /// A rollback journal that is cut to no length at the end.
  case truncate
  /// A rollback journal whose header is zeroed at the end.
  case persist
  /// A rollback journal in memory: a crash in the middle of a commit damages the file.
  case memory
  /// A write-ahead log.
  case wal
  /// No journal: there is no rollback, and a crash damages the file.
  case off
}

extension Connection {
  /// The journal mode of the file as this connection uses it. WAL is kept in the file; which kind of rollback journal
  /// is each connection's own choice, `delete` unless it is told otherwise. nil if this build knows no such mode.
  package var journalMode: JournalMode? {
    get throws { try value("PRAGMA journal_mode")?.string.flatMap(JournalMode.init) }
  }

  /// Keeps what the writer has changed in memory until COMMIT, so that others can read meanwhile.
  ///
  /// With a rollback journal the writer of an open transaction holds a lock that lets others read the last committed
  /// state. When its cache is full it writes changed pages to the file early, and for that takes the exclusive lock
  /// and locks all readers out until it ends. Without spilling, the pages that one transaction changes must fit into
  /// memory.
  ///
  /// COMMIT needs the exclusive lock for a moment in any case: it waits for the readers, for as long as the busy
  /// timeout, then fails with `busy` and leaves the transaction open. So the engine's own reader, which can never
  /// end while the writer waits in the same thread, must have ended each read before: see ``isReading``.
  package func keepReadersGoing() throws { try execute("PRAGMA cache_spill = OFF") }

  /// Whether a read or write transaction is open on the file, a statement in the middle of its rows included.
  package var isReading: Bool { isOpen && sqlite3_txn_state(handle, "main") > SQLITE_TXN_NONE }
}
