import SQLite

/// The app's compiled statements of one connection, kept from one `write` or `read` to the next.
///
/// The engine's own statements are kept elsewhere, so that none is ever run for an app without having been judged.
final class StatementShelf {
  private static let capacity = 128
  private let connection: Connection
  private var statements: [String: Statement] = [:]

  init(_ connection: Connection) { self.connection = connection }

  /// A statement that is ready to be bound.
  func take(_ sql: String) throws -> Statement {
    if let statement = statements[sql], !statement.isBusy {
      statement.clearBindings()
      return statement
    }
    return try connection.prepare(sql)
  }

  /// Keeps a statement for the next time.
  func put(_ statement: Statement, for sql: String) {
    if let kept = statements[sql], kept === statement { return }
    if statements.count >= Self.capacity { statements.removeAll() }
    statements[sql] = statement
  }

  func clear() { statements.removeAll() }
}
