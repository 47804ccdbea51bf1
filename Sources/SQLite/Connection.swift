import CSQLite

/// One connection to a SQLite database.
///
/// A connection has no lock: whoever holds it uses it from one place at a time. It is therefore not `Sendable`.
///
/// - Opening and closing: ``open(_:_:)``, ``close()``
/// - Running: ``execute(_:)``, ``rows(_:_:)``, ``value(_:_:)``, ``prepare(_:)``, ``cached(_:)``
/// - Grouping: ``transaction(_:_:)``, ``savepoint(_:)``
package final class Connection {
  /// SQLite's own handle, for calls that need no wrapper. Dangling after ``close()``.
  package let handle: OpaquePointer
  /// Whether ``close()`` is still to come.
  package private(set) var isOpen = true
  private var cache = StatementCache()

  private init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { close() }

  /// Opens a database file. SQLite reads the file only at the first statement, so a file that is no database
  /// fails there and not here.
  package static func open(_ path: String, _ options: OpenOptions = OpenOptions()) throws -> Connection {
    guard !path.utf8.contains(0) else {
      throw DatabaseError(.cantOpen, "The path of the database contains a NUL.")
    }
    // Some builds of SQLite read every `file:` path as a URI, whatever the flags say.
    let name = !options.uri && path.hasPrefix("file:") ? "./" + path : path
    var handle: OpaquePointer?
    let code = sqlite3_open_v2(name, &handle, options.flags, nil)
    guard code == SQLITE_OK, let handle else {
      let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
      let error = DatabaseError.last(extended, of: handle)
      sqlite3_close_v2(handle)
      throw DatabaseError(error.code, "Cannot open \(path): \(error.message)")
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, options.busyTimeout)
    return Connection(handle)
  }

  /// Closes the connection; an open transaction is rolled back. Statements that others still hold stay valid, and
  /// keep the file open until they go.
  package func close() {
    guard isOpen else { return }
    isOpen = false
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Compiles one statement, to be kept by the caller.
  ///
  /// - Throws: ``DatabaseError`` if the text is wrong, empty, or holds more than one statement.
  package func prepare(_ sql: String) throws -> Statement {
    try withStatements(sql) { script in
      guard let statement = try script.next() else {
        throw DatabaseError(.misuse, "There is no statement to prepare.", sql: sql)
      }
      guard try script.next() == nil else {
        throw DatabaseError(.misuse, "Only one statement can be prepared at a time.", sql: sql)
      }
      return statement
    }
  }

  /// A statement that is compiled once and kept for the next time, reset and without bindings.
  ///
  /// While a caller holds the statement or has not finished stepping it, the same SQL gives another, fresh statement.
  /// Reset it when done: a statement left in the middle of its rows keeps its read transaction open.
  package func cached(_ sql: String) throws -> Statement {
    if let statement = cache.idle(sql) { return statement }
    let statement = try prepare(sql)
    cache.insert(statement, for: sql)
    return statement
  }

  /// Number of statements kept for reuse.
  package var cachedStatementCount: Int { cache.count }

  /// Hands the text to `body` as a row of statements, each compiled when it is asked for.
  func withStatements<T>(_ sql: String, _ body: (inout Script) throws -> T) throws -> T {
    guard isOpen else { throw DatabaseError(.misuse, "The connection is closed.", sql: sql) }
    var text = sql
    return try text.withUTF8 { bytes in
      guard !bytes.contains(0) else {
        throw DatabaseError(.misuse, "The SQL contains a NUL, after which SQLite would ignore it.", sql: sql)
      }
      guard bytes.count < Int32.max else { throw DatabaseError(.tooBig, "The SQL is too long.") }
      var script = Script(database: handle, text: bytes)
      return try body(&script)
    }
  }

  /// Throws what the connection reports, unless `code` says that all is well.
  func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw DatabaseError.last(code, of: handle) }
  }
}

@available(*, unavailable)
extension Connection: Sendable {}
