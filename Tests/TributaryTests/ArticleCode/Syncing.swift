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
    do {
      _ = try await body()
      return nil
    } catch let error as SyncError {
      return error.code
    }
  }
}
