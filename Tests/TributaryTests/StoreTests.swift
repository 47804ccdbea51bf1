import Foundation
import SQLite
import Testing
import Tributary

/// The face that an app sees: open, write, read, attach, sync.
struct StoreTests {
  static let schema = Schema(
    "com.example.tasks",
    tables: [
      Table(
        "task", key: "id",
        columns: [
          .text("title", nonEmpty: true), .text("due").orNull, .text("due_zone").orNull,
          .integer("priority").withDefault(0),
        ], groups: [["due", "due_zone"]])
    ])

  @Test func twoDevicesSyncThroughOneFolder() async throws {
    let place = try Place()
    let laptop = try await Store.open(at: place.path("laptop.db"), schema: Self.schema)
    let phone = try await Store.open(at: place.path("phone.db"), schema: Self.schema)
    let remote = RemoteLocation.folder(place.path("remote"))
    let first = try await laptop.attach(
      remote, password: "correct horse", deviceName: "laptop", create: true, stateDirectory: place.path("a"))
    try await laptop.write { db in
      try db.execute("INSERT INTO task(id,title) VALUES(?1,?2)", [.text("t1"), .text("Buy milk")])
    }
    #expect(try await first.sync().sent == 1)
    let second = try await phone.attach(
      remote, password: "correct horse", deviceName: "phone", create: false, stateDirectory: place.path("b"))
    #expect(try await second.sync().received == 1)
    try await phone.write { try $0.execute("UPDATE task SET priority=3 WHERE id='t1'") }
    try await laptop.write { try $0.execute("UPDATE task SET title='Buy oat milk' WHERE id='t1'") }
    for _ in 0..<2 {
      _ = try await second.sync()
      _ = try await first.sync()
    }
    let rows = try await laptop.read { try $0.rows("SELECT * FROM task") }
    #expect(rows == (try await phone.read { try $0.rows("SELECT * FROM task") }))
    #expect(rows.first?["title"] == .text("Buy oat milk") && rows.first?["priority"] == .integer(3))
    await laptop.close()
    await phone.close()
  }

  @Test func aRefusedWriteNamesTheColumnAndLeavesNothing() async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    await #expect(throws: StoreError.self) {
      try await store.write { db in
        try db.execute("INSERT INTO task(id,title) VALUES('t1','Kept?')")
        try db.execute("INSERT INTO task(id,title) VALUES('t2','')")
      }
    }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM task") } == .integer(0))
    await store.close()
  }

  @Test(arguments: [
    "COMMIT", "BEGIN", "ATTACH 'x.db' AS x", "PRAGMA foreign_keys=OFF", "DELETE FROM tributary_meta",
  ])
  func aStatementThatDoesNotBelongInAWriteIsRefused(sql: String) async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    do {
      try await store.write { try $0.execute(sql) }
      Issue.record("\(sql) ran")
    } catch let error as StoreError {
      #expect(error.code == .forbiddenStatement)
    }
    await store.close()
  }

  @Test func aRefusedRowCannotBeKeptByCatchingTheError() async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    await #expect(throws: StoreError.self) {
      try await store.write { db in try? db.execute("INSERT INTO task(id,title) VALUES('t2','')") }
    }
    #expect(try await store.read { try $0.value("SELECT count(*) FROM task") } == .integer(0))
    await store.close()
  }

  @Test func aWriteByAConnectionWithoutTheEngineFails() async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    let other = try Connection.open(place.path("app.db"))
    #expect(throws: DatabaseError.self) {
      try other.execute("INSERT INTO task(id,title) VALUES('t1','missed')")
    }
    other.close()
    await store.close()
  }

  @Test func aClosedStoreSaysSo() async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    await store.close()
    await #expect(throws: StoreError.self) { try await store.read { try $0.rows("SELECT 1") } }
  }
}
