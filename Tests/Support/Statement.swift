package import TributaryModel

/// One SQL statement with the values for its parameters.
package struct Statement: Sendable, Hashable {
  package var sql: String
  package var values: [Value]

  package init(_ sql: String, _ values: [Value] = []) {
    self.sql = sql
    self.values = values
  }
}

extension Value {
  /// The value as SQL writes it; of a blob longer than a row of a trace wants, the beginning and the length.
  package var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let bytes):
      "'"
        + String(decoding: bytes, as: UTF8.self).split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "''") + "'"
    case .blob(let bytes):
      "x'" + bytes.prefix(64).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        + (bytes.count <= 64 ? "'" : "…' of \(bytes.count) bytes")
    }
  }
}
