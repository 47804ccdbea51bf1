import Testing
import Tributary

/// Keys that SQLite hands out itself: two devices may use one number for two things.
struct SharedKeyTests {
  private static let schema = Schema(
    "com.example.numbers",
    tables: [
      Table(
        "entry", key: "n", columns: [.integer("n"), .text("title"), .integer("stars").withDefault(3)],
        sharedIntegerKey: true)
    ])

  private func pair(_ place: Place) async throws -> (
    a: (store: Store, link: Link), b: (store: Store, link: Link)
  ) {
    let first = try await place.join("laptop", create: true, schema: Self.schema)
    return (first, try await place.join("phone", schema: Self.schema))
  }

  @Test func twoThingsUnderOneKeyAreReportedWithAllThatWasLost() async throws {
    let place = try Place()
    let (a, b) = try await pair(place)
    try await a.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Rent')") }
    try await passTime()
    try await b.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Milk')") }
    _ = try await a.link.sync()
    let report = try await b.link.sync()
    // The stars are equal in both records, and still the other record's.
    #expect(report.conflicts == 2)
    let lost = try await b.link.conflicts().filter { $0.key == [.integer(1)] }
    #expect(Set(lost.map(\.column)) == ["title", "stars"])
    #expect(lost.first { $0.column == "title" }?.lost.value == .text("Rent"))
    #expect(lost.first { $0.column == "stars" }?.lost.value == .integer(3))
    _ = try await a.link.sync()
    for store in [a.store, b.store] {
      #expect(try await store.read { try $0.value("SELECT title FROM entry") } == .text("Milk"))
      await store.close()
    }
  }

  @Test func theDeviceWhoseRecordCameFirstSeesItLoseToo() async throws {
    let place = try Place()
    let (a, b) = try await pair(place)
    try await a.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Rent')") }
    try await passTime()
    try await b.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Milk')") }
    _ = try await b.link.sync()
    let report = try await a.link.sync()
    #expect(report.conflicts == 2)
    #expect(try await a.link.conflicts().contains { $0.lost.value == .text("Rent") })
    await a.store.close()
    await b.store.close()
  }

  @Test func aRecordThatIsKnownAndEditedIsNoSecondThing() async throws {
    let place = try Place()
    let (a, b) = try await pair(place)
    try await a.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Rent')") }
    _ = try await a.link.sync()
    _ = try await b.link.sync()
    try await b.store.write { try $0.execute("UPDATE entry SET title='Rent, paid'") }
    #expect(try await b.link.sync().conflicts == 0)
    #expect(try await a.link.sync().conflicts == 0)
    await a.store.close()
    await b.store.close()
  }

  @Test func aKeyThatWasFreeAgainIsNoConflict() async throws {
    let place = try Place()
    let (a, b) = try await pair(place)
    try await a.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Draft')") }
    try await a.store.write { try $0.execute("DELETE FROM entry") }
    try await passTime()
    try await b.store.write { try $0.execute("INSERT INTO entry(title) VALUES('Milk')") }
    _ = try await a.link.sync()
    #expect(try await b.link.sync().conflicts == 0)
    #expect(try await b.store.read { try $0.value("SELECT title FROM entry") } == .text("Milk"))
    await a.store.close()
    await b.store.close()
  }
}
