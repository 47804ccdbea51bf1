import TributaryModel

/// What the table does not show of one record: values that are not in its row.
struct Overlay {
  struct Flags: OptionSet, Hashable {
    let rawValue: Int64
    /// Deleted, or not inserted yet: no row, the last values are here.
    static let unseen = Flags(rawValue: 1)
    /// Visible by its state, but a constraint keeps it out of the table.
    static let parked = Flags(rawValue: 2)
    /// In the table with a value that differs from the state.
    static let repaired = Flags(rawValue: 4)
    /// Has fields that this build's table does not have.
    static let kept = Flags(rawValue: 8)
  }

  var flags: Flags
  /// Register values that the row does not hold, by field number.
  var values: [Int: Value]
  /// Counters and sets, whole, by field number. Both are there at once only where builds break the additive rule.
  var mergeables: [Int: [Field.Content]]

  init(flags: Flags = [], values: [Int: Value] = [:], mergeables: [Int: [Field.Content]] = [:]) {
    self.flags = flags
    self.values = values
    self.mergeables = mergeables
  }

  /// Whether there is anything to keep.
  var isEmpty: Bool { flags.isEmpty && values.isEmpty && mergeables.isEmpty }
}
