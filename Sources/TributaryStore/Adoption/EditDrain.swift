import SQLite
import TributaryModel

/// Takes edits that triggers noted into the change log, where they are like any local edit.
///
/// A trigger knows one row and no transaction. So all that was noted of a record since the last time is looked at
/// together with its row as it is now: a row that was replaced, or deleted and made again, keeps its identity, and only
/// the fields that differ are edits.
struct EditDrain {
  static let limit = 20_000

  let tables: StateTables
  let prints: RowPrints
  let changeLog: ChangeLog
  /// Tables that were without triggers after the edits were noted: a row that is not there any more may have gone unseen.
  var unwatched: Set<Int64> = []
  /// Edits of one table that are taken over in one transaction.
  var limit = Self.limit

  /// Whether no edit waits.
  func isEmpty() throws -> Bool {
    try tables.shapes.allSatisfy { try EditTable.isEmpty($0.type, tables.connection) }
  }

  /// When the last edit that waits was noted, in milliseconds since 1970; nil if none waits.
  func latestTime() throws -> Int64? {
    try tables.shapes.compactMap { shape in
      guard try EditTable(shape.type, tables.connection) != nil else { return nil }
      return try tables.connection.integer("SELECT max(time) FROM main.\(EditTable.name(shape.type))")
    }.max()
  }

  /// Takes edits over, the oldest first; whether it took all. Within the caller's transaction.
  ///
  /// - Parameter last: the greatest moment that the store knows.
  func take(after last: Moment) throws -> Bool {
    let (edits, isWhole) = try read()
    guard !edits.isEmpty else { return isWhole }
    var moment = last
    let changes = try self.changes(edits)
    for time in changes.keys.sorted() {
      moment = Clock.next(after: moment, wall: time)
      let some = (changes[time] ?? []).sorted { $0.name < $1.name }
      try changeLog.append(some, moment: moment)
    }
    for (type, edits) in Dictionary(grouping: edits, by: \.type) {
      let seq = edits.map(\.seq).max() ?? 0
      try EditTable(type, tables.connection)?.remove(through: seq, tables.connection)
    }
    return isWhole
  }

  /// Edits of all tables, up to a time where one has more than fits: what is later waits, so that times stay in order.
  private func read() throws -> (edits: [StagedEdit], isWhole: Bool) {
    var edits: [StagedEdit] = []
    var end: (time: Int64, type: Int64)?
    for shape in tables.shapes {
      let some = try EditTable(shape.type, tables.connection)?.read(tables.connection, limit: limit) ?? []
      edits += some
      guard some.count == limit, let time = some.last?.time, time < end?.time ?? .max else { continue }
      end = (time, shape.type)
    }
    guard let end else { return (edits, true) }
    let kept = Dictionary(grouping: edits, by: \.type).flatMap { type, edits in
      type == end.type ? edits : Array(edits.prefix { $0.time <= end.time })
    }
    return (kept, false)
  }

  /// The changes by time, at most one of a record at each.
  private func changes(_ edits: [StagedEdit]) throws -> [Int64: [LocalChange]] {
    var byRecord: [ProjectionNode.Name: [StagedEdit]] = [:]
    for edit in edits {
      // A row whose key no record can have is none, and stays on this device.
      guard let id = edit.id else { continue }
      byRecord[ProjectionNode.Name(type: edit.type, id: id), default: []].append(edit)
    }
    var changes: [Int64: [LocalChange]] = [:]
    for (name, edits) in byRecord {
      guard let access = tables.access(name.type) else { continue }
      var drain = RecordDrain(access, name, edits, prints, tables.connection)
      drain.isWatched = !unwatched.contains(name.type)
      for (time, change) in try drain.changes() {
        changes[time, default: []].append(change)
      }
    }
    return changes
  }
}

/// One record's edits since it was looked at last.
private struct RecordDrain {
  let access: RowAccess
  let name: ProjectionNode.Name
  /// In order of arrival, at least one.
  let edits: [StagedEdit]
  let prints: RowPrints
  let connection: Connection
  /// Whether triggers have been there all the time.
  var isWatched = true

  init(
    _ access: RowAccess, _ name: ProjectionNode.Name, _ edits: [StagedEdit], _ prints: RowPrints,
    _ connection: Connection
  ) {
    self.access = access
    self.name = name
    self.edits = edits
    self.prints = prints
    self.connection = connection
  }

