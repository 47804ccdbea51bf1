import SQLite
package import TributaryModel

/// The records of one table, from the state's side and from the table's.
extension StateCheck {
  /// Projects every record of the state afresh, and compares with what the table shows.
  func checkRecords(_ access: RowAccess) throws {
    let mayRefuse = try mayRefuse(access.shape)
    var ids: [RecordID] = []
    func flush() throws {
      try check(access, ids, mayRefuse: mayRefuse)
      try count(records: ids.count)
      ids.removeAll(keepingCapacity: true)
    }
    try tables.clocks.forEach(type: access.shape.type) { id, _ in
      ids.append(id)
      if ids.count == Self.batch { try flush() }
      return true
    }
    if !ids.isEmpty { try flush() }
  }

  private func check(_ access: RowAccess, _ ids: [RecordID], mayRefuse: Bool) throws {
    let type = access.shape.type
    let records = try tables.load(access, ids).filter { try !isUnsettled(type, $0.id) }
    var settled: [StoredRecord] = []
    for record in records {
      if let finding = presence(access.shape, record) { try find(finding) } else { settled.append(record) }
    }
    // Before they are settled, local writes can have removed the cause of a repair.
    guard !hasUnsettled else { return }
    let projector = Projector(tables)
    projector.add(access, settled)
    let names = Set(settled.map { ProjectionNode.Name(type: type, id: $0.id) })
    for node in try resolve(projector, mayRefuse: mayRefuse) where names.contains(node.name) {
      if let finding = difference(node) { try find(finding) }
    }
  }

  /// A row that the database itself refused is parked without the projection knowing why.
  private func resolve(_ projector: Projector, mayRefuse: Bool) throws -> [ProjectionNode] {
    while true {
      let nodes = try projector.resolve()
      let refused = nodes.filter { node in
        mayRefuse && node.isPresent && node.refusal == nil && node.record.flags.contains(.parked)
      }
      if refused.isEmpty { return nodes }
      for node in refused { node.refusal = "refused when it came" }
    }
  }

  /// Whether the table has rules that the projection does not know.
  private func mayRefuse(_ shape: TableShape) throws -> Bool {
    let sql = """
      SELECT 1 FROM main.sqlite_master WHERE tbl_name=?1 COLLATE NOCASE AND (
        (type='table' AND (sql LIKE '%CHECK%' OR sql LIKE '%STRICT%'))
        OR (type='trigger' AND name NOT LIKE 'tributary\\_%' ESCAPE '\\')
        OR (type='index' AND sql LIKE '%UNIQUE%')) LIMIT 1
      """
    return try connection.integer(sql, [.text(shape.name)]) == 1
  }

  /// What is wrong with a record before any rule between records is looked at.
  private func presence(_ shape: TableShape, _ record: StoredRecord) -> StateFinding? {
    let isUnseen = record.flags.contains(.unseen)
    if record.state.isVisible() == isUnseen {
      return StateFinding(
        .overlay, shape, record.id,
        "Its stamps say that it is \(isUnseen ? "there" : "deleted"), and the mark beside the table does not.",
        remedy: StateFinding.restore)
    }
    guard record.flags.isDisjoint(with: [.unseen, .parked]), record.row == nil else { return nil }
    return StateFinding(
      .missingRow, shape, record.id, "The state has it, and its table does not.",
      remedy: Self.remedyForMissingRow)
  }

  private func difference(_ node: ProjectionNode) -> StateFinding? {
    let shape = node.access.shape
    guard let row = node.record.row else {
      return node.isPresent
        ? StateFinding(
          .row, shape, node.name.id, "Nothing keeps it out of its table any more, and it is not there.",
          remedy: "The next sync that brings something puts it there.") : nil
    }
    guard node.isPresent else {
      return StateFinding(
        .row, shape, node.name.id, "Its table shows it, though a rule of the schema keeps it out.",
        remedy: "Look at its references and unique values, and change them with `tributary sql`.")
    }
    let names = shape.fields.indices.filter { node.row[$0] != row[$0] }.map { shape.fields[$0].name }
    guard !names.isEmpty else { return nil }
    return StateFinding(
      .row, shape, node.name.id, "Its table shows another value of \(names.joined(separator: ", ")).",
      remedy: Self.remedyForValue)
  }
}

