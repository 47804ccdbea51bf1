import Foundation
import Testing
import Tributary

/// What can be looked up after syncs: the log and the journal of lost values.
struct SyncLogTests {
  @Test func syncsAreWrittenDownNewestFirst() async throws {
    let place = try Place()
    let (laptop, first) = try await place.join("laptop", create: true)
    let (phone, second) = try await place.join("phone")
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','T')") }
    _ = try await first.sync()
    #expect(try await first.log().map(\.kind) == [.sent])
    _ = try await second.sync()
    try await phone.write { try $0.execute("UPDATE task SET title='U'") }
    _ = try await second.sync()
    let log = try await second.log()
    #expect(log.map(\.kind) == [.sent, .applied])
    #expect(log.allSatisfy { $0.time > 1_600_000_000_000 } && log[1].message == "1 record changed here.")
    #expect(try await second.log(limit: 1).map(\.kind) == [.sent])
    _ = try await second.sync()
    #expect(try await second.log().count == 2)
    await laptop.close()
    await phone.close()
  }

  @Test func aFailedSyncIsWrittenDownWithItsReason() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    try FileManager.default.moveItem(atPath: place.path("remote"), toPath: place.path("away"))
    await #expect(throws: (any Error).self) { try await link.sync() }
    let entry = try #require(try await link.log().first)
    #expect(entry.kind == .error && entry.message == link.status.lastError?.message)
    await store.close()
  }

  @Test func aGapIsWrittenDownOnceNotAfterEverySync() async throws {
    let place = try Place()
    let (laptop, first) = try await place.join("laptop", create: true)
    let (phone, second) = try await place.join("phone")
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','T')") }
    _ = try await first.sync()
    for log in try place.logs() { try FileManager.default.removeItem(atPath: log) }
    for _ in 0..<3 { _ = try await second.sync() }
    #expect(try await second.log().filter { $0.kind == .gap }.count == 1)
    await laptop.close()
    await phone.close()
  }

  @Test func aValueThatLostIsInTheJournalWithBothSides() async throws {
    let place = try Place()
    let (laptop, first) = try await place.join("laptop", create: true)
    let (phone, second) = try await place.join("phone")
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','T')") }
    _ = try await first.sync()
    _ = try await second.sync()
    try await laptop.write { try $0.execute("UPDATE task SET title='early'") }
    try await passTime()
    try await phone.write { try $0.execute("UPDATE task SET title='late'") }
    _ = try await first.sync()
    #expect(try await second.sync().conflicts == 1)
    let conflict = try #require(try await second.conflicts().first)
    #expect(conflict.table == "task" && conflict.key == [.text("a")] && conflict.column == "title")
    #expect(conflict.won.value == .text("late") && conflict.lost.value == .text("early"))
    #expect(conflict.won.device != conflict.lost.device && conflict.lost.time <= conflict.won.time)
    #expect(second.status.peers.map(\.device) == [conflict.lost.device])
    #expect(try await second.log().contains { $0.kind == .conflict })
    await laptop.close()
    await phone.close()
  }
}
