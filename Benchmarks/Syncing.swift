import Tributary

/// What moving rows between two devices costs, each phase a whole sync over a folder: phases d, e and f.
struct Syncing {
  private let work: Work

  init(_ work: Work) { self.work = work }

  func measure(_ table: inout Results) async throws {
    let place = try Place()
    defer { place.remove() }
    let peer = Peer(work, place)
    let fleet = try await Fleet(place)
    try await inserts(fleet, peer, place, &table)
    try await edits(fleet, peer, place, &table)
    try await concurrent(fleet, peer, place, &table)
    try await fleet.close()
    peer.close()
  }

  private func inserts(_ fleet: Fleet, _ peer: Peer, _ place: Place, _ table: inout Results) async throws {
    try await fleet.a.each(Work.insert, work.rows)
    let select = Measure.seconds { _ = peer.plain.selectAndEncode() }
    let bytes = Measure.remoteSize(place.remote)
    let push = try await Measure.all(place.path("a.db")) { _ = try await fleet.linkA.sync() }
    table.add(
      "d  extract, seal, upload" + work.label, "3.5", push.time / select, session: peer.sealing / select,
      push.cost)
    table.add(
      "wire bytes for each inserted row" + work.label, "64",
      (Measure.remoteSize(place.remote) - bytes) / Double(work.rows.count),
      session: Double(peer.sealedSize) / Double(work.rows.count))
    let upsert = Measure.seconds { peer.fresh.each(Work.upsert, work.rows) }
    let pull = try await Measure.all(place.path("b.db")) { _ = try await fleet.linkB.sync() }
    table.add(
      "e  apply new rows" + work.label, "1.0", pull.time / upsert, session: peer.applying / upsert, pull.cost)
    let again = try await Measure.time { _ = try await fleet.linkB.sync() }
    table.add("e2 the same again" + work.label, "0.4", again / upsert, session: peer.applyingAgain / upsert)
    table.add("   a sync with nothing to do, ms" + work.label, "-", again * 1000)
  }

  private func edits(_ fleet: Fleet, _ peer: Peer, _ place: Place, _ table: inout Results) async throws {
    try await fleet.a.each(Work.update, work.edits(1))
    let bytes = Measure.remoteSize(place.remote)
    _ = try await fleet.linkA.sync()
    table.add(
      "wire bytes for each edit of one column" + work.label, "13",
      (Measure.remoteSize(place.remote) - bytes) / Double(work.rows.count))
    let update = Measure.seconds { peer.fresh.each(Work.update, work.edits(1)) }
    let pull = try await Measure.all(place.path("b.db")) { _ = try await fleet.linkB.sync() }
    table.add(
      "e3 apply edits of one column" + work.label, "1.1", pull.time / update,
      session: peer.applyingEdits / update, pull.cost)
  }

  /// Both edit other columns of the same rows. The second to sync merges, and then uploads; only the first part counts.
  private func concurrent(_ fleet: Fleet, _ peer: Peer, _ place: Place, _ table: inout Results) async throws {
    try await fleet.b.each(Work.updateOther, work.otherEdits)
    try await fleet.a.each(Work.update, work.edits(2))
    _ = try await fleet.linkA.sync()
    let update = Measure.seconds { peer.fresh.each(Work.update, work.edits(2)) }
    let clock = ContinuousClock()
    let start = clock.now
    let statuses = fleet.linkB.statuses
    let merged = Task {
      for await status in statuses where status.phase == .syncing(.sealing) { return clock.now }
      return clock.now
    }
    _ = try await fleet.linkB.sync()
    let time = start.duration(to: await merged.value) / .seconds(1)
    table.add(
      "f  merge concurrent edits of other columns" + work.label, "1.3", time / update,
      session: peer.merging / update)
  }
}

/// Two devices that have met.
private struct Fleet {
  let a: Store
  let b: Store
  let linkA: Link
  let linkB: Link

  init(_ place: Place) async throws {
    a = try await place.store("a")
    b = try await place.store("b")
    linkA = try await place.attach(a, "a", create: true)
    // What follows is not the first upload, which goes as a snapshot.
    try await a.each(Work.insert, [[.text("0"), .null, .null, .null, .null, .null]])
    _ = try await linkA.sync()
    linkB = try await place.attach(b, "b", create: false)
    _ = try await linkB.sync()
  }

  func close() async throws {
    await a.close()
    await b.close()
  }
}

/// Plain SQLite, and the session extension doing the same in seconds.
private final class Peer {
  let plain: Plain
  /// Empty at first; what a receiver without the engine would fill.
  let fresh: Plain
  private(set) var sealing = 0.0
  private(set) var sealedSize = 0
  private(set) var applying = 0.0
  private(set) var applyingAgain = 0.0
  private(set) var applyingEdits = 0.0
  private(set) var merging = 0.0

  init(_ work: Work, _ place: Place) {
    plain = Plain(place.path("plain.db"))
    fresh = Plain(place.path("fresh.db"))
    let receiver = Plain(place.path("receiver.db"))
    let session = Session(plain)
    plain.each(Work.insert, work.rows)
    var changes: [UInt8] = []
    sealing = Measure.seconds {
      changes = session.take()
      sealedSize = Session.seal(changes)
    }
    applying = Measure.seconds { Session.apply(changes, to: receiver) }
    applyingAgain = Measure.seconds { Session.apply(changes, to: receiver) }
    plain.each(Work.update, work.edits(1))
    changes = session.take()
    applyingEdits = Measure.seconds { Session.apply(changes, to: receiver) }
    plain.each(Work.update, work.edits(2))
    changes = session.take()
    receiver.each(Work.updateOther, work.otherEdits)
    merging = Measure.seconds { Session.apply(changes, to: receiver) }
    session.end()
    receiver.close()
  }

  func close() {
    plain.close()
    fresh.close()
  }
}
