import Foundation
import SQLite
import Testing
import Tributary

/// What a status line can show. A missing status would hang, so each test has a limit of time.
@Suite(.timeLimit(.minutes(1)))
struct StatusTests {
  private func insert(_ id: String, in store: Store) async throws {
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES(?1,'T')", [id]) }
  }

  @Test func aWriteIsPendingUntilItIsSent() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    #expect(link.status.pending == 0 && link.status.phase == .idle && link.status.lastSync == nil)
    try await insert("a", in: store)
    try await insert("b", in: store)
    #expect(link.status.pending == 2)
    let report = try await link.sync()
    let status = link.status
    #expect(status.pending == 0 && status.phase == .idle && status.lastError == nil && status.total == nil)
    #expect(status.lastReport?.sent == 2 && report.sent == 2)
    #expect(try #require(status.lastSync) > 1_600_000_000_000)
    await store.close()
  }

  @Test func whatCouldNotBeUploadedStaysPendingAndTheErrorShows() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    try await insert("a", in: store)
    try FileManager.default.moveItem(atPath: place.path("remote"), toPath: place.path("away"))
    #expect(try await syncError { try await link.sync() }?.code == .unreachable)
    #expect(link.status.lastError?.code == .unreachable)
    #expect(link.status.phase == .failed && link.status.pending == 1 && link.status.lastReport == nil)
    #expect(link.status.lastError?.message.isEmpty == false)
    try FileManager.default.moveItem(atPath: place.path("away"), toPath: place.path("remote"))
    _ = try await link.sync()
    #expect(link.status.phase == .idle && link.status.pending == 0 && link.status.lastError == nil)
    await store.close()
  }

  @Test func everyReaderFollowsAndEndsWithTheStore() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    var first = link.statuses.makeAsyncIterator()
    var second = link.statuses.makeAsyncIterator()
    #expect(await first.next()?.pending == 0)
    try await insert("a", in: store)
    #expect(await first.next()?.pending == 1)
    // The second reader was slow: only the newest status is left for it.
    #expect(await second.next()?.pending == 1)
    await store.close()
    #expect(await first.next() == nil)
    #expect(await second.next() == nil)
    var late = link.statuses.makeAsyncIterator()
    #expect(await late.next() != nil)
    #expect(await late.next() == nil)
  }

  @Test func theStreamTellsOfASyncWhileItKeepsTheStoreBusy() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    try await insert("a", in: store)
    var statuses = link.statuses.makeAsyncIterator()
    #expect(await statuses.next()?.phase == .idle)
    // The sync cannot get past this lock, and so cannot end.
    let other = try Connection.open(place.path("laptop.db"))
    try other.execute("BEGIN IMMEDIATE")
    let sync = Task { try await link.sync() }
    #expect(await statuses.next()?.phase == .syncing(.checking))
    #expect(link.status.phase == .syncing(.checking))
    try other.execute("ROLLBACK")
    other.close()
    _ = try await sync.value
    #expect(await statuses.next()?.phase == .idle)
    await store.close()
  }

  @Test func peersShowHowFarTheyWereRead() async throws {
    let place = try Place()
    let (laptop, first) = try await place.join("laptop", create: true)
    let (phone, second) = try await place.join("phone")
    try await insert("a", in: laptop)
    _ = try await first.sync()
    _ = try await second.sync()
    let peer = try #require(second.status.peers.first)
    #expect(second.status.peers.count == 1 && peer.logsRead == 1 && peer.gap == nil && peer.held == 0)
    #expect(peer.name == "laptop" && peer.logsWritten == 1)
    #expect(try #require(peer.lastSeen) > 1_600_000_000_000)
    try await insert("b", in: laptop)
    _ = try await first.sync()
    let log = try place.logs().sorted().last
    try FileManager.default.moveItem(atPath: try #require(log), toPath: place.path("kept.log"))
    _ = try await second.sync()
    #expect(second.status.peers.first?.device == peer.device)
    #expect(second.status.peers.first?.gap != nil && second.status.peers.first?.logsRead == 1)
    await laptop.close()
    await phone.close()
  }

  @Test func theLastSyncIsKnownAfterTheAppStartsAgain() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    _ = try await link.sync()
    let time = link.status.lastSync
    await store.close()
    let again = try await Store.open(at: place.path("laptop.db"), schema: StoreTests.schema)
    try await insert("a", in: again)
    let resumed = try await again.link(
      .folder(place.path("remote")), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    #expect(time != nil && resumed?.status.lastSync == time)
    #expect(resumed?.status.pending == 1)
    await again.close()
  }
}

extension Place {
  /// The paths of all logs on the remote.
  func logs() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path("remote")).filter { $0.hasSuffix(".log") }
      .map { path("remote/\($0)") }
  }
}
