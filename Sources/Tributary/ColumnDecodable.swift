import TributaryModel

#if canImport(FoundationEssentials)
  import struct FoundationEssentials.Data
#else
  import struct Foundation.Data
#endif

/// A type that is read from one value of SQLite without loss; nil when the value does not fit.
protocol ColumnDecodable {
  init?(column: Value)
}

extension ColumnDecodable where Self: FixedWidthInteger {
  init?(column: Value) {
    guard let integer = column.integer else { return nil }
    self.init(exactly: integer)
  }
}

extension Int: ColumnDecodable {}
extension Int8: ColumnDecodable {}
extension Int16: ColumnDecodable {}
extension Int32: ColumnDecodable {}
extension Int64: ColumnDecodable {}
extension UInt: ColumnDecodable {}
extension UInt8: ColumnDecodable {}
extension UInt16: ColumnDecodable {}
extension UInt32: ColumnDecodable {}
extension UInt64: ColumnDecodable {}

/// Whole numbers in a column without a declared type may be stored as integers.
extension Double: ColumnDecodable {
  init?(column: Value) {
    switch column {
    case .real(let number): self = number
    case .integer(let integer): self.init(exactly: integer)
    default: return nil
    }
  }
}

extension Float: ColumnDecodable {
  init?(column: Value) {
    guard let number = Double(column: column) else { return nil }
    self.init(number)
  }
}

extension Bool: ColumnDecodable {
  init?(column: Value) {
    switch column {
    case .integer(0): self = false
    case .integer(1): self = true
    default: return nil
    }
  }
}

extension String: ColumnDecodable {
  init?(column: Value) {
    guard case .text(let bytes) = column else { return nil }
    self.init(decoding: bytes, as: UTF8.self)
    // Invalid bytes would be replaced, and lost when the string is written back.
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}

extension Data: ColumnDecodable {
  init?(column: Value) {
    guard case .blob(let bytes) = column else { return nil }
    self.init(bytes)
  }
}

extension Array: ColumnDecodable where Element == UInt8 {
  init?(column: Value) {
    guard case .blob(let bytes) = column else { return nil }
    self = bytes
  }
}
