import SQLite
import TributaryModel

/// Works out which rows the tables show, as a pure function of the state, for the records that a change can affect.
///
/// 1. Foreign keys: from all visible records the greatest set is kept in which every reference holds; a reference
///    that may be NULL is shown as NULL, else its record is parked.
/// 2. Unique values: among those, later edits claim first; who comes late shows NULL, or is parked.
/// 3. Foreign keys once more, for what step 2 took away. A value freed here stays free.
///
/// Every record that is parked or repaired takes part each time, so that a repair ends with its cause. All others
/// show their state, so the database itself answers for them.
final class Projector {
  let tables: StateTables
  private var nodes: [ProjectionNode.Name: ProjectionNode] = [:]
  private let children: [String: [(access: RowAccess, key: TableShape.ForeignKey)]]

  init(_ tables: StateTables) {
    self.tables = tables
    var children: [String: [(access: RowAccess, key: TableShape.ForeignKey)]] = [:]
    for shape in tables.shapes {
      for key in shape.foreignKeys {
        if let access = tables.access(shape.type) { children[key.parent, default: []].append((access, key)) }
      }
    }
    self.children = children
  }

  /// Whether a record of this table can be repaired, or can cause a repair.
  func isConstrained(_ shape: TableShape) -> Bool {
    !shape.foreignKeys.isEmpty || !shape.unique.isEmpty || children[shape.name] != nil
  }

  /// Brings the given records into the work, with their new states.
  func add(_ access: RowAccess, _ records: [StoredRecord]) {
    for record in records {
      let name = ProjectionNode.Name(type: access.shape.type, id: record.id)
      nodes[name] = ProjectionNode(name, access, record)
    }
  }

  /// Works out the projection and returns every record that took part, in order.
  func resolve() throws -> [ProjectionNode] {
    try addRepaired()
    for node in nodes.values { node.restart() }
    try keepReferences()
    try keepUnique()
    try keepReferences()
    return nodes.values.sorted { $0.name < $1.name }
  }

  private func addRepaired() throws {
    for shape in tables.shapes where isConstrained(shape) {
      guard let access = tables.access(shape.type) else { continue }
      try bring(access, tables.ids(shape.type, flagged: [.parked, .repaired]))
    }
  }

  @discardableResult
  private func bring(_ access: RowAccess, _ ids: [RecordID]) throws -> [ProjectionNode] {
    let missing = ids.filter { nodes[ProjectionNode.Name(type: access.shape.type, id: $0)] == nil }
    var brought: [ProjectionNode] = []
    for record in try tables.load(access, Array(Set(missing)).sorted()) {
      let name = ProjectionNode.Name(type: access.shape.type, id: record.id)
      let node = ProjectionNode(name, access, record)
      node.restart()
      nodes[name] = node
      brought.append(node)
    }
    return brought
  }
}

// MARK: - References

extension Projector {
  /// Removes and repairs until every reference of every present record holds.
  private func keepReferences() throws {
    var waiting = nodes.values.sorted { $0.name < $1.name }
    var checkedAbsence: Set<ProjectionNode.Name> = []
    while !waiting.isEmpty {
      var changed = false
      for node in waiting where node.isPresent { changed = try checkReferences(of: node) || changed }
      var brought: [ProjectionNode] = []
      for node in nodes.values where checkedAbsence.insert(node.name).inserted || !node.isPresent {
        brought += try bringChildren(of: node)
      }
      waiting = changed || !brought.isEmpty ? nodes.values.sorted { $0.name < $1.name } : []
    }
  }

  /// Repairs one record's references; whether anything changed.
  private func checkReferences(of node: ProjectionNode) throws -> Bool {
    var changed = false
    for key in node.access.shape.foreignKeys where node.isPresent {
      guard let values = node.values(key.columns, in: node.row), !values.contains(where: \.isNull) else {
        continue
      }
      if try holds(key, values) { continue }
      changed = true
      if !showNull(key.columns, node) { node.isPresent = false }
    }
    return changed
  }

  private func showNull(_ columns: [String], _ node: ProjectionNode) -> Bool {
    var shown = false
    for (index, field) in node.access.shape.fields.enumerated() where columns.contains(field.name) {
      guard field.takesNull, !field.isNotNull else { continue }
      node.row[index] = .null
      shown = true
    }
    return shown
  }

