package import TributaryModel

/// One SQL statement with the values for its parameters.
package struct Statement: Sendable, Hashable, CustomStringConvertible {
  package var sql: String
  package var values: [Value]

  package init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }

  package var description: String {
    values.isEmpty ? sql : sql + " [" + values.map(\.brief).joined(separator: ", ") + "]"
  }
}

extension Value {
  /// The value as a reader of a trace wants it: long ones are cut.
  package var brief: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let bytes):
      bytes.count <= 40 ? "'\(string ?? "")'" : "'\(String(decoding: bytes.prefix(40), as: UTF8.self))…'"
    case .blob(let bytes):
      "x'" + bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        + (bytes.count <= 16 ? "" : "(\(bytes.count) bytes)")
    }
  }
}

extension Value {
  /// The value as SQL writes it, whole.
  package var literal: String {
    switch self {
    case .text(let bytes):
      "'"
        + String(decoding: bytes, as: UTF8.self).split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    case .blob(let bytes):
      "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    default: brief
    }
  }
}
