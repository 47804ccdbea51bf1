import SQLite
import TributaryModel

/// Keeping up with an app that changes its own database.
extension Adoption {
  /// What opening finds.
  struct Standing {
    var schema: Schema
    var shapes: [TableShape]
  }

  /// Opens an adopted database, unless its triggers are away.
  func open(_ look: AdoptedLook) throws -> Standing {
    var settings = try settings()
    if settings.isPaused {
      guard case .resuming = look else {
        throw StoreError(
          .paused,
          "The database is paused, so that its app can change its tables. Run `tributary adopt --resume` to go on."
        )
      }
      settings.isPaused = false
      try keep(settings)
    }
    return try bringUp(look)
  }

  /// Compares tables and triggers with what was known, takes up what may have slipped, and puts the triggers back.
  /// Within the caller's transaction.
  func bringUp(_ look: AdoptedLook = .atTables) throws -> Standing {
    guard let known = try knownSchema() else {
      throw StoreError(
        .damaged, "The store does not say which tables it syncs. Run `adopt --undo`, and adopt it again.")
    }
    let (found, lines) = try current(known)
    let (schema, shapes) = (found.schema, try shapes(found))
    let existing = try tables.triggers()
    let (places, knownPlaces) = (try tables.places(shapes), try knownPlaces())
    let stale = try shapes.filter {
      try look != .atTables || !tables.areIntact($0, existing)
        || places[$0.type] != knownPlaces[$0.type] ?? places[$0.type]
    }
    guard schema != known || !stale.isEmpty else { return Standing(schema: schema, shapes: shapes) }
    let state = try StateTables(connection, shapes: shapes, numbers: numbers)
    state.prints = RowPrints(connection)
    let unwatched = Set(stale.filter { tables.lacksTriggers($0, existing) }.map(\.type))
    // The clock may have gone back: what is found now is still no older than what was noted before.
    let noted = try drain(state, unwatched: unwatched)
    var told = lines + (try forgetLost(known, schema))
    for shape in stale {
      let isNew = !known.tables.contains { $0.name == shape.name }
      told += try takeUp(shape, state, at: try nextMoment(from: noted), isNew: isNew)
    }
    try meta.setNote(.schemaJSON, .text(schema.json))
    try keepPlaces(shapes)
    try tell(told)
    return Standing(schema: schema, shapes: shapes)
  }

  /// The tables as they are now, and what is to be told of it. A table that cannot be synced any more is left out.
  private func current(_ known: Schema) throws -> (FoundSchema, [String]) {
    var wish = try settings().wish(named: known.name)
    // What was synced so far stays so; what is gone is no error here.
    let present = try connection.tableNames().map(\.sqlFolded)
    wish.tables = wish.tables?.filter { present.contains($0.sqlFolded) }
    var lines: [String] = []
    while true {
      let found = try FoundSchema.read(connection, wish)
      var bad = Set(found.refusals.map(\.table))
      lines += found.refusals.map { "\($0.text) It is not synced meanwhile." }
      for table in found.schema.tables where !bad.contains(table.name) {
        guard let old = known.tables.first(where: { $0.name == table.name }), old.key != table.key else {
          continue
        }
        bad.insert(table.name)
        lines.append(
          "The table “\(table.name)” has another primary key than before, so its rows are other records. It is not synced "
            + "any more; adopt the database anew to sync it under another name.")
      }
      guard !bad.isEmpty else { return (found, lines.filter { !isOld($0, known, found.schema) }) }
      wish.tables = found.schema.tables.map(\.name).filter { !bad.contains($0) }
    }
  }

  /// Whether a line speaks of a table that was not synced before either.
  private func isOld(_ line: String, _ known: Schema, _ schema: Schema) -> Bool {
    !known.tables.contains { table in
      line.contains("“\(table.name)”") && !schema.tables.contains { $0.name == table.name }
    }
  }

  /// Tables and columns that are gone took their values along. Nothing is sent of that; what the others have of them is
  /// read again and kept.
  private func forgetLost(_ known: Schema, _ schema: Schema) throws -> [String] {
    var lines: [String] = []
    for old in known.tables {
      guard let new = schema.tables.first(where: { $0.name == old.name }) else {
        try forget(old)
        lines.append(
          "The table “\(old.name)” is gone here, or cannot be synced any more. Nothing of it is deleted elsewhere."
        )
        continue
      }
      let gone = old.columns.map(\.name).filter { name in !new.columns.contains { $0.name == name } }
      let added = new.columns.map(\.name).filter { name in !old.columns.contains { $0.name == name } }
      if !gone.isEmpty {
        lines.append("The table “\(old.name)” has no \(Self.list(gone)) any more. Other devices keep theirs.")
        try requestRereading()
      }
      if !added.isEmpty { lines.append("The table “\(old.name)” has \(Self.list(added)) now.") }
    }
    return lines
  }

  private func forget(_ table: Table) throws {
    guard let type = try numbers.knownType(named: table.name) else { return }
    try tables.removeTriggers(of: type)
    try connection.execute("DROP TABLE IF EXISTS main.\(EditTable.name(type))")
    for name in ["clock", "overlay", "print"] {
      try connection.execute("DELETE FROM tributary_\(name) WHERE type=?1", [.integer(type)])
    }
    try requestRereading()
  }

  /// The next sync also looks at what referred to rows that are gone, as if the schema had changed.
  private func requestRereading() throws {
    try meta.setNote(.rereading, .integer(1))
    try meta.removeNote(.schemaHash)
  }

  /// Looks at every row of a table that was not watched, and watches it again.
  private func takeUp(
    _ shape: TableShape, _ state: StateTables, at moment: Moment, isNew: Bool
  ) throws -> [String] {
    try tables.install(shape)
    let result = try scan(shape, state, moment)
    if result.gone > 0 { try requestRereading() }
    if isNew {
      return ["The table “\(shape.name)” is new here and synced from now on: \(result.inserted) rows."]
    }
    guard !result.isNothing else { return [] }
    var line =
      "“\(shape.name)” was changed while nothing watched it: \(result.inserted) new rows and \(result.changed) changed ones "
      + "are sent."
    if result.gone > 0 {
      line +=
        " \(result.gone) that went are not deleted elsewhere, and come back from there; delete them again if that was meant."
    }
    return [line]
  }

  private static func list(_ names: [String]) -> String {
    "the column\(names.count == 1 ? "" : "s") " + names.map { "“\($0)”" }.joined(separator: ", ")
  }
}
