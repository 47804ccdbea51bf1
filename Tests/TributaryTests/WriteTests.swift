import Foundation
import SQLite
import Testing
import Tributary

/// What writes and reads promise an app.
struct WriteTests {
  private struct Stop: Error {}

  @Test func aWriteThatThrowsLeavesNothingToSend() async throws {
    let place = try Place()
    let store = try await place.open()
    await #expect(throws: Stop.self) {
      try await store.write { db in
        try db.execute("INSERT INTO task(id,title) VALUES('gone','Gone')")
        throw Stop()
      }
    }
    #expect(try await store.read { try $0.rows("SELECT * FROM task") } == [])
    #expect(try await place.sent(by: store) == 0)
    await store.close()
  }

  @Test func aWriteThatCommitsIsSent() async throws {
    let place = try Place()
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('kept','Kept')") }
    #expect(try await place.sent(by: store) == 1)
    await store.close()
  }

  @Test func aBrokenRuleNamesTheTableAndTheColumn() async throws {
    let place = try Place()
    let store = try await place.open()
    let error = try await storeError {
      try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('t','')") }
    }
    #expect(error?.code == .refusedValue)
    #expect(error?.message.contains("task") == true && error?.message.contains("title") == true)
    await store.close()
  }

  @Test(arguments: [
    "INSERT INTO task(id,title) VALUES('t2','x')", "UPDATE task SET title='x'", "DELETE FROM task",
    "CREATE TABLE other(a)", "DROP TABLE task", "CREATE INDEX i ON task(title)",
    "ALTER TABLE task ADD COLUMN x",
    "WITH new(id) AS (SELECT 'x') INSERT INTO task(id,title) SELECT id,id FROM new",
  ])
  func aReadCannotWrite(sql: String) async throws {
    let place = try Place()
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('t1','Kept')") }
    let error = try await storeError { try await store.read { try $0.execute(sql) } }
    #expect(error?.code == .forbiddenStatement && error?.message.contains("run it in `write`") == true)
    #expect(try await store.read { try $0.rows("SELECT title FROM task").map(\.values) } == [[.text("Kept")]])
    #expect(try await store.read { try $0.value("SELECT name FROM sqlite_master WHERE name='other'") } == nil)
    await store.close()
  }

  @Test func aReadMayUseTemporaryTables() async throws {
    let place = try Place()
    let store = try await place.open()
    let found = try await store.read { db in
      try db.execute("CREATE TEMP TABLE wanted(id)")
      try db.execute("INSERT INTO wanted VALUES('t1')")
      return try db.value("SELECT count(*) FROM wanted")
    }
    #expect(found == .integer(1))
    await store.close()
  }

  @Test func theDatabaseIsRefusedAfterItsClosure() async throws {
    let place = try Place()
    let store = try await place.open()
    let error = try await storeError {
      try await store.write { db in
        nonisolated(unsafe) let inner = db
        return { @Sendable in try inner.rows("SELECT 1") }
      }()
    }
    #expect(error?.code == .closed)
    await store.close()
  }

  @Test func twoStoresOnOneFileBothCapture() async throws {
    let place = try Place()
    let first = try await place.open()
    let second = try await place.open()
    try await first.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','First')") }
    try await second.write { try $0.execute("INSERT INTO task(id,title) VALUES('b','Second')") }
    #expect(try await first.read { try $0.value("SELECT count(*) FROM task") } == .integer(2))
    #expect(try await place.sent(by: first) == 2)
    await first.close()
    await second.close()
  }

  @Test func aURLThatIsNoFileIsRefused() async throws {
    let url = try #require(URL(string: "https://example.com/app.db"))
    let error = try await storeError { try await Store.open(at: url, schema: StoreTests.schema) }
    #expect(error?.code == .notAFile)
  }

  @Test(arguments: ["DROP TABLE task", "DROP TRIGGER tributary_guard_1_insert"])
  func whatWouldLoseRowsOrGuardsIsRefused(sql: String) async throws {
    let place = try Place()
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('t','Kept')") }
    #expect(
      try await storeError { try await store.write { try $0.execute(sql) } }?.code == .forbiddenStatement)
    #expect(try await store.read { try $0.rows("SELECT * FROM task").count } == 1)
    await store.close()
  }

  @Test func aPragmaThatOnlyAnswersIsAllowed() async throws {
    let place = try Place()
    let store = try await place.open()
    #expect(try await store.read { try $0.rows("PRAGMA table_info(task)").isEmpty } == false)
    let error = try await storeError { try await store.write { try $0.execute("PRAGMA foreign_keys=OFF") } }
    #expect(error?.code == .forbiddenStatement)
    await store.close()
  }

  @Test func aTableThatAnotherProgramDroppedIsNotMadeAnewInSilence() async throws {
    let place = try Place()
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('t','Gone')") }
    _ = try await place.sent(by: store)
    await store.close()
    let other = try Connection.open(place.path("app.db"))
    try other.execute("DROP TABLE task")
    other.close()
    #expect(try await storeError { try await place.open() }?.code == .damaged)
  }
}
