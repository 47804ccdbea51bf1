import SQLite
package import TributaryModel

/// What a sync looks at again beside the entries that it merges.
extension StoreCore {
  /// After the schema grew, fields that were kept without a column go into the new columns. Only once all local edits
  /// are settled, so that none is overwritten.
  package func fillNewColumns(as device: DeviceID) throws {
    guard try note(.schemaHash) != schemaHash else { return }
    try settledWrite(as: device) {
      for shape in tables.shapes {
        guard let access = tables.access(shape.type) else { continue }
        // In an adopted store, rows that others refer to may have gone unseen.
        let ids =
          drain != nil && !shape.foreignKeys.isEmpty
          ? try allRecords(shape) : try tables.ids(shape.type, flagged: .kept)
        for start in stride(from: 0, to: ids.count, by: Self.projected) {
          let records = try tables.load(access, Array(ids[start..<min(start + Self.projected, ids.count)]))
          try undoTriggers(try Applier(tables).project([(access, records)]))
        }
      }
      try setNote(.schemaHash, schemaHash)
    }
  }

  /// Records that are projected together.
  private static let projected = 1_024

  private func allRecords(_ shape: TableShape) throws -> [RecordID] {
    var ids: [RecordID] = []
    try tables.clocks.forEach(type: shape.type, from: nil) { id, _ in
      ids.append(id)
      return true
    }
    return ids
  }
}
