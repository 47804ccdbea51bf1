import Testing
import Tributary

/// The code of the article “Declaring a schema”.
struct DeclaringASchemaCode {
  @Test func aColumnTakesOnlyWhatItsRuleAllows() async throws {
    // article
    let task = Table(
      "task", key: "id",
      columns: [
        .text("title", nonEmpty: true, maximumLength: 200),
        .integer("priority", range: 0...9).withDefault(0),
        .real("hours", range: 0...1000).withDefault(0),
        .blob("picture").orNull,
        .any("extra"),
      ])
    // end
    try await Desk.run { place in
      let store = try await Store.open(
        at: place.path("app.db"), schema: Schema("com.example", tables: [task]))
      try await store.write { try $0.execute("INSERT INTO task(id, title) VALUES('a', 'Buy milk')") }
      let row = try #require(try await store.read { try $0.rows("SELECT * FROM task") }.first)
      #expect(row["priority"] == .integer(0) && row["hours"] == .real(0))
      #expect(row["picture"] == .null && row["extra"] == .null)
      for sql in [
        "UPDATE task SET title = ''", "UPDATE task SET priority = 10", "UPDATE task SET hours = -1",
        "UPDATE task SET title = NULL", "UPDATE task SET priority = 'high'",
        "UPDATE task SET title = hex(zeroblob(101))",
      ] {
        let error = try await storeError { try await store.write { try $0.execute(sql) } }
        #expect(error?.code == .refusedValue, "\(sql)")
      }
      await #expect(throws: (any Error).self) {
        try await store.write { try $0.execute("INSERT INTO task(id) VALUES('b')") }
      }
      await store.close()
    }
  }

  @Test func aKeyOfSeveralColumnsIdentifiesARow() async throws {
    // article
    let tag = Table("tag", key: ["task_id", "label"], columns: [.integer("color").withDefault(0)])
    // end
    try await opens([tag]) { db in
      try db.execute("INSERT INTO tag(task_id, label) VALUES('a', 'home'), ('a', 'today'), ('b', 'home')")
    }
  }

  @Test func anIntegerKeyHasToBeAskedFor() async throws {
    // article
    let year = Table(
      "year", key: "year", columns: [.integer("year"), .text("review")], sharedIntegerKey: true)
    // end
    try await opens([year]) { try $0.execute("INSERT INTO year(year, review) VALUES(2024, 'Good')") }
    var unmarked = year
    unmarked.sharedIntegerKey = false
    let refused = unmarked
    let error = try await storeError { try await opens([refused]) { _ in } }
    #expect(error?.code == .schema && error?.message.contains("sharedIntegerKey") == true)
  }

  @Test func columnsOfAGroupTravelTogether() async throws {
    // article
    let event = Table(
      "event", key: "id", columns: [.text("title"), .text("start").orNull, .text("start_zone").orNull],
      groups: [["start", "start_zone"]])
    // end
    try await opens([event]) { try $0.execute("INSERT INTO event(id, title) VALUES('a', 'Lunch')") }
  }

  @Test func referencesAndUniqueValuesHoldOnOneDevice() async throws {
    // article
    let list = Table("list", key: "id", columns: [.text("name").unique])
    let item = Table(
      "item", key: "id",
      columns: [.text("list_id").references("list", onDelete: .cascade), .text("title")],
      indexes: [Index("item_by_list", on: ["list_id"])])
    // end
    try await opens([list, item]) { db in
      try db.execute("INSERT INTO list(id, name) VALUES('a', 'Home')")
      try db.execute("INSERT INTO item(id, list_id, title) VALUES('b', 'a', 'Milk')")
      try db.execute("DELETE FROM list")
      #expect(try db.value("SELECT count(*) FROM item") == .integer(0))
    }
  }

  @Test func aLocalTableStaysAtHome() async throws {
    // article
    let password = Table("password", key: "site", columns: [.text("secret")], onDelete: .erases)
    let window = Table("window", key: "name", columns: [.real("x"), .real("y")], scope: .local)
    let schema = Schema("com.example.passwords", tables: [password, window])
    // end
    try await Desk.run { place in
      let store = try await Store.open(at: place.path("app.db"), schema: schema)
      try await store.write { try $0.execute("INSERT INTO window(name, x, y) VALUES('main', 10, 20)") }
      #expect(try await place.sent(by: store) == 0)
      try await store.write { try $0.execute("INSERT INTO password(site, secret) VALUES('a', 'b')") }
      let link = try #require(
        try await store.link(
          .folder(place.path("remote")), deviceName: "test", stateDirectory: place.path("state")))
      #expect(try await link.sync().sent == 1)
      await store.close()
    }
  }

  @Test func aSchemaGrows() async throws {
    try await Desk.run { place in
      let path = place.path("app.db")
      let before = Schema("com.example", tables: [Table("task", key: "id", columns: [.text("title")])])
      let old = try await Store.open(at: path, schema: before)
      try await old.write { try $0.execute("INSERT INTO task(id, title) VALUES('a', 'Buy milk')") }
      await old.close()
      // article
      let schema = Schema(
        "com.example",
        tables: [
          Table(
            "task", key: "id",
            columns: [.text("title"), .text("note").orNull, .text("state").withDefault("open")])
        ])
      let store = try await Store.open(at: path, schema: schema)
      // end
      let row = try #require(try await store.read { try $0.rows("SELECT * FROM task") }.first)
      #expect(row["title"] == .text("Buy milk") && row["note"] == .null && row["state"] == .text("open"))
      await store.close()
    }
  }

  /// Opens a store with the tables and writes to it.
  private func opens(_ tables: [Table], _ body: @escaping @Sendable (Database) throws -> Void) async throws {
    try await Desk.run { place in
      let store = try await Store.open(
        at: place.path("app.db"), schema: Schema("com.example", tables: tables))
      try await store.write(body)
      await store.close()
    }
  }
}
