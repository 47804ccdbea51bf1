import SQLite
package import TributaryModel

/// Mends what a check found, as far as it can be worked out from what the store holds. One transaction, after every
/// local edit is settled.
///
/// | found | what is done |
/// |---|---|
/// | an index that does not fit its table (`file`) | it is built anew |
/// | missing guards (`guards`) | nothing: opening the store put them back |
/// | a record that is kept out though nothing keeps it out any more | it is projected afresh, as by each sync |
/// | a row, a mark or a value beside it that is not what the state asks for (`row`, `overlay`, `reference`) | the record is projected afresh |
/// | a row that the state knows nothing of (`extraRow`) | it is taken in as an insert of this device |
///
/// A record whose row was deleted or whose value was changed past the engine stays as it is: its table held the only copy
/// here, and which of the two is wanted only a person knows. So do stamps and sealed files that cannot be read.
struct StateRepair {
  let store: StoreCore
  let findings: [StateFinding]
  /// Milliseconds since 1970, by the wall clock.
  let wall: Int64

  private var tables: StateTables { store.tables }

  /// Why findings stay that could be mended in principle. Within the transaction.
  func run(isSettled: Bool) throws -> [StateFinding: String] {
    try rebuildIndexes()
    guard isSettled else { return [:] }
    try project()
    return try takeIn()
  }

  private func records(_ codes: Set<StateFinding.Code>) -> [(StateFinding, RowAccess, RecordID)] {
    findings.compactMap { finding in
      guard codes.contains(finding.code), let table = finding.table, let access = tables.access(named: table),
        finding.key.count == access.shape.key.count, let id = RecordID(finding.key)
      else { return nil }
      return (finding, access, id)
    }
  }

  // MARK: Indexes

  /// Builds those indexes anew that SQLite calls wrong.
  private func rebuildIndexes() throws {
    guard findings.contains(where: { $0.code == .file }) else { return }
    let lines = try store.writer.rows("PRAGMA main.integrity_check(\(StateCheck.limit))")
    let named = Set(lines.compactMap { $0[0].string.flatMap(Self.index) })
    for name in named.sorted() {
      let isThere = try store.writer.integer(
        "SELECT 1 FROM main.sqlite_master WHERE type='index' AND name=?1", [.text(name)])
      guard isThere == 1 else { continue }
      do { try store.writer.execute("REINDEX main.\(quoted(name))") } catch let error as DatabaseError
        where error.code.primary == .constraint && store.writer.inTransaction
      {
        // Rows that its rule forbids are there: the index stays wrong, and the finding with it.
        continue
      }
    }
  }

  /// The index that a line of `integrity_check` is about.
  static func index(of line: String) -> String? {
    let isOfIndex = ["row ", "wrong # of entries in index ", "non-unique entry in index "].contains {
      line.hasPrefix($0)
    }
    guard isOfIndex, let place = line.firstRange(of: " index ") else { return nil }
    return String(line[place.upperBound...])
  }

  // MARK: Projection

  private func project() throws {
    var changed: [Int64: (access: RowAccess, ids: Set<RecordID>)] = [:]
    for (_, access, id) in records([.row, .overlay, .reference]) {
      changed[access.shape.type, default: (access, [])].ids.insert(id)
    }
    let loaded = try changed.values.map { ($0.access, try readable($0.access, $0.ids.sorted())) }
    // Those that a constraint keeps out or changes are looked at again with them.
    try store.undoTriggers(try Applier(tables).project(loaded))
  }

  /// Those of the records that can be read, and of which the state knows anything.
  private func readable(_ access: RowAccess, _ ids: [RecordID]) throws -> [StoredRecord] {
    try ids.compactMap { id in
      do {
        let record = try tables.load(access, [id])[0]
        return try !record.state.isEmpty && hasAllValues(access, record) ? record : nil
      } catch let error where !(error is DatabaseError) {
        return nil
      }
    }
  }

  /// Whether there is a value for every stamp: what has none would be saved as if it had never been written.
  private func hasAllValues(_ access: RowAccess, _ record: StoredRecord) throws -> Bool {
    guard let bytes = try tables.clocks.read(type: access.shape.type, ids: [record.id])[0] else {
      return false
    }
    let stamped = try tables.clockCoding.decode(bytes).runs.reduce(0) { count, run in
      count + run.fields.reduce(0) { total, _ in total + 1 }
    }
    return record.state.fields.count { $0.register != nil } == stamped
  }

  // MARK: Rows that nobody knows

  /// Takes rows in as inserts of this device, all under one moment. Returns why some were left.
  private func takeIn() throws -> [StateFinding: String] {
    var refused: [StateFinding: String] = [:]
    var changes: [LocalChange] = []
    for (finding, access, id) in records([.extraRow]) {
      do {
        if let reason = try problem(access, id) {
          refused[finding] = reason
        } else {
          changes.append(LocalChange(type: access.shape.type, id: id, kind: .insert))
        }
      } catch let error as StoreError {
        refused[finding] = error.message
      }
    }
    changes.sort { $0.name < $1.name }
    try store.changeLog.append(changes, moment: Clock.next(after: store.meta.latestMoment, wall: wall))
    return refused
  }

  /// Why a row cannot be taken in as it is.
  private func problem(_ access: RowAccess, _ id: RecordID) throws -> String? {
    let shape = access.shape
    guard let row = try access.read(id, tables.connection), let key = id.values else { return "it is gone" }
    if try tables.overlay(shape.type, id)?.flags.contains(.parked) ?? false {
      return "the state has the record with other values, which a constraint keeps out"
    }
    for (column, value) in zip(shape.key, key) {
      if let problem = column.rule.problem(with: value) { return "\(column.name) \(problem)" }
    }
    for (column, value) in zip(shape.fields, row) {
      if let problem = column.rule.problem(with: value) { return "\(column.name) \(problem)" }
    }
    for reference in shape.foreignKeys where try dangles(reference, access, id, row) {
      return "it refers to a row of \(reference.parent) that is not there"
    }
    return nil
  }

  private func dangles(
    _ reference: TableShape.ForeignKey, _ access: RowAccess, _ id: RecordID, _ row: [Value]
  ) throws -> Bool {
    guard let values = access.values(reference.columns, id, row), !values.contains(where: \.isNull),
      let parent = tables.access(named: reference.parent)
    else { return false }
    return try parent.find(reference.parentColumns, values, tables.connection).isEmpty
  }
}

extension StoreCore {
  /// Mends what can be worked out of what a check found. Check again afterwards: what is found then stays.
  ///
  /// - Parameters:
  ///   - device: the device that local edits are stamped with.
  ///   - wall: milliseconds since 1970, by the wall clock.
  /// - Returns: why rows that the state knows nothing of were left, where they were.
  /// - Throws: SQLite's errors. Then nothing was changed.
  package func repair(
    _ findings: [StateFinding], as device: DeviceID, wall: Int64
  ) throws -> [StateFinding: String] {
    // A change log or stamps that cannot be read keep the rest from being settled, and an index can be mended still.
    let isSettled = !findings.contains { $0.code == .changeLog || $0.code == .clock }
    let repair = StateRepair(store: self, findings: findings, wall: wall)
    guard isSettled else { return try engineWrite { try repair.run(isSettled: false) } }
    return try settledWrite(as: device) { try repair.run(isSettled: true) }
  }
}
