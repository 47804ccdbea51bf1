import Tributary

/// A new device that takes a large sealed snapshot, against upserting the same rows by hand.
struct NewDevice {
  private let count: Int

  init(_ count: Int) { self.count = count }

  func measure(_ table: inout Results) async throws {
    let place = try Place()
    defer { place.remove() }
    let fresh = Plain(place.path("fresh.db"))
    try await Self.fill(place, count)
    var upsert = 0.0
    for work in Self.batches(count) { upsert += Measure.seconds { fresh.each(Work.upsert, work.rows) } }
    fresh.close()
    let store = try await place.store("b")
    let link = try await place.attach(store, "b", create: false)
    let sync = try await Measure.all(place.path("b.db")) { _ = try await link.sync() }
    await store.close()
    table.add("new device, \(count) rows from a snapshot", "1.0, 32 MiB", sync.time / upsert, sync.cost)
  }

  /// A first device whose first upload, a snapshot, is on the remote.
  static func fill(_ place: Place, _ count: Int) async throws {
    let store = try await place.store("a")
    let link = try await place.attach(store, "a", create: true)
    for work in batches(count) { try await store.each(Work.insert, work.rows) }
    _ = try await link.sync()
    await store.close()
  }

  /// The rows in parts, so that they are never all in memory.
  static func batches(_ count: Int) -> some Sequence<Work> {
    stride(from: 0, to: count, by: 50_000).lazy.map { start in
      Work(min(50_000, count - start), .timeOrdered, seed: UInt64(start), from: start)
    }
  }
}
