package import TributaryModel

/// Reads what is to be sent out of the state: unsent edits for a log, or everything for a snapshot.
package struct Extractor {
  let tables: StateTables

  package init(_ tables: StateTables) { self.tables = tables }

  /// The edits of `device` after `moment` among the given records. What somebody else has overwritten meanwhile is
  /// not sent; the deletes that the state holds always go along.
  package func edits(of names: Set<RecordName>, by device: DeviceID, after moment: Moment) throws -> [Entry] {
    func isUnsent(_ stamp: Stamp?) -> Bool {
      stamp.map { $0.device == device && $0.moment > moment } ?? false
    }
    var entries: [Entry] = []
    for (type, names) in Dictionary(grouping: names, by: \.type).sorted(by: { $0.key.isBefore($1.key) }) {
      guard let access = tables.access(named: type) else { continue }
      for record in try tables.load(access, names.map(\.id).sorted()) {
        let state = record.state
        let fields = state.fields.filter { isUnsent($0.stamp) }
        let born = isUnsent(state.born) ? state.born : nil
        guard born != nil || !fields.isEmpty || state.deletes.contains(where: { isUnsent($0.stamp) }) else {
          continue
        }
        let change = RecordState(born: born, deletes: state.deletes, fields: fields)
        entries.append(Entry(RecordName(type, record.id), change))
      }
    }
    return entries
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
