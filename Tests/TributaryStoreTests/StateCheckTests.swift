import Foundation
import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// What `check` says of a store's own file.
struct StateCheckTests {
  @Test(arguments: 1...40)
  func nothingIsFoundInAnyStoreThatOnlyTheEngineWrote(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let fleet = try Fleet(count: 3, seed: seed)
    for round in 0..<60 {
      let device = try fleet.act(&random)
      if round % 5 == 0 {
        let found = try device.store.findings()
        #expect(found.isEmpty, "seed \(seed), round \(round)")
      }
    }
    for device in fleet.devices {
      try device.sync(fleet, &random)
      let found = try device.store.findings()
      #expect(found.isEmpty, "seed \(seed)")
    }
  }

  @Test func aRowThatAnotherProgramInsertedIsNamed() throws {
    let scene = try CheckScene()
    try scene.bypass("INSERT INTO note(id,title,code) VALUES('x','new','c9')")
    #expect(try scene.found() == ["extraRow note x"])
  }

  @Test func aRowThatAnotherProgramDeletedIsNamed() throws {
    let scene = try CheckScene()
    try scene.bypass("DELETE FROM note WHERE id='n2'")
    #expect(try scene.found() == ["missingRow note n2"])
  }

  @Test func aDeletedRecordThatAnotherProgramPutBackIsNamed() throws {
    let scene = try CheckScene()
    try scene.store.write { try $0.execute("DELETE FROM note WHERE id='n2'") }
    try scene.settle()
    #expect(try scene.found() == [])
    try scene.bypass("INSERT INTO note(id,title) VALUES('n2','back')")
    #expect(try scene.found() == ["extraRow note n2"])
  }

  @Test func anotherValueIsNamedOnceASealedLogIsAtHand() throws {
    let scene = try CheckScene()
    let log = try scene.everything()
    #expect(try scene.found(log: log) == [])
    try scene.bypass("UPDATE note SET title='changed' WHERE id='n1'")
    #expect(try scene.found(log: log) == ["value note n1"])
    // A local edit since then is no damage.
    try scene.store.write { try $0.execute("UPDATE note SET title='mine' WHERE id='n1'") }
    #expect(try scene.found(log: log) == [])
    try scene.settle()
    #expect(try scene.found(log: log) == [])
  }

  @Test func unsettledEditsAreComparedWithTheTables() throws {
    let scene = try CheckScene()
    try scene.store.write { db in
      try db.execute("INSERT INTO note(id,title) VALUES('n4','four')")
      try db.execute("DELETE FROM note WHERE id='n3'")
    }
    #expect(try scene.found() == [])
    try scene.bypass("DELETE FROM note WHERE id='n4'; INSERT INTO note(id,title) VALUES('n3','again')")
    #expect(try scene.found() == ["extraRow note n3", "missingRow note n4"])
  }

  @Test func missingGuardsAreNamed() throws {
    let scene = try CheckScene()
    try scene.plain("DROP TRIGGER tributary_guard_1_update")
    #expect(try scene.found() == ["guards note "])
  }

  @Test func damagedClocksOverlaysAndChangeLogRowsAreNamed() throws {
    let scene = try CheckScene()
    try scene.plain("UPDATE tributary_clock SET data=data||x'00' WHERE type=1")
    #expect(try scene.found() == ["clock note "])
    let other = try CheckScene()
    try other.plain("INSERT INTO tributary_overlay VALUES(1,x'306e31',0,x'00'),(1,x'306e32',1,x'05')")
    #expect(try other.found() == ["overlay note n1", "overlay note n2"])
    let third = try CheckScene()
    try third.plain("INSERT INTO tributary_change_log VALUES(1000,1,x'0199')")
    #expect(try third.found() == ["changeLog  "])
  }

  @Test func aDanglingReferenceIsNamedWithItsKey() throws {
    let scene = try CheckScene()
    try scene.bypass("PRAGMA foreign_keys=OFF; DELETE FROM folder WHERE id='f1'")
    #expect(try scene.found() == ["missingRow folder f1", "reference note n1", "row note n1"])
  }

  @Test func aDamagedFileIsAFindingAndNotACrash() throws {
    let scene = try CheckScene()
    for index in 0..<300 {
      try scene.store.write {
        try $0.execute(
          "INSERT INTO note(id,title) VALUES('m\(index)','\(String(repeating: "x", count: 200))')")
      }
    }
    try scene.settle()
    scene.store.close()
    try scene.plain("PRAGMA wal_checkpoint(TRUNCATE)")
    let page = try scene.page(of: "note")
    let file = try #require(FileHandle(forUpdatingAtPath: scene.path))
    try file.seek(toOffset: UInt64(page - 1) * 4096)
    try file.write(contentsOf: Data(repeating: 0xA5, count: 4096))
    try file.close()
    #expect(try scene.found().contains { $0.hasPrefix("file") })
  }

