/// One SQLite value, kept exactly: text is bytes, since SQLite stores text that is not UTF-8 and text with NUL.
///
/// Equality is equality of content: `-0.0` and `0.0` differ, as their bytes do.
public enum Value: Sendable {
  /// SQL NULL.
  case null
  /// A 64-bit signed integer.
  case integer(Int64)
  /// A 64-bit IEEE number. SQLite stores NaN as NULL, so NaN never appears.
  case real(Double)
  /// Text in SQLite's encoding, UTF-8 by convention but not by force.
  case text([UInt8])
  /// Bytes.
  case blob([UInt8])

  /// Text from a string.
  public static func text(_ string: String) -> Value { .text(Array(string.utf8)) }

  /// The text as a string, with invalid UTF-8 replaced; nil for other kinds.
  public var string: String? {
    if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
  }

  /// The integer, or nil for other kinds.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// Whether this is SQL NULL.
  public var isNull: Bool { if case .null = self { true } else { false } }

  /// A number for the kind, in SQLite's own order of kinds.
  package var rank: UInt8 {
    switch self {
    case .null: 0
    case .integer: 1
    case .real: 2
    case .text: 3
    case .blob: 4
    }
  }
}

extension Value: Hashable {
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let a), .integer(let b)): a == b
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)):
      a.count == b.count && ByteOrder.compare(a, b) == 0
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(rank)
    switch self {
    case .null: break
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value.bitPattern)
    case .text(let bytes), .blob(let bytes): bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
  }
}

/// A total order on content, the same on every device. It breaks ties; it is not SQL's collation.
extension Value: Comparable {
  public static func < (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a.totalOrderKey < b.totalOrderKey
    case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)): ByteOrder.compare(a, b) < 0
    default: left.rank < right.rank
    }
  }
}

extension Double {
  /// The bits, mapped so that unsigned order is IEEE total order.
  package var totalOrderKey: UInt64 {
    let bits = bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }
}
