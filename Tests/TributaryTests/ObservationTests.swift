import Synchronization
import Testing
import Tributary

/// Streams of a query's answers. A missing answer would hang, so each test has a limit of time.
@Suite(.timeLimit(.minutes(1)))
struct ObservationTests {
  private static let titles: @Sendable (Database) throws -> [String] = {
    try $0.rows("SELECT title FROM task ORDER BY id", as: String.self)
  }

  @Test func anObservationYieldsAtOnceAndAfterEachWrite() async throws {
    let place = try Place()
    let store = try await place.open()
    var answers = store.observe(Self.titles).makeAsyncIterator()
    #expect(try await answers.next() == [])
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','A')") }
    #expect(try await answers.next() == ["A"])
    try await store.write { try $0.execute("UPDATE task SET title='B'") }
    #expect(try await answers.next() == ["B"])
    await store.close()
    #expect(try await answers.next() == nil)
  }

  @Test func anAnswerThatStaysTheSameIsNotYieldedAgain() async throws {
    let place = try Place()
    let store = try await place.open()
    var answers = store.observe(Self.titles).makeAsyncIterator()
    #expect(try await answers.next() == [])
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','A')") }
    #expect(try await answers.next() == ["A"])
    try await store.write { try $0.execute("UPDATE task SET priority=1") }
    await store.close()
    #expect(try await answers.next() == nil)
  }

  @Test func aFailedWriteYieldsNothing() async throws {
    struct Uncomparable: Sendable { let titles: [String] }
    let place = try Place()
    let store = try await place.open()
    var answers = store.observe { Uncomparable(titles: try Self.titles($0)) }.makeAsyncIterator()
    #expect(try await answers.next()?.titles == [])
    await #expect(throws: StoreError.self) {
      try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','')") }
    }
    await store.close()
    #expect(try await answers.next() == nil)
  }

  @Test func whatASyncBringsIsYielded() async throws {
    let place = try Place()
    let laptop = try await place.open("laptop.db")
    try await laptop.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','From afar')") }
    #expect(try await place.sent(by: laptop) == 1)
    let phone = try await place.open("phone.db")
    var answers = phone.observe(Self.titles).makeAsyncIterator()
    #expect(try await answers.next() == [])
    let link = try await phone.attach(
      .folder(place.path("remote")), password: "correct horse", deviceName: "phone", create: false,
      stateDirectory: place.path("state-phone"))
    _ = try await link.sync()
    #expect(try await answers.next() == ["From afar"])
    await laptop.close()
    await phone.close()
  }

  @Test func aQueryThatFailsEndsTheStreamButNotTheWrites() async throws {
    let place = try Place()
    let store = try await place.open()
    var answers = store.observe { try $0.rows("SELECT title FROM task", as: Int.self) }.makeAsyncIterator()
    #expect(try await answers.next() == [])
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','A')") }
    await #expect(throws: StoreError.self) { try await answers.next() }
    try await store.write { try $0.execute("DELETE FROM task") }
    await store.close()
  }

  @Test func aClosedStoreEndsAnObservationWithAnError() async throws {
    let place = try Place()
    let store = try await place.open()
    await store.close()
    var answers = store.observe(Self.titles).makeAsyncIterator()
    await #expect(throws: StoreError.self) { try await answers.next() }
  }

  @Test func aQueryIsNotAskedOnceNobodyListens() async throws {
    let place = try Place()
    let store = try await place.open()
    let asked = Counter()
    let listener = Task {
      for try await _ in store.observe({ _ in asked.count.withLock { $0 += 1 } }) { return }
    }
    try await listener.value
    // The end may reach the store only with the next write; after that the query is gone.
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('a','A')") }
    let before = asked.count.withLock { $0 }
    try await store.write { try $0.execute("INSERT INTO task(id,title) VALUES('b','B')") }
    #expect(asked.count.withLock { $0 } == before)
    await store.close()
  }

  @Test func anObservationEndsWithItsStore() async throws {
    let place = try Place()
    var answers = try await place.open().observe(Self.titles).makeAsyncIterator()
    #expect(try await answers.next() == [])
    #expect(try await answers.next() == nil)
  }
}

private final class Counter: Sendable {
  let count = Mutex(0)
}
