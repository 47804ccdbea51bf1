import Foundation
import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// What cannot be adopted is refused with a remedy, and left as it was.
struct AdoptionRefusalTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var sql: String
    var word: String
    var tables: [String]?
    var sharesIntegerKeys = true
    var testDescription: String { word }
  }

  private static let cases = [
    Case(sql: "CREATE TABLE t(a)", word: "has no primary key"),
    Case(
      sql: "CREATE TABLE t(a INTEGER PRIMARY KEY)", word: "--shared-integer-keys", sharesIntegerKeys: false),
    Case(
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t(b) WHERE b>1",
      word: "over a part of its rows"),
    Case(
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t(lower(b))",
      word: "or over computed values"),
    Case(
      sql:
        "CREATE TABLE t(a TEXT PRIMARY KEY, b); CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT mine(1); END",
      word: "no such function: mine"),
    Case(
      sql: """
        CREATE TABLE t(a TEXT PRIMARY KEY, b CHECK(b IS NOT lower(b))); PRAGMA writable_schema=ON;
        UPDATE sqlite_master SET sql=replace(sql,'lower','mine')
        """, word: "mine"),
    Case(
      sql: """
        CREATE TABLE t(a TEXT PRIMARY KEY, b COLLATE NOCASE); PRAGMA writable_schema=ON;
        UPDATE sqlite_master SET sql=replace(sql,'NOCASE','MINE')
        """, word: "which only its own app knows"),
    Case(
      sql: """
        CREATE TABLE t(a TEXT PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t(b COLLATE NOCASE);
        PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql=replace(sql,'NOCASE','MINE')
        """, word: "which compares by MINE"),
    Case(
      sql: "CREATE TABLE p(a TEXT PRIMARY KEY); CREATE TABLE t(a TEXT PRIMARY KEY, b REFERENCES p(a))",
      word: "which is not synced", tables: ["t"]),
    Case(
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY); CREATE VIEW v AS SELECT a FROM t", word: "is a view",
      tables: ["v"]),
    Case(sql: "CREATE VIRTUAL TABLE f USING fts5(a)", word: "is a virtual table", tables: ["f"]),
    Case(sql: "CREATE VIRTUAL TABLE f USING fts5(a)", word: "is part of a virtual table", tables: ["f_data"]),
    Case(sql: "CREATE TABLE t(a TEXT PRIMARY KEY)", word: "is not in the database", tables: ["u"]),
    Case(sql: "CREATE TABLE t(a TEXT PRIMARY KEY); CREATE TABLE tributary_x(a)", word: "Rename it"),
    Case(
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY, b); INSERT INTO t VALUES('k',zeroblob(16777217))",
      word: "is larger than 16 MiB"),
    Case(sql: "SELECT 1", word: "has no table that could be synced"),
    Case(
      sql: "CREATE TABLE t(a TEXT PRIMARY KEY); CREATE TABLE tributary_meta(key TEXT PRIMARY KEY, value)",
      word: "is a store of Tributary's already"),
  ]

  @Test(arguments: cases)
  func whatCannotBeAdoptedIsLeftAsItWas(refused: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("app.db")
    let app = try Connection.open(path)
    try app.execute("CREATE TABLE filler(a TEXT PRIMARY KEY);" + refused.sql)
    if refused.word.hasPrefix("has no table") { try app.execute("DROP TABLE filler") }
    app.close()
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let error = storeError {
      _ = try Adoption.adopt(
        path,
        FoundSchema.Wish(
          name: "com.example", tables: refused.tables, sharesIntegerKeys: refused.sharesIntegerKeys),
        wall: { 1_800_000_000_000 })
    }
    #expect(error?.message.contains(refused.word) == true, "\(String(describing: error))")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test func nothingIsAdoptedTwice() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let error = storeError {
      _ = try Adoption.adopt(
        scene.path, FoundSchema.Wish(name: "com.example", sharesIntegerKeys: true),
        wall: { 1_800_000_000_000 })
    }
    #expect(error?.message.contains("adopted already") == true)
  }
}
