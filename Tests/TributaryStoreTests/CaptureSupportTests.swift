import Glibc
import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// A store's tables in a file of its own, with a capturing writer and a second connection that reads.
final class Scene {
  let writer: Connection
  let reader: Connection
  let capture: Capture
  private(set) var shapes: [TableShape]
  private let folder: TemporaryFolder
  private let change: (inout TableShape) -> Void

  /// All ordinary tables of `sql` are synced, except those whose names begin with `local`.
  init(
    _ sql: String, comparesAll: Bool = false, change: @escaping (inout TableShape) -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    self.change = change
    writer = try Connection.open(folder.path("store"))
    try writer.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON")
    try writer.execute(sql)
    try writer.execute(LocalTables.creation)
    reader = try Connection.open(folder.path("store"), .readOnly)
    shapes = try Self.shapes(writer, change)
    capture = try Capture.start(on: writer, tables: shapes)
    if !comparesAll { try capture.compareOnlyColumnsThatAreSet() }
  }

  deinit {
    capture.stop()
    writer.close()
    reader.close()
  }

  /// A schema step of the engine.
  func evolve(_ sql: String) throws {
    try writer.execute(sql)
    shapes = try Self.shapes(writer, change)
    try capture.setTables(shapes)
  }

  var verifier: CaptureVerifier { CaptureVerifier(writer: writer, reader: reader, tables: shapes) }

  /// Runs a transaction with capture off.
  func given(_ sql: String) throws { try writer.execute("BEGIN; \(sql); COMMIT") }

  /// Runs SQL as a transaction of the app, and says what was captured.
  func changes(_ sql: String) throws -> [String] { try transaction { try $0.execute(sql) } }

  /// Runs a transaction of the app, and says what was captured.
  func transaction(_ body: (Connection) throws -> Void) throws -> [String] {
    try recorded(body).map(describe)
  }

  func recorded(_ body: (Connection) throws -> Void) throws -> [LocalChange] {
    try writer.execute("BEGIN IMMEDIATE")
    capture.mode = .recording
    try body(writer)
    capture.mode = .off
    let log = ChangeLog(writer)
    let seq = try log.lastSeq
    let types = try capture.finish(
      into: log, moment: Moment(raw: 1), after: log.lastSeq, verifiedBy: verifier)
    try writer.execute("COMMIT")
    let changes = try log.read(after: seq, limit: .max).flatMap(\.changes)
    #expect(types == Set(changes.map(\.type)).sorted())
    return changes
  }

  /// Runs a statement that fails, as the engine's executor does.
  func fails(_ sql: String) {
    #expect(throws: DatabaseError.self) { try writer.execute(sql) }
    capture.markUncertain()
  }

  /// For example `update item 'a' title` or `delete item 1 {title: 'x'}`.
  func describe(_ change: LocalChange) -> String {
    guard let shape = shapes.first(where: { $0.type == change.type }) else { return "unknown" }
    let name = { (number: Int) in shape.fields.first { $0.field == number }?.name ?? "?" }
    let names = shape.fields.filter { change.fields.contains($0.field) }.map(\.name)
    var parts = ["\(change.kind)", shape.name]
    parts.append((change.id.values ?? []).map(text).joined(separator: ","))
    if !names.isEmpty { parts.append(names.joined(separator: ",")) }
    if !change.image.isEmpty {
      parts.append(
        "{" + change.image.map { "\(name($0.field)): \(text($0.value))" }.joined(separator: ", ") + "}")
    }
    return parts.joined(separator: " ")
  }

  func text(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text: "'\(value.string ?? "")'"
    case .blob(let bytes): "x\(bytes)"
    }
  }

  private static func shapes(
    _ connection: Connection, _ change: (inout TableShape) -> Void
  ) throws -> [TableShape] {
    let names = try connection.tableNames().filter {
      !$0.hasPrefix("local") && !$0.hasPrefix(LocalTables.prefix)
    }
    return try names.enumerated().map { place, name in
      let info = try #require(try connection.table(name))
      var shape = TableShape(
        name: name, type: Int64(place + 1),
        key: info.primaryKey.map { key in
          .init(name: key.name, index: info.columns.firstIndex(of: key) ?? 0, rule: .anything)
        },
        fields: fields(info), isWithoutRowID: info.isWithoutRowID, isRowIDKey: info.rowIDAlias != nil)
      change(&shape)
      return shape
    }
  }

  private static func fields(_ info: TableInfo) -> [TableShape.FieldColumn] {
    var fields: [TableShape.FieldColumn] = []
    for (index, column) in info.columns.enumerated() where column.primaryKeyIndex == 0 && !column.isGenerated
    {
      let number = column.defaultSQL.flatMap { Int64($0) }
      fields.append(
        .init(
          name: column.name, index: index, field: fields.count, isNotNull: column.notNull,
          takesNull: !column.notNull, defaultValue: number.map { .integer($0) }, rule: .anything))
    }
    return fields
  }
}
