import CSQLite
import Tributary

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
    plain.close()
    recorded.close()
  }
}
