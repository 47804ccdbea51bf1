import TributaryModel

/// A value in an adopted table that cannot travel.
struct UnfitValue {
  let table: String
  let column: String
  let problem: String

  func error(_ key: [Value]) -> StoreError {
    let shown = key.map { "\($0)" }.joined(separator: ", ")
    return StoreError(
      .refusedValue,
      "The value of \(table).\(column) in the row with the key \(shown) cannot be synced: it \(problem). Nothing was "
        + "sent; change it, and sync again.")
  }
}

extension TableShape {
  /// What cannot travel of a row; nil if all of it can.
  func problem(with row: [Value]) -> UnfitValue? {
    for (index, field) in fields.enumerated() {
      switch row[index] {
      case .text(let bytes) where bytes.count > ValueRule.largestSize,
        .blob(let bytes) where bytes.count > ValueRule.largestSize:
        return UnfitValue(
          table: name, column: field.name, problem: "is larger than 16 MiB (store it as a file)")
      default: continue
      }
    }
    return nil
  }
}
