import Testing
import Tributary

/// The code of the article “What happens in a conflict”: two devices that edit apart and then sync.
struct WhatHappensInAConflictCode {
  private let schema = Schema(
    "com.example.tasks",
    tables: [
      Table("list", key: "id", columns: [.text("name").orNull.unique]),
      Table(
        "task", key: "id",
        columns: [
          .text("title"), .text("due").orNull, .text("zone").orNull,
          .text("list_id").orNull.references("list", onDelete: .cascade),
        ], groups: [["due", "zone"]]),
      Table("step", key: "id", columns: [.text("list_id").references("list", onDelete: .cascade)]),
      Table("password", key: "site", columns: [.text("secret")], onDelete: .erases),
    ])

  @Test func fieldsMergeAndTheLaterEditOfOneWins() async throws {
    try await apart("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") { pair in
      let (laptop, phone) = (pair.laptop, pair.phone)
      // article
      try await laptop.write { db in
        try db.execute("UPDATE task SET title = 'Buy oat milk', due = 'Monday' WHERE id = 't1'")
      }
      // end
      try await Desk.pause()
      // article
      try await phone.write { try $0.execute("UPDATE task SET title = 'Buy soy milk' WHERE id = 't1'") }
      // end
      let conflicts = try await pair.sync()
      // Each of the two is told of the title that lost.
      #expect(conflicts == 2)
      // article
      let row = try await laptop.read { try $0.rows("SELECT title, due FROM task") }.first
      // Both devices: 'Buy soy milk', the later title, and 'Monday', which only the laptop changed.
      // end
      #expect(row?.values == [.text("Buy soy milk"), .text("Monday")])
      try await pair.show("SELECT title, due FROM task", [[.text("Buy soy milk"), .text("Monday")]])
    }
  }

  @Test func aGroupIsTakenWhole() async throws {
    try await apart("INSERT INTO task(id, title, due, zone) VALUES('t1', 'Call', '9:00', 'Berlin')") { pair in
      try await pair.edit(
        laptop: "UPDATE task SET due = '10:00' WHERE id = 't1'",
        phone: "UPDATE task SET zone = 'Tokyo' WHERE id = 't1'"
      )
      try await pair.show("SELECT due, zone FROM task", [[.text("9:00"), .text("Tokyo")]])
    }
  }

  @Test func anEditAfterADeleteBringsTheRecordBackWhole() async throws {
    try await apart("INSERT INTO task(id, title, due) VALUES('t1', 'Buy milk', 'Monday')") { pair in
      let (laptop, phone) = (pair.laptop, pair.phone)
      // article
      try await laptop.write { try $0.execute("DELETE FROM task WHERE id = 't1'") }
      // end
      try await Desk.pause()
      // article
      try await phone.write { try $0.execute("UPDATE task SET due = 'Friday' WHERE id = 't1'") }
      // After both have synced the task is there again, with its title and 'Friday'.
      // end
      try await pair.sync()
      try await pair.show("SELECT title, due FROM task", [[.text("Buy milk"), .text("Friday")]])
    }
  }

  @Test func aDeleteAfterAnEditStays() async throws {
    try await apart("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") { pair in
      try await pair.edit(
        laptop: "UPDATE task SET due = 'Friday' WHERE id = 't1'", phone: "DELETE FROM task WHERE id = 't1'")
      try await pair.show("SELECT * FROM task", [])
    }
  }

  @Test func anEditDoesNotBringBackWhatWasErased() async throws {
    try await apart("INSERT INTO password(site, secret) VALUES('a', 'old')") { pair in
      try await pair.edit(
        laptop: "DELETE FROM password WHERE site = 'a'",
        phone: "UPDATE password SET secret = 'new' WHERE site = 'a'")
      try await pair.show("SELECT * FROM password", [])
      try await pair.phone.write { try $0.execute("INSERT INTO password(site, secret) VALUES('a', 'again')") }
      try await pair.sync()
      try await pair.show("SELECT secret FROM password", [[.text("again")]])
    }
  }

