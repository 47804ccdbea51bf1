package import TributaryModel

/// Reads what is to be sent out of the state: unsent edits for a log, or everything for a snapshot.
package struct Extractor {
  let tables: StateTables

  package init(_ tables: StateTables) { self.tables = tables }

  /// The edits of `device` after `moment` among the given records of one type, which are sorted and different from each
  /// other. What somebody else has overwritten meanwhile is not sent; the deletes that the state holds always go along.
  package func edits(
    of ids: [RecordID], in type: String, by device: DeviceID, after moment: Moment
  ) throws -> [Entry] {
    guard let access = tables.access(named: type) else { return [] }
    var entries: [Entry] = []
    entries.reserveCapacity(ids.count)
    for record in try tables.load(access, ids) {
      if let change = Self.unsent(record.state, by: device, after: moment) {
        entries.append(Entry(RecordName(type, record.id), change))
      }
    }
    return entries
  }

  private static func unsent(_ state: RecordState, by device: DeviceID, after moment: Moment) -> RecordState?
  {
    func isUnsent(_ stamp: Stamp?) -> Bool {
      stamp.map { $0.device == device && $0.moment > moment } ?? false
    }
    let isBorn = isUnsent(state.born)
    // Mostly all of a record is unsent, or one field.
    if isBorn, state.fields.allSatisfy({ isUnsent($0.stamp) }) { return state }
    let fields = state.fields.filter { isUnsent($0.stamp) }
    guard isBorn || !fields.isEmpty || state.deletes.contains(where: { isUnsent($0.stamp) }) else {
      return nil
    }
    return RecordState(born: isBorn ? state.born : nil, deletes: state.deletes, fields: fields)
  }

  /// Every record's whole state, in batches, parents before the children that refer to them.
  package func everything(_ body: ([Entry]) throws -> Void) throws {
    for shape in parentsFirst() {
      guard let access = tables.access(shape.type) else { continue }
      var ids: [RecordID] = []
      func flush() throws {
        let records = try tables.load(access, ids)
        try body(records.map { Entry(RecordName(shape.name, $0.id), $0.state) })
        ids = []
      }
      try tables.clocks.forEach(type: shape.type, from: nil) { id, _ in
        ids.append(id)
        if ids.count == 2_048 { try flush() }
        return true
      }
      if !ids.isEmpty { try flush() }
    }
  }

  /// The tables in an order in which references point backwards, as far as they are not circular.
  private func parentsFirst() -> [TableShape] {
    var left = tables.shapes.sorted { $0.name.isBefore($1.name) }
    var ordered: [TableShape] = []
    while !left.isEmpty {
      let names = Set(left.map(\.name))
      let free = left.firstIndex { shape in
        shape.foreignKeys.allSatisfy { $0.parent == shape.name || !names.contains($0.parent) }
      }
      ordered.append(left.remove(at: free ?? 0))
    }
    return ordered
  }
}
