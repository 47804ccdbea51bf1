import SQLite
import TributaryModel

/// The change log, and the records that it says more of than the state does.
extension StateCheck {
  /// Reads every row of the change log, and notes what is not settled: on disk, since an import may be large.
  func checkChangeLog() throws {
    let meta = Meta(connection: connection)
    let settled = try meta.integer(.settled)
    try connection.execute(
      """
      DROP TABLE IF EXISTS temp.tributary_unsettled;
      CREATE TEMP TABLE tributary_unsettled(type INTEGER, id BLOB, kind INTEGER, PRIMARY KEY(type,id)) WITHOUT ROWID
      """)
    let statement = try connection.prepare(
      "SELECT seq,data FROM main.tributary_change_log ORDER BY seq")
    var last: Int64 = 0
    while try statement.step() {
      last = statement.integer(0)
      let changes = try changes(statement, last)
      if last > settled { try note(changes) }
      try count(changes: changes.count)
    }
    for access in accesses { try noteStaged(access) }
    let sealed = try meta.integer(.sealed)
    guard sealed <= settled, settled <= last else {
      return try find(
        StateFinding(
          .changeLog,
          "Its marks contradict each other: sealed \(sealed), settled \(settled), last row \(last).",
          remedy: StateFinding.restore))
    }
  }

  private func changes(_ statement: Statement, _ seq: Int64) throws -> [LocalChange] {
    do {
      let changes = try ChangeLogCoding.decode(Array(statement.bytes(1)))
      let unknown = try changes.first { try tables.numbers.name(ofType: $0.type) == nil }
      guard let unknown else { return changes }
      throw StoreError(.damaged, "It names record type \(unknown.type), which there is not")
    } catch {
      try find(
        StateFinding(
          .changeLog, "Row \(seq) cannot be read: \(try explain(error))",
          remedy: "The edits of that write cannot be sent. \(StateFinding.restore)"))
      return []
    }
  }

  private func note(_ changes: [LocalChange]) throws {
    if !changes.isEmpty { hasUnsettled = true }
    for change in changes {
      try connection.execute(
        "INSERT INTO temp.tributary_unsettled VALUES(?1,?2,?3) ON CONFLICT DO UPDATE SET kind=excluded.kind",
        [.integer(change.type), .blob(change.id.bytes), .integer(Int64(change.kind.rawValue))])
    }
  }

  /// What triggers noted in an adopted table is as good as in the change log.
  private func noteStaged(_ access: RowAccess) throws {
    guard let edits = try EditTable(access.shape.type, connection) else { return }
    for edit in try edits.read(connection, limit: .max) {
      guard let id = edit.id else { continue }
      let isThere = try access.read(id, connection) != nil
      try note([LocalChange(type: access.shape.type, id: id, kind: isThere ? .update : .delete)])
    }
  }

  /// Whether the change log says more of a record than the state does.
  func isUnsettled(_ type: Int64, _ id: RecordID) throws -> Bool {
    guard hasUnsettled else { return false }
    let sql = "SELECT 1 FROM temp.tributary_unsettled WHERE type=?1 AND id=?2"
    return try connection.integer(sql, [.integer(type), .blob(id.bytes)]) != nil
  }

  /// Whether the tables agree with the last unsettled change of each record: there after an insert or update, and
  /// gone after a delete.
  func checkUnsettled() throws {
    guard hasUnsettled else { return }
    let statement = try connection.prepare(
      "SELECT type,id,kind FROM temp.tributary_unsettled ORDER BY type,id")
    while try statement.step() {
      let id = RecordID(encoded: Array(statement.bytes(1)))
      guard let access = tables.access(statement.integer(0)) else { continue }
      guard id.values?.count == access.shape.key.count else {
        try find(
          StateFinding(
            .changeLog, access.shape, id, "Its key does not fit the table.", remedy: StateFinding.restore))
        continue
      }
      let isDeleted = statement.integer(2) == Int64(LocalChange.Kind.delete.rawValue)
      let isThere = try access.read(id, connection) != nil
      if isDeleted == isThere { try find(unsettled(access.shape, id, isThere: isThere)) }
      try count()
    }
  }

  private func unsettled(_ shape: TableShape, _ id: RecordID, isThere: Bool) -> StateFinding {
    isThere
      ? StateFinding(
        .extraRow, shape, id, "The change log says that it was deleted, and its table shows it.",
        remedy: Self.remedyForExtraRow)
      : StateFinding(
        .missingRow, shape, id, "The change log has its last edit, and its table does not show it.",
        remedy: Self.remedyForMissingRow)
  }

  static let remedyForExtraRow =
    "Another program wrote it, and no other device gets it. Delete it with `tributary sql`; to keep it, insert it "
    + "again with a second `tributary sql`."
  static let remedyForMissingRow =
    "Another program deleted it, and the other devices still have it. Insert it again with `tributary sql`; to be "
    + "rid of it, then delete it with a second `tributary sql`."
}
