import Foundation
import Testing
import Tributary

/// Swift values into statements, and rows into Codable types.
struct DecodingTests {
  private struct Item: Codable, Equatable, Sendable {
    enum Level: String, Codable { case low, high }
    var id: String
    var count: Int
    var size: Double
    var done: Bool
    var level: Level
    var note: String?
    var bytes: [UInt8]
    var data: Data
  }

  private struct Task: Codable, Equatable {
    var id: String
    var title: String
    var due: String?
    var priority: Int
  }

  /// Runs one SELECT in a fresh store and decodes what it gives.
  private func decode<T: Decodable & Sendable>(
    _ sql: String, _ type: T.Type, _ values: [any ValueConvertible & Sendable] = []
  ) async throws -> [T] {
    let place = try Place()
    let store = try await place.open()
    let result = try await store.read { try $0.rows(sql, values, as: type) }
    await store.close()
    return result
  }

  @Test func aRowComesBackAsItWasWritten() async throws {
    let place = try Place()
    let store = try await place.open()
    let task = Task(id: "t", title: "Größe\u{0}x", due: nil, priority: 7)
    try await store.write { db in
      try db.execute(
        "INSERT INTO task(id,title,due,priority) VALUES(?,?,?,?)",
        [task.id, task.title, task.due, task.priority])
    }
    #expect(try await store.read { try $0.rows("SELECT * FROM task", as: Task.self) } == [task])
    #expect(try await store.read { try $0.row("SELECT * FROM task WHERE id=?", ["u"], as: Task.self) } == nil)
    await store.close()
  }

  @Test func everyKindOfValueGoesInAndComesOut() async throws {
    let item = Item(
      id: "a", count: -5, size: 0.1, done: true, level: .high, note: nil, bytes: [], data: Data([0, 255]))
    let sql = "SELECT ? AS id, ? AS count, ? AS size, ? AS done, ? AS level, ? AS note, ? AS bytes, ? AS data"
    let values: [any ValueConvertible & Sendable] = [
      item.id, item.count, item.size, item.done, item.level.rawValue, item.note, item.bytes, item.data,
    ]
    #expect(try await decode(sql, Item.self, values) == [item])
  }

  @Test func aSingleValueTakesTheFirstColumn() async throws {
    #expect(try await decode("SELECT 'a', 1 UNION ALL SELECT 'b', 2", String.self) == ["a", "b"])
  }

  @Test func nullInAPropertyThatIsNotOptionalNamesColumnAndRemedy() async throws {
    let error = try await storeError {
      try await decode("SELECT 'a' AS id, NULL AS title, NULL AS due, 0 AS priority", Task.self)
    }
    #expect(error?.code == .decoding)
    for part in ["“title”", "Task", "NULL", "Declare the property Optional", "default"] {
      #expect(error?.message.contains(part) == true, "\(part)")
    }
  }

  @Test func aMissingColumnIsNamed() async throws {
    let error = try await storeError { try await decode("SELECT 'a' AS id, 'b' AS titel", Task.self) }
    #expect(error?.code == .decoding)
    #expect(error?.message.contains("“title”") == true && error?.message.contains("titel") == true)
  }

  @Test func aRowOlderThanAColumnNamesTableColumnAndRemedy() async throws {
    struct Mood: Decodable, Sendable { let feeling: String }
    let place = try Place()
    let old = try await place.open()
    try await old.write { try $0.execute("INSERT INTO task(id,title) VALUES('t','Old')") }
    await old.close()
    var schema = StoreTests.schema
    schema.tables[0].columns.append(.text("mood").orNull)
    let store = try await Store.open(at: place.path("app.db"), schema: schema)
    let error = try await storeError {
      try await store.read { try $0.rows("SELECT t.mood AS feeling FROM task AS t", as: Mood.self) }
    }
    #expect(error?.code == .decoding)
    for part in ["“feeling”", "table “task”", "Mood", "NULL", "Declare the property Optional", "default"] {
      #expect(error?.message.contains(part) == true, "\(part)")
    }
    await store.close()
  }

  @Test func aRowThatIsNullWholeIsNotReadAsASingleValue() async throws {
    let error = try await storeError { try await decode("SELECT NULL AS n", Int.self) }
    #expect(error?.code == .decoding && error?.message.contains("“n”") == true)
  }

  @Test(arguments: ["'1'", "1.5", "x'01'", "9223372036854775808"])
  func aValueOfAnotherKindIsNotConverted(literal: String) async throws {
    let error = try await storeError { try await decode("SELECT \(literal) AS n", Int.self) }
    #expect(error?.code == .decoding)
  }

  @Test func aNumberOutOfRangeIsRefused() async throws {
    #expect(try await storeError { try await decode("SELECT 256", UInt8.self) }?.code == .decoding)
    #expect(try await storeError { try await decode("SELECT 2", Bool.self) }?.code == .decoding)
    #expect(
      try await storeError { try await decode("SELECT CAST(x'ff' AS TEXT)", String.self) }?.code == .decoding)
    #expect(try await decode("SELECT 255", UInt8.self) == [255])
  }

  @Test func anUnknownCaseNamesTheColumn() async throws {
    struct Only: Decodable, Sendable { var level: Item.Level }
    let error = try await storeError { try await decode("SELECT 'new' AS level", Only.self) }
    #expect(error?.code == .decoding && error?.message.contains("“level”") == true)
  }
}
