import CSQLite

/// One compiled statement. It belongs to its connection and is used where that is used.
///
/// - Parameters: ``bind(_:_:)``, ``bindAll(_:)``, ``clearBindings()``
/// - Running: ``step()``, ``run()``, ``reset()``
/// - Rows: ``column(_:)``, ``bytes(_:)``
package final class Statement {
  /// SQLite's own handle, for loops that call SQLite directly. Valid as long as this object is held.
  package let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  /// Goes to the next row; false when there is none. After an error the statement may be reset and run again.
  package func step() throws -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw failure(code)
  }

  /// Steps to the end, skipping rows, and resets, whether it succeeds or not. Bindings stay.
  package func run() throws {
    var code = sqlite3_step(handle)
    while code == SQLITE_ROW { code = sqlite3_step(handle) }
    if code == SQLITE_DONE {
      sqlite3_reset(handle)
      return
    }
    let error = failure(code)
    sqlite3_reset(handle)
    throw error
  }

  /// Makes the statement ready to run again. Bindings stay.
  package func reset() { sqlite3_reset(handle) }

  /// Resets, and throws if a column of the last row could not be read for want of memory.
  func finish() throws {
    let code = sqlite3_reset(handle)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// Sets every parameter to NULL.
  package func clearBindings() { sqlite3_clear_bindings(handle) }

  /// Whether the statement has been stepped and is neither finished nor reset.
  package var isBusy: Bool { sqlite3_stmt_busy(handle) != 0 }

  /// The text that was compiled, without bound values.
  package var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

  /// Number of parameters, which is the greatest number of any.
  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// What the connection says about a code that this statement returned. Kept out of the callers, which are hot.
  @inline(never)
  func failure(_ code: Int32) -> DatabaseError {
    DatabaseError.last(code, of: sqlite3_db_handle(handle), sql: sql)
  }
}

@available(*, unavailable)
extension Statement: Sendable {}
