import CSQLite
package import TributaryModel

/// The kind of a value as it is stored.
package enum ColumnType: Int32, Sendable {
  /// A 64-bit integer.
  case integer = 1
  /// A floating-point number.
  case real = 2
  /// Text.
  case text = 3
  /// Bytes.
  case blob = 4
  /// NULL.
  case null = 5
}

/// Columns of the current row, counted from 0. Without a row, every column is NULL.
extension Statement {
  /// Number of columns of a row; may change when the schema does.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// The name of a column, or nil when there is no such column.
  package func columnName(_ index: Int) -> String? {
    sqlite3_column_name(handle, number(index)).map { String(cString: $0) }
  }

  /// The table that a column comes from, whatever the statement calls it; nil for an expression.
  package func columnTable(_ index: Int) -> String? {
    sqlite3_column_table_name(handle, number(index)).map { String(cString: $0) }
  }

  /// The kind of the value.
  package func columnType(_ index: Int) -> ColumnType {
    ColumnType(rawValue: sqlite3_column_type(handle, number(index))) ?? .null
  }

  /// The value, copied, with the exact bytes of text and blobs.
  ///
  /// Should memory run out meanwhile, the next ``step()`` throws.
  package func column(_ index: Int) -> Value {
    switch columnType(index) {
    case .null: .null
    case .integer: .integer(integer(index))
    case .real: .real(real(index))
    case .text: .text([UInt8](bytes(index)))
    case .blob: .blob([UInt8](bytes(index)))
    }
  }

  /// The integer, converted by SQLite's rules when the value is of another kind.
  package func integer(_ index: Int) -> Int64 { sqlite3_column_int64(handle, number(index)) }

  /// The number, converted by SQLite's rules when the value is of another kind.
  package func real(_ index: Int) -> Double { sqlite3_column_double(handle, number(index)) }

  /// The bytes of text, as UTF-8, or of a blob, in SQLite's memory: valid until the next step or reset.
  /// NULL has none; a number gives its digits.
  package func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    let column = number(index)
    // Text is asked for as text first, so that a UTF-16 database hands out UTF-8 as well.
    let start: UnsafeRawPointer? =
      sqlite3_column_type(handle, column) == SQLITE_BLOB
      ? sqlite3_column_blob(handle, column)
      : sqlite3_column_text(handle, column).map { UnsafeRawPointer($0) }
    guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
  }

  /// All columns of the current row.
  package func row() -> [Value] {
    let count = columnCount
    var values: [Value] = []
    values.reserveCapacity(count)
    for index in 0..<count { values.append(column(index)) }
    return values
  }

  /// A number out of SQLite's range becomes -1, which SQLite answers with NULL.
  @inline(__always)
  private func number(_ index: Int) -> Int32 { Int32(exactly: index) ?? -1 }
}
