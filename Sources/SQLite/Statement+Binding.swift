import CSQLite
package import TributaryModel

/// How long the bytes given to a statement live.
package enum BindingLifetime: Sendable {
  /// SQLite copies them at once.
  case copied
  /// The caller keeps them in place until the parameter is bound anew or cleared. Saves the copy in hot loops.
  case borrowed
}

/// Tells SQLite to copy. The header's macro is a cast that is not imported.
nonisolated(unsafe) private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

extension Statement {
  /// Sets parameter `index`, counted from 1, copying the bytes of text and blobs.
  ///
  /// - Throws: ``DatabaseError`` with `.range` for a number that the statement lacks, `.tooBig` over the limit
  ///   of length, `.misuse` if the statement is in the middle of its rows.
  package func bind(_ index: Int, _ value: Value) throws {
    switch value {
    case .null: try check(sqlite3_bind_null(handle, number(index)))
    case .integer(let integer): try bindInteger(index, integer)
    case .real(let real): try bindReal(index, real)
    case .text(let bytes): try bytes.withUnsafeBytes { try bindText(index, $0) }
    case .blob(let bytes): try bytes.withUnsafeBytes { try bindBlob(index, $0) }
    }
  }

  /// Sets parameter `index` to an integer.
  package func bindInteger(_ index: Int, _ value: Int64) throws {
    try check(sqlite3_bind_int64(handle, number(index), value))
  }

  /// Sets parameter `index` to a number; NaN becomes NULL, since SQLite has no NaN.
  package func bindReal(_ index: Int, _ value: Double) throws {
    try check(sqlite3_bind_double(handle, number(index), value))
  }

  /// Sets parameter `index` to text, given as UTF-8. NUL and invalid UTF-8 are kept as they are.
  package func bindText(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, _ lifetime: BindingLifetime = .copied
  ) throws {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      // A null pointer would mean NULL.
      return try check(sqlite3_bind_text(handle, number(index), "", 0, transient))
    }
    let release = lifetime == .copied ? transient : nil
    try check(
      sqlite3_bind_text64(
        handle, number(index), base.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), release,
        UInt8(SQLITE_UTF8)))
  }

  /// Sets parameter `index` to bytes. No bytes make an empty blob, not NULL.
  package func bindBlob(
    _ index: Int, _ bytes: UnsafeRawBufferPointer, _ lifetime: BindingLifetime = .copied
  ) throws {
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      return try check(sqlite3_bind_zeroblob(handle, number(index), 0))
    }
    let release = lifetime == .copied ? transient : nil
    try check(sqlite3_bind_blob64(handle, number(index), base, UInt64(bytes.count), release))
  }

  /// Sets all parameters, in order; there must be as many values as parameters.
  package func bindAll(_ values: [Value]) throws {
    guard values.count == parameterCount else {
      throw DatabaseError(
        .range,
        "The statement takes \(parameterCount) value\(parameterCount == 1 ? "" : "s"), but was given \(values.count).",
        sql: sql)
    }
    for index in values.indices { try bind(index + 1, values[index]) }
  }

  /// A number out of SQLite's range becomes 0, which SQLite refuses with an error.
  @inline(__always)
  private func number(_ index: Int) -> Int32 { Int32(exactly: index) ?? 0 }

  @inline(__always)
  private func check(_ code: Int32) throws {
    if code != SQLITE_OK { throw failure(code) }
  }
}