  private func holds(_ key: TableShape.ForeignKey, _ values: [Value]) throws -> Bool {
    guard let parent = tables.access(named: key.parent) else { return true }
    let type = parent.shape.type
    if parent.shape.key.map(\.name) == key.parentColumns, let id = RecordID(values) {
      if let node = nodes[ProjectionNode.Name(type: type, id: id)] { return node.isPresent }
      return try parent.read(id, tables.connection) != nil
    }
    for id in try parent.find(key.parentColumns, values, tables.connection)
    where nodes[ProjectionNode.Name(type: type, id: id)] == nil { return true }
    // A row whose key is too long or NULL is no record, and yet there.
    if try parent.hasKeyless(key.parentColumns, values, tables.connection) { return true }
    return nodes.values.contains { node in
      node.name.type == type && node.isPresent && node.values(key.parentColumns, in: node.row) == values
    }
  }

  /// Rows that refer to what the table still shows of a record that leaves, or whose referred values change.
  private func bringChildren(of node: ProjectionNode) throws -> [ProjectionNode] {
    guard let old = node.record.row, let links = children[node.access.shape.name] else { return [] }
    var brought: [ProjectionNode] = []
    for (access, key) in links {
      guard let before = node.values(key.parentColumns, in: old), !before.contains(where: \.isNull) else {
        continue
      }
      if node.isPresent, node.values(key.parentColumns, in: node.row) == before { continue }
      brought += try bring(access, try access.find(key.columns, before, tables.connection))
    }
    return brought
  }
}

// MARK: - Unique values

extension Projector {
  private struct Claim: Hashable {
    let type: Int64
    let constraint: Int
    let values: [Value]
  }

  private func keepUnique() throws {
    var waiting = nodes.values.filter { $0.isPresent && !$0.access.shape.unique.isEmpty }
    waiting.sort { Self.isBefore($0, $1) }
    var claims: Set<Claim> = []
    while let node = waiting.popLast() {
      var own: [Claim] = []
      for constraint in node.access.shape.unique.indices where node.isPresent {
        guard let claim = claim(node, constraint) else { continue }
        let rivals = try rivals(of: node, claim)
        let loses = claims.contains(claim) || rivals.contains { Self.isBefore(node, $0) }
        if !loses {
          own.append(claim)
          for rival in rivals where nodes[rival.name] == nil { insert(rival, into: &waiting) }
        } else if !showNullLast(node.access.shape.unique[constraint].columns, node) {
          node.isPresent = false
        }
      }
      if node.isPresent { claims.formUnion(own) }
    }
  }

  private func claim(_ node: ProjectionNode, _ constraint: Int) -> Claim? {
    let set = node.access.shape.unique[constraint]
    let values = node.values(set.columns, in: node.row)
    guard let values, !values.contains(where: \.isNull) else { return nil }
    return Claim(
      type: node.name.type, constraint: constraint, values: zip(values, set.collations).map(Collation.folded))
  }

  /// Untouched records of the table that show the claimed values now.
  private func rivals(of node: ProjectionNode, _ claim: Claim) throws -> [ProjectionNode] {
    let set = node.access.shape.unique[claim.constraint]
    let ids = try node.access.find(set, claim.values, tables.connection).filter {
      nodes[ProjectionNode.Name(type: claim.type, id: $0)] == nil
    }
    return try tables.load(node.access, ids.sorted()).map { record in
      let rival = ProjectionNode(ProjectionNode.Name(type: claim.type, id: record.id), node.access, record)
      rival.restart()
      return rival
    }
  }

  private func insert(_ node: ProjectionNode, into waiting: inout [ProjectionNode]) {
    nodes[node.name] = node
    let index = waiting.firstIndex { Self.isBefore(node, $0) } ?? waiting.count
    waiting.insert(node, at: index)
  }

  /// The later claim is the greater; identities break ties.
  private static func isBefore(_ left: ProjectionNode, _ right: ProjectionNode) -> Bool {
    let (a, b) = (left.claim, right.claim)
    return a == b ? left.name < right.name : a < b
  }

  private func showNullLast(_ columns: [String], _ node: ProjectionNode) -> Bool {
    for name in columns.reversed() where showNull([name], node) { return true }
    return false
  }
}
