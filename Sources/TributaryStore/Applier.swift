import TributaryModel

/// What one batch did to the state.
package struct ApplyReport: Sendable {
  /// Records whose state changed.
  package var changed = 0
  /// Values that lost to a concurrent edit.
  package var conflicts: [Conflict] = []

  /// Of nothing.
  package init() {}
}

/// Merges admitted entries into the state and projects what changed. Runs inside the caller's transaction, with
/// foreign-key actions and capture off.
struct Applier {
  let tables: StateTables
  /// Whether the edit with the first stamp was made without knowledge of the one with the second.
  let isConcurrent: (_ later: Stamp, _ earlier: Stamp) -> Bool

  /// - Parameter isConcurrent: not asked where nothing is merged.
  init(
    _ tables: StateTables,
    isConcurrent: @escaping (_ later: Stamp, _ earlier: Stamp) -> Bool = { _, _ in false }
  ) {
    self.tables = tables
    self.isConcurrent = isConcurrent
  }

  /// Applies entries of known types, in any order. Local edits must be settled before. Returns the records that were
  /// written, with the rows that they now should have.
  func apply(_ entries: [Entry], _ report: inout ApplyReport) throws -> [ProjectionNode.Name: StoredRecord] {
    var changed: [(access: RowAccess, records: [StoredRecord])] = []
    for (type, entries) in Dictionary(grouping: entries, by: \.name.type).sorted(by: {
      $0.key.isBefore($1.key)
    }) {
      guard let access = tables.access(named: type) else { continue }
      changed.append((access, try merge(entries, access, &report)))
    }
    return try project(changed)
  }

  /// Projects the given records, and every repaired one with them. An empty list re-examines the repaired ones.
  func project(
    _ changed: [(access: RowAccess, records: [StoredRecord])]
  ) throws -> [ProjectionNode.Name: StoredRecord] {
    let projector = Projector(tables)
    for (access, records) in changed { projector.add(access, records) }
    let writer = ProjectionWriter(connection: tables.connection)
    var nodes = try projector.resolve()
    // A row that the database refuses is parked, which can take others with it; each round parks at least one more.
    while try !writer.write(nodes).isEmpty { nodes = try projector.resolve() }
    try save(nodes)
    return Dictionary(nodes.map { ($0.name, $0.record) }) { $1 }
  }

  private func save(_ nodes: [ProjectionNode]) throws {
    for (type, nodes) in Dictionary(grouping: nodes, by: \.name.type).sorted(by: { $0.key < $1.key }) {
      guard let access = tables.access(type) else { continue }
      let records = nodes.map { node in
        var record = node.record
        record.flags = node.flags
        return record
      }
      try tables.save(access, records)
    }
    if let prints = tables.prints { for node in nodes { prints.note(node.name) } }
  }

  private func merge(_ entries: [Entry], _ access: RowAccess, _ report: inout ApplyReport) throws
    -> [StoredRecord]
  {
    let byID = Dictionary(grouping: entries, by: \.name.id)
    let ids = byID.keys.sorted()
    var changed: [StoredRecord] = []
    for var record in try tables.load(access, ids) {
      let before = record.state
      for entry in byID[record.id] ?? [] {
        report.conflicts += conflicts(record.state, entry, access.shape)
        record.state.join(entry.change)
      }
      if record.state != before { changed.append(record) }
    }
    report.changed += changed.count
    return changed
  }
}
