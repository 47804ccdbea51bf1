import Foundation
import Testing
import Tributary

/// What detaching forgets, and what it keeps.
struct DetachTests {
  @Test func aDetachedStoreKeepsItsDataAndForgetsItsKeys() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','Kept')") }
    _ = try await link.sync()
    var statuses = link.statuses.makeAsyncIterator()
    _ = await statuses.next()
    let keys = try FileManager.default.contentsOfDirectory(atPath: place.path("state-laptop"))
    try await link.detach()
    let left = try FileManager.default.contentsOfDirectory(atPath: place.path("state-laptop"))
    #expect(left.count == keys.count - 1 && left.allSatisfy { $0.hasSuffix(".lock") })
    #expect(try await syncError { try await link.sync() }?.code == .notAttached)
    #expect(try await store.read { try $0.value("SELECT title FROM task") } == .text("Kept"))
    let resumed = try await store.link(
      .folder(place.path("remote")), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    #expect(resumed == nil)
    while await statuses.next() != nil {}
    try await link.detach()
    await store.close()
  }

  @Test func whatWasNotSentIsSentAfterTheNextAttach() async throws {
    let place = try Place()
    let (laptop, link) = try await place.join("laptop", create: true)
    _ = try await link.sync()
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','Not sent')") }
    try await link.detach()
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('b','Apart')") }
    let again = try await place.attach(laptop, as: "laptop", create: false)
    #expect(again.status.pending == 2)
    #expect(try await again.sync().sent == 2)
    let (phone, phoneLink) = try await place.join("phone")
    #expect(try await phoneLink.sync().received == 2)
    await laptop.close()
    await phone.close()
  }

  @Test func anotherStoreOnTheFileNoticesThatItWasDetached() async throws {
    let place = try Place()
    let (app, link) = try await place.join("laptop", create: true)
    let helper = try await Store.open(at: place.path("laptop.db"), schema: StoreTests.schema)
    let other = try await helper.link(
      .folder(place.path("remote")), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    try await link.detach()
    #expect(try await syncError { try await other?.sync() }?.code == .notAttached)
    await app.close()
    await helper.close()
  }
}
