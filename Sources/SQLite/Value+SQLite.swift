import CSQLite
package import TributaryModel

extension Value {
  /// Copies a `sqlite3_value`, as hooks and functions receive it, with the exact bytes of text and blobs.
  package init(copying value: OpaquePointer) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: self = .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: self = .real(sqlite3_value_double(value))
    case SQLITE_TEXT: self = .text([UInt8](Value.bytes(of: value)))
    case SQLITE_BLOB: self = .blob([UInt8](Value.bytes(of: value)))
    default: self = .null
    }
  }

  /// The bytes of a `sqlite3_value` in SQLite's memory: valid only until the callback returns.
  package static func bytes(of value: OpaquePointer) -> UnsafeRawBufferPointer {
    let start: UnsafeRawPointer? =
      sqlite3_value_type(value) == SQLITE_BLOB
      ? sqlite3_value_blob(value)
      : sqlite3_value_text(value).map { UnsafeRawPointer($0) }
    guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }
}