  @Test func checkingChangesNothing() throws {
    let scene = try CheckScene()
    try scene.bypass("INSERT INTO note(id,title) VALUES('x','new')")
    let before = try scene.store.read { try $0.value("SELECT group_concat(name) FROM sqlite_master") }
    _ = try scene.found()
    #expect(try scene.store.read { try $0.value("SELECT group_concat(name) FROM sqlite_master") } == before)
    #expect(try scene.found() == ["extraRow note x"])
  }

  @Test func aStopBetweenBatchesEndsTheCheck() throws {
    struct Stop: Error {}
    let scene = try CheckScene()
    let view = try StoreView.open(scene.path, schema: CheckScene.schema)
    let check = StateCheck(view, report: { _ in }, step: { _ in throw Stop() })
    #expect(throws: Stop.self) { try view.read { try check.run() } }
  }

  @Test func theStatusCountsWhatIsUnsentAndUnsettled() throws {
    let scene = try CheckScene()
    let view = try StoreView.open(scene.path, schema: CheckScene.schema)
    #expect(try view.read { try view.status() }.unsentWrites == 0)
    try scene.store.write { try $0.execute("UPDATE note SET title=id") }
    try scene.store.write { try $0.execute("UPDATE note SET title=''") }
    let status = try view.read { try view.status() }
    #expect(status.unsentWrites == 2 && status.unsettledWrites == 2)
    #expect(status.parked == 0 && status.held == 0 && status.latestEdit != nil)
  }
}

/// One small store whose edits are all settled.
final class CheckScene {
  static let schema = Schema(
    "com.example.check",
    tables: [
      Table(
        "note", key: "id",
        columns: [
          .text("title"), .text("code").orNull.unique,
          .text("folder").orNull.references("folder", onDelete: .setNull),
        ]),
      Table("folder", key: "id", columns: [.text("name")]),
    ])

  let path: String
  let store: StoreCore
  let device = DeviceID(high: 1, low: 1)

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("check-\(UUID()).db").path
    store = try StoreCore.open(path, schema: Self.schema, wall: { 1_700_000_000_000 })
    try store.write { db in
      try db.execute("INSERT INTO folder VALUES('f1','one')")
      try db.execute(
        "INSERT INTO note VALUES('n1','one','c1','f1'),('n2','two',NULL,NULL),('n3','three','c3',NULL)")
    }
    try settle()
  }

  deinit {
    store.close()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  func settle() throws {
    try store.settle(as: device)
    try store.engineWrite { try store.markSealed() }
  }

  func everything() throws -> [Entry] {
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }

  /// Writes as another program would that has taken the guards away, and puts them back.
  func bypass(_ sql: String) throws {
    let connection = try Connection.open(path)
    defer { connection.close() }
    let guards = try connection.rows("SELECT name,sql FROM sqlite_master WHERE name LIKE 'tributary_guard%'")
    for row in guards { try connection.execute("DROP TRIGGER \(row[0].string ?? "")") }
    try connection.execute("PRAGMA foreign_keys=ON; \(sql)")
    for row in guards { try connection.execute(row[1].string ?? "") }
  }

  func plain(_ sql: String) throws {
    let connection = try Connection.open(path)
    defer { connection.close() }
    try connection.execute(sql)
  }

  /// The page at the root of a table.
  func page(of table: String) throws -> Int64 {
    let connection = try Connection.open(path)
    defer { connection.close() }
    return try #require(
      try connection.integer("SELECT rootpage FROM sqlite_master WHERE name=?1", [.text(table)]))
  }

  func found(log: [Entry] = []) throws -> [String] {
    let view = try StoreView.open(path, schema: Self.schema)
    var found: [StateFinding] = []
    let check = StateCheck(view) { found.append($0) }
    try view.read {
      try check.run()
      try check.compare(log, with: "the log")
    }
    #expect(check.counts.findings == found.count)
    return found.map { "\($0.code) \($0.table ?? "") \($0.key.first?.string ?? "")" }.sorted()
  }
}

extension StoreCore {
  fileprivate func findings() throws -> [StateFinding] {
    let path = try read { try $0.rows("PRAGMA database_list").first?["file"]?.string ?? "" }
    let view = try StoreView.open(path, schema: schema)
    defer { view.close() }
    var found: [StateFinding] = []
    let check = StateCheck(view) { found.append($0) }
    try view.read {
      try check.run()
      var all: [Entry] = []
      try view.everything { all += $0 }
      try check.compare(all, with: "itself")
    }
    return found
  }
}
