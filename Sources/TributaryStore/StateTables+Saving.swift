import TributaryModel

extension StateTables {
  /// Stores states beside the rows that now show them. Sorted by identity.
  ///
  /// A value that the row shows is not kept a second time.
  func save(_ access: RowAccess, _ records: [StoredRecord]) throws {
    let type = access.shape.type
    var changes: [(id: RecordID, clock: [UInt8]?)] = []
    changes.reserveCapacity(records.count)
    for record in records {
      let clock = try RecordClock(record.state) { try numbers.field(type: type, named: $0) }
      changes.append((record.id, record.state.isEmpty ? nil : try clockCoding.encode(clock)))
      let overlay = try overlay(access, record)
      if !overlay.isEmpty || record.hasOverlay { try write(overlay, type, record.id) }
    }
    try clocks.write(type: type, changes)
  }

  private func overlay(_ access: RowAccess, _ record: StoredRecord) throws -> Overlay {
    var overlay = Overlay(flags: record.flags.subtracting(.kept))
    for field in record.state.fields {
      let number = try numbers.field(type: access.shape.type, named: field.name)
      guard let register = field.register else {
        overlay.mergeables[number, default: []].append(field.content)
        continue
      }
      let column = access.columns.firstIndex { $0.field == number }
      if column == nil { overlay.flags.insert(.kept) }
      if let row = record.row, let column, row[column] == register.value { continue }
      overlay.values[number] = register.value
    }
    return overlay
  }
}
