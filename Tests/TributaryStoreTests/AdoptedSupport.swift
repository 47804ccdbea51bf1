import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// A database that another program made and writes, adopted, and opened by the engine now and then.
final class AdoptedScene {
  let path: String
  /// The other program: nothing of the engine's is loaded in it.
  let app: Connection
  private let folder: TemporaryFolder
  let device = DeviceID(high: 1, low: 1)
  private(set) var now: Int64 = 1_900_000_000_000

  init(_ sql: String, tables: [String]? = nil, sharesIntegerKeys: Bool = true) throws {
    folder = try TemporaryFolder()
    path = folder.path("app.db")
    app = try Connection.open(path)
    try app.execute(sql)
    _ = try Adoption.adopt(
      path, FoundSchema.Wish(name: "com.example.app", tables: tables, sharesIntegerKeys: sharesIntegerKeys),
      wall: { 1_800_000_000_000 })
  }

  deinit { app.close() }

  /// Opens the store, settles all edits, and says what `body` makes of it.
  @discardableResult
  func open<T>(isResumed: Bool = false, _ body: (StoreCore) throws -> T) throws -> T {
    let store = try StoreCore.openAdopted(path, isResumed ? .resuming : .atTables, wall: { self.now })
    defer { store.close() }
    try store.settle(as: device)
    return try body(store)
  }

  /// The state of every record, by table and key.
  func state() throws -> [String: RecordState] {
    try open { store in
      var all: [String: RecordState] = [:]
      try store.everything { entries in
        for entry in entries { all["\(entry.name.type) \(entry.name.id.values ?? [])"] = entry.change }
      }
      return all
    }
  }

  /// What `check` finds.
  func findings() throws -> [StateFinding] {
    let schema = try open { $0.schema }
    let view = try StoreView.open(path, schema: schema)
    defer { view.close() }
    var findings: [StateFinding] = []
    try view.read { try StateCheck(view, report: { findings.append($0) }).run() }
    return findings
  }

  /// The fields that got a stamp since, and what else happened to each record: for example `update item [1] title`.
  func changes(_ sql: String) throws -> [String] {
    let before = try state()
    try app.execute(sql)
    return try changes(since: before)
  }

  func changes(since before: [String: RecordState]) throws -> [String] {
    let after = try state()
    return after.keys.sorted().compactMap { key in
      let (old, new) = (before[key] ?? RecordState(), after[key] ?? RecordState())
      guard old != new else { return nil }
      let fields = new.fields.filter { $0.stamp != old[$0.name]?.stamp }.map(\.name).sorted()
      if new.born != old.born { return "insert \(key)" }
      if new.deletes != old.deletes { return "delete \(key)" }
      return "update \(key) \(fields.joined(separator: ","))"
    }
  }
}
