import CSQLite

/// Statements kept for reuse, at most 256; the one unused for longest goes first.
struct StatementCache {
  /// A box, so that the reference inside can be asked whether it is the only one.
  private final class Entry {
    var statement: Statement
    var lastUse: UInt64

    init(_ statement: Statement, _ lastUse: UInt64) {
      self.statement = statement
      self.lastUse = lastUse
    }
  }

  static let capacity = 256
  private var entries: [String: Entry] = [:]
  private var clock: UInt64 = 0

  var count: Int { entries.count }

  /// The statement for `sql`, reset and without bindings, or nil if there is none that is free.
  mutating func idle(_ sql: String) -> Statement? {
    guard let entry = entries[sql], isKnownUniquelyReferenced(&entry.statement), !entry.statement.isBusy
    else { return nil }
    clock += 1
    entry.lastUse = clock
    entry.statement.reset()
    entry.statement.clearBindings()
    return entry.statement
  }

  /// Keeps a statement, unless one with the same text is kept already.
  mutating func insert(_ statement: Statement, for sql: String) {
    guard entries[sql] == nil else { return }
    if entries.count >= Self.capacity, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      entries[oldest.key] = nil
    }
    clock += 1
    entries[sql] = Entry(statement, clock)
  }

  mutating func removeAll() { entries = [:] }
}
