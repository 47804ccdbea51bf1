public import TributaryModel
public import TributaryStore

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Data
#else
  public import struct Foundation.Data
#endif

/// What can be bound to a parameter of a statement. A type of an app may conform by naming its value.
public protocol ValueConvertible {
  /// The value that SQLite gets.
  var sqlValue: Value { get }
}

extension Value: ValueConvertible {
  /// The value itself.
  public var sqlValue: Value { self }
}

extension String: ValueConvertible {
  /// Text.
  public var sqlValue: Value { .text(self) }
}

extension Int: ValueConvertible {
  /// An integer.
  public var sqlValue: Value { .integer(Int64(self)) }
}

extension Int64: ValueConvertible {
  /// An integer.
  public var sqlValue: Value { .integer(self) }
}

extension Double: ValueConvertible {
  /// A real number.
  public var sqlValue: Value { .real(self) }
}

/// Booleans are the integers 0 and 1.
extension Bool: ValueConvertible {
  /// 0 or 1.
  public var sqlValue: Value { .integer(self ? 1 : 0) }
}

extension Data: ValueConvertible {
  /// A blob.
  public var sqlValue: Value { .blob([UInt8](self)) }
}

extension Array: ValueConvertible where Element == UInt8 {
  /// A blob.
  public var sqlValue: Value { .blob(self) }
}

/// Nil is NULL.
extension Optional: ValueConvertible where Wrapped: ValueConvertible {
  /// The wrapped value, or NULL.
  public var sqlValue: Value { self?.sqlValue ?? .null }
}

extension Database {
  /// Runs one statement, with Swift values bound to its parameters in order.
  ///
  /// - Throws: as `execute` with plain values does.
  public func execute(_ sql: String, _ values: [any ValueConvertible]) throws {
    try execute(sql, values.map(\.sqlValue))
  }

  /// Runs one statement, with Swift values bound to its parameters in order, and returns its rows.
  ///
  /// - Throws: as `rows` with plain values does.
  public func rows(_ sql: String, _ values: [any ValueConvertible]) throws -> [Row] {
    try rows(sql, values.map(\.sqlValue))
  }

  /// The first value of the first row, or nil when there is no row.
  ///
  /// - Throws: as `value` with plain values does.
  public func value(_ sql: String, _ values: [any ValueConvertible]) throws -> Value? {
    try value(sql, values.map(\.sqlValue))
  }
}
