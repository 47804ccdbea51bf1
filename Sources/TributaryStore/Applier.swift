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

  /// Applies entries of known types, in any order. Local edits must be settled before. Returns the records that had to be
  /// worked out, with the rows that they now should have; the others show what their entries say.
  func apply(_ entries: [Entry], _ report: inout ApplyReport) throws -> [ProjectionNode.Name: StoredRecord] {
    let entries = entries.isInOrder ? entries : entries.sorted { $0.name < $1.name }
    let isDirect = try DirectWriter.isPossible(tables.connection)
    var changed: [(access: RowAccess, records: [StoredRecord])] = []
    var start = 0
    while start < entries.count {
      let type = entries[start].name.type
      let end = entries[start...].firstIndex { !$0.name.type.isSame(as: type) } ?? entries.count
      defer { start = end }
      guard let access = tables.access(named: type) else { continue }
      let left = isDirect ? try write(entries[start..<end], access, &report) : Array(entries[start..<end])
      if !left.isEmpty { changed.append((access, try merge(left, access, &report))) }
    }
    return isDirect && changed.isEmpty ? [:] : try project(changed)
  }

  /// Writes what needs no working out; returns the rest.
  private func write(
    _ entries: ArraySlice<Entry>, _ access: RowAccess, _ report: inout ApplyReport
  ) throws -> [Entry] {
    var writer = try DirectWriter(tables, access, isConcurrent: isConcurrent)
    try writer.write(entries)
    report.changed += writer.changed
    return writer.left
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

extension [Entry] {
  fileprivate var isInOrder: Bool {
    for index in indices.dropFirst() where self[index].name < self[index - 1].name { return false }
    return true
  }
}
