import SQLite
package import TributaryModel

/// What a person asks for. Each opens the file by itself, and is one transaction.
extension Adoption {
  /// What adopting found or did.
  package struct Report: Sendable {
    /// What is described to other devices.
    package var schema: Schema
    /// Rows by table.
    package var rows: [String: Int] = [:]
  }

  /// Says what ``adopt(_:_:wall:progress:)`` would do, and changes nothing.
  package static func look(_ path: String, _ wish: FoundSchema.Wish) throws -> FoundSchema {
    let connection = try Connection.openAdopted(path, onlyReads: true)
    defer { connection.close() }
    return try look(connection, wish)
  }

  private static func look(_ connection: Connection, _ wish: FoundSchema.Wish) throws -> FoundSchema {
    var found = try connection.transaction { try FoundSchema.read(connection, wish) }
    let synced = Set(found.schema.tables.map(\.name))
    // A reference that SQLite cannot keep is left out of the description, and nothing keeps it.
    for fault in try connection.tableFaults()
    where synced.contains(fault.table) && !fault.isOnlyForForeignKeys {
      found.refusals.append(
        FoundSchema.Refusal(
          table: fault.table, problem: "does not allow \(fault.action.rawValue): \(fault.cause.message)",
          remedy: fault.remedy))
    }
    return found
  }

  /// How long a file may be looked at for damage.
  private static let patience = Duration.seconds(120)

  /// Tracks the tables of a database from now on; every row counts as inserted now.
  ///
  /// - Parameter progress: told the table and how many of its rows were taken; may throw to stop, which leaves nothing.
  /// - Throws: ``StoreError`` with `.schema` and the remedies when something that is wished for cannot be had,
  ///   `.refusedValue` for a value that cannot travel; SQLite's errors.
  package static func adopt(
    _ path: String, _ wish: FoundSchema.Wish, wall: @escaping () -> Int64,
    progress: @escaping (String, Int) throws -> Void = { _, _ in }
  ) throws -> Report {
    let connection = try Opening.connectAdopted(path)
    defer { connection.close() }
    guard try !AdoptionTables.arePresent(connection) else {
      throw StoreError(.schema, "The database is adopted already.")
    }
    guard try connection.table(LocalTables.prefix + "meta") == nil else {
      throw StoreError(
        .schema,
        "The database is a store of Tributary's already: its app, or `tributary attach`, made it with a schema."
      )
    }
    try connection.checkAdopted(within: patience)
    let refusals = try look(connection, wish).refusals
    guard refusals.isEmpty else { throw StoreError(.schema, refusals.map(\.text).joined(separator: "\n")) }
    return try connection.transaction(.immediate) {
      var adoption = Adoption(connection, wall: wall)
      adoption.progress = progress
      let rows = try adoption.begin(wish)
      return Report(schema: try adoption.knownSchema() ?? Schema(wish.name, tables: []), rows: rows)
    }
  }

  /// Makes a new database with the tables of a description, adopted from the start. The path must be free.
  ///
  /// - Throws: ``StoreError`` with `.schema` for a description that cannot be followed; SQLite's errors.
  package static func make(_ path: String, _ schema: Schema, wall: @escaping () -> Int64) throws {
    let problems = schema.problems()
    guard problems.isEmpty else { throw StoreError(.schema, problems.joined(separator: "\n")) }
    let connection = try Connection.open(path)
    defer { connection.close() }
    try harden(connection, .own)
    try connection.execute("PRAGMA journal_mode=WAL")
    try connection.transaction(.immediate) {
      for sql in FoundSQL.statements(schema) { try connection.execute(sql) }
      _ = try Adoption(connection, wall: wall).begin(
        FoundSchema.Wish(name: schema.name, sharesIntegerKeys: true))
    }
  }

  /// Takes the triggers away, so that the app can change its tables in ways that they would block. What they noted is
  /// taken over before.
  package static func pause(_ path: String, wall: @escaping () -> Int64) throws {
    try writing(path, wall) { adoption in
      var settings = try adoption.settings()
      guard !settings.isPaused else { return }
      let shapes = try adoption.bringUp().shapes
      try adoption.drain(StateTables(adoption.connection, shapes: shapes, numbers: adoption.numbers))
      try adoption.tables.removeTriggers()
      settings.isPaused = true
      try adoption.keep(settings)
    }
  }

  /// Removes every trace. The app's schema is as it was before, and its rows are put back that a reference kept out or
  /// changed: a program that leaves foreign keys unchecked wrote them so.
  ///
  /// - Parameter last: done before the transaction is committed, behind which nothing tells any more what belonged to the
  ///   database.
  /// - Returns: how many rows could not be put back, for a unique value or another rule of the table.
  @discardableResult
  package static func undo(
    _ path: String, wall: @escaping () -> Int64, last: () throws -> Void = {}
  ) throws -> Int {
    try writing(path, wall, keepsReferences: false) { adoption in
      try adoption.tables.removeTriggers()
      let left = try adoption.putBack()
      try adoption.tables.removeEverything()
      try last()
      return left
    }
  }

  /// One transaction over an adopted database.
  private static func writing<T>(
    _ path: String, _ wall: @escaping () -> Int64, keepsReferences: Bool = true,
    _ body: (Adoption) throws -> T
  ) throws -> T {
    let connection = try Opening.connectAdopted(path)
    defer { connection.close() }
    if !keepsReferences { try connection.execute("PRAGMA foreign_keys=OFF") }
    return try connection.transaction(.immediate) {
      guard try AdoptionTables.arePresent(connection) else {
        throw StoreError(.schema, "The database is not adopted.")
      }
      return try body(Adoption(connection, wall: wall))
    }
  }
}
