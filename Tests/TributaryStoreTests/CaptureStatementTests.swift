import SQLite
import Testing
import TributaryModel

@testable import TributaryStore

/// What kinds of statement the capture sees, and how.
@Suite struct CaptureStatementTests {
  private static let items = "CREATE TABLE item(id TEXT PRIMARY KEY, title TEXT, rank REAL, mail TEXT UNIQUE)"

  @Test func rawSQLIsCaptured() throws {
    let scene = try Scene(Self.items)
    let first = try scene.changes("INSERT INTO item VALUES('b', 'B', 1, NULL), ('a', 'A', 2, NULL)")
    #expect(first == ["insert item 'a'", "insert item 'b'"])
    #expect(try scene.changes("UPDATE item SET title = 'AA' WHERE id = 'a'") == ["update item 'a' title"])
    let last = try scene.changes("DELETE FROM item WHERE id = 'b'")
    #expect(last == ["delete item 'b' {title: 'B', rank: 1.0, mail: NULL}"])
  }

  @Test func aCaptureThatIsOffSeesNothing() throws {
    let scene = try Scene(Self.items)
    try scene.given("INSERT INTO item(id) VALUES('a')")
    #expect(!scene.capture.hasChanges)
    #expect(try scene.changes("SELECT 1").isEmpty)
  }

  @Test func anUpsertIsAnInsertOrAnUpdate() throws {
    let scene = try Scene(Self.items)
    let sql = "INSERT INTO item(id, title) VALUES('a', ?) ON CONFLICT DO UPDATE SET title = excluded.title"
    #expect(try scene.transaction { try $0.execute(sql, [.text("1")]) } == ["insert item 'a'"])
    #expect(try scene.transaction { try $0.execute(sql, [.text("2")]) } == ["update item 'a' title"])
    #expect(try scene.transaction { try $0.execute(sql, [.text("2")]) } == [])
  }

