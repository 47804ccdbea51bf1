import SQLite
import TributaryModel

/// What is remembered of an adoption: words, then the chosen tables, with NULs between them.
struct AdoptionSettings {
  /// The tables that were chosen; nil for all, later ones too.
  var tables: [String]?
  var sharesIntegerKeys: Bool
  var isPaused = false

  private static let (chosen, numbers, paused) = ("chosen", "integers", "paused")

  init(_ wish: FoundSchema.Wish) {
    tables = wish.tables
    sharesIntegerKeys = wish.sharesIntegerKeys
  }

  init(text: String) {
    let parts = text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    let words = Set((parts.first ?? "").split(separator: " ").map(String.init))
    tables = words.contains(Self.chosen) ? Array(parts.dropFirst()) : nil
    sharesIntegerKeys = words.contains(Self.numbers)
    isPaused = words.contains(Self.paused)
  }

  var text: String {
    let words = [
      tables == nil ? nil : Self.chosen, sharesIntegerKeys ? Self.numbers : nil, isPaused ? Self.paused : nil,
    ]
    return ([words.compactMap(\.self).joined(separator: " ")] + (tables ?? [])).joined(separator: "\0")
  }

  func wish(named name: String) -> FoundSchema.Wish {
    FoundSchema.Wish(name: name, tables: tables, sharesIntegerKeys: sharesIntegerKeys)
  }
}

/// Adopting a database that other programs write, and keeping up with what they make of its schema.
package struct Adoption {
  let connection: Connection
  let numbers: LocalNumbers
  let wall: () -> Int64
  /// Told which table is looked at, and how many of its rows were.
  var progress: (String, Int) throws -> Void = { _, _ in }

  var tables: AdoptionTables { AdoptionTables(connection) }
  var meta: Meta { Meta(connection: connection) }
  var changeLog: ChangeLog { ChangeLog(connection) }

  init(_ connection: Connection, _ numbers: LocalNumbers? = nil, wall: @escaping () -> Int64) {
    self.connection = connection
    self.numbers = numbers ?? LocalNumbers(connection)
    self.wall = wall
  }

  func settings() throws -> AdoptionSettings {
    guard let text = try meta.note(.adoption)?.string else {
      throw StoreError(
        .damaged, "The store does not say how it was adopted. Run `adopt --undo`, and adopt it again.")
    }
    return AdoptionSettings(text: text)
  }

  func keep(_ settings: AdoptionSettings) throws { try meta.setNote(.adoption, .text(settings.text)) }

  func knownSchema() throws -> Schema? {
    try meta.note(.schemaJSON)?.string.map { try Schema(json: Array($0.utf8)) }
  }

  /// Where the file had each table, by type, when it was looked at last.
  func knownPlaces() throws -> [Int64: Int64] {
    let words = try meta.note(.places)?.string?.split(separator: " ") ?? []
    let pairs = words.compactMap { word -> (Int64, Int64)? in
      let numbers = word.split(separator: ":").compactMap { Int64($0) }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  func keepPlaces(_ shapes: [TableShape]) throws {
    let places = try tables.places(shapes).sorted { $0.key < $1.key }
    try meta.setNote(.places, .text(places.map { "\($0.key):\($0.value)" }.joined(separator: " ")))
  }

  /// The shapes of the tables that were found.
  func shapes(_ found: FoundSchema) throws -> [TableShape] {
    try found.schema.tables.compactMap { table in
      try found.infos[table.name].map { info in
        try ShapeMaker(
          table: table, info: info, schema: found.schema, numbers: numbers, connection: connection
        ).shape()
      }
    }
  }

  /// - Parameter time: the least that the moment is, in milliseconds since 1970, whatever the clock says.
  func nextMoment(from time: Int64? = nil) throws -> Moment {
    Clock.next(after: try meta.latestMoment, wall: max(wall(), time ?? .min))
  }

  /// Adds lines about the schema for the next sync to tell.
  func tell(_ lines: [String]) throws {
    guard !lines.isEmpty else { return }
    let before = try meta.note(.drift)?.string.map { $0 + "\n" } ?? ""
    try meta.setNote(.drift, .text(before + lines.joined(separator: "\n")))
  }
}

extension Adoption {
  /// Makes the engine's tables and triggers, and takes every row as an insert; within the caller's transaction.
  func begin(_ wish: FoundSchema.Wish) throws -> [String: Int] {
    try LocalTables.prepare(connection)
    try tables.create()
    let found = try found(wish)
    let shapes = try shapes(found)
    let state = try StateTables(connection, shapes: shapes, numbers: numbers)
    let moment = try nextMoment()
    var counts: [String: Int] = [:]
    for shape in shapes {
      try tables.install(shape)
      counts[shape.name] = try scan(shape, state, moment).inserted
    }
    try keep(AdoptionSettings(wish))
    try meta.setNote(.schemaJSON, .text(found.schema.json))
    try keepPlaces(shapes)
    return counts
  }

  /// - Throws: ``StoreError`` with `.schema`, each refusal with its remedy, if anything that is wished for cannot be had.
  private func found(_ wish: FoundSchema.Wish) throws -> FoundSchema {
    let found = try FoundSchema.read(connection, wish)
    guard found.refusals.isEmpty else {
      throw StoreError(.schema, found.refusals.map(\.text).joined(separator: "\n"))
    }
    guard !found.schema.tables.isEmpty else {
      throw StoreError(.schema, "The database has no table that could be synced. Make its tables first.")
    }
    let problems = found.schema.problems()
    guard problems.isEmpty else { throw StoreError(.schema, problems.joined(separator: "\n")) }
    return found
  }

  func scan(_ shape: TableShape, _ state: StateTables, _ moment: Moment) throws -> Rescan.Result {
    guard let access = state.access(shape.type) else { return Rescan.Result() }
    let scan = Rescan(tables: state, prints: RowPrints(connection), changeLog: changeLog, moment: moment)
    return try scan.run(access) { try progress(shape.name, $0) }
  }

  /// Takes over all that triggers noted; within the caller's transaction. Returns when the last of it was noted.
  @discardableResult
  func drain(_ state: StateTables, unwatched: Set<Int64> = []) throws -> Int64? {
    let drain = EditDrain(
      tables: state, prints: RowPrints(connection), changeLog: changeLog, unwatched: unwatched)
    let latest = try drain.latestTime()
    while try !drain.take(after: meta.latestMoment) {}
    return latest
  }
}

extension FoundSchema.Refusal {
  package var text: String { "The table “\(table)” \(problem). \(remedy)" }
}
