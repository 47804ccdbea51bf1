import TestSupport
import TributaryModel

@testable import TributaryStore

/// Every edit that some device committed, with the stamp that it got: what a run is judged by.
struct EditLog {
  struct Edit {
    /// The simulated device's name, which stays when its id changes.
    var device: String
    var stamp: Stamp
    var name: RecordName
    var kind: LocalChange.Kind
    /// What the edit set; nil where the other fields of a group keep the value that the state has.
    var fields: [String: Value?]
    /// Under `.erases`, the insert that the edit belongs to.
    var life: Stamp?
    /// The edit got another stamp once, and may get its former one back.
    var wasMoved = false
    /// The edit got another moment once.
    var wasDatedAnew = false
    /// The database that held the edit was thrown away before all of its logs were surely uploaded.
    var mayBeLost = false
  }

  var edits: [Edit] = []
  /// Records of which a copy and its original both held an insert that no log carried. Where deletes erase they are two
  /// lives of one id, and what is edited in the one that loses is overruled.
  private(set) var doubled: Set<RecordName> = []
  /// Records that a copy and its original edited apart under one stamp, before the copy had an id of its own. Which of
  /// the two edits is which cannot be told from stamps.
  private(set) var collided: Set<RecordName> = []

  /// Takes in what a transaction added to the change log after its row `seq`; returns a line for each edit.
  mutating func record(_ device: SimulatedDevice, after seq: Int64) throws -> [String] {
    add(try made(on: device, after: seq))
  }

  /// The edits that the change log holds after its row `seq`.
  func made(on device: SimulatedDevice, after seq: Int64) throws -> [Edit] {
    try device.store.changeLog.read(after: seq, limit: .max).flatMap { _, moment, changes in
      try changes.map { try edit($0, Stamp(moment, device.device), device) }
    }
  }

  /// Takes edits in; returns a line for each.
  mutating func add(_ made: [Edit]) -> [String] {
    made.map { edit in
      if edits.contains(where: {
        $0.name == edit.name && $0.stamp == edit.stamp && $0.device != edit.device
      }) {
        collided.insert(edit.name)
      }
      edits.append(edit)
      let fields = edit.fields.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value?.literal ?? "…")" }
      return "\(edit.stamp.brief) \(edit.kind) \(edit.name.brief) \(fields.joined(separator: " "))"
    }
  }

  /// Nothing is known any more of what a device did to a record and may not have sent.
  mutating func lose(_ name: RecordName, of device: String, after sealed: Moment) {
    for index in edits.indices
    where edits[index].device == device && edits[index].name == name && edits[index].stamp.moment > sealed {
      edits[index].mayBeLost = true
    }
  }

  /// Another device goes on from a copy of the device's database, with its edits after `sealed`.
  mutating func copy(_ device: String, to name: String, after sealed: Moment) {
    for var edit in edits where edit.device == device && edit.stamp.moment > sealed && !edit.mayBeLost {
      if edit.kind == .insert { doubled.insert(edit.name) }
      edit.device = name
      edits.append(edit)
    }
  }

  /// The device's database was put back to where it was at `moment`.
  mutating func rewind(_ device: String, to moment: Moment) {
    for index in edits.indices where edits[index].device == device && edits[index].stamp.moment > moment {
      edits[index].mayBeLost = true
    }
  }

  /// A column went, and with it what a device had not sent of it.
  mutating func lose(column: String, of device: String, after sealed: Moment) {
    for edit in edits where edit.device == device && edit.fields[column] != nil {
      lose(edit.name, of: device, after: sealed)
    }
  }

  private func edit(_ change: LocalChange, _ stamp: Stamp, _ device: SimulatedDevice) throws -> Edit {
    let store = device.store
    guard let shape = store.tables.shapes.first(where: { $0.type == change.type }) else {
      throw Stopped(step: "an edit of no table")
    }
    let name = RecordName(shape.name, change.id)
    var edit = Edit(device: device.name, stamp: stamp, name: name, kind: change.kind, fields: [:])
    switch change.kind {
    case .insert: edit.fields = try row(name, shape.fields.map(\.name), store)
    case .update:
      let changed = shape.fields.filter { change.fields.contains($0.field) }.map(\.name)
      edit.fields = try row(name, changed, store)
      for other in Workload.grouped(changed, in: shape.name, device.schema) {
        edit.fields[other] = .some(nil)
      }
      if shape.onDelete == .erases { edit.life = try life(of: name, on: device) }
    case .delete:
      for (field, value) in change.image where change.fields.contains(field) {
        if let column = shape.fields.first(where: { $0.field == field }) { edit.fields[column.name] = value }
      }
    }
    return edit
  }

  private func row(_ name: RecordName, _ fields: [String], _ store: StoreCore) throws -> [String: Value?] {
    guard let table = Workload.schema.tables.first(where: { $0.name == name.type }), !fields.isEmpty else {
      return [:]
    }
    let tests = table.key.enumerated().map { "\"\($1)\"=?\($0 + 1)" }.joined(separator: " AND ")
    let sql =
      "SELECT \(fields.map { "\"\($0)\"" }.joined(separator: ",")) FROM \"\(table.name)\" WHERE \(tests)"
    guard let row = try store.read({ try $0.rows(sql, name.id.values ?? []) }).first else {
      // Of an adopted database edits are taken over late: this one's row was deleted since.
      if store.drain != nil { return Dictionary(uniqueKeysWithValues: fields.map { ($0, Value?.none) }) }
      throw Stopped(step: "a committed row is not there")
    }
    return Dictionary(uniqueKeysWithValues: zip(fields, row.values.map { .some($0) }))
  }

  /// The latest insert that the device knows of.
  private func life(of name: RecordName, on device: SimulatedDevice) throws -> Stamp? {
    let tables = device.store.tables
    let settled = try tables.access(named: name.type).flatMap { try tables.load($0, [name.id]).first }
    let own = edits.last {
      $0.device == device.name && $0.name == name && $0.kind == .insert && !$0.mayBeLost
    }?.stamp
    return [settled?.state.born, own].compactMap(\.self).max()
  }
}
