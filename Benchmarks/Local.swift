import CSQLite
import Tributary
import TributaryStore

/// What an app's own writes cost: phases a, b and c.
struct Local {
  private let work: Work

  init(_ work: Work) { self.work = work }

  func measure(_ table: inout Results) async throws {
    let place = try Place()
    defer { place.remove() }
    let plain = Plain(place.path("plain.db"))
    let recorded = Plain(place.path("session.db"))
    let session = Session(recorded)
    let store = try await place.store("store")
    func phase(_ name: String, _ target: String, _ sql: String, _ rows: [[Value]], isSingle: Bool = false)
      async throws
    {
      let plainTime = Measure.seconds { plain.each(sql, rows, oneTransactionEach: isSingle) }
      let peer = Measure.seconds { recorded.each(sql, rows, oneTransactionEach: isSingle) }
      let ours = try await Measure.all(place.path("store.db")) {
        if isSingle { try await one(store, sql, rows) } else { try await store.each(sql, rows) }
      }
      table.add(name + work.label, target, ours.time / plainTime, session: peer / plainTime, ours.cost)
    }
    try await phase("a  insert", "1.10 (1.25)", Work.insert, work.rows)
    try await phase("b  update one column", "1.25 (1.35)", Work.update, work.edits(1))
    try await phase("c  one-row transactions, insert", "1.40", Work.insert, work.single, isSingle: true)
    let edits = work.single.map { [$0[0], Value.integer(7)] }
    try await phase("c  one-row transactions, update", "1.45", Work.update, edits, isSingle: true)
    session.end()
    await store.close()
    try engine(place, plain, &table)
    plain.close()
    recorded.close()
  }

  /// The same transactions without the hop to the store's own queue, which every call of the actor takes.
  private func engine(_ place: Place, _ plain: Plain, _ table: inout Results) throws {
    let store = try StoreCore.open(place.path("engine.db"), schema: Work.schema) { 1_700_000_000_000 }
    defer { store.close() }
    plain.run("DELETE FROM item")
    try store.write { db in for row in work.rows { try db.execute(Work.insert, row) } }
    plain.each(Work.insert, work.rows)
    let edits = work.single.map { [$0[0], Value.integer(8)] }
    for (name, target, sql, rows) in [
      ("insert", "1.40", Work.insert, work.single), ("update", "1.45", Work.update, edits),
    ] {
      let plainTime = Measure.seconds { plain.each(sql, rows, oneTransactionEach: true) }
      let start = ContinuousClock.now
      for row in rows { try store.write { try $0.execute(sql, row) } }
      let time = start.duration(to: .now) / .seconds(1)
      table.add("c  the same without the actor, \(name)" + work.label, target, time / plainTime)
    }
  }
}
