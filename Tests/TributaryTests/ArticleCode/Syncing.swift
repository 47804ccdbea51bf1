import Foundation
import Testing
import Tributary

/// The code of the article “Syncing”.
struct SyncingCode {
  private let schema = Schema(
    "com.example.tasks", tables: [Table("task", key: "id", columns: [.text("title")])])

  @Test func aDeviceJoinsWhatIsThereOrStartsANewSet() async throws {
    try await Desk.run { place in
      let (folder, password) = (place.path("remote"), "correct horse")
      let store = try await Store.open(at: place.path("app.db"), schema: schema)
      var asked = false
      func userWantsANewSet() -> Bool {
        asked = true
        return true
      }
      // article
      func attach() async throws -> Link {
        do {
          return try await store.attach(
            .folder(folder), password: password, deviceName: "laptop", create: false)
        } catch let error as SyncError where error.code == .nothingThere {
          guard userWantsANewSet() else { throw error }
          return try await store.attach(
            .folder(folder), password: password, deviceName: "laptop", create: true)
        }
      }
      // end
      let link = try await attach()
      #expect(asked)
      try await store.write { try $0.execute("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") }
      let shown = try await sync(link)
      #expect(shown == "Sent 1, received 0.")
      await store.close()
    }
  }

  private func sync(_ link: Link) async throws -> String {
    var shown = ""
    func show(_ text: String) { shown = text }
    // article
    do {
      let report = try await link.sync()
      show("Sent \(report.sent), received \(report.received).")
      for (device, reason) in report.gaps { print("Not all of \(device) could be read: \(reason)") }
    } catch let error as SyncError where error.code == .ownDirectoryMissing {
      show("The shared folder is not the one it was. \(error.message)")
    } catch {
      // Nothing unsent is lost: the next sync goes on.
      show("\(error)")
    }
    // end
    return shown
  }

  @Test func theStatusSaysWhatIsLeftToSendAndWhatFailed() async throws {
    try await Desk.run { place in
      let store = try await Store.open(at: place.path("app.db"), schema: schema)
      let link = try await attach(store, place.path("remote"), create: true)
      async let shown = watch(link)
      try await store.write { try $0.execute("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") }
      _ = try await link.sync()
      await store.close()
      #expect(await shown.last == "All is sent.")
    }
    try await Desk.run { place in
      let store = try await Store.open(at: place.path("app.db"), schema: schema)
      let link = try await attach(store, place.path("remote"), create: true)
      try FileManager.default.moveItem(atPath: place.path("remote"), toPath: place.path("away"))
      let error = try await syncError { try await link.sync() }
      async let shown = watch(link)
      await store.close()
      #expect(error?.code == .unreachable)
      #expect(await shown == [error?.message])
    }
  }

  /// What a status line shows until the store is closed.
  private func watch(_ link: Link) async -> [String] {
    var shown: [String] = []
    func show(_ text: String) { shown.append(text) }
    // article
    for await status in link.statuses {
      switch status.phase {
      case .idle: show(status.pending == 0 ? "All is sent." : "\(status.pending) to send.")
      case .syncing: show(status.total.map { "Syncing: \(status.done) of \($0)." } ?? "Syncing.")
      case .failed: show(status.lastError?.message ?? "The last sync failed.")
      }
    }
    // end
    return shown
  }

  @Test func aFolderThatWasRestoredIsNoticed() async throws {
    try await Desk.run { place in
      let files = FileManager.default
      let (laptop, first, phone, link) = try await pair(place)
      try files.copyItem(atPath: place.path("remote"), toPath: place.path("backup"))
      try await laptop.write { try $0.execute("UPDATE task SET title = 'Buy oat milk'") }
      _ = try await first.sync()
      _ = try await link.sync()
      try place.empty("remote")
      for file in try files.contentsOfDirectory(atPath: place.path("backup")) {
        try files.copyItem(atPath: place.path("backup/\(file)"), toPath: place.path("remote/\(file)"))
      }
      var shown: [String] = []
      func show(_ text: String) { shown.append(text) }
      // article
      let report = try await link.sync()
      for notice in report.notices {
        show(notice.message)
        if notice.code == .wentBack { show("Was the folder restored from a backup?") }
      }
      // end
      #expect(shown.count == 2 && shown.last == "Was the folder restored from a backup?")
      await laptop.close()
      await phone.close()
    }
  }

