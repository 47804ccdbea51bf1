/// What a schema may measure at most.
package enum SchemaLimits {
  /// UTF-8 bytes of a name.
  package static let name = 128
  /// Tables of a schema.
  package static let tables = 1_000
  /// Columns of a table: SQLite's own limit.
  package static let columns = 2_000
  /// Groups, unique sets, references and indexes of a table, each.
  package static let rules = 1_000
  /// Lines of what a description cannot carry, and the bytes of one.
  package static let omissions = 200
  package static let omission = 300
  /// Bytes of a default text or blob.
  package static let defaultValue = 64 << 10
}

extension String {
  /// The name as SQLite compares names: case does not count, but only that of ASCII letters.
  package var sqlFolded: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
