import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Tables that change under the engine: absence is never deletion, and nothing is made up.
struct AdoptedDriftTests {
  private func key(_ id: Int64, _ table: String = "note") -> String { "\(table) \([Value.integer(id)])" }

  private static let anew = """
    DROP TABLE note; CREATE TABLE note(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body, code TEXT UNIQUE);
    """
  private static let loose =
    "CREATE TABLE loose(id INTEGER PRIMARY KEY, v, w); INSERT INTO loose VALUES(1,'a','b'),(2,'c','d')"

  private func notes(_ scene: AdoptedScene) throws -> (isRereading: Bool, drift: String) {
    try scene.open { (try $0.note(.rereading) != nil, try $0.note(.drift)?.string ?? "") }
  }

  @Test func rowsThatWentBeforeTheyWereSettledAreForgotten() throws {
    let scene = try AdoptedScene(Self.loose)
    try scene.app.execute(
      "INSERT INTO loose VALUES(3,'e','f'); DROP TABLE loose; CREATE TABLE loose(id INTEGER PRIMARY KEY, v, w)"
    )
    #expect(try scene.state().isEmpty)
    #expect(try scene.app.rows("SELECT * FROM loose").isEmpty)
    #expect(try notes(scene).isRereading)
    #expect(try scene.findings().isEmpty)
    #expect(try scene.changes("INSERT INTO loose VALUES(1,'x',NULL)") == ["insert \(key(1, "loose"))"])
  }

  @Test func anEditOfARowThatWentUnseenIsForgotten() throws {
    let scene = try AdoptedScene(Self.loose)
    _ = try scene.state()
    try scene.app.execute(
      """
      UPDATE loose SET v='edited' WHERE id=1;
      DROP TABLE loose; CREATE TABLE loose(id INTEGER PRIMARY KEY, v, w); INSERT INTO loose VALUES(2,'c','d')
      """)
    #expect(try scene.state().keys.sorted() == [key(2, "loose")])
    #expect(try scene.app.rows("SELECT id FROM loose") == [[.integer(2)]])
    #expect(try scene.findings().isEmpty)
  }

  /// A value that no trigger told of is never dated before it was there.
  @Test func aNewRowThatWasChangedUnseenIsDatedByTheLook() throws {
    let scene = try AdoptedScene(Self.loose)
    _ = try scene.state()
    try scene.app.execute("INSERT INTO loose VALUES(3,'e','f')")
    for row in try scene.app.rows("SELECT name FROM sqlite_master WHERE type='trigger'") {
      try scene.app.execute("DROP TRIGGER \(row[0].string ?? "")")
    }
    try scene.app.execute("UPDATE loose SET v='unseen'")
    let state = try scene.state()
    let times = [state[key(3, "loose")]?["v"]?.stamp, state[key(1, "loose")]?["v"]?.stamp].map {
      $0?.moment.milliseconds ?? 0
    }
    #expect(times.allSatisfy { $0 >= scene.now })
  }

