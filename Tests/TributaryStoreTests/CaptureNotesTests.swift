import SQLite
import Testing
import TributaryModel

@testable import TributaryStore

/// Comparing only the columns that statements set.
@Suite struct CaptureNotesTests {
  private static let tables = """
    CREATE TABLE a(id TEXT PRIMARY KEY, x, y, z);
    CREATE TABLE b(id TEXT PRIMARY KEY, a REFERENCES a ON UPDATE CASCADE ON DELETE SET NULL, n)
    """

  private func scene(_ sql: String = "") throws -> Scene {
    let scene = try Scene(Self.tables + ";" + sql)
    try scene.given("INSERT INTO a VALUES('a', 1, 1, 1); INSERT INTO b VALUES('b', 'a', 1)")
    return scene
  }

  @Test func columnsOfUpsertsAreCompared() throws {
    let changes = try scene().changes("INSERT INTO a(id) VALUES('a') ON CONFLICT DO UPDATE SET z = 2")
    #expect(changes == ["update a 'a' z"])
  }

  @Test func columnsOfForeignKeyActionsAreCompared() throws {
    let scene = try scene()
    let renamed = try scene.changes("UPDATE a SET id = 'c'")
    #expect(renamed == ["delete a 'a' {x: 1, y: 1, z: 1}", "insert a 'c'", "update b 'b' a"])
    #expect(try scene.changes("DELETE FROM a") == ["delete a 'c' {x: 1, y: 1, z: 1}", "update b 'b' a"])
  }

  @Test func columnsOfTriggersAreCompared() throws {
    let scene = try scene(
      """
      CREATE TRIGGER one AFTER UPDATE OF x ON a BEGIN UPDATE b SET n = new.x; END;
      CREATE TRIGGER two AFTER UPDATE OF n ON b BEGIN UPDATE a SET (y, z) = (new.n, z); END
      """)
    #expect(try scene.changes("UPDATE a SET x = 5") == ["update a 'a' x,y", "update b 'b' n"])
  }

  @Test func columnsOfUpdatesThroughViewsAreCompared() throws {
    let scene = try scene(
      """
      CREATE VIEW v AS SELECT id, y FROM a;
      CREATE TRIGGER w INSTEAD OF UPDATE ON v BEGIN UPDATE a SET y = new.y WHERE id = new.id; END
      """)
    #expect(try scene.changes("UPDATE v SET y = 5") == ["update a 'a' y"])
  }

  @Test func statementsFromBeforeAreCompiledAnew() throws {
    let scene = try Scene(Self.tables, comparesAll: true)
    try scene.given("INSERT INTO a VALUES('a', 1, 1, 1)")
    let kept = try scene.writer.prepare("UPDATE a SET z = z + 1")
    #expect(try scene.transaction { _ in try kept.run() } == ["update a 'a' z"])
    try scene.capture.compareOnlyColumnsThatAreSet()
    #expect(try scene.transaction { _ in try kept.run() } == ["update a 'a' z"])
  }

  @Test func whatWasNotedOutlivesAChangeOfTheTables() throws {
    let scene = try scene()
    let kept = try scene.writer.prepare("UPDATE a SET z = z + 1")
    try scene.capture.setTables(scene.shapes)
    #expect(try scene.transaction { _ in try kept.run() } == ["update a 'a' z"])
    try scene.evolve("ALTER TABLE a ADD COLUMN more")
    #expect(try scene.transaction { _ in try kept.run() } == ["update a 'a' z"])
    #expect(try scene.changes("UPDATE a SET more = 1") == ["update a 'a' more"])
  }

  @Test func anAuthorizerOfTheEnginePassesItsQuestionsOn() throws {
    let scene = try scene()
    let function: AuthorizerFunction = { context, action, first, second, schema, inner in
      Capture.authorizer(context, action, first, second, schema, inner)
    }
    try scene.capture.compareOnlyColumnsThatAreSet(by: function)
    #expect(try scene.changes("UPDATE a SET y = 7") == ["update a 'a' y"])
  }
}
