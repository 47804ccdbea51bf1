import CSQLite

/// What SQLite refused to do, and how to mend it.
package struct DatabaseError: Error {
  /// The extended result code; `case .constraint = error.code` matches by family too.
  package let code: ResultCode
  /// What happened, in SQLite's words.
  package let message: String
  /// The text of the statement, where there is one. Bound values are never part of it.
  package let sql: String?
  /// The error that led here, as when the rollback after an error failed as well.
  package let cause: (any Error)?

  /// An error with a message of our own.
  package init(_ code: ResultCode, _ message: String, sql: String? = nil, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.sql = sql
    self.cause = cause
  }

  /// The same error, with what led to it.
  package func caused(by cause: any Error) -> DatabaseError {
    DatabaseError(code, message, sql: sql, cause: cause)
  }

  /// The error that a connection reports for `code`; ask before any further call on it.
  package static func last(_ code: Int32, of database: OpaquePointer?, sql: String? = nil) -> DatabaseError {
    let result = ResultCode(rawValue: code)
    // The connection's message belongs to its latest call; after another connection's failure it would mislead.
    guard let database, sqlite3_errcode(database) & 0xff == code & 0xff, let text = sqlite3_errmsg(database)
    else { return DatabaseError(result, result.meaning, sql: sql) }
    return DatabaseError(result, String(cString: text), sql: sql)
  }
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    var parts = ["\(message) (SQLite code \(code.rawValue), \(code.meaning))"]
    if let sql {
      parts.append("in: \(sql.count > 500 ? sql.prefix(500) + "…" : sql[...])")
    }
    if let remedy { parts.append(remedy) }
    if let cause { parts.append("After: \(cause)") }
    return parts.joined(separator: "\n")
  }
}
