import SQLite
package import TributaryModel

/// A store opened only to be read: nothing is made or brought up, and no sync or write is waited for.
///
/// What belongs together is read in one ``read(_:)``, which sees one committed state, whatever others write meanwhile.
package final class StoreView {
  /// What the store was last brought up to.
  package let schema: Schema
  /// Synced tables of the schema that the database does not have as declared.
  package let missingTables: [String]
  let connection: Connection
  let tables: StateTables
  /// Held for as long as SQLite may ask it.
  private var stopper: Stopper?

  private init(_ connection: Connection, _ schema: Schema, _ tables: StateTables, _ missing: [String]) {
    self.connection = connection
    self.schema = schema
    self.tables = tables
    missingTables = missing
  }

  deinit { close() }

  /// Lets even one long statement be stopped: it fails with SQLite's `interrupt` soon after this says true.
  package func stop(when isWanted: @escaping () -> Bool) {
    let stopper = Stopper(isWanted)
    self.stopper = stopper
    connection.setProgressHandler(
      every: 20_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Stopper>.fromOpaque(context).takeUnretainedValue().isWanted() ? 1 : 0
      }, Unmanaged.passUnretained(stopper).toOpaque())
  }

  /// Opens the store at `path`, which must be one already.
  /// - Throws: ``StoreError`` with `.tooNew` or `.damaged`; SQLite's errors.
  package static func open(_ path: String, schema: Schema) throws -> StoreView {
    let connection = try Connection.open(path, .readOnly)
    do {
      try harden(connection, .own)
      return try connection.transaction {
        try checkFormat(connection)
        let numbers = LocalNumbers(connection)
        let shapes = try shapes(schema, connection, numbers)
        let names = Set(shapes.map(\.name))
        return StoreView(
          connection, schema, try StateTables(connection, shapes: shapes, numbers: numbers),
          schema.syncedTables.map(\.name).filter { !names.contains($0) })
      }
    } catch {
      connection.close()
      throw error
    }
  }

  /// Closes the connection. Safe to call again.
  package func close() { connection.close() }

  /// Runs `body` over one committed state.
  package func read<T>(_ body: () throws -> T) throws -> T {
    try connection.execute("BEGIN")
    // There is nothing to keep, and after damage was met a commit would fail.
    defer { try? connection.execute("ROLLBACK") }
    return try body()
  }

  /// Every record's whole state, in batches, parents first. Within ``read(_:)``.
  package func everything(_ body: ([Entry]) throws -> Void) throws { try Extractor(tables).everything(body) }

  private static func checkFormat(_ connection: Connection) throws {
    let format = try connection.integer("SELECT value FROM tributary_meta WHERE key='format'")
    guard let format, format >= 1 else {
      throw StoreError(
        .damaged, "The store does not say in which format it is. Restore it from a copy or another device.")
    }
    guard format <= LocalTables.adoptedVersion else {
      throw StoreError(
        .tooNew,
        "The store is in format \(format), and this build reads up to \(LocalTables.adoptedVersion). Update it."
      )
    }
  }

  /// The shapes of tables that are there, all of whose names have their numbers, so that nothing is written.
  private static func shapes(
    _ schema: Schema, _ connection: Connection, _ numbers: LocalNumbers
  ) throws -> [TableShape] {
    try schema.syncedTables.compactMap { table in
      guard let info = try connection.table(table.name), let type = try numbers.knownType(named: table.name)
      else { return nil }
      let known = Set(try numbers.names(of: type) + table.key)
      let present = Set(info.columns.map(\.name))
      guard table.columns.allSatisfy({ present.contains($0.name) && known.contains($0.name) }) else {
        return nil
      }
      return try ShapeMaker(
        table: table, info: info, schema: schema, numbers: numbers, connection: connection
      ).shape()
    }
  }
}

/// Asked by SQLite, which takes only a pointer.
private final class Stopper {
  let isWanted: () -> Bool

  init(_ isWanted: @escaping () -> Bool) { self.isWanted = isWanted }
}

extension StoreView {
  /// What this build reads of the store's record types.
  package var build: Build { Build(schemaVersion: schema.version, types: tables.shapes.recordTypes) }
}
