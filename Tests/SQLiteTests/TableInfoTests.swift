import SQLite
import Testing
import TributaryModel

struct TableInfoTests {
  @Test(arguments: [
    "plain", "with \"quotes\"", "select", "a b", "🐘 é", "\"\u{301}", "[x]", "it's", "`", "%_", ";--",
  ])
  func anyNameWorks(_ name: String) throws {
    let connection = try memory(
      """
      CREATE TABLE \(quoted(name))(\(quoted(name)) INTEGER PRIMARY KEY, "other" UNIQUE);
      CREATE INDEX \(quoted(name + "2")) ON \(quoted(name))(\(quoted(name)), other);
      """)
    let table = try #require(try connection.table(name))
    #expect(table.name == name)
    #expect(table.rowIDAlias?.name == name)
    #expect(table.columns.map(\.name) == [name, "other"])
    #expect(table.indexes.map(\.origin) == [.unique, .created])
    #expect(table.indexes.last?.columns.map(\.name) == [name, "other"])
    #expect(try connection.tableNames() == [name])
  }

  @Test func columnsAreReadAsDeclared() throws {
    let connection = try memory(
      """
      CREATE TABLE t(
        a VARCHAR(20) NOT NULL DEFAULT ('x' || 1) COLLATE NOCASE, b, c INT AS (b + 1) VIRTUAL,
        d TEXT GENERATED ALWAYS AS (a) STORED, PRIMARY KEY (b, a))
      """)
    let table = try #require(try connection.table("T"))
    #expect(table.name == "t")
    #expect(table.columns.map(\.kind) == [.ordinary, .ordinary, .generatedVirtual, .generatedStored])
    #expect(table.columns.map(\.isGenerated) == [false, false, true, true])
    let first = table.columns[0]
    #expect((first.name, first.declaredType, first.notNull) == ("a", "VARCHAR(20)", true))
    #expect((first.defaultSQL, first.primaryKeyIndex, first.collation) == ("'x' || 1", 2, "NOCASE"))
    #expect(table.columns[1].declaredType == "")
    #expect(table.columns[1].defaultSQL == nil)
    #expect(table.primaryKey.map(\.name) == ["b", "a"])
    #expect(table.rowIDAlias == nil)
  }

  static let keys: [(String, Bool)] = [
    ("(a INTEGER PRIMARY KEY)", true), ("(a integer, PRIMARY KEY (a))", true),
    ("(a INTEGER PRIMARY KEY DESC)", false), ("(a INTEGER, PRIMARY KEY (a DESC))", true),
    ("(a INT PRIMARY KEY)", false),
    ("(a INTEGER PRIMARY KEY) WITHOUT ROWID", false), ("(a INTEGER, b, PRIMARY KEY (a, b))", false),
    ("(a INTEGER PRIMARY KEY AUTOINCREMENT)", true), ("(a INTEGER PRIMARY KEY) STRICT", true), ("(a)", false),
  ]

  @Test(arguments: keys)
  func onlyAnAliasOfTheRowIDIsOne(_ declaration: String, _ isAlias: Bool) throws {
    let connection = try memory("CREATE TABLE t\(declaration)")
    #expect(try connection.table("t")?.rowIDAlias?.name == (isAlias ? "a" : nil))
    // The oracle: only the alias gets its value from the rowid.
    if !declaration.contains("WITHOUT") {
      try connection.execute("INSERT INTO t(rowid) VALUES (77)")
      #expect(try connection.value("SELECT a FROM t") == (isAlias ? .integer(77) : .null))
    }
  }

  @Test func kindsOfTablesAreTold() throws {
    let connection = try memory(
      """
      CREATE TABLE w(a PRIMARY KEY) WITHOUT ROWID; CREATE TABLE s(a INT) STRICT; CREATE VIEW v AS SELECT 1 AS x;
      CREATE VIRTUAL TABLE f USING fts5(body); CREATE TEMP TABLE p(a);
      """)
    let w = try #require(try connection.table("w"))
    let s = try #require(try connection.table("s"))
    #expect((w.isWithoutRowID, w.isStrict) == (true, false))
    #expect((s.isWithoutRowID, s.isStrict) == (false, true))
    #expect(try connection.table("v")?.kind == .view)
    #expect(try connection.table("f")?.kind == .virtual)
    #expect(try connection.table("f")?.isWithoutRowID == false)
    #expect(try connection.table("f_data")?.kind == .shadow)
    #expect(try connection.table("p") == nil)
    #expect(try connection.table("p", schema: "temp")?.columns.map(\.name) == ["a"])
    #expect(try connection.table("none") == nil)
    #expect(try connection.tableNames() == ["s", "w"])
  }

  @Test func foreignKeysComeInDeclaredOrder() throws {
    let connection = try memory(
      """
      CREATE TABLE t(a REFERENCES p ON DELETE CASCADE, b, c,
        FOREIGN KEY (b, c) REFERENCES "other table"(x, "y z") ON UPDATE SET NULL ON DELETE RESTRICT)
      """)
    let keys = try #require(try connection.table("t")).foreignKeys
    #expect(keys.map(\.columns) == [["a"], ["b", "c"]])
    #expect(keys.map(\.parentTable) == ["p", "other table"])
    #expect(keys.map(\.parentColumns) == [nil, ["x", "y z"]])
    #expect(keys.map(\.onDelete) == [.cascade, .restrict])
    #expect(keys.map(\.onUpdate) == [.noAction, .setNull])
  }

  @Test func indexesTellWhatMakesRowsUnique() throws {
    let connection = try memory(
      """
      CREATE TABLE t(k TEXT PRIMARY KEY, a, b COLLATE NOCASE, UNIQUE (a, b));
      CREATE UNIQUE INDEX part ON t(a) WHERE b > 1;
      CREATE UNIQUE INDEX expr ON t(lower(a), b DESC);
      CREATE INDEX plain ON t(b COLLATE RTRIM);
      """)
    let table = try #require(try connection.table("t"))
    #expect(table.indexes.map(\.origin) == [.primaryKey, .unique, .created, .created, .created])
    #expect(table.uniqueIndexes.map { $0.columns.map(\.name) } == [["k"], ["a", "b"]])
    #expect(table.indexes.map(\.isPartial) == [false, false, true, false, false])
    #expect(table.indexes[3].columns.map(\.name) == [nil, "b"])
    #expect(table.indexes[3].columns.map(\.collation) == ["BINARY", "NOCASE"])
    #expect(table.indexes[3].columns.map(\.isDescending) == [false, true])
    #expect(table.indexes[4].columns.map(\.collation) == ["RTRIM"])
    #expect(!table.indexes[4].isUnique)
  }
}
