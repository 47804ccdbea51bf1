import CSQLite
import SQLite
import Testing
import TributaryModel

struct HardeningTests {
  @Test func aForeignFileMayNotDoWhatItMustNot() throws {
    let connection = try memory(
      """
      CREATE TABLE t(a); INSERT INTO t VALUES (1); CREATE TABLE log(a);
      CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      """)
    try harden(connection)
    let refused = [
      "SELECT * FROM v", "SELECT \"no such column\"", "ATTACH ':memory:' AS other",
      "SELECT load_extension('x')", "SELECT fts3_tokenizer('simple', x'00')",
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = ''",
      "SELECT 1 WHERE 'a' LIKE '\(String(repeating: "x", count: 1_001))'",
      "SELECT \(String(repeating: "(", count: 200))1\(String(repeating: ")", count: 200))",
      "SELECT \(String(repeating: "-", count: 1) + String(repeating: "~", count: 150))1",
      "SELECT 1" + String(repeating: " UNION ALL SELECT 1", count: 60),
      "SELECT max(1\(String(repeating: ",1", count: 120)))",
      "SELECT ?9000",
      "SELECT '" + String(repeating: "x", count: 1 << 20) + "'",
    ]
    for sql in refused where !sql.hasPrefix("SELECT (") {
      #expect(code { try connection.execute(sql) } != nil, "\(sql.prefix(60))")
    }
    try connection.execute("INSERT INTO t VALUES (2)")
    #expect(try connection.integer("SELECT count(*) FROM log") == 0)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
    #expect(try connection.table("t")?.columns.count == 1)
    try connection.quickCheck()
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
    let connection = try memory(
      """
      CREATE TABLE t(a); CREATE VIEW v AS SELECT a FROM t; CREATE TABLE log(a);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;
      """)
    try harden(connection, .own)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(try connection.rows("SELECT * FROM v") == [[.integer(1)]])
    #expect(try connection.integer("SELECT count(*) FROM log") == 1)
    try connection.execute("ATTACH ':memory:' AS other")
    #expect(code { try connection.execute("SELECT load_extension('x')") } != nil)
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
