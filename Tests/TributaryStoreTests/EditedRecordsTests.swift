import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Records with edits that no sync has settled, against what settling makes of them.
struct EditedRecordsTests {
  @Test(arguments: 1...40)
  func unsettledEditsAreShownAsASyncWillSettleThem(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let fleet = try Fleet(count: 2, seed: seed)
    for round in 0..<80 {
      let device = try fleet.act(&random)
      guard round % 4 == 0 else { continue }
      let (early, trash) = (try device.edited(), try device.trash())
      try device.store.settle(as: device.id)
      #expect(try device.edited() == early, "seed \(seed), round \(round)")
      #expect(try device.trash() == trash, "seed \(seed), round \(round)")
    }
  }
}

extension FleetDevice {
  private var records: EditedRecords {
    get throws { try EditedRecords(store.tables, own: id, schemaVersion: store.schema.version) }
  }

  /// The state of every record.
  fileprivate func edited() throws -> [RecordName: RecordState] {
    let records = try records
    var found: [RecordName: RecordState] = [:]
    for shape in store.tables.shapes {
      guard let access = store.tables.access(shape.type) else { continue }
      var ids: Set<RecordID> = []
      try store.tables.clocks.forEach(type: shape.type) { id, _ in ids.insert(id).inserted }
      try records.forEachChange { _, change in if change.type == shape.type { ids.insert(change.id) } }
      for id in ids { found[RecordName(shape.name, id)] = try records.record(access, id)?.record.state }
    }
    return found
  }

  fileprivate func trash() throws -> [TrashedRecord] {
    let trash = Trash(edited: try records)
    let all = try trash.newest(.max, table: nil)
    #expect(try trash.newest(2, table: nil) == Array(all.prefix(2)))
    return all
  }
}
