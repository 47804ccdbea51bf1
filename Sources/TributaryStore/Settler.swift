import SQLite
import TributaryModel

/// Takes the change log's rows into the clock table: local edits become state before anything remote is merged.
///
/// Local edits are always the newest, so no values are compared and no row is read.
struct Settler {
  let tables: StateTables
  /// The device that the edits are stamped with.
  let device: DeviceID
  let schemaVersion: UInt32

  /// Settles the given transactions, oldest first.
  func settle(_ transactions: [(moment: Moment, changes: [LocalChange])]) throws {
    let edits = SortedEdits(transactions)
    var start = 0
    while start < edits.count {
      let type = edits[start].1.type
      var end = start
      while end < edits.count, edits[end].1.type == type { end += 1 }
      if let access = tables.access(type) { try settle(access, edits, start..<end) }
      start = end
    }
  }

  private func settle(_ access: RowAccess, _ edits: SortedEdits, _ range: Range<Int>) throws {
    let type = access.shape.type
    let groups = edits.records(in: range)
    let packed = try tables.clocks.read(type: type, ids: groups.map { edits[$0.lowerBound].1.id })
    let hasOverlay = try tables.hasOverlay(type)
    var last: Last?
    var clocks: [(id: RecordID, clock: [UInt8]?)] = []
    clocks.reserveCapacity(groups.count)
    for (index, group) in groups.enumerated() {
      let (moment, first) = edits[group.lowerBound]
      let stored = hasOverlay && packed[index] != nil ? try tables.overlay(type, first.id) : nil
      let isAlone = group.count == 1 && stored == nil && first.kind != .delete
      if isAlone, let last, last.serves(first, moment, packed[index]) {
        clocks.append((first.id, last.after))
        continue
      }
      var clock =
        try packed[index].map(tables.clockCoding.decode) ?? RecordClock(born: nil, runs: [], deletes: [])
      var overlay = stored ?? Overlay()
      settle(group.map { edits[$0] }, access.shape, &clock, &overlay)
      let bytes = try tables.clockCoding.encode(clock)
      clocks.append((first.id, bytes))
      if stored != nil || !overlay.isEmpty { try tables.write(overlay, type, first.id) }
      if isAlone, overlay.isEmpty { last = Last(first, moment, before: packed[index], after: bytes) }
    }
    try tables.clocks.write(type: type, clocks)
  }

  /// What the last record with one change and nothing beside its row became. Its neighbours mostly become the same.
  private struct Last {
    let kind: LocalChange.Kind
    let fields: FieldMask
    let moment: Moment
    let before: [UInt8]?
    let after: [UInt8]

    init(_ change: LocalChange, _ moment: Moment, before: [UInt8]?, after: [UInt8]) {
      kind = change.kind
      fields = change.fields
      self.moment = moment
      self.before = before
      self.after = after
    }

    func serves(_ change: LocalChange, _ moment: Moment, _ before: [UInt8]?) -> Bool {
      kind == change.kind && self.moment == moment && fields == change.fields && self.before == before
    }
  }

  /// Takes the changes of one record, oldest first, into its clock and its overlay.
  func settle(
    _ changes: [(Moment, LocalChange)], _ shape: TableShape, _ clock: inout RecordClock,
    _ overlay: inout Overlay
  ) {
    for (moment, change) in changes {
      apply(change, Stamp(moment, device), shape, &clock, &overlay)
    }
    clock.runs.sort { $0.fields.lowest < $1.fields.lowest }
  }

  private func apply(
    _ change: LocalChange, _ stamp: Stamp, _ shape: TableShape, _ clock: inout RecordClock,
    _ overlay: inout Overlay
  ) {
    switch change.kind {
    case .insert: insert(stamp, shape, &clock, &overlay)
    case .update: update(change.fields, stamp, shape, &clock, &overlay)
    case .delete: delete(change, stamp, shape, &clock, &overlay)
    }
  }

  /// A new life of the identity: fields from before the last delete are ended, all columns take the stamp.
  private func insert(
    _ stamp: Stamp, _ shape: TableShape, _ clock: inout RecordClock, _ overlay: inout Overlay
  ) {
    clock.born = stamp
    if let floor = clock.deletes.last?.stamp {
      let erases = clock.deletes.contains(where: \.erases)
      clock.deletes.removeFirst(clock.deletes.count - 1)
      clock.deletes[0].erases = erases
      end(before: floor, &clock, &overlay)
    }
    mark(shape.allFields, stamp, life: nil, &clock)
    for field in shape.allFields { overlay.values[field] = nil }
    overlay.flags.subtract([.unseen, .parked, .repaired])
  }

  private func update(
    _ changed: FieldMask, _ stamp: Stamp, _ shape: TableShape, _ clock: inout RecordClock,
    _ overlay: inout Overlay
  ) {
    var fields = changed
    for field in changed { if let group = shape.groups[field] { fields.formUnion(group) } }
    mark(fields, stamp, life: shape.onDelete == .erases ? clock.born : nil, &clock)
    // The other fields of a group keep the state's value, which a repair may hide in the table.
    for field in changed { overlay.values[field] = nil }
  }

  private func delete(
    _ change: LocalChange, _ stamp: Stamp, _ shape: TableShape, _ clock: inout RecordClock,
    _ overlay: inout Overlay
  ) {
    let erases = shape.onDelete == .erases
    clock.deletes.append(Delete(stamp: stamp, erases: erases))
    overlay.flags.subtract([.parked, .repaired])
    overlay.flags.insert(.unseen)
    if erases { return end(before: stamp, &clock, &overlay) }
    mark(change.fields, stamp, life: nil, &clock)
    for (field, value) in change.image where overlay.values[field] == nil || change.fields.contains(field) {
      overlay.values[field] = value
    }
  }

  private func mark(_ fields: FieldMask, _ stamp: Stamp, life: Stamp?, _ clock: inout RecordClock) {
    guard !fields.isEmpty else { return }
    for index in clock.runs.indices { clock.runs[index].fields.subtract(fields) }
    clock.runs.removeAll { $0.fields.isEmpty }
    let version = schemaVersion
    clock.runs.append(RecordClock.Run(fields: fields, stamp: stamp, schemaVersion: version, life: life))
  }

  private func end(before end: Stamp, _ clock: inout RecordClock, _ overlay: inout Overlay) {
    for run in clock.runs where (run.life ?? run.stamp) < end {
      for field in run.fields { overlay.values[field] = nil }
    }
    clock.runs.removeAll { ($0.life ?? $0.stamp) < end }
    for (field, contents) in overlay.mergeables {
      let alone = RecordState(
        born: clock.born, deletes: clock.deletes, fields: contents.map { Field("", $0) })
      overlay.mergeables[field] = alone.fields.isEmpty ? nil : alone.fields.map(\.content)
    }
  }
}