  @Test func aChildWithoutItsParentShowsNullOrIsSetAside() async throws {
    try await apart("INSERT INTO list(id, name) VALUES('l1', 'Home')") { pair in
      try await pair.laptop.write { try $0.execute("DELETE FROM list WHERE id = 'l1'") }
      try await Desk.pause()
      try await pair.phone.write { db in
        try db.execute("INSERT INTO task(id, title, list_id) VALUES('t1', 'Buy milk', 'l1')")
        try db.execute("INSERT INTO step(id, list_id) VALUES('s1', 'l1')")
      }
      try await pair.sync()
      try await pair.show("SELECT list_id FROM task", [[.null]])
      try await pair.show("SELECT * FROM step", [])
      try await Desk.pause()
      try await pair.laptop.write { try $0.execute("INSERT INTO list(id, name) VALUES('l1', 'Home')") }
      try await pair.sync()
      try await pair.show("SELECT list_id FROM task", [[.text("l1")]])
      try await pair.show("SELECT id FROM step", [[.text("s1")]])
    }
  }

  @Test func theLaterClaimOfAUniqueValueKeepsIt() async throws {
    try await apart("INSERT INTO list(id) VALUES('l0')") { pair in
      try await pair.edit(
        laptop: "INSERT INTO list(id, name) VALUES('l1', 'Home')",
        phone: "INSERT INTO list(id, name) VALUES('l2', 'Home')")
      try await pair.show(
        "SELECT id, name FROM list WHERE id <> 'l0' ORDER BY id",
        [[.text("l1"), .null], [.text("l2"), .text("Home")]])
    }
  }

  @Test func oneIdentityMadeTwiceIsOneRecord() async throws {
    try await apart("INSERT INTO list(id) VALUES('l0')") { pair in
      try await pair.edit(
        laptop: "INSERT INTO task(id, title, due) VALUES('t1', 'Buy milk', 'Monday')",
        phone: "INSERT INTO task(id, title, due) VALUES('t1', 'Buy tea', 'Friday')")
      try await pair.show("SELECT title, due FROM task", [[.text("Buy tea"), .text("Friday")]])
    }
  }

  /// Two devices that both hold what `sql` made.
  private func apart(_ sql: String, _ body: (Pair) async throws -> Void) async throws {
    try await Desk.run { place in
      let pair = try await Pair(place, schema)
      try await pair.laptop.write { try $0.execute(sql) }
      try await pair.sync()
      try await Desk.pause()
      try await body(pair)
      await pair.laptop.close()
      await pair.phone.close()
    }
  }
}

/// Two devices of one person, attached to one folder.
private struct Pair {
  let laptop: Store
  let phone: Store
  private let links: [Link]

  init(_ place: Place, _ schema: Schema) async throws {
    laptop = try await Store.open(at: place.path("laptop.db"), schema: schema)
    phone = try await Store.open(at: place.path("phone.db"), schema: schema)
    let folder = RemoteLocation.folder(place.path("remote"))
    let first = try await laptop.attach(
      folder, password: "correct horse", deviceName: "laptop", create: true)
    _ = try await first.sync()
    let second = try await phone.attach(
      folder, password: "correct horse", deviceName: "phone", create: false)
    links = [first, second]
  }

  /// Syncs both until neither has anything to do; the conflicts that they reported.
  @discardableResult
  func sync() async throws -> Int {
    var conflicts = 0
    for _ in 0..<2 {
      for link in links { conflicts += try await link.sync().conflicts }
    }
    return conflicts
  }

  /// An edit on the laptop and a later one on the phone, then a sync of both.
  func edit(laptop first: String, phone second: String) async throws {
    try await laptop.write { try $0.execute(first) }
    try await Desk.pause()
    try await phone.write { try $0.execute(second) }
    try await sync()
  }

  /// Checks that both devices show these rows.
  func show(_ sql: String, _ rows: [[Value]]) async throws {
    #expect(try await laptop.read { try $0.rows(sql).map(\.values) } == rows)
    #expect(try await phone.read { try $0.rows(sql).map(\.values) } == rows)
  }
}
