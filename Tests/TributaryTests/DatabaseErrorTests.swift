import Foundation
import Testing
import Tributary

/// SQLite's refusals as an app can match them.
struct DatabaseErrorTests {
  private static let schema = Schema(
    "com.example.errors",
    tables: [
      Table("list", key: "id", columns: [.text("name").orNull.unique]),
      Table("item", key: "id", columns: [.text("list").references("list")]),
    ])

  private func error(_ sql: String...) async throws -> StoreError? {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    let error = try await storeError {
      try await store.write { db in for sql in sql { try db.execute(sql) } }
    }
    await store.close()
    return error
  }

  @Test func aUniqueValueThatIsTakenIsAConstraint() async throws {
    let error = try await error(
      "INSERT INTO list(id,name) VALUES('a','same')", "INSERT INTO list(id,name) VALUES('b','same')")
    #expect(error?.code == .constraint && error?.sqliteCode == 2067)
    #expect(error?.message.contains("list.name") == true)
  }

  @Test func aKeyThatIsTakenIsAConstraint() async throws {
    let error = try await error("INSERT INTO list(id) VALUES('a')", "INSERT INTO list(id) VALUES('a')")
    #expect(error?.code == .constraint && error?.sqliteCode == 1555)
  }

  @Test func aMissingParentIsAConstraintEvenWhenOnlyTheCommitNoticesIt() async throws {
    let error = try await error("INSERT INTO item(id,list) VALUES('i','missing')")
    #expect(error?.code == .constraint && error?.sqliteCode == 787)
  }

  @Test func wrongSQLIsAnErrorOfTheDatabase() async throws {
    let error = try await error("INSERT INTO nothing VALUES(1)")
    #expect(error?.code == .database && error?.sqliteCode == 1)
    #expect(error?.message.contains("nothing") == true)
  }

  @Test func anErrorCanBeMatchedInsideTheWriteThatGoesOn() async throws {
    let place = try Place()
    let store = try await Store.open(at: place.path("app.db"), schema: Self.schema)
    try await store.write { db in
      try db.execute("INSERT INTO list(id) VALUES('a')")
      do {
        try db.execute("INSERT INTO list(id) VALUES('a')")
      } catch let error as StoreError where error.code == .constraint {
        try db.execute("UPDATE list SET name='again' WHERE id='a'")
      }
    }
    #expect(try await store.read { try $0.value("SELECT name FROM list") } == .text("again"))
    await store.close()
  }

  @Test func aFileThatIsNoDatabaseSaysSo() async throws {
    let place = try Place()
    try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: place.path("app.db")))
    let error = try await storeError { try await place.open() }
    #expect(error?.code == .database && error?.sqliteCode == 26)
  }
}
