import SQLite
import TributaryModel

/// Compares a whole adopted table with the prints of its rows, and makes edits of what changed while nothing watched.
///
/// A row that is gone is not taken for deleted: the table may have been made anew without it. It is forgotten here, and
/// read again from the other devices.
struct Rescan {
  struct Result {
    var inserted = 0
    var changed = 0
    var gone = 0

    var isNothing: Bool { inserted + changed + gone == 0 }
  }

  /// Rows looked at together.
  private static let batch = 2_048

  let tables: StateTables
  let prints: RowPrints
  let changeLog: ChangeLog
  /// The moment that the edits get.
  let moment: Moment

  /// - Parameter step: told how many rows were looked at; may throw to stop.
  func run(_ access: RowAccess, step: (Int) throws -> Void = { _ in }) throws -> Result {
    var result = Result()
    var known = 0
    let statement = try tables.connection.prepare(Self.select(access.shape))
    let keys = access.shape.key.count
    var changes: [LocalChange] = []
    func flush() throws {
      try changeLog.append(changes.sorted { $0.id < $1.id }, moment: moment)
      changes.removeAll(keepingCapacity: true)
    }
    var rows = 0
    while try statement.step() {
      rows += 1
      if rows % Self.batch == 0 { try step(rows) }
      // A row whose key no record can have is none.
      guard let id = RecordID((0..<keys).map { statement.column($0) }) else { continue }
      let row = access.shape.fields.indices.map { statement.column(keys + $0) }
      if let problem = access.shape.problem(with: row) { throw problem.error(id.values ?? []) }
      let before = try prints.read(access.shape.type, id)
      if before != nil { known += 1 }
      guard let change = try change(access, id, row, before) else { continue }
      if change.kind == .insert { result.inserted += 1 } else { result.changed += 1 }
      changes.append(change)
      try prints.write(access.shape.type, id, RowPrints.print(of: row, access.shape))
      if changes.count == Self.batch { try flush() }
    }
    try flush()
    result.gone = try forgetGone(access, known: known, inserted: result.inserted)
    return result
  }

  private static func select(_ shape: TableShape) -> String {
    let columns = (shape.key.map(\.name) + shape.fields.map(\.name)).map(quoted)
    return "SELECT \(columns.joined(separator: ",")) FROM main.\(quoted(shape.name))"
  }

  private func change(_ access: RowAccess, _ id: RecordID, _ row: [Value], _ before: [UInt8]?) throws
    -> LocalChange?
  {
    guard let before else { return LocalChange(type: access.shape.type, id: id, kind: .insert) }
    var fields = RowPrints.changed(row, access.shape, since: before)
    let added = RowPrints.unknown(access.shape, in: before)
    if !added.isEmpty {
      // What newer builds sent for a column before it was here goes into it, and is no edit of this device's.
      let kept = try tables.overlay(access.shape.type, id)?.values ?? [:]
      fields.subtract(FieldMask(added.filter { kept[$0] != nil }))
      try prints.write(access.shape.type, id, RowPrints.print(of: row, access.shape))
    }
    return fields.isEmpty ? nil : LocalChange(type: access.shape.type, id: id, kind: .update, fields: fields)
  }

  private func forgetGone(_ access: RowAccess, known: Int, inserted: Int) throws -> Int {
    let type = access.shape.type
    let kept = try tables.connection.integer(
      "SELECT count(*) FROM tributary_print WHERE type=?1", [.integer(type)])
    guard let kept, Int(kept) > known + inserted else { return 0 }
    let statement = try tables.connection.prepare(
      "SELECT id FROM tributary_print WHERE type=\(type) ORDER BY id")
    var gone: [RecordID] = []
    while try statement.step() {
      let id = RecordID(encoded: Array(statement.bytes(0)))
      if try access.read(id, tables.connection) == nil { gone.append(id) }
    }
    statement.reset()
    try tables.forget(type, gone)
    return gone.count
  }
}

extension StateTables {
  /// Forgets records as if they had never been read, so that they can be read again.
  func forget(_ type: Int64, _ ids: [RecordID]) throws {
    try clocks.write(type: type, ids.sorted().map { ($0, nil) })
    for id in ids {
      try write(nil, type, id)
      try prints?.write(type, id, nil)
    }
  }
}