  func changes() throws -> [Int64: LocalChange] {
    let before = try prints.read(name.type, name.id)
    let row = try access.read(name.id, connection)
    // Absence is no delete: the row was only in another's way, or there again, when it was last noted.
    if row == nil, before != nil, !isWatched, edits.last?.operation != .deleted { return updates(edits[...]) }
    // What no trigger told of came later than what they noted: the look at every row that follows dates it. Of a new
    // row nobody can tell what came when.
    if row != nil, !isWatched { return before == nil ? [:] : updates(edits[...]) }
    let changes = try self.changes(before, row)
    // A row that is gone without a word of it so far: the delete is still to come.
    if row != nil || edits.contains(where: \.isGoing) {
      try prints.write(name.type, name.id, row.map { RowPrints.print(of: $0, access.shape) })
    }
    return changes
  }

  private func changes(_ before: [UInt8]?, _ row: [Value]?) throws -> [Int64: LocalChange] {
    switch (before, row) {
    case (nil, nil): return [:]
    case (nil, let row?):
      try checkSizes(row)
      return inserted()
    case (let before?, nil): return deleted(since: before)
    case (let before?, let row?):
      try checkSizes(row)
      return updated(RowPrints.changed(row, access.shape, since: before))
    }
  }

  private func inserted() -> [Int64: LocalChange] {
    let start = edits.lastIndex { $0.operation == .inserted } ?? 0
    var changes = updates(edits[start...])
    changes[edits[start].time] = LocalChange(type: name.type, id: name.id, kind: .insert)
    return changes
  }

  /// - Parameter before: the print of the row. What the row was put in anew with, before it went for good, is an edit
  ///   too: the trash shows it.
  private func deleted(since before: [UInt8]) -> [Int64: LocalChange] {
    guard let end = edits.lastIndex(where: \.isGoing) else { return updates(edits[...]) }
    var changes = updates(edits[..<end])
    let last = edits[end]
    let image = Dictionary(last.image.map { ($0.field, $0.value) }) { first, _ in first }
    let row = access.shape.fields.map { image[$0.field] ?? .null }
    var fields = RowPrints.changed(row, access.shape, since: before)
    for field in access.shape.fields where image[field.field] == nil {
      fields.subtract(FieldMask([field.field]))
    }
    for (time, change) in changes where time != last.time { fields.subtract(change.fields) }
    fields.formUnion(changes[last.time]?.fields ?? FieldMask())
    changes[last.time] = LocalChange(
      type: name.type, id: name.id, kind: .delete, fields: fields,
      image: last.image.filter { known.contains($0.field) })
    return changes
  }

  /// - Parameter differing: the fields in which the row differs from what it was. Those that no trigger told of since
  ///   the row was put in anew were changed with the whole of it.
  private func updated(_ differing: FieldMask) -> [Int64: LocalChange] {
    var changes = updates(edits[...])
    let start = edits.lastIndex { $0.operation == .inserted }
    let told = updates(edits[(start ?? 0)...]).values.reduce(into: FieldMask()) { $0.formUnion($1.fields) }
    var rest = differing
    rest.subtract(told)
    if !rest.isEmpty { add(rest, at: edits[start ?? edits.count - 1].time, to: &changes) }
    return changes
  }

  private func updates(_ edits: ArraySlice<StagedEdit>) -> [Int64: LocalChange] {
    var changes: [Int64: LocalChange] = [:]
    for edit in edits where edit.operation == .updated {
      let fields = FieldMask(edit.fields.filter { known.contains($0) })
      if !fields.isEmpty { add(fields, at: edit.time, to: &changes) }
    }
    return changes
  }

  private func add(_ fields: FieldMask, at time: Int64, to changes: inout [Int64: LocalChange]) {
    let change = changes[time] ?? LocalChange(type: name.type, id: name.id, kind: .update)
    var more = change
    more.fields.formUnion(fields)
    changes[time] = more
  }

  /// Columns that the app has dropped since are no fields any more.
  private var known: FieldMask { access.shape.allFields }

  private func checkSizes(_ row: [Value]) throws {
    if let problem = access.shape.problem(with: row) { throw problem.error(name.id.values ?? []) }
  }
}

extension StagedEdit {
  /// Whether the row was deleted, or may have been.
  fileprivate var isGoing: Bool { operation == .deleted || operation == .displaced }
}
