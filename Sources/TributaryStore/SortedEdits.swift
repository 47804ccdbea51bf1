import TributaryModel

/// Changes of several transactions in the order of types and identities, those of one record oldest first.
struct SortedEdits {
  private let edits: [(Moment, LocalChange)]

  /// - Parameter transactions: oldest first.
  init(_ transactions: [(moment: Moment, changes: [LocalChange])]) {
    var edits: [(Moment, LocalChange)] = []
    edits.reserveCapacity(transactions.reduce(0) { $0 + $1.changes.count })
    for (moment, changes) in transactions { for change in changes { edits.append((moment, change)) } }
    self.edits = Self.isInOrder(edits) ? edits : Self.sorted(edits)
  }

  var count: Int { edits.count }

  subscript(index: Int) -> (Moment, LocalChange) { edits[index] }

  /// The places of each record's changes.
  func records(in range: Range<Int>) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    groups.reserveCapacity(range.count)
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start + 1
      while end < range.upperBound, edits[end].1.id == edits[start].1.id { end += 1 }
      groups.append(start..<end)
      start = end
    }
    return groups
  }

  /// The changes of one transaction come in order.
  private static func isInOrder(_ edits: [(Moment, LocalChange)]) -> Bool {
    for index in edits.indices.dropFirst() where isBefore(edits[index].1, edits[index - 1].1) { return false }
    return true
  }

  private static func sorted(_ edits: [(Moment, LocalChange)]) -> [(Moment, LocalChange)] {
    let order = edits.indices.sorted { left, right in
      let (one, other) = (edits[left].1, edits[right].1)
      if isBefore(one, other) { return true }
      return !isBefore(other, one) && left < right
    }
    return order.map { edits[$0] }
  }

  private static func isBefore(_ left: LocalChange, _ right: LocalChange) -> Bool {
    left.type == right.type ? left.id < right.id : left.type < right.type
  }
}
