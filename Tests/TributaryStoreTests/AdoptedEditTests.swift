import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Edits of an adopted database that are easily lost, doubled, or taken for others.
struct AdoptedEditTests {
  private func key(_ id: Int64, _ table: String = "note") -> String { "\(table) \([Value.integer(id)])" }
  private func key(_ id: String, _ table: String) -> String { "\(table) \([Value.text(id)])" }

  @Test func aClockThatGoesBackDoesNotReviveARow() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute(
      """
      UPDATE note SET title='x' WHERE id=1; DELETE FROM note WHERE id=1;
      UPDATE tributary_edit_1 SET time=time-seq*60000
      """)
    #expect(try scene.changes(since: before) == ["delete \(key(1))"])
    #expect(try scene.app.rows("SELECT 1 FROM note WHERE id=1").isEmpty)
    #expect(try scene.state()[key(1)]?["title"]?.value == .text("x"))
  }

  @Test func aDeleteLongAfterAnEditKeepsTheTrash() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute("UPDATE note SET title='x' WHERE id=1")
    for turn in 0..<300 { try scene.app.execute("UPDATE note SET body=\(turn) WHERE id=2") }
    try scene.app.execute("DELETE FROM note WHERE id=1; UPDATE tributary_edit_1 SET time=time+seq*5")
    #expect(try scene.changes(since: before) == ["delete \(key(1))", "update \(key(2)) body"])
    let state = try scene.state()[key(1)]
    #expect(state?["title"]?.value == .text("x"))
    #expect(state?["body"]?.value == .text("b1"))
    #expect(state?["code"]?.value == .text("c1"))
    #expect(try scene.findings().isEmpty)
  }

  @Test func whatARowWasBeforeItsLastDeleteIsAnEdit() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute(
      """
      DELETE FROM note WHERE id=1; INSERT INTO note VALUES(1,'other','b1',NULL); DELETE FROM note WHERE id=1
      """)
    let after = try scene.state()
    #expect(after[key(1)]?["title"]?.value == .text("other"))
    #expect(after[key(1)]?["title"]?.stamp != before[key(1)]?["title"]?.stamp)
    #expect(after[key(1)]?["body"]?.stamp == before[key(1)]?["body"]?.stamp)
  }

  @Test func aDefaultInPlaceOfNullDisplacesARow() throws {
    let scene = try AdoptedScene(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT NOT NULL DEFAULT 'd' UNIQUE, v);
      INSERT INTO t VALUES(1,'d','one'),(2,'e','two')
      """)
    #expect(
      try scene.changes("INSERT OR REPLACE INTO t VALUES(3,NULL,'three')") == [
        "delete \(key(1, "t"))", "insert \(key(3, "t"))",
      ])
    #expect(
      try scene.changes("UPDATE OR REPLACE t SET code=NULL WHERE id=2") == [
        "update \(key(2, "t")) code", "delete \(key(3, "t"))",
      ])
    #expect(try scene.findings().isEmpty)
  }

  @Test func oneColumnMayBeUniqueInTwoWays() throws {
    let scene = try AdoptedScene(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, code TEXT COLLATE NOCASE);
      CREATE UNIQUE INDEX exact ON t(code COLLATE BINARY);
      CREATE TABLE u(id INTEGER PRIMARY KEY, code TEXT UNIQUE);
      CREATE UNIQUE INDEX folded ON u(code COLLATE NOCASE);
      INSERT INTO t VALUES(1,'a'),(2,'A'),(3,'x'); INSERT INTO u VALUES(1,'a'),(2,'b')
      """)
    #expect(
      try scene.changes("UPDATE OR REPLACE t SET code='A' WHERE id=1") == [
        "update \(key(1, "t")) code", "delete \(key(2, "t"))",
      ])
    #expect(
      try scene.changes("INSERT OR REPLACE INTO u VALUES(3,'A')") == [
        "delete \(key(1, "u"))", "insert \(key(3, "u"))",
      ])
    #expect(try scene.findings().isEmpty)
  }

  @Test func valuesThatSQLHoldsEqualAreToldApart() throws {
    let scene = try AdoptedScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, any, i INTEGER); INSERT INTO t VALUES(1,0.0,-9223372036854775808)"
    )
    let before = try scene.state()
    try scene.app.execute("UPDATE t SET any=?1", [.real(-0.0)])
    #expect(try scene.changes(since: before) == ["update \(key(1, "t")) any"])
    #expect(try scene.state()[key(1, "t")]?["any"]?.value == .real(-0.0))
    #expect(try scene.changes("UPDATE t SET i=-9223372036854775808.0") == ["update \(key(1, "t")) i"])
    #expect(try scene.changes("UPDATE t SET any=any, i=i") == [])
  }

  @Test func theEnginesOwnWritesAndTheAppsTakeTurns() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    func write(_ sql: String) throws {
      let store = try StoreCore.openAdopted(scene.path, wall: { scene.now })
      defer { store.close() }
      try store.write { try $0.execute(sql) }
    }
    var before = try scene.state()
    try scene.app.execute("UPDATE note SET title='x' WHERE id=1")
    try write("DELETE FROM note WHERE id=1")
    #expect(try scene.changes(since: before) == ["delete \(key(1))"])
    before = try scene.state()
    try write("DELETE FROM note WHERE id=2")
    try scene.app.execute("INSERT INTO note VALUES(2,'two','b2','c2')")
    #expect(try scene.changes(since: before) == ["insert \(key(2))"])
    #expect(try scene.app.rows("SELECT title FROM note WHERE id=2") == [[.text("two")]])
    before = try scene.state()
    try write("INSERT INTO note VALUES(5,'five',NULL,NULL)")
    try scene.app.execute("DELETE FROM note WHERE id=5")
    #expect(try scene.state()[key(5)]?.isVisible() == false)
    #expect(try scene.app.rows("SELECT 1 FROM note WHERE id=5").isEmpty)
    #expect(try scene.findings().isEmpty)
  }

  @Test func anUncheckedDeleteOfABareParentFreesItsChildren() throws {
    let scene = try AdoptedScene(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE tag(name TEXT PRIMARY KEY);
      CREATE TABLE item(id INTEGER PRIMARY KEY, tag TEXT REFERENCES tag(name));
      INSERT INTO tag VALUES('a'); INSERT INTO item VALUES(1,'a')
      """)
    #expect(try scene.changes("DELETE FROM tag") == ["delete \(key("a", "tag"))"])
    #expect(try scene.app.rows("SELECT tag FROM item") == [[.null]])
    #expect(try scene.findings().isEmpty)
    #expect(try scene.changes("INSERT INTO tag VALUES('a')") == ["insert \(key("a", "tag"))"])
    #expect(try scene.app.rows("SELECT tag FROM item") == [[.text("a")]])
    #expect(try scene.findings().isEmpty)
  }

  @Test func anUncheckedChangeOfAReferredValueFreesItsChildren() throws {
    let scene = try AdoptedScene(
      """
      PRAGMA foreign_keys=OFF;
      CREATE TABLE tag(id INTEGER PRIMARY KEY, name TEXT UNIQUE);
      CREATE TABLE item(id INTEGER PRIMARY KEY, tag TEXT REFERENCES tag(name));
      INSERT INTO tag VALUES(1,'a'); INSERT INTO item VALUES(1,'a')
      """)
    #expect(try scene.changes("UPDATE tag SET name='b'") == ["update \(key(1, "tag")) name"])
    #expect(try scene.app.rows("SELECT tag FROM item") == [[.null]])
    #expect(try scene.findings().isEmpty)
    _ = try scene.changes("UPDATE tag SET name='a'")
    #expect(try scene.app.rows("SELECT tag FROM item") == [[.text("a")]])
  }

  @Test func aReferenceToARowThatCannotTravelHoldsHere() throws {
    let scene = try AdoptedScene(
      """
      CREATE TABLE tag(name TEXT PRIMARY KEY, label);
      CREATE TABLE item(id INTEGER PRIMARY KEY, tag TEXT NOT NULL REFERENCES tag(name));
      INSERT INTO tag VALUES(printf('%.600c','x'),1); INSERT INTO item SELECT 1,name FROM tag
      """)
    _ = try scene.state()
    #expect(try scene.app.rows("SELECT id FROM item") == [[.integer(1)]])
    #expect(try scene.changes("INSERT INTO item SELECT 2,name FROM tag") == ["insert \(key(2, "item"))"])
    #expect(try scene.app.rows("SELECT count(*) FROM item") == [[.integer(2)]])
  }
}
