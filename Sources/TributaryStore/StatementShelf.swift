import SQLite
import TributaryModel

/// The app's compiled statements of one connection, kept from one `write` or `read` to the next.
///
/// The engine's own statements are kept elsewhere, so that none is ever run for an app without having been judged.
final class StatementShelf {
  private static let capacity = 128
  private let connection: Connection
  private var statements: [String: Statement] = [:]
  /// The one used last: loops run one statement over and over.
  private var last: (sql: String, statement: Statement)?

  init(_ connection: Connection) { self.connection = connection }

  /// A statement that is ready to be bound, and whether it is on the shelf.
  func take(_ sql: String) throws -> (statement: Statement, isKept: Bool) {
    if let last, last.sql.isSame(as: sql), !last.statement.isBusy {
      last.statement.clearBindings()
      return (last.statement, true)
    }
    if let statement = statements[sql], !statement.isBusy {
      statement.clearBindings()
      last = (sql, statement)
      return (statement, true)
    }
    return (try connection.prepare(sql), false)
  }

  /// Keeps a statement for the next time.
  func put(_ statement: Statement, for sql: String) {
    if statements.count >= Self.capacity { statements.removeAll() }
    statements[sql] = statement
    last = (sql, statement)
  }

  func clear() {
    last = nil
    statements.removeAll()
  }
}
