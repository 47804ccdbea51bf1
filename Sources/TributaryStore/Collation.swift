import TributaryModel

/// SQLite's own collations, as far as they make different texts equal.
package enum Collation {
  package static let binary = "BINARY"

  /// What stands for all values that the collation holds equal to this one. A collation of an app's own is not known
  /// here, and taken for BINARY.
  static func folded(_ value: Value, _ collation: String) -> Value {
    guard case .text(var bytes) = value else { return value }
    switch collation.sqlFolded {
    case "nocase":
      for index in bytes.indices where (0x41...0x5A).contains(bytes[index]) { bytes[index] |= 0x20 }
    case "rtrim":
      while bytes.last == 0x20 { bytes.removeLast() }
    default: return value
    }
    return .text(bytes)
  }
}
