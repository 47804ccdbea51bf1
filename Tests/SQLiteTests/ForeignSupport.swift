import CSQLite
import Foundation
import SQLite
import TestSupport

/// Writes bytes as a file.
func write(_ bytes: [UInt8], _ path: String) throws {
  try Data(bytes).write(to: URL(fileURLWithPath: path))
}

/// A database in a folder of its own, made by a connection that knows a function `appfn` and a collation `appcoll`, as
/// an app may. It is closed again.
func appDatabase(_ sql: String, in folder: TemporaryFolder) throws -> String {
  let path = folder.path("app.db")
  let connection = try Connection.open(path)
  try connection.createFunction(
    "appfn", argumentCount: -1, flags: [.deterministic], { context, _, _ in sqlite3_result_int64(context, 1) }
  )
  sqlite3_create_collation(connection.handle, "appcoll", SQLITE_UTF8, nil) { _, _, _, _, _ in 0 }
  try connection.execute(sql)
  connection.close()
  return path
}

/// A rollback journal without pages that names a super-journal, as a transaction over several databases leaves it.
func superJournal(naming name: String, pages: UInt32) -> [UInt8] {
  var bytes: [UInt8] = journalMagic
  // Pages in the journal, nonce, pages of the database, size of a sector, size of a page.
  for number in [0, 7, pages, 512, 4_096] { bytes += bigEndian(number) }
  bytes += [UInt8](repeating: 0, count: 4_096 - bytes.count)
  let text = Array(name.utf8)
  bytes += bigEndian(0x4000_0000 / 4_096 + 1)
  bytes += text
  bytes += bigEndian(UInt32(text.count))
  bytes += bigEndian(text.reduce(0) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) })
  return bytes + journalMagic
}

let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

private func bigEndian(_ number: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// Runs `body` without the right of root to pass over permissions, for this thread only.
func withoutRoot<T>(_ body: () throws -> T) rethrows -> T {
  #if os(Linux)
    typealias SetUser = @convention(c) (UInt32) -> Int32
    if geteuid() == 0, let symbol = dlsym(nil, "setfsuid") {
      let setUser = unsafeBitCast(symbol, to: SetUser.self)
      _ = setUser(65_534)
      defer { _ = setUser(0) }
      return try body()
    }
  #endif
  return try body()
}

/// The kind of refusal that `body` throws, or nil.
func refusal(_ body: () throws -> Void) -> ForeignFileError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? ForeignFileError)?.code
  }
}
