import SQLite
import TestSupport
import Testing
import TributaryModel

struct TableFaultTests {
  /// What only an app has, where it is used, and what fails first.
  static let faults: [(schema: String, action: TableFault.Action, message: String)] = [
    ("CREATE TABLE t(a, CHECK (appfn(a)))", .insert, "unknown function: appfn()"),
    ("CREATE TABLE t(a, b AS (appfn(a)))", .insert, "unknown function: appfn()"),
    ("CREATE TABLE t(a, b AS (appfn(a)) STORED)", .insert, "unknown function: appfn()"),
    ("CREATE TABLE t(a); CREATE INDEX i ON t(appfn(a))", .insert, "unknown function: appfn()"),
    ("CREATE TABLE t(a); CREATE INDEX i ON t(a) WHERE appfn(a)", .insert, "unknown function: appfn()"),
    (
      "CREATE TABLE t(a); CREATE TRIGGER r AFTER UPDATE OF a ON t BEGIN SELECT appfn(1); END", .update,
      "no such function: appfn"
    ),
    (
      "CREATE TABLE t(a, b); CREATE TRIGGER r AFTER UPDATE OF b ON t WHEN appfn(1) BEGIN SELECT 1; END",
      .update,
      "no such function: appfn"
    ),
    (
      """
      CREATE TABLE c(x); CREATE TRIGGER r AFTER DELETE ON c BEGIN SELECT appfn(1); END;
      CREATE TABLE t(a); CREATE TRIGGER d AFTER DELETE ON t BEGIN DELETE FROM c; END
      """, .delete, "no such function: appfn"
    ),
    ("CREATE TABLE t(a COLLATE appcoll PRIMARY KEY)", .insert, "no such collation sequence: appcoll"),
    (
      "CREATE TABLE t(a COLLATE appcoll PRIMARY KEY) WITHOUT ROWID", .insert,
      "no such collation sequence: appcoll"
    ),
    (
      "CREATE TABLE t(a); CREATE INDEX i ON t(a COLLATE appcoll)", .insert,
      "no such collation sequence: appcoll"
    ),
    (
      "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO none VALUES (1); END", .insert,
      "no such table: main.none"
    ),
    (
      "CREATE TABLE t(a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT load_extension('/none'); END",
      .insert,
      "unsafe use of load_extension()"
    ),
  ]

  @Test(arguments: faults.indices)
  func whatOnlyAnAppHasIsFoundBeforeAnythingIsWritten(_ index: Int) throws {
    let (schema, action, message) = Self.faults[index]
    let folder = try TemporaryFolder()
    let connection = try Connection.openAdopted(
      try appDatabase(schema + "; CREATE TABLE fine(k PRIMARY KEY, \"odd \"\" name\")", in: folder))
    let found = try #require(try connection.tableFaults().first { $0.table == "t" })
    #expect(found.action == action)
    #expect(found.cause.message == message)
    #expect(!found.isOnlyForForeignKeys)
    #expect(found.description.contains("\"t\" does not allow \(action.rawValue): \(message)."))
    #expect(try connection.tableFaults().allSatisfy { $0.table != "fine" })
    #expect(connection.totalChanges == 0)
  }

  @Test func aCollationThatNoKeyOrIndexUsesIsNoFault() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection.openAdopted(
      try appDatabase("CREATE TABLE t(a COLLATE appcoll, k INTEGER PRIMARY KEY)", in: folder))
    #expect(try connection.tableFaults().isEmpty)
    try connection.execute("INSERT INTO t(a) VALUES (1)")
    // Comparing such a column fails all the same, unless the statement names a collation.
    #expect(code { try connection.execute("SELECT * FROM t WHERE a IS NOT 'x'") }?.primary == .error)
    #expect(try connection.rows("SELECT k FROM t WHERE a COLLATE BINARY IS NOT 'x'").count == 1)
  }

  @Test func foreignKeysThatDoNotHoldAreFoundAsSuch() throws {
    let connection = try memory(
      """
      CREATE TABLE p(a PRIMARY KEY, b); CREATE TABLE good(a REFERENCES p);
      CREATE TABLE orphan(a REFERENCES nowhere); CREATE TABLE odd(a REFERENCES p(b));
      """)
    let found = try connection.tableFaults()
    #expect(found.map(\.table) == ["odd", "orphan", "p"])
    #expect(found.map(\.isOnlyForForeignKeys) == [true, true, true])
    #expect(try connection.integer("PRAGMA foreign_keys") == 0)
    try connection.transaction { #expect(code { _ = try connection.tableFaults() } == .misuse) }
  }

  @Test func aCascadeIsFollowed() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection.openAdopted(
      try appDatabase(
        """
        CREATE TABLE p(a PRIMARY KEY); CREATE TABLE c(a REFERENCES p ON DELETE CASCADE);
        CREATE TRIGGER r AFTER DELETE ON c BEGIN SELECT appfn(1); END
        """, in: folder))
    let found = try connection.tableFaults()
    #expect(found.map(\.table) == ["c", "p"])
    #expect(found.map(\.isOnlyForForeignKeys) == [false, true])
  }
}