  @Test func replacingARowUpdatesWhatDiffers() throws {
    let scene = try Scene(Self.items)
    try scene.given("INSERT INTO item VALUES('a', 'A', 1, 'm')")
    #expect(try scene.changes("REPLACE INTO item VALUES('a', 'A', 2, 'm')") == ["update item 'a' rank"])
    #expect(try scene.changes("REPLACE INTO item VALUES('a', 'A', 2, 'm')") == [])
    #expect(
      try scene.changes("DELETE FROM item; INSERT INTO item VALUES('a', 'A', 2, 'n')") == [
        "update item 'a' mail"
      ])
  }

  @Test func replacingThroughAnotherUniqueDeletesTheOtherRow() throws {
    let scene = try Scene(Self.items)
    try scene.given("INSERT INTO item VALUES('a', 'A', 1, 'm'), ('b', 'B', 2, 'n')")
    let changes = try scene.changes("INSERT OR REPLACE INTO item VALUES('a', 'A', 1, 'n')")
    #expect(changes == ["update item 'a' mail", "delete item 'b' {title: 'B', rank: 2.0, mail: 'n'}"])
    let updated = try scene.changes(
      "INSERT INTO item VALUES('c', 'C', 3, 'x'); UPDATE OR REPLACE item SET mail = 'n' WHERE id = 'c'")
    #expect(updated == ["delete item 'a' {title: 'A', rank: 1.0, mail: 'n'}", "insert item 'c'"])
  }

  @Test func anUpdateThatChangesNothingIsNoChange() throws {
    let scene = try Scene(Self.items)
    try scene.given("INSERT INTO item VALUES('a', 'A', 1, NULL)")
    #expect(try scene.changes("UPDATE item SET title = 'A', rank = 1, mail = NULL") == [])
    #expect(try scene.changes("UPDATE item SET rank = 1.0, id = 'a'") == [])
    #expect(
      try scene.changes("UPDATE item SET rank = -rank; UPDATE item SET rank = rank + 0") == [
        "update item 'a' rank"
      ])
  }

  @Test func zeroAndMinusZeroDiffer() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x)")
    try scene.given("INSERT INTO t VALUES('a', 0.0)")
    let changes = try scene.transaction { try $0.execute("UPDATE t SET x = ?", [.real(-0.0)]) }
    #expect(changes == ["update t 'a' x"])
    #expect(try scene.changes("UPDATE t SET x = 0") == ["update t 'a' x"])
    #expect(try scene.changes("UPDATE t SET x = '0'") == ["update t 'a' x"])
    #expect(try scene.changes("UPDATE t SET x = x'30'") == ["update t 'a' x"])
    #expect(try scene.changes("UPDATE t SET x = x'3000'") == ["update t 'a' x"])
  }

  @Test func aDeleteWithoutWhereNamesEveryRow() throws {
    let scene = try Scene(
      "CREATE TABLE t(id TEXT PRIMARY KEY, x); CREATE TABLE w(id PRIMARY KEY, x) WITHOUT ROWID")
    try scene.given("INSERT INTO t VALUES('a', 1), ('b', 2); INSERT INTO w SELECT * FROM t")
    let changes = try scene.changes("DELETE FROM t; DELETE FROM w")
    #expect(
      changes == ["delete t 'a' {x: 1}", "delete t 'b' {x: 2}", "delete w 'a' {x: 1}", "delete w 'b' {x: 2}"])
  }

  @Test func deleteAllAndRefillUpdates() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x)")
    try scene.given("INSERT INTO t VALUES('a', 1), ('b', 2), ('c', 3)")
    let changes = try scene.changes("DELETE FROM t; INSERT INTO t VALUES('a', 1), ('b', 3), ('d', 4)")
    #expect(changes == ["update t 'b' x", "delete t 'c' {x: 3}", "insert t 'd'"])
  }

  @Test func insertFromSelectAndUpdateFromAreCaptured() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x); CREATE TABLE local(id, x)")
    try scene.given("INSERT INTO local VALUES('a', 1), ('b', 2)")
    #expect(try scene.changes("INSERT INTO t SELECT id, 0 FROM local") == ["insert t 'a'", "insert t 'b'"])
    let sql = "UPDATE t SET x = local.x - 1 FROM local WHERE local.id = t.id"
    #expect(try scene.changes(sql) == ["update t 'b' x"])
  }

  @Test func otherTablesAndOtherDatabasesAreNotCaptured() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x); CREATE TABLE local(id)")
    try scene.given("SELECT 1")
    try scene.writer.execute("ATTACH ':memory:' AS other; CREATE TABLE other.t(id PRIMARY KEY, x)")
    let changes = try scene.changes("INSERT INTO local VALUES(1); INSERT INTO other.t VALUES(1, 2)")
    #expect(changes == [])
    try scene.writer.execute("CREATE TEMP TABLE t(id PRIMARY KEY, x)")
    #expect(
      try scene.changes("INSERT INTO t VALUES(1, 2); INSERT INTO main.t VALUES('m', 2)") == ["insert t 'm'"])
  }

  @Test func triggersThatWriteOtherSyncedTablesAreCaptured() throws {
    let scene = try Scene(
      """
      CREATE TABLE item(id TEXT PRIMARY KEY, title);
      CREATE TABLE word(id TEXT PRIMARY KEY, n INTEGER);
      CREATE TRIGGER count AFTER INSERT ON item BEGIN
        INSERT INTO word VALUES(new.title, 1) ON CONFLICT DO UPDATE SET n = n + 1;
      END
      """)
    #expect(try scene.changes("INSERT INTO item VALUES('a', 'x')") == ["insert item 'a'", "insert word 'x'"])
    #expect(
      try scene.changes("INSERT INTO item VALUES('b', 'x')") == ["insert item 'b'", "update word 'x' n"])
  }

  @Test func whileTheEngineAppliesOnlyTriggersAreWatched() throws {
    let scene = try Scene(
      """
      CREATE TABLE item(id TEXT PRIMARY KEY, title);
      CREATE TABLE word(id TEXT PRIMARY KEY, n INTEGER);
      CREATE TRIGGER count AFTER INSERT ON item BEGIN
        INSERT INTO word VALUES(new.title, 1); UPDATE word SET id = id || '!';
      END
      """)
    scene.capture.mode = .watching
    try scene.writer.execute("BEGIN; INSERT INTO item VALUES('a', 'x')")
    let watched = scene.capture.takeWatched().map { "\($0.type) \($0.id.values ?? [])" }
    #expect(watched == ["2 \([Value.text("x")])", "2 \([Value.text("x!")])"])
    #expect(scene.capture.takeWatched().isEmpty)
    #expect(!scene.capture.hasChanges)
    try scene.writer.execute("COMMIT")
  }

  @Test func takingWhatWasWatchedLeavesWhatWasRecorded() throws {
    let scene = try Scene(
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, x);
      CREATE TRIGGER again AFTER INSERT ON t WHEN new.x > 0 BEGIN INSERT INTO t VALUES(new.id || 'x', 0); END
      """)
    let changes = try scene.transaction { writer in
      try writer.execute("INSERT INTO t VALUES('a', 1)")
      scene.capture.mode = .watching
      try writer.execute("INSERT INTO t VALUES('b', 1)")
      #expect(scene.capture.takeWatched().map { $0.id.values } == [[.text("bx")]])
    }
    #expect(changes == ["insert t 'a'", "insert t 'ax'"])
  }

  @Test func aRollbackForgetsEverything() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT PRIMARY KEY, x)")
    scene.capture.mode = .recording
    try scene.writer.execute("BEGIN; INSERT INTO t VALUES('a', 1); ROLLBACK")
    #expect(scene.capture.hasChanges)
    scene.capture.markUncertain()
    scene.capture.reset()
    #expect(try scene.changes("INSERT INTO t VALUES('b', 1)") == ["insert t 'b'"])
  }
}