extension StateCheck {
  /// Looks for rows that the state knows nothing of, or knows as out of the table.
  func checkRows(_ access: RowAccess) throws {
    let shape = access.shape
    let keys = shape.key.map { quoted($0.name) }.joined(separator: ",")
    let statement = try connection.prepare("SELECT \(keys) FROM main.\(quoted(shape.name))")
    var ids: Set<RecordID> = []
    func flush() throws {
      try checkRows(access, ids.sorted())
      try count(rows: ids.count)
      ids.removeAll(keepingCapacity: true)
    }
    while try statement.step() {
      let key = shape.key.indices.map { statement.column($0) }
      guard let id = RecordID(key) else {
        try find(
          StateFinding(
            .extraRow, table: shape.name, key: key, "Its key cannot be synced.",
            remedy: "Another program wrote it. Give it a key without NULL, of at most 512 bytes."))
        continue
      }
      ids.insert(id)
      if ids.count == Self.batch { try flush() }
    }
    if !ids.isEmpty { try flush() }
  }

  /// In an adopted store, finds rows that were changed past the triggers.
  private func checkPrint(_ access: RowAccess, _ id: RecordID) throws {
    guard let prints, try !isUnsettled(access.shape.type, id), let row = try access.read(id, connection)
    else { return }
    let print = try prints.read(access.shape.type, id) ?? []
    let changed = RowPrints.changed(row, access.shape, since: print)
    let names = access.shape.fields.filter { changed.contains($0.field) }.map(\.name)
    guard !names.isEmpty else { return }
    try find(
      StateFinding(
        .row, access.shape, id,
        "Its \(names.joined(separator: ", ")) changed while nothing watched the table.",
        remedy: "`tributary check --repair` sends it as an edit of this device."))
  }

  private func checkRows(_ access: RowAccess, _ ids: [RecordID]) throws {
    let type = access.shape.type
    for (id, clock) in zip(ids, try tables.clocks.read(type: type, ids: ids)) {
      if clock != nil {
        let flags = try tables.overlay(type, id)?.flags ?? []
        if flags.isDisjoint(with: [.unseen, .parked]) {
          try checkPrint(access, id)
          continue
        }
      }
      if try isUnsettled(type, id) { continue }
      let message =
        clock == nil
        ? "Its table shows it, and the state knows nothing of it."
        : "Its table shows it, though the state has it as deleted or parked."
      try find(StateFinding(.extraRow, access.shape, id, message, remedy: Self.remedyForExtraRow))
    }
  }
}

extension StateCheck {
  static let remedyForValue =
    "Another program changed it. Write the value that you want with `tributary sql`; if it is the one that is shown, "
    + "write another one first."

  /// Compares the values of a sealed file with those that the state has under the same stamps. Within one
  /// ``StoreView/read(_:)`` with ``run()``, and after it.
  ///
  /// - Parameter source: names the file.
  package func compare(_ entries: [Entry], with source: String) throws {
    for (type, entries) in Dictionary(grouping: entries, by: \.name.type) {
      guard let access = tables.access(named: type), !unreadable.contains(access.shape.type) else { continue }
      let byID = Dictionary(grouping: entries, by: \.name.id)
      let keyCount = access.shape.key.count
      let ids = byID.keys.filter { $0.values?.count == keyCount }.sorted()
      for start in stride(from: 0, to: ids.count, by: Self.batch) {
        let batch = Array(ids[start..<min(start + Self.batch, ids.count)])
        for record in try tables.load(access, batch) where try !isUnsettled(access.shape.type, record.id) {
          for entry in byID[record.id] ?? [] { try compare(record, entry.change, access.shape, source) }
        }
      }
    }
  }

  private func compare(
    _ record: StoredRecord, _ change: RecordState, _ shape: TableShape, _ source: String
  ) throws {
    var compared = 0
    for field in change.fields {
      guard let theirs = field.register, let ours = record.state[field.name]?.register,
        ours.stamp == theirs.stamp, ours.life == theirs.life
      else { continue }
      compared += 1
      guard ours.value != theirs.value else { continue }
      let finding = StateFinding(
        .value, shape, record.id,
        "Its \(field.name) was changed in place: the sealed log of that edit has another value.",
        remedy: Self.remedyForValue)
      guard reportedValues.count < 10_000, reportedValues.insert(finding).inserted else { continue }
      try find(finding)
    }
    try count(values: compared)
  }
}
