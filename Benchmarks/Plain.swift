import CSQLite
import Tributary

/// Plain SQLite doing the same work through one prepared statement a call: what the ratios are measured against.
final class Plain {
  private(set) var handle: OpaquePointer?
  let path: String

  init(_ path: String) {
    self.path = path
    sqlite3_open(path, &handle)
    run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL")
    run(
      "CREATE TABLE item(id TEXT PRIMARY KEY NOT NULL, title TEXT, body TEXT, n INTEGER, r REAL, updated INTEGER)"
    )
  }

  func run(_ sql: String) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    precondition(code == SQLITE_OK, "\(sql): \(String(cString: sqlite3_errmsg(handle)))")
  }

  func close() { sqlite3_close_v2(handle) }

  /// Runs one statement over all rows, all in one transaction or each in its own.
  func each(_ sql: String, _ rows: [[Value]], oneTransactionEach: Bool = false) {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    if !oneTransactionEach { run("BEGIN IMMEDIATE") }
    for row in rows {
      if oneTransactionEach { run("BEGIN IMMEDIATE") }
      for (index, value) in row.enumerated() { bind(statement, Int32(index + 1), value) }
      sqlite3_step(statement)
      sqlite3_reset(statement)
      if oneTransactionEach { run("COMMIT") }
    }
    if !oneTransactionEach { run("COMMIT") }
    sqlite3_finalize(statement)
  }

  /// Reads every row and writes its values into one run of bytes, as a program without the engine would to send them.
  func selectAndEncode() -> Int {
    var statement: OpaquePointer?
    sqlite3_prepare_v2(handle, "SELECT id,title,body,n,r,updated FROM item ORDER BY id", -1, &statement, nil)
    var bytes: [UInt8] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      for column in 0..<Int32(6) { append(statement, column, &bytes) }
    }
    sqlite3_finalize(statement)
    return bytes.count
  }

  private func append(_ statement: OpaquePointer?, _ column: Int32, _ bytes: inout [UInt8]) {
    let type = sqlite3_column_type(statement, column)
    bytes.append(UInt8(type))
    if type == SQLITE_INTEGER || type == SQLITE_FLOAT {
      let number = sqlite3_column_int64(statement, column)
      withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    } else if type == SQLITE_TEXT {
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      withUnsafeBytes(of: UInt32(count)) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
    }
  }

  private func bind(_ statement: OpaquePointer?, _ index: Int32, _ value: Value) {
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .integer(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let bytes):
      bytes.withUnsafeBytes {
        _ = sqlite3_bind_text(
          statement, index, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count), copied)
      }
    case .blob(let bytes):
      bytes.withUnsafeBytes {
        _ = sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), copied)
      }
    }
  }
}
