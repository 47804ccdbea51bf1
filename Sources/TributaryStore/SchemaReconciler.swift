package import SQLite
package import TributaryModel

/// Brings a database up to a declared schema: what is missing is added, nothing is dropped or renamed.
///
/// The connection has the guard function (``GuardFunction``) and captures nothing meanwhile; old rows get the
/// defaults of new columns without being edits.
package struct SchemaReconciler {
  let connection: Connection
  private let isAdopted: Bool

  /// - Parameter isAdopted: whether other programs write the database, so that no guard keeps them off.
  package init(_ connection: Connection, isAdopted: Bool = false) {
    self.connection = connection
    self.isAdopted = isAdopted
  }

  /// Adds what is missing and says how the synced tables look, in the order of their declaration.
  ///
  /// All of it happens or nothing, within the caller's transaction if there is one. A table of the app's own making is
  /// taken as it is if it can be synced.
  /// - Throws: ``StoreError`` with `.schema` and the remedy when it cannot; see also ``LocalTables/prepare(_:)``.
  package func reconcile(_ schema: Schema, numbers: LocalNumbers) throws -> [TableShape] {
    let problems = schema.problems()
    guard problems.isEmpty else { throw StoreError(.schema, problems.joined(separator: "\n")) }
    do {
      return try connection.savepoint {
        try LocalTables.prepare(connection)
        return try bringUp(schema, numbers)
      }
    } catch {
      numbers.forget()
      throw error
    }
  }

  private func bringUp(_ schema: Schema, _ numbers: LocalNumbers) throws -> [TableShape] {
    let known = Set(try connection.rows("SELECT id FROM tributary_type").compactMap { $0[0].integer })
    for table in schema.tables { try addTable(table, schema) }
    for table in schema.tables { try addIndexes(table) }
    let shapes = try schema.syncedTables.map { table in
      try ShapeMaker(
        table: table, info: info(table), schema: schema, numbers: numbers, connection: connection
      )
      .shape()
    }
    let guards = GuardTriggers(connection)
    if isAdopted {
      try guards.removeAll()
    } else {
      try noteUnguarded(try guards.install(for: shapes).filter { known.contains($0.type) })
    }
    return shapes
  }

  /// Remembers tables whose guards somebody removed: their rows may have changed unseen, which a person must hear of.
  private func noteUnguarded(_ shapes: [TableShape]) throws {
    guard !shapes.isEmpty else { return }
    try Meta(connection: connection).setNote(
      .unguarded, .text(shapes.map(\.name).joined(separator: ", ")))
  }

  /// What SQLite knows of a table that must be there by now.
  func info(_ table: Table) throws -> TableInfo {
    guard let info = try connection.table(table.name) else {
      throw StoreError(
        .damaged, "The table “\(table.name)” went missing while the schema was brought up. Try again.")
    }
    return info
  }
}

extension [TableShape] {
  /// What admission must know of the tables, by record type.
  package var recordTypes: [String: RecordType] {
    Dictionary(
      map { shape in
        let fields = Dictionary(shape.fields.map { ($0.name, $0.rule) }) { first, _ in first }
        return (shape.name, RecordType(fields: fields, key: shape.key.map(\.rule)))
      }
    ) { first, _ in first }
  }
}
