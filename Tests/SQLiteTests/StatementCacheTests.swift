import SQLite
import Testing
import TributaryModel

struct StatementCacheTests {
  @Test func anIdleStatementIsReusedWithoutItsBindings() throws {
    let connection = try memory()
    let first = try {
      let statement = try connection.cached("SELECT ?1")
      try statement.bindInteger(1, 5)
      try statement.run()
      return statement.handle
    }()
    let again = try connection.cached("SELECT ?1")
    #expect(again.handle == first)
    #expect(try again.step())
    #expect(again.column(0) == .null)
  }

  @Test func aStatementInUseIsNotHandedOutTwice() throws {
    let connection = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
    let outer = try connection.cached("SELECT a FROM t ORDER BY a")
    #expect(try outer.step())
    let inner = try connection.cached("SELECT a FROM t ORDER BY a")
    #expect(inner.handle != outer.handle)
    #expect(try inner.step())
    #expect(inner.integer(0) == 1)
    #expect(try outer.step())
    #expect(outer.integer(0) == 2)
  }

  @Test func aStatementThatIsHeldKeepsItsBindings() throws {
    let connection = try memory()
    let held = try connection.cached("SELECT ?1")
    try held.bindInteger(1, 5)
    #expect(try connection.value("SELECT ?1", [.integer(6)]) == .integer(6))
    #expect(try held.step())
    #expect(held.integer(0) == 5)
  }

  @Test func aStatementLeftInTheMiddleIsNotHandedOut() throws {
    let connection = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
    func leave() throws -> OpaquePointer {
      let statement = try connection.cached("SELECT a FROM t")
      #expect(try statement.step())
      return statement.handle
    }
    let left = try leave()
    #expect(try connection.cached("SELECT a FROM t").handle != left)
  }

  @Test func theCacheIsBoundedAndKeepsWhatIsUsed() throws {
    let connection = try memory()
    let kept = try connection.cached("SELECT 'kept'").handle
    for index in 0..<600 {
      _ = try connection.cached("SELECT \(index)")
      #expect(try connection.cached("SELECT 'kept'").handle == kept)
    }
    #expect(connection.cachedStatementCount == 256)
  }

  @Test func aReusedStatementSeesTheNewSchema() throws {
    let connection = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (1)")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1)]])
    let version = try connection.schemaVersion
    try connection.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1), .integer(2)]])
    #expect(try connection.schemaVersion != version)
  }

  @Test func readingAValueEndsItsReadTransaction() throws {
    try withDirectory { directory in
      let first = try Connection.open(directory + "/a")
      try first.execute("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
      #expect(try first.integer("SELECT a FROM t") == 1)
      let second = try Connection.open(directory + "/a", OpenOptions(busyTimeout: 1))
      try second.execute("INSERT INTO t VALUES (3)")
      #expect(second.lastInsertedRowID == 3)
      #expect(second.changes == 1)
      #expect(second.totalChanges == 1)
    }
  }
}
