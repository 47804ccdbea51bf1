import CSQLite

/// Upper bounds on what a connection's statements and values may measure. SQLite never raises a limit over that of
/// its build.
package struct Limits: Sendable {
  /// Bytes of a value, and of a row.
  package var length: Int32
  /// Bytes of a statement.
  package var sqlLength: Int32
  /// Columns of a table, of a result, of an index.
  package var columns: Int32
  /// Depth of an expression.
  package var expressionDepth: Int32
  /// Terms of a compound SELECT.
  package var compoundSelects: Int32
  /// Instructions of a compiled statement.
  package var instructions: Int32
  /// Arguments of a function.
  package var functionArguments: Int32
  /// Bytes of a pattern of LIKE or GLOB.
  package var likePattern: Int32
  /// Parameters of a statement.
  package var variables: Int32
  /// Depth to which triggers run triggers.
  package var triggerDepth: Int32
  /// Attached databases. None also rules out VACUUM, which attaches one.
  package var attached: Int32

  /// For files from elsewhere: all that real schemas need, and far from what makes SQLite slow.
  package static let strict = Limits(
    length: 32 << 20, sqlLength: 1 << 20, columns: 2_000, expressionDepth: 100, compoundSelects: 50,
    instructions: 250_000, functionArguments: 100, likePattern: 1_000, variables: 8_000, triggerDepth: 10,
    attached: 0)

  /// For a database that other programs use as well. What its schema may measure is what SQLite's own defaults let
  /// those programs write, since one view that is over a limit makes the whole schema unreadable. Less is allowed
  /// only where the work grows much faster than the text.
  package static let adopted = Limits(
    length: 256 << 20, sqlLength: 4 << 20, columns: 2_000, expressionDepth: 1_000, compoundSelects: 500,
    instructions: 2_000_000, functionArguments: 127, likePattern: 5_000, variables: 32_766,
    triggerDepth: 1_000,
    attached: 0)

  /// Sets the limits.
  package func apply(to connection: Connection) {
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, length), (SQLITE_LIMIT_SQL_LENGTH, sqlLength), (SQLITE_LIMIT_COLUMN, columns),
      (SQLITE_LIMIT_EXPR_DEPTH, expressionDepth), (SQLITE_LIMIT_COMPOUND_SELECT, compoundSelects),
      (SQLITE_LIMIT_VDBE_OP, instructions), (SQLITE_LIMIT_FUNCTION_ARG, functionArguments),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, likePattern), (SQLITE_LIMIT_VARIABLE_NUMBER, variables),
      (SQLITE_LIMIT_TRIGGER_DEPTH, triggerDepth), (SQLITE_LIMIT_ATTACHED, attached),
      (SQLITE_LIMIT_WORKER_THREADS, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(connection.handle, limit, value) }
  }
}
