import SQLite
import Testing
import TributaryModel
import TributaryStore

private struct Refused: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sql: String
  let tables: [Table]

  init(_ sql: String, _ expected: String, _ tables: Table...) {
    self.sql = sql
    testDescription = expected
    self.tables = tables
  }
}

private let plain = Table("t", key: "id", columns: [.text("a")])
private let local = Table("l", key: "id", columns: [], scope: .local)
private let reference = "CREATE TABLE t(id TEXT PRIMARY KEY, a TEXT REFERENCES l)"

private let refused = [
  Refused("CREATE TABLE t(id TEXT, a TEXT)", "no primary key. Rebuild it with one: “id”", plain),
  Refused("CREATE TABLE t(uid TEXT PRIMARY KEY, a TEXT)", "primary key is “uid”, declared is “id”", plain),
  Refused(
    "CREATE TABLE t(a TEXT, id TEXT, PRIMARY KEY(a, id))", "“a”, “id”, declared is “id”, “a”",
    Table("t", key: ["id", "a"], columns: [])),
  Refused("CREATE VIEW t AS SELECT 1 AS id, 2 AS a", "it is a view", plain),
  Refused("CREATE VIRTUAL TABLE t USING fts5(id, a)", "it is a virtual table", plain),
  Refused(reference, "refers to “l”, which is declared local", plain, local),
  Refused(reference, "refers to “l”, which is not declared", plain),
  Refused(
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)", "hands out its key “id”",
    Table("t", key: "id", columns: [Column("id", ValueRule(.any)), .text("a")])),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, a TEXT AS (id))", "“a” is a generated column", plain),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, A TEXT)", "calls “a” “A”", plain),
  Refused("CREATE TABLE T(id TEXT PRIMARY KEY, a TEXT)", "the database calls it “T”", plain),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, a INTEGER)", "“a” is INTEGER there", plain),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, a DATE)", "“a” is DATE there", plain),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, a BLOB) STRICT", "“a” is BLOB there", plain),
  Refused("CREATE TABLE t(id TEXT COLLATE NOCASE PRIMARY KEY, a)", "compares by NOCASE", plain),
  Refused("CREATE TABLE t(id TEXT PRIMARY KEY, a, b NOT NULL)", "“b” is NOT NULL without a default", plain),
  Refused("CREATE TABLE tributary_mine(x)", "“tributary_mine”, but names", plain),
  Refused(
    "CREATE TABLE t(id TEXT PRIMARY KEY, a); INSERT INTO t VALUES(1, 'x'), (2, 'x')",
    "rows that are there break it",
    Table("t", key: "id", columns: [.text("a").unique])),
  Refused(
    "CREATE TABLE other(x); CREATE INDEX i ON other(x)", "name of another index",
    Table("t", key: "id", columns: [.text("a")], indexes: [Index("i", on: ["a"])])),
  Refused("", "has no key", Table("t", key: [], columns: [.text("a")])),
]

@Test(arguments: refused)
private func whatCannotBeSyncedIsRefusedWithARemedy(refused: Refused) throws {
  let connection = try ownedMemory(refused.sql)
  let error = storeError { try reconcile(connection, refused.tables) }
  #expect(error?.code == .schema)
  #expect(error?.message.contains(refused.testDescription) == true, "\(error?.message ?? "accepted")")
}

@Test(arguments: [
  "CREATE TABLE t(id TEXT PRIMARY KEY, a VARCHAR(9))",
  "CREATE TABLE t(a TEXT NOT NULL UNIQUE, id TEXT PRIMARY KEY) WITHOUT ROWID",
  "CREATE TABLE t(id TEXT PRIMARY KEY, a ANY) STRICT", "CREATE TABLE t(id PRIMARY KEY)",
  "CREATE TABLE t(id TEXT PRIMARY KEY, a, b NOT NULL DEFAULT 0, c NOT NULL AS (a))",
  "CREATE TABLE t(id TEXT PRIMARY KEY, a TEXT REFERENCES t ON DELETE SET NULL)",
  "CREATE TABLE l(id TEXT PRIMARY KEY); CREATE TABLE t(id TEXT PRIMARY KEY, a TEXT, b REFERENCES l)",
])
func aFittingTableOfTheAppIsTakenAsItIs(sql: String) throws {
  let connection = try ownedMemory(sql)
  let shape = try #require(try reconcile(connection, [plain]).first)
  #expect(shape.fields.map(\.name) == ["a"])
  #expect(try connection.rows("SELECT a FROM t").isEmpty)
}

@Test func aStrictTableGetsStrictColumns() throws {
  let connection = try ownedMemory("CREATE TABLE t(id TEXT PRIMARY KEY) STRICT")
  try reconcile(connection, [Table("t", key: "id", columns: [.any("x"), .real("y")])])
  #expect(try connection.table("t")?.columns.map(\.declaredType) == ["TEXT", "ANY", "REAL"])
}

@Test func aStoreOfANewerFormatIsRefused() throws {
  let connection = try ownedMemory()
  try reconcile(connection, [plain])
  let newer = LocalTables.adoptedVersion + 1
  try connection.execute("UPDATE tributary_meta SET value = \(newer) WHERE key = 'format'")
  let error = storeError { try reconcile(connection, [plain]) }
  #expect(error?.code == .tooNew && error?.message.contains("Update the app") == true)
}

@Test func aStoreWithoutAFormatIsDamaged() throws {
  let connection = try ownedMemory()
  try reconcile(connection, [plain])
  try connection.execute("DELETE FROM tributary_meta")
  #expect(storeError { try reconcile(connection, [plain]) }?.code == .damaged)
}
