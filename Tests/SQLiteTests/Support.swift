import CSQLite
import Glibc
import SQLite
import Testing
import TributaryModel

/// A database in memory with a schema.
func memory(_ sql: String = "") throws -> Connection {
  let connection = try Connection.open(":memory:")
  try connection.execute(sql)
  return connection
}

/// The code that `body` throws, or nil.
func code(_ body: () throws -> Void) -> ResultCode? {
  do {
    try body()
    return nil
  } catch {
    return (error as? DatabaseError)?.code
  }
}

struct Refusal: Error, Equatable {}

/// A directory of its own, removed at the end.
func withDirectory<T>(_ body: (String) throws -> T) throws -> T {
  var template = Array("/tmp/sqlite-tests-XXXXXX".utf8CString)
  let made = mkdtemp(&template).map { String(cString: $0) }
  let path = try #require(made)
  defer {
    for name in ["a", "b", "file:x"] {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink("\(path)/\(name)\(suffix)") }
    }
    rmdir(path)
  }
  return try body(path)
}
