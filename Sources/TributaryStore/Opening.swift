import SQLite
import TributaryModel

/// How a store is opened: with a schema that the app declares, or adopted, with the schema that it has.
enum Opening {
  case declared(Schema)
  case adopted(AdoptedLook)

  var isAdopted: Bool { if case .adopted = self { true } else { false } }

  /// The connection that writes.
  func connect(_ path: String) throws -> Connection {
    switch self {
    case .declared:
      let writer = try Connection.open(path)
      try harden(writer, .own)
      try writer.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON")
      try GuardFunction.install(on: writer)
      return writer
    case .adopted: return try Self.connectAdopted(path)
    }
  }

  /// In an adopted database the journal mode and the rest are the app's own choice. No function is registered, since its
  /// schema could call it.
  static func connectAdopted(_ path: String) throws -> Connection {
    let writer = try Connection.openAdopted(path)
    try writer.execute("PRAGMA foreign_keys=ON")
    return writer
  }

  /// The connection that sees the last committed state while the other one writes.
  func connectReader(_ path: String) throws -> Connection {
    try isAdopted
      ? Connection.openAdopted(path, onlyReads: true) : Connection.open(path, OpenOptions(readOnly: true))
  }

  /// Brings the database up to the schema; within the caller's transaction.
  func bringUp(
    _ writer: Connection, _ numbers: LocalNumbers, _ wall: @escaping () -> Int64
  ) throws -> (Schema, [TableShape]) {
    switch self {
    case .declared(let schema):
      guard try !AdoptionTables.arePresent(writer) else {
        throw StoreError(
          .schema,
          "This database is adopted: other programs write it, and its schema is its own. Open it as that.")
      }
      try UnknownRows(connection: writer, numbers: numbers).check(schema)
      return (schema, try SchemaReconciler(writer).reconcile(schema, numbers: numbers))
    case .adopted(let look):
      try LocalTables.prepare(writer)
      guard try AdoptionTables.arePresent(writer) else {
        throw StoreError(.schema, "This database is not adopted. Run `tributary adopt` first.")
      }
      let standing = try Adoption(writer, numbers, wall: wall).open(look)
      return (standing.schema, standing.shapes)
    }
  }
}

/// How closely an adopted database is looked at when it is opened.
package enum AdoptedLook {
  /// Tables and triggers; rows only where something may have slipped.
  case atTables
  /// Every row as well.
  case atRows
  /// Every row, after the triggers were away on purpose.
  case resuming
}
