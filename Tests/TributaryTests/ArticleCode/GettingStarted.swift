import Foundation
import Testing
import Tributary

/// The code of the article “Getting started”, run from top to bottom.
struct GettingStartedCode {
  @Test func theFirstStepsLeadFromOneDeviceToAnother() async throws {
    try await Desk.run { place in
      let (path, folder, password) = (place.path("laptop.db"), place.path("remote"), "correct horse")
      // article
      let schema = Schema(
        "com.example.tasks",
        tables: [
          Table(
            "task", key: "id",
            columns: [
              .text("title", nonEmpty: true), .text("due").orNull, .integer("priority").withDefault(0),
            ])
        ])
      // end
      // article
      let store = try await Store.open(at: path, schema: schema)
      try await store.write { db in
        try db.execute("INSERT INTO task(id, title) VALUES(?, ?)", [UUID().uuidString, "Buy milk"])
      }
      // end
      // article
      let link = try await store.attach(
        .folder(folder), password: password, deviceName: "laptop", create: true)
      let report = try await link.sync()
      print("Sent \(report.sent), received \(report.received).")
      // end
      #expect(report.sent == 1 && report.received == 0)
      try await join(place.path("phone.db"), schema, folder, password)
      await store.close()
      try await laterLaunch(path, schema, folder)
    }
  }

  private func join(_ path: String, _ schema: Schema, _ folder: String, _ password: String) async throws {
    // article
    let store = try await Store.open(at: path, schema: schema)
    let link = try await store.attach(
      .folder(folder), password: password, deviceName: "phone", create: false)
    let report = try await link.sync()
    // end
    #expect(report.received == 1)
    #expect(try await store.read { try $0.value("SELECT title FROM task") } == .text("Buy milk"))
    try await store.write { try $0.execute("UPDATE task SET priority = 1") }
    _ = try await link.sync()
    await store.close()
  }

  private func laterLaunch(_ path: String, _ schema: Schema, _ folder: String) async throws {
    // article
    let store = try await Store.open(at: path, schema: schema)
    if let link = try await store.link(.folder(folder), deviceName: "laptop") {
      _ = try await link.sync()
    } else {
      // Not attached yet, or its secrets are gone: ask for the password and attach.
    }
    // end
    #expect(try await store.read { try $0.value("SELECT priority FROM task") } == .integer(1))
    await store.close()
  }
}
