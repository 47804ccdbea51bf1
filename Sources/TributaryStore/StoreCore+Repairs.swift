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
        let ids = try keptRecords(shape)
        guard !ids.isEmpty else { continue }
        let records = try tables.load(access, ids)
        try undoTriggers(try Applier(tables).project([(access, records)]))
      }
      try setNote(.schemaHash, schemaHash)
    }
  }

  private func keptRecords(_ shape: TableShape) throws -> [RecordID] {
    let sql = "SELECT id FROM tributary_overlay WHERE type=?1 AND flags&?2 ORDER BY id"
    let kept = Overlay.Flags.kept.rawValue
    return try writer.rows(sql, [.integer(shape.type), .integer(kept)]).compactMap { row in
      if case .blob(let bytes) = row[0] { RecordID(encoded: bytes) } else { nil }
    }
  }
}