  @Test func theLoserIsShownAndCanBeBroughtBack() async throws {
    try await Desk.run { place in
      let (store, first, phone, second) = try await pair(place)
      try await store.write { try $0.execute("UPDATE task SET title = 'Buy oat milk'") }
      try await Desk.pause()
      try await phone.write { try $0.execute("UPDATE task SET title = 'Buy soy milk'") }
      for link in [first, second, first] { _ = try await link.sync() }
      for link in [first, second] {
        var shown: [String] = []
        func show(_ text: String) { shown.append(text) }
        // article
        let conflicts = try await link.conflicts(limit: 20)
        for conflict in conflicts where conflict.table == "task" && conflict.column == "title" {
          show("“\(conflict.won.value.string ?? "")” won over “\(conflict.lost.value.string ?? "")”.")
        }
        // end
        #expect(shown == ["“Buy soy milk” won over “Buy oat milk”."])
      }
      // article
      func restore(_ conflict: FieldConflict) async throws {
        try await store.write { db in
          try db.execute("UPDATE task SET title = ? WHERE id = ?", [conflict.lost.value] + conflict.key)
        }
      }
      // end
      try await restore(try #require(try await first.conflicts().first))
      for link in [first, second] { #expect(try await link.sync().conflicts == 0) }
      for store in [store, phone] {
        #expect(try await store.read { try $0.value("SELECT title FROM task") } == .text("Buy oat milk"))
        await store.close()
      }
    }
  }

  @Test func theLogTellsWhatSyncsDid() async throws {
    try await Desk.run { place in
      let (laptop, _, phone, link) = try await pair(place)
      var shown: [String] = []
      func show(_ text: String) { shown.append(text) }
      // article
      for entry in try await link.log(limit: 20) {
        let time = Date(timeIntervalSince1970: Double(entry.time) / 1000)
        show("\(time.formatted()): \(entry.message)")
      }
      // end
      #expect(shown.count == 1 && shown.last?.hasSuffix("1 record changed here.") == true)
      await laptop.close()
      await phone.close()
    }
  }

  /// Two devices that both hold the task “Buy milk”.
  private func pair(_ place: Place) async throws -> (Store, Link, Store, Link) {
    let laptop = try await Store.open(at: place.path("laptop.db"), schema: schema)
    let first = try await attach(laptop, place.path("remote"), create: true)
    try await laptop.write { try $0.execute("INSERT INTO task(id, title) VALUES('t1', 'Buy milk')") }
    _ = try await first.sync()
    let phone = try await Store.open(at: place.path("phone.db"), schema: schema)
    let second = try await attach(phone, place.path("remote"), create: false)
    _ = try await second.sync()
    return (laptop, first, phone, second)
  }

  @Test func theCodesSayWhatTheArticleSaysTheyDo() async throws {
    try await Desk.run { place in
      let folder = place.path("remote")
      let store = try await Store.open(at: place.path("a.db"), schema: schema)
      #expect(try await code { try await attach(store, folder, create: false) } == .nothingThere)
      let link = try await attach(store, folder, create: true)
      _ = try await link.sync()
      let second = try await Store.open(at: place.path("b.db"), schema: schema)
      #expect(try await code { try await attach(second, folder, create: true) } == .alreadyThere)
      #expect(
        try await code { try await attach(second, folder, "wrong horse", create: false) } == .wrongPassword)
      #expect(try await code { try await attach(second, folder, "short", create: false) } == .unfitPassword)
      #expect(
        try await code { try await attach(second, place.path("missing"), create: false) } == .unreachable)
      let other = try await Store.open(
        at: place.path("c.db"), schema: Schema("com.example.other", tables: schema.tables))
      #expect(try await code { try await attach(other, folder, create: false) } == .otherSchema)
      try place.empty("remote")
      #expect(try await code { try await link.sync() } == .ownDirectoryMissing)
      for store in [store, second, other] { await store.close() }
    }
  }

  @discardableResult
  private func attach(_ store: Store, _ folder: String, _ password: String = "correct horse", create: Bool)
    async throws -> Link
  {
    try await store.attach(.folder(folder), password: password, deviceName: "laptop", create: create)
  }

  /// The code of the sync error that `body` throws.
  private func code<T>(_ body: () async throws -> T) async throws -> SyncError.Code? {
    try await syncError(body)?.code
  }
}
