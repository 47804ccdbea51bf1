import Tributary
import TributaryModel
import TributaryStore

/// The size of the database once its edits are settled, and before any is sealed.
struct Sizes {
  private let work: Work

  init(_ work: Work) { self.work = work }

  func measure(_ table: inout Results) async throws {
    try await measure("file size, one transaction", "1.05", isSingle: false, &table)
    try await measure("file size, transactions of one row", "1.25", isSingle: true, &table)
  }

  private func measure(_ name: String, _ target: String, isSingle: Bool, _ table: inout Results) async throws
  {
    let place = try Place()
    defer { place.remove() }
    let plain = Plain(place.path("plain.db"))
    plain.each(Work.insert, work.rows, oneTransactionEach: isSingle)
    plain.close()
    let store = try StoreCore.open(place.path("store.db"), schema: Work.schema) { 1_700_000_000_000 }
    if isSingle {
      for row in work.rows { try store.write { try $0.execute(Work.insert, row) } }
    } else {
      try store.write { db in for row in work.rows { try db.execute(Work.insert, row) } }
    }
    try store.settle(as: DeviceID(high: 1, low: 2))
    store.close()
    table.add(name, target, Measure.size(place.path("store.db")) / Measure.size(place.path("plain.db")))
  }
}