  @Test func whatWasOnlyInTheWayIsNotDeleted() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute(
      """
      INSERT OR IGNORE INTO note VALUES(7,'seven',NULL,'c1'); DELETE FROM note WHERE id=2;
      INSERT INTO note VALUES(2,'two','b2','c2'); DELETE FROM note WHERE id=3;
      """ + Self.anew)
    let after = try scene.state()
    #expect(after[key(1)] == nil && after[key(2)] == nil)
    #expect(after[key(3)]?.deletes.count == 1 && before[key(3)]?.deletes.isEmpty == true)
    #expect(try notes(scene).isRereading)
  }

  @Test func pausingTakesWhatWasNoted() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute(
      "DELETE FROM note WHERE id=1; INSERT OR IGNORE INTO note VALUES(7,'seven',NULL,'c2')")
    try Adoption.pause(scene.path, wall: { 1_850_000_000_000 })
    #expect(try scene.app.rows("SELECT * FROM tributary_edit_1").isEmpty)
    #expect(try scene.app.rows("SELECT 1 FROM sqlite_master WHERE type='trigger'").isEmpty)
    try scene.app.execute("DELETE FROM note WHERE id=2")
    try scene.open(isResumed: true) { _ in }
    let after = try scene.state()
    #expect(after[key(1)]?.deletes.count == 1)
    #expect(after[key(2)] == nil && before[key(2)] != nil)
    #expect(try notes(scene).isRereading)
  }

  @Test func aTableOfNotedEditsThatWasDroppedIsMadeAnew() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    try scene.app.execute("DROP TABLE tributary_edit_1")
    #expect(try scene.changes(since: before) == [])
    // SQLite compiles triggers by the schema that the connection read last.
    _ = try scene.app.rows("SELECT 1 FROM note")
    #expect(try scene.changes("UPDATE note SET body=1 WHERE id=1") == ["update \(key(1)) body"])
  }

  @Test(arguments: [
    "VACUUM", "PRAGMA journal_mode=WAL", "PRAGMA user_version=7", "ANALYZE", "REINDEX",
    "DROP TRIGGER tributary_adopt_1_update",
    "CREATE INDEX more ON note(body)", "CREATE TABLE other(id TEXT PRIMARY KEY)", "CREATE TABLE keyless(a)",
    "ALTER TABLE note ADD COLUMN more", "ALTER TABLE note RENAME TO x; ALTER TABLE x RENAME TO note",
    "DROP TRIGGER tributary_adopt_1_insert; CREATE TRIGGER tributary_adopt_1_insert AFTER INSERT ON note BEGIN SELECT 1; END",
  ])
  func whatLosesNothingSendsNothing(sql: String) throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    #expect(try scene.changes(sql) == [])
    #expect(try notes(scene).isRereading == false)
    let edit =
      "INSERT INTO note(id,title) VALUES(9,'nine'); DELETE FROM note WHERE id=2; UPDATE note SET title='x' WHERE id=1"
    #expect(try scene.changes(edit) == ["update \(key(1)) title", "delete \(key(2))", "insert \(key(9))"])
    #expect(try scene.findings().isEmpty)
  }

  @Test func aTableMadeAnewWithItsTriggersIsCompared() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let before = try scene.state()
    let triggers = try scene.app.rows("SELECT sql FROM sqlite_master WHERE type='trigger'").compactMap {
      $0[0].string
    }
    try scene.app.execute(
      """
      CREATE TABLE new(id INTEGER PRIMARY KEY, title TEXT NOT NULL, body, code TEXT UNIQUE);
      INSERT INTO new SELECT id,upper(title),body,code FROM note; DROP TABLE note; ALTER TABLE new RENAME TO note;
      """ + triggers.joined(separator: ";\n"))
    #expect(
      try scene.changes(since: before) == [
        "update \(key(1)) title", "update \(key(2)) title", "update \(key(3)) title",
      ])
    #expect(try scene.open { try $0.note(.drift)?.string }?.contains("3 changed") == true)
  }

  @Test func anotherPrimaryKeyEndsTheSyncingOfATable() throws {
    let scene = try AdoptedScene(AdoptionTests.notes + "CREATE TABLE rest(id TEXT PRIMARY KEY);")
    _ = try scene.state()
    try scene.app.execute(
      "DROP TABLE note; CREATE TABLE note(a TEXT, b TEXT, PRIMARY KEY(a,b)); INSERT INTO note VALUES(1,2)")
    #expect(try scene.state().isEmpty)
    let (isRereading, drift) = try notes(scene)
    #expect(isRereading && drift.contains("another primary key"))
    #expect(try scene.changes("INSERT INTO rest VALUES('a')") == ["insert rest \([Value.text("a")])"])
  }

  @Test func aRenamedColumnIsANewOne() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    #expect(
      try scene.changes("ALTER TABLE note RENAME COLUMN title TO name") == [
        "update \(key(1)) name", "update \(key(2)) name", "update \(key(3)) name",
      ])
    let (isRereading, drift) = try notes(scene)
    #expect(isRereading && drift.contains("no the column “title” any more"))
    #expect(try scene.changes("UPDATE note SET name='x' WHERE id=1") == ["update \(key(1)) name"])
  }

  @Test func aRenamedTableIsANewOne() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    _ = try scene.state()
    try scene.app.execute("ALTER TABLE note RENAME TO letter")
    #expect(try scene.state().keys.sorted() == [1, 2, 3].map { key($0, "letter") })
    #expect(try notes(scene).isRereading)
    #expect(try scene.changes("DELETE FROM letter WHERE id=1") == ["delete \(key(1, "letter"))"])
    try scene.app.execute("ALTER TABLE letter RENAME TO note")
    let state = try scene.state()
    #expect(state.keys.sorted() == [2, 3].map { key($0) })
    #expect(state.values.allSatisfy { $0.deletes.isEmpty })
    #expect(try scene.findings().isEmpty)
  }

  @Test(arguments: [
    "TEXT DEFAULT 7", "INTEGER DEFAULT '7'", "INTEGER DEFAULT 7.0", "REAL DEFAULT 7", "NUMERIC DEFAULT 'x'",
    "TEXT DEFAULT 1.50", "NUMERIC DEFAULT ' 7 '", "DEFAULT 7.0", "REAL DEFAULT '7'", "BLOB DEFAULT x'00'",
    "INTEGER DEFAULT TRUE",
  ])
  func aDefaultOfANewColumnIsNoEdit(type: String) throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    #expect(try scene.changes("ALTER TABLE note ADD COLUMN more \(type)") == [])
    #expect(try scene.changes("UPDATE note SET more='y' WHERE id=2") == ["update \(key(2)) more"])
    #expect(try notes(scene).isRereading == false)
  }

  @Test func undoTakesOnlyTheEnginesOwnTables() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    try scene.app.execute("CREATE TABLE tributary_mine(a); INSERT INTO tributary_mine VALUES(1)")
    try Adoption.undo(scene.path, wall: { 0 })
    #expect(
      try scene.app.rows("SELECT name FROM sqlite_master WHERE name LIKE 'tributary%'") == [
        [.text("tributary_mine")]
      ])
  }
}
