package import SQLite
import TributaryModel

/// The persistent triggers that make a write past the engine fail.
///
/// SQLite compiles a table's triggers into every statement that writes to it, so the missing function is an error
/// before anything happens; when the trigger would run is of no matter. AFTER costs less than BEFORE, which makes SQLite
/// copy and look up the row once more: measured on 3.40, 0.2 µs a row in statements over many rows, and 0.5 to 0.7 µs
/// in single-row statements, most of it for the statement's own savepoint.
package struct GuardTriggers {
  private static let operations = ["insert", "update", "delete"]
  private let connection: Connection

  package init(_ connection: Connection) { self.connection = connection }

  /// Makes the triggers that are missing; those of a table that was renamed or made anew are replaced. Returns the
  /// tables that lacked some.
  @discardableResult
  package func install(for shapes: [TableShape]) throws -> [TableShape] {
    let existing = try self.existing()
    var lacking: [TableShape] = []
    for shape in shapes {
      for operation in Self.operations {
        let name = "\(GuardFunction.name)_\(shape.type)_\(operation)"
        let sql = Self.creation(name, operation, shape.name)
        if let found = existing[name] {
          if found == sql { continue }
          try connection.execute("DROP TRIGGER \(quoted(name))")
        }
        try connection.execute(sql)
        if lacking.last?.type != shape.type { lacking.append(shape) }
      }
    }
    return lacking
  }

  /// Removes all of them, as for a store that other programs write.
  package func removeAll() throws {
    for name in try existing().keys.sorted() { try connection.execute("DROP TRIGGER \(quoted(name))") }
  }

  private static func creation(_ name: String, _ operation: String, _ table: String) -> String {
    """
    CREATE TRIGGER \(name) AFTER \(operation.uppercased()) ON \(quoted(table)) \
    BEGIN SELECT \(GuardFunction.name)(); END
    """
  }

  private func existing() throws -> [String: String] {
    let sql = """
      SELECT name, sql FROM sqlite_master
      WHERE type = 'trigger' AND name LIKE 'tributary\\_guard\\_%' ESCAPE '\\'
      """
    let rows = try connection.rows(sql).map { ($0[0].string ?? "", $0[1].string ?? "") }
    return Dictionary(rows) { first, _ in first }
  }
}
