import SQLite
import Testing
import Tributary

/// Rows that were there before the engine are never passed over in silence.
struct UnknownRowTests {
  private func fill(_ path: String, _ sql: String) throws {
    let connection = try Connection.open(path)
    try connection.execute(sql)
    connection.close()
  }

  @Test func aTableThatWasFilledWithoutTheEngineIsRefusedWithTheRemedy() async throws {
    let place = try Place()
    let path = place.path("app.db")
    try fill(
      path,
      """
      CREATE TABLE task(id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL);
      INSERT INTO task VALUES('t1', 'Old');
      """)
    let error = try await storeError { try await place.open() }
    #expect(error?.code == .unknownRows)
    #expect(error?.message.contains("“task”") == true && error?.message.contains("RENAME TO") == true)
    // What the message says must work.
    try fill(path, "ALTER TABLE task RENAME TO task_old")
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) SELECT id,title FROM task_old") }
    #expect(try await place.sent(by: store) == 1)
    await store.close()
  }

  @Test func aTableThatBecomesSyncedLaterIsRefusedWithRows() async throws {
    let place = try Place()
    let first = try await place.open()
    try await first.write { db in
      try db.execute("CREATE TABLE note(id TEXT PRIMARY KEY NOT NULL, body TEXT)")
      try db.execute("INSERT INTO note VALUES('n1','Old')")
    }
    await first.close()
    var schema = StoreTests.schema
    schema.tables.append(Table("note", key: "id", columns: [.text("body").orNull]))
    let error = try await storeError { [schema] in
      try await Store.open(at: place.path("app.db"), schema: schema)
    }
    #expect(error?.code == .unknownRows && error?.message.contains("“note”") == true)
  }

  @Test func anEmptyTableIsTakenAsItIs() async throws {
    let place = try Place()
    try fill(place.path("app.db"), "CREATE TABLE task(id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL)")
    let store = try await place.open()
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('t1','New')") }
    await store.close()
    let again = try await place.open()
    #expect(try await place.sent(by: again) == 1)
    await again.close()
  }

  @Test func aLocalTableMayHaveRows() async throws {
    let place = try Place()
    try fill(
      place.path("app.db"),
      "CREATE TABLE cache(id TEXT PRIMARY KEY NOT NULL); INSERT INTO cache VALUES('c1')")
    var schema = StoreTests.schema
    schema.tables.append(Table("cache", key: "id", columns: [], scope: .local))
    let store = try await Store.open(at: place.path("app.db"), schema: schema)
    #expect(try await store.read { try $0.value("SELECT count(*) FROM cache") } == .integer(1))
    await store.close()
  }
}
