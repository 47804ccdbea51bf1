import Foundation
import Testing
import Tributary

// article
struct TaskRow: Codable, Sendable {
  enum State: String, Codable { case open, done }

  var id: String
  var title: String
  var due: String?
  var state: State
}
// end

// article
extension TaskRow.State: ValueConvertible {
  var sqlValue: Value { .text(rawValue) }
}
// end

/// The code of the article “Reading and writing”.
struct ReadingAndWritingCode {
  private let schema = Schema(
    "com.example.tasks",
    tables: [
      Table(
        "task", key: "id",
        columns: [.text("title", nonEmpty: true), .text("due").orNull, .text("state").withDefault("open")])
    ])

  private func withStore(_ body: (Store) async throws -> Void) async throws {
    try await Desk.run { place in
      let store = try await Store.open(at: place.path("app.db"), schema: schema)
      try await body(store)
      await store.close()
    }
  }

  @Test func valuesAreBoundToParameters() async throws {
    let task = TaskRow(id: "t1", title: "Buy milk", due: nil, state: .open)
    try await withStore { store in
      // article
      try await store.write { db in
        try db.execute(
          "INSERT INTO task(id, title, due, state) VALUES(?, ?, ?, ?)",
          [task.id, task.title, task.due, task.state])
      }
      // end
      try await reads(store)
    }
  }

  @Test func aRefusedWriteLeavesNothing() async throws {
    try await withStore { store in
      // article
      do {
        try await store.write { db in
          try db.execute("INSERT INTO task(id, title) VALUES('t1', 'Kept?')")
          try db.execute("INSERT INTO task(id, title) VALUES('t2', '')")
        }
      } catch let error as StoreError where error.code == .refusedValue {
        print(error.message)
      }
      // end
      #expect(try await store.read { try $0.value("SELECT count(*) FROM task") } == .integer(0))
    }
  }

  private func reads(_ store: Store) async throws {
    // article
    let tasks = try await store.read { db in
      try db.rows("SELECT * FROM task WHERE state = ? ORDER BY title", [TaskRow.State.open], as: TaskRow.self)
    }
    let count = try await store.read { try $0.value("SELECT count(*) FROM task")?.integer }
    let titles = try await store.read { try $0.rows("SELECT title FROM task", as: String.self) }
    // end
    #expect(tasks.map(\.title) == ["Buy milk"] && tasks[0].due == nil && count == 1 && titles == ["Buy milk"])
    // article
    let rows = try await store.read { try $0.rows("SELECT id, title FROM task") }
    for row in rows {
      print(row["title"]?.string ?? "no title")
    }
    // end
    #expect(rows.first?["title"] == .text("Buy milk"))
  }

  @Test(.timeLimit(.minutes(1))) func anObservationFollowsTheTable() async throws {
    try await withStore { store in
      let seen = Task { try await watch(store) }
      try await store.write { try $0.execute("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") }
      #expect(try await seen.value == ["Buy milk"])
    }
  }

  private func watch(_ store: Store) async throws -> [String] {
    // article
    let titles = store.observe { db in
      try db.rows("SELECT title FROM task ORDER BY title", as: String.self)
    }
    for try await list in titles {
      print(list)
      if list.contains("Buy milk") { break }
    }
    // end
    return try await store.read { try $0.rows("SELECT title FROM task", as: String.self) }
  }
}
