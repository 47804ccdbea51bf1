import CSQLite
import Foundation
import SQLite
import TestSupport
import Testing
import TributaryModel

struct AdoptedHardeningTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func adopted(_ sql: String) throws -> Connection {
    try Connection.openAdopted(try appDatabase(sql, in: folder))
  }

  /// Schemas that programs have; each must load, be written, and answer its question with 1.
  static let legitimate: [(schema: String, question: String)] = [
    (
      """
      CREATE TABLE t(a);
      CREATE VIRTUAL TABLE f USING fts5(a, content='t', content_rowid='rowid');
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(rowid, a) VALUES (new.rowid, new.a); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN
        INSERT INTO f(f, rowid, a) VALUES ('delete', old.rowid, old.a);
        INSERT INTO f(rowid, a) VALUES (new.rowid, new.a); END;
      """, "SELECT count(*) FROM f('two') WHERE f MATCH 'NOT_one OR two'"
    ),
    (
      """
      CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts4(a, content='t');
      CREATE TRIGGER b BEFORE UPDATE ON t BEGIN DELETE FROM f WHERE docid = old.rowid; END;
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(docid, a) VALUES (new.rowid, new.a); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO f(docid, a) VALUES (new.rowid, new.a); END;
      """, "SELECT count(*) FROM f WHERE f MATCH 'two'"
    ),
    (
      """
      CREATE TABLE t(a); CREATE VIRTUAL TABLE f USING fts3(a);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO f(docid, a) VALUES (new.rowid, new.a); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN UPDATE f SET a = new.a WHERE docid = old.rowid; END;
      """, "SELECT count(*) FROM f WHERE f MATCH 'two'"
    ),
    (
      """
      CREATE TABLE t(a); CREATE VIRTUAL TABLE r USING rtree(id, x, y);
      CREATE TRIGGER i AFTER INSERT ON t BEGIN INSERT INTO r VALUES (new.rowid, 1, 2); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN UPDATE r SET y = 5 WHERE id = new.rowid; END;
      """, "SELECT count(*) FROM r WHERE y = 5"
    ),
    (
      """
      CREATE TABLE t(a, j DEFAULT '{"x":1}' CHECK (json_valid(j)), x AS (json_extract(j, '$.x')));
      CREATE INDEX i ON t(j ->> '$.x'); CREATE TABLE log(v);
      CREATE TRIGGER r AFTER UPDATE ON t BEGIN INSERT INTO log SELECT value FROM json_each(new.j); END;
      """, "SELECT v FROM log"
    ),
    (
      """
      CREATE TABLE t(a CHECK (a <> "bad"), b DEFAULT "x", c AS (a || "z")); CREATE INDEX i ON t(coalesce(a, "q"));
      CREATE INDEX p ON t(a) WHERE a <> "no"; CREATE VIEW v AS SELECT "lit" AS l; CREATE TABLE log(v);
      CREATE TRIGGER r AFTER UPDATE ON t WHEN new.a <> "lit" BEGIN INSERT INTO log SELECT l || "!" FROM v; END;
      """, "SELECT count(*) FROM log WHERE v = 'lit!'"
    ),
    (
      """
      CREATE TABLE t(a); CREATE TABLE log(v); CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER o INSTEAD OF INSERT ON v BEGIN INSERT INTO log VALUES (new.a); END;
      CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO v VALUES (new.a); END;
      """, "SELECT count(*) FROM log"
    ),
    (
      "CREATE TABLE t(a CHECK (a NOT IN ('x') AND (\((0..<400).map { "a <> '\($0)'" }.joined(separator: " AND ")))))",
      "SELECT count(*) FROM t"
    ),
    (
      """
      CREATE TABLE t(a); CREATE VIEW v AS SELECT 1 \(String(repeating: "UNION ALL SELECT 1 ", count: 400));
      CREATE TABLE log(v); CREATE TRIGGER u AFTER UPDATE ON t BEGIN INSERT INTO log SELECT count(*) FROM v; END;
      """, "SELECT count(*) FROM log WHERE v = 401"
    ),
  ]

  @Test(arguments: legitimate.indices)
  func whatProgramsHaveWorks(_ index: Int) throws {
    let (schema, question) = Self.legitimate[index]
    let connection = try adopted(schema)
    try connection.execute("INSERT INTO t(a) VALUES ('one')")
    try connection.execute("UPDATE t SET a = a || ' two'")
    #expect(try connection.integer(question) == 1)
    #expect(try connection.tableFaults().isEmpty)
    try connection.checkAdopted(within: .seconds(60))
  }

  @Test func everyDefaultLimitOfASchemaFits() throws {
    let columns = (0..<2_000).map { "c\($0)" }.joined(separator: ", ")
    let connection = try adopted(
      "CREATE TABLE t(\(columns)); CREATE TRIGGER r AFTER UPDATE ON t BEGIN SELECT max(\((0..<100).map(String.init).joined(separator: ", "))); END"
    )
    #expect(try connection.tableFaults().isEmpty)
  }

  /// Schemas that hostile files have: the file opens, and writing to `t` fails.
  static let hostile = [
    "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('/none'); END",
    "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT fts3_tokenizer('simple'); END",
    "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT zeroblob(900000000); END",
    "CREATE TABLE t(a, CHECK (load_extension('/none')))",
    """
    CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN
      SELECT 'a' LIKE replace(hex(zeroblob(3000)), '0', '%a'); END
    """,
  ]

  @Test(arguments: hostile)
  func whatHostileFilesHaveFails(_ schema: String) throws {
    let connection = try adopted(schema)
    #expect(try connection.tableNames() == ["t"])
    #expect(code { try connection.execute("INSERT INTO t(a) VALUES (1)") } != nil)
  }

  @Test func statementsCannotHarm() throws {
    let connection = try adopted("CREATE TABLE t(a)")
    for sql in [
      "ATTACH ':memory:' AS other", "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql",
      "VACUUM INTO '\(folder.path("copy"))'", "SELECT load_extension('/none')",
    ] {
      #expect(code { try connection.execute(sql) } != nil)
    }
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA temp_store") == 2)
    #expect(try connection.integer("PRAGMA cache_spill") == 0)
    #expect(try connection.integer("PRAGMA mmap_size") ?? 0 == 0)
  }

  @Test func aTriggerWithoutEndIsStopped() throws {
    let connection = try adopted(
      """
      CREATE TABLE t(a); CREATE TABLE log(v); CREATE TRIGGER r AFTER INSERT ON t BEGIN
        INSERT INTO log WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i FROM n) SELECT count(*) FROM n; END
      """)
    let begin = ContinuousClock.now
    #expect(
      code {
        try connection.limited(to: .milliseconds(50)) { try connection.execute("INSERT INTO t VALUES (1)") }
      } == .interrupt)
    #expect(ContinuousClock.now - begin < .seconds(20))
    #expect(try connection.integer("SELECT count(*) FROM t") == 0)
    #expect(try connection.limited(to: .seconds(60)) { try connection.integer("SELECT 1") } == 1)
  }

  @Test func theSchemaIsTrustedOnlyAmongSQLitesOwnParts() throws {
    let connection = try memory()
    #expect(try connection.hasOnlyOwnParts)
    try harden(connection, .adopted)
    let needsTrust = sqlite3_libversion_number() < 3_044_000
    #expect(try connection.integer("PRAGMA trusted_schema") == (needsTrust ? 1 : 0))

    let extended = try memory()
    try extended.createFunction("effect", argumentCount: 0, flags: [], { _, _, _ in })
    #expect(try !extended.hasOnlyOwnParts)
    try harden(extended, .adopted)
    #expect(try extended.integer("PRAGMA trusted_schema") == 0)

    let harmless = try memory()
    try harmless.createFunction("plain", argumentCount: 0, flags: [.innocuous], { _, _, _ in })
    try harmless.createFunction("direct", argumentCount: 0, flags: [.directOnly], { _, _, _ in })
    #expect(try harmless.hasOnlyOwnParts)
    #expect(sqlite3_create_module_v2(harmless.handle, "other", Self.module, nil, nil) == SQLITE_OK)
    #expect(try !harmless.hasOnlyOwnParts)
  }

  private nonisolated(unsafe) static let module: UnsafePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    module.initialize(to: sqlite3_module())
    return UnsafePointer(module)
  }()

  @Test func doubleQuotedStringsAreReadEvenWhereTheBuildDoesNot() throws {
    let connection = try memory(
      "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = \"lit\"; END")
    for option in [SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL] {
      #expect(tributary_sqlite3_db_config(connection.handle, option, 0) == SQLITE_OK)
    }
    #expect(code { try connection.execute("INSERT INTO t VALUES (1)") } == .error)
    try harden(connection, .adopted)
    try connection.execute("INSERT INTO t VALUES (1)")
    #expect(try connection.value("SELECT a FROM t") == .text("lit"))
  }

  /// The finding that lets double-quoted strings be refused in DDL, or not, as one likes.
  @Test func refusingDoubleQuotedStringsInDDLHindersNoSchemaFromLoading() throws {
    let path = try appDatabase(
      "CREATE TABLE t(a CHECK (a <> \"bad\")); CREATE INDEX i ON t(a) WHERE a <> \"no\"", in: folder)
    let connection = try Connection.open(path)
    #expect(tributary_sqlite3_db_config(connection.handle, SQLITE_DBCONFIG_DQS_DDL, 0) == SQLITE_OK)
    try connection.execute("INSERT INTO t VALUES (1); REINDEX")
    #expect(code { try connection.execute("ALTER TABLE t RENAME TO u") } == .error)
  }

  @Test func damageIsFoundAndBrokenRulesAreNot() throws {
    let path = try appDatabase(
      """
      CREATE TABLE t(a CHECK (a > 0)); PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (-1);
      CREATE TABLE c(a COLLATE appcoll UNIQUE, CHECK (appfn(a))); INSERT INTO c VALUES ('x');
      """, in: folder)
    let connection = try Connection.openAdopted(path)
    #expect(code { try connection.quickCheck() }?.primary == .error)
    try connection.checkAdopted(within: .seconds(60))
    #expect(try connection.integer("PRAGMA ignore_check_constraints") == 0)
    connection.close()

    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[4_096 + 1...4_096 + 2] = [0xff, 0xff]
    try write(bytes, path)
    let damaged = try Connection.openAdopted(path)
    #expect(code { try damaged.checkAdopted(within: .seconds(60)) }?.primary == .corrupt)
  }

  @Test func lookingForDamageEnds() throws {
    let connection = try adopted(
      """
      CREATE TABLE t(a); INSERT INTO t
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) SELECT i FROM n
      """)
    let error = #expect(throws: DatabaseError.self) { try connection.checkAdopted(within: .zero) }
    #expect(error?.code == .interrupt)
    #expect(error?.message.contains("0 seconds") == true)
    // The limit has gone with the call.
    #expect(try connection.integer("SELECT sum(a) FROM t") == 200_010_000)
    try connection.checkAdopted(within: .seconds(60))
  }

  @Test func theFileKeepsItsSettings() throws {
    let settings =
      "PRAGMA user_version; PRAGMA application_id; PRAGMA auto_vacuum; PRAGMA page_size; PRAGMA encoding; PRAGMA journal_mode"
      .split(separator: ";").map(String.init)
    let path = try appDatabase(
      """
      PRAGMA page_size = 1024; PRAGMA encoding = 'UTF-16be'; PRAGMA auto_vacuum = INCREMENTAL; CREATE TABLE t(a);
      PRAGMA user_version = 7; PRAGMA application_id = 99;
      """, in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let connection = try Connection.openAdopted(path)
    let reader = try Connection.openAdopted(path, onlyReads: true)
    try connection.checkAdopted(within: .seconds(60))
    _ = try connection.tableFaults()
    let expected: [Value] = [
      .integer(7), .integer(99), .integer(2), .integer(1_024), .text("UTF-16be"), .text("delete"),
    ]
    #expect(try settings.map { try reader.value($0) } == expected)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }
}
