import SQLite
import Testing
import Tributary

/// Two stores on one file, as two processes have them. A lock that is never given back would hang.
@Suite(.timeLimit(.minutes(1)))
struct TwoProcessTests {
  private func resume(_ place: Place) async throws -> (store: Store, link: Link) {
    let store = try await Store.open(at: place.path("laptop.db"), schema: StoreTests.schema)
    let link = try await store.link(
      .folder(place.path("remote")), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    return (store, try #require(link))
  }

  private func titles(_ store: Store) async throws -> [String] {
    try await store.read { try $0.rows("SELECT title FROM task ORDER BY title", as: String.self) }
  }

  @Test func whatBothWriteArrivesWhicheverOfThemSyncs() async throws {
    let place = try Place()
    let (app, link) = try await place.join("laptop", create: true)
    let (helper, helperLink) = try await resume(place)
    let (phone, phoneLink) = try await place.join("phone")
    for round in 0..<3 {
      let (x, y) = ("app \(round)", "helper \(round)")
      try await app.write { try $0.execute("INSERT INTO task(id,title) VALUES(?1,?1)", [x]) }
      try await helper.write { try $0.execute("INSERT INTO task(id,title) VALUES(?1,?1)", [y]) }
      // Each must go on where the other one's sync ended.
      #expect(try await (round.isMultiple(of: 2) ? link : helperLink).sync().sent == 2)
      #expect(try await (round.isMultiple(of: 2) ? helperLink : link).sync().sent == 0)
    }
    _ = try await phoneLink.sync()
    #expect(try await titles(phone) == ["app 0", "app 1", "app 2", "helper 0", "helper 1", "helper 2"])
    #expect(try await titles(phone) == titles(app))
    for store in [app, helper, phone] { await store.close() }
  }

  @Test func aSyncIsRefusedWhileTheOtherStoreSyncs() async throws {
    let place = try Place()
    let (app, link) = try await place.join("laptop", create: true)
    let (helper, helperLink) = try await resume(place)
    try await app.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','T')") }
    // The sync has the lock and cannot get past this transaction.
    let other = try Connection.open(place.path("laptop.db"))
    try other.execute("BEGIN IMMEDIATE")
    var statuses = link.statuses.makeAsyncIterator()
    _ = await statuses.next()
    let sync = Task { try await link.sync() }
    #expect(await statuses.next()?.phase == .syncing(.checking))
    #expect(try await syncError { try await helperLink.sync() }?.code == .busy)
    #expect(helperLink.status.phase == .failed && helperLink.status.lastError?.code == .busy)
    try other.execute("ROLLBACK")
    other.close()
    #expect(try await sync.value.sent == 1)
    _ = try await helperLink.sync()
    #expect(helperLink.status.phase == .idle)
    await app.close()
    await helper.close()
  }

  @Test func aFailedSyncGivesTheLockBack() async throws {
    let place = try Place()
    let (app, link) = try await place.join("laptop", create: true)
    await #expect(throws: (any Error).self) { try await place.attach(app, as: "laptop", create: true) }
    _ = try await link.sync()
    await app.close()
  }
}
