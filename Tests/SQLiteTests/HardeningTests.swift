import CSQLite
import SQLite
import Testing
import TributaryModel

struct HardeningTests {
  static let schema = """
    CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE TABLE log(a);
    CREATE VIEW v AS SELECT a FROM t;
    CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
    """

  /// Statements that an ordinary connection runs, and a hardened one must not.
  static let dangers = [
    "SELECT * FROM v",
    "SELECT \"no such column\"",
    "CREATE INDEX i ON t(\"no such column\")",
    "ATTACH ':memory:' AS other",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql",
    "SELECT 'a' LIKE '\(String(repeating: "x", count: 1_001))'",
    "SELECT 1\(String(repeating: " + 1", count: 150))",
    "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 60),
    "SELECT max(1\(String(repeating: ",1", count: 120)))",
    "SELECT ?9000",
    "SELECT '\(String(repeating: "x", count: 1 << 20))'",
    "SELECT zeroblob(33 << 20)",
  ]

  @Test(arguments: dangers)
  func aForeignFileMayNotDoWhatItMustNot(_ sql: String) throws {
    try memory(Self.schema).execute(sql)
    let connection = try memory(Self.schema)
    try harden(connection)
    #expect(code { try connection.execute(sql) } != nil)
  }

  @Test func aHardenedConnectionReadsAndWritesButRunsNoTrigger() throws {
    let connection = try memory(Self.schema)
    try harden(connection)
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try connection.rows("SELECT a FROM t") == [[.integer(1)], [.integer(2)]])
    #expect(try connection.integer("SELECT count(*) FROM log") == 0)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
    #expect(try connection.table("t")?.columns.count == 1)
    try connection.quickCheck()
  }

  @Test(arguments: [Hardening.foreign, .own])
  func extensionsAreNeverLoaded(_ profile: Hardening) throws {
    let connection = try memory()
    sqlite3_enable_load_extension(connection.handle, 1)
    #expect(message { try connection.execute("SELECT load_extension('/none')") }?.contains("/none") == true)
    try harden(connection, profile)
    #expect(message { try connection.execute("SELECT load_extension('/none')") } == "not authorized")
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? DatabaseError)?.message
    }
  }

  @Test func anUntrustedSchemaMayNotCallUnlistedFunctions() throws {
    let connection = try memory()
    try connection.createFunction(
      "effect", argumentCount: 0, flags: [], { context, _, _ in sqlite3_result_int64(context, 1) })
    try connection.execute("CREATE TABLE t(a DEFAULT (effect()), b)")
    try connection.execute("INSERT INTO t(b) VALUES (1)")
    try harden(connection)
    #expect(code { try connection.execute("INSERT INTO t(b) VALUES (1)") } == .error)
    #expect(try connection.integer("SELECT effect()") == 1)
  }

  @Test func theAppsOwnStoreKeepsItsSchemaButIsDefended() throws {
    let connection = try memory(Self.schema)
    try harden(connection, .own)
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try connection.rows("SELECT * FROM v") == [[.integer(1)], [.integer(2)]])
    #expect(try connection.integer("SELECT count(*) FROM log") == 1)
    try connection.execute("ATTACH ':memory:' AS other")
    let damage = "PRAGMA writable_schema = ON; DELETE FROM sqlite_master"
    #expect(code { try connection.execute(damage) } != nil)
    #expect(try connection.tableNames() == ["log", "t"])
  }

  @Test func damageIsFound() throws {
    try withDirectory { directory in
      let connection = try Connection.open(directory + "/a")
      try connection.execute("CREATE TABLE t(a); CREATE INDEX i ON t(a); INSERT INTO t VALUES (1)")
      try connection.quickCheck()
      try connection.execute(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2 WHERE name = 'i'; PRAGMA schema_version = 9"
      )
      connection.close()
      let again = try Connection.open(directory + "/a")
      #expect(code { try again.quickCheck() }?.primary == .corrupt)
    }
  }
}
