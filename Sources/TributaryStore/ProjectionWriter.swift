import SQLite
import TributaryModel

/// Writes worked-out projections into the tables: what leaves first, then what changes, then what is new.
struct ProjectionWriter {
  let connection: Connection

  /// Writes the rows; returns the records that the database refused, with their reason set.
  func write(_ nodes: [ProjectionNode]) throws -> [ProjectionNode] {
    for node in nodes where !node.isPresent && node.record.row != nil {
      try node.access.delete(node.name.id, connection)
      node.record.row = nil
    }
    var refused = try update(nodes.filter { $0.isPresent && $0.record.row != nil })
    for node in nodes where node.isPresent && node.record.row == nil && node.refusal == nil {
      if try !attempt(node, { try node.access.insert(node.name.id, node.row, connection) }) {
        refused.append(node)
      }
    }
    return refused
  }

  /// Updates in rounds, since one record may wait for another to leave a unique value; what then still waits is a
  /// circle, which is taken out and put in again.
  private func update(_ nodes: [ProjectionNode]) throws -> [ProjectionNode] {
    var waiting = nodes.filter { !changed($0).isEmpty }
    var refused: [ProjectionNode] = []
    while !waiting.isEmpty {
      var left: [ProjectionNode] = []
      for node in waiting {
        do {
          try node.access.update(node.name.id, node.row, changed(node), connection)
          if try isIgnored(node) { refused.append(node) } else { shown(node) }
        } catch let error as DatabaseError where error.code == .constraintUnique {
          left.append(node)
        } catch let error as DatabaseError where connection.isRefusal(error) {
          node.refusal = error.message
          refused.append(node)
        }
      }
      if left.count == waiting.count { return refused + (try exchange(left)) }
      waiting = left
    }
    return refused
  }

  private func exchange(_ nodes: [ProjectionNode]) throws -> [ProjectionNode] {
    for node in nodes {
      try node.access.delete(node.name.id, connection)
      node.record.row = nil
    }
    return try nodes.filter { node in
      try !attempt(node) { try node.access.insert(node.name.id, node.row, connection) }
    }
  }

  private func attempt(_ node: ProjectionNode, _ body: () throws -> Void) throws -> Bool {
    do {
      try body()
      if try isIgnored(node) { return false }
      shown(node)
      return true
    } catch let error as DatabaseError where connection.isRefusal(error) {
      node.refusal = error.message
      return false
    }
  }

  /// Whether a trigger of the app made the last statement do nothing, without an error.
  private func isIgnored(_ node: ProjectionNode) throws -> Bool {
    guard connection.changes == 0 else { return false }
    node.refusal = "a trigger keeps the row out"
    return true
  }

  private func changed(_ node: ProjectionNode) -> [Int] {
    guard let old = node.record.row else { return [] }
    return node.row.indices.filter { old[$0] != node.row[$0] }
  }

  private func shown(_ node: ProjectionNode) {
    let extra = node.record.row.map { Array($0.dropFirst(node.row.count)) }
    let missing = node.access.columns.count - node.row.count
    node.record.row = node.row + (extra ?? [Value](repeating: .null, count: missing))
  }
}
