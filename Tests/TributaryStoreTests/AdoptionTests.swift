import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// What other programs write to an adopted database is taken over just as it was.
struct AdoptionTests {
  static let notes = """
    CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body, code TEXT UNIQUE);
    INSERT INTO note VALUES(1,'one','b1','c1'),(2,'two','b2','c2'),(3,'three',NULL,NULL);
    """

  @Test func everyRowThatIsThereIsTaken() throws {
    let scene = try AdoptedScene(Self.notes)
    let state = try scene.state()
    #expect(state.count == 3)
    #expect(state["note [TributaryModel.Value.integer(2)]"]?["title"]?.value == .text("two"))
    #expect(try scene.findings().isEmpty)
  }

  @Test func writesOfAnotherProgramAreTaken() throws {
    let scene = try AdoptedScene(Self.notes)
    let key = { (id: Int) in "note \([Value.integer(Int64(id))])" }
    #expect(try scene.changes("UPDATE note SET title='eins' WHERE id=1") == ["update \(key(1)) title"])
    #expect(try scene.changes("UPDATE note SET title=title, body=body") == [])
    #expect(try scene.changes("INSERT INTO note(id,title) VALUES(4,'four')") == ["insert \(key(4))"])
    #expect(try scene.changes("DELETE FROM note WHERE id=3") == ["delete \(key(3))"])
    #expect(try scene.state()[key(3)]?["title"]?.value == .text("three"))
    #expect(try scene.changes("UPDATE note SET id=9 WHERE id=4") == ["delete \(key(4))", "insert \(key(9))"])
    #expect(try scene.changes("DELETE FROM note").count == 3)
    #expect(try scene.findings().isEmpty)
  }

  @Test func aReplaceThroughAnotherUniqueDeletesTheOtherRow() throws {
    let scene = try AdoptedScene(Self.notes)
    let key = { (id: Int) in "note \([Value.integer(Int64(id))])" }
    #expect(
      try scene.changes("REPLACE INTO note VALUES(5,'five','b5','c1')") == [
        "delete \(key(1))", "insert \(key(5))",
      ])
    #expect(try scene.state()[key(1)]?["body"]?.value == .text("b1"))
    #expect(
      try scene.changes("UPDATE OR REPLACE note SET code='c2' WHERE id=5")
        == ["delete \(key(2))", "update \(key(5)) code"])
    #expect(try scene.changes("REPLACE INTO note VALUES(3,'three','new',NULL)") == ["update \(key(3)) body"])
    #expect(try scene.findings().isEmpty)
  }

  @Test func undoLeavesTheSchemaAsItWas() throws {
    let scene = try AdoptedScene(Self.notes)
    let folder = try TemporaryFolder()
    let plain = try Connection.open(folder.path("plain.db"))
    defer { plain.close() }
    try plain.execute(Self.notes)
    try scene.app.execute("INSERT INTO note(id,title) VALUES(7,'seven'); ANALYZE")
    try Adoption.undo(scene.path, wall: { 0 })
    let sql =
      "SELECT type,name,tbl_name,sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY name"
    let schema = try plain.rows(sql)
    #expect(try scene.app.rows(sql) == schema)
    #expect(try scene.app.rows("SELECT * FROM sqlite_stat1 WHERE tbl LIKE 'tributary%'").isEmpty)
    #expect(try scene.app.rows("SELECT count(*) FROM note") == [[.integer(4)]])
  }

  @Test func aTableThatWasMadeAnewIsCompared() throws {
    let scene = try AdoptedScene(Self.notes)
    let key = { (id: Int) in "note \([Value.integer(Int64(id))])" }
    let before = try scene.state()
    try scene.app.execute(
      """
      CREATE TABLE new(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body, code TEXT UNIQUE, more INTEGER DEFAULT 7);
      INSERT INTO new(id,title,body,code) SELECT id,upper(title),body,code FROM note WHERE id<3;
      INSERT INTO new(id,title) VALUES(8,'eight');
      DROP TABLE note; ALTER TABLE new RENAME TO note; UPDATE note SET more=8 WHERE id=1
      """)
    #expect(
      try scene.changes(since: before) == [
        "update \(key(1)) more,title", "update \(key(2)) title", "insert \(key(8))",
      ])
    let (rereading, drift) = try scene.open {
      (try $0.note(.rereading)?.integer, try $0.note(.drift)?.string)
    }
    #expect(rereading == 1)
    #expect(drift?.contains("1 that went") == true)
    #expect(try scene.findings().isEmpty)
  }

  @Test func aColumnIsDroppedWhilePaused() throws {
    let scene = try AdoptedScene(Self.notes)
    #expect(throws: DatabaseError.self) { try scene.app.execute("ALTER TABLE note DROP COLUMN body") }
    try Adoption.pause(scene.path, wall: { 1_850_000_000_000 })
    let refusal = storeError { try scene.open { _ in } }
    #expect(refusal?.code == .paused)
    try scene.app.execute("ALTER TABLE note DROP COLUMN body; UPDATE note SET title='x' WHERE id=1")
    let before = try scene.open(isResumed: true) { try $0.note(.drift)?.string }
    #expect(before?.contains("“body”") == true)
    #expect(try scene.state()["note \([Value.integer(1)])"]?["title"]?.value == .text("x"))
    #expect(try scene.findings().isEmpty)
  }
}
