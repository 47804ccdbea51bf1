import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore
import TributaryTesting

@testable import Tributary

/// Databases that other programs write and change, among devices that joined.
struct AdoptedScenarios {
  @Test func anAdoptedDatabaseAndThoseThatJoinEndTheSame() throws {
    let story = try Story("a", "b", "c", kind: .adopted)
    #expect(try story.rows("c", "SELECT id FROM item ORDER BY id") == [["i0"], ["i1"]])
    try story.foreign(
      "a", "INSERT INTO list(id,name) VALUES('l2','of a')", "REPLACE INTO tag(name,color) VALUES('t0','red')")
    try story.foreign("b", "UPDATE item SET title='of b' WHERE id='i0'", "DELETE FROM list WHERE id='l1'")
    try story.foreign("c", "UPDATE item SET code='c9' WHERE id='i0'")
    try story.write("c", "INSERT INTO secret(id,value) VALUES('s0','of the engine')")
    try story.sync("a", "b", "c")
    try story.end("SELECT id,title,code FROM item", [["i0", "of b", "c9"]])
  }

  /// What a foreign program and the engine do to one record keeps its order.
  @Test func editsThroughTheEngineAndBesideItKeepTheirOrder() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.write("a", "INSERT INTO tag(name,color) VALUES('t1','red')")
    try story.foreign("a", "DELETE FROM tag WHERE name='t1'")
    try story.foreign("a", "INSERT INTO tag(name,color) VALUES('t2','red')")
    try story.write("a", "DELETE FROM tag WHERE name='t2'")
    try story.write("a", "UPDATE tag SET color='green' WHERE name='t0'")
    try story.foreign("a", "UPDATE tag SET color='blue' WHERE name='t0'")
    try story.write("a", "UPDATE tag SET weight=2.5 WHERE name='t0'")
    try story.end("SELECT name,color,weight FROM tag", [["t0", "blue", .real(2.5)]])
  }

  /// An update and a later replacement of the row are not one edit of the earlier time.
  @Test func aReplacedValueIsAsNewAsItsReplacement() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "UPDATE tag SET color='red' WHERE name='t0'")
    try story.foreign("b", "UPDATE tag SET color='green' WHERE name='t0'")
    try story.foreign("a", "REPLACE INTO tag(name,color) VALUES('t0','blue')")
    try story.sync("a", "b")
    try story.end("SELECT name,color FROM tag", [["t0", "blue"]])
  }

  /// The values that a row had last are edits too, though nobody saw them: the trash is the same on every device.
  @Test func aRowThatIsReplacedAndDeletedHasOneTrashEverywhere() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign(
      "a", "REPLACE INTO tag(name,color) VALUES('t0','last')", "DELETE FROM tag WHERE name='t0'")
    try story.sync("a", "b")
    try story.end("SELECT name FROM tag", [])
  }

  /// Rows that a foreign program changed show values that have no stamps yet.
  @Test func aSnapshotWaitsForEditsThatAreNotTakenOver() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "INSERT INTO tag(name,color) VALUES('t1','red'),('t2','red')")
    try story.sync("a", "b")
    try story.foreign("a", "DELETE FROM tag WHERE name='t1'", "UPDATE tag SET color='new' WHERE name='t2'")
    try story.run.perform(.compact(), on: story.run.device("a"))
    try story.foreign("a", "UPDATE tag SET color='newer' WHERE name='t2'")
    try story.end("SELECT name,color FROM tag ORDER BY name", [["t0", "w0"], ["t2", "newer"]])
  }

  @Test func aCopyTakesAnIDOfItsOwnAndRepeatsNothing() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "UPDATE tag SET color='sent'")
    try story.sync("a", "b")
    let a = try story.run.device("a")
    try story.run.perform(.copy(as: "copy"), on: a)
    let copy = try story.run.device("copy")
    let report = try copy.sync()
    #expect(report.notices.map(\.code) == [.newIdentity])
    #expect(report.sent == 0)
    #expect(copy.device != a.device)
    try story.foreign("copy", "UPDATE tag SET color='of the copy'")
    try story.foreign("a", "UPDATE tag SET weight=7.5")
    try story.end("SELECT name,color,weight FROM tag", [["t0", "of the copy", .real(7.5)]])
  }

  @Test func aDroppedColumnIsReadAgainAndKept() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "INSERT INTO secret(id,value,note) VALUES('s0','v','of a')")
    try story.sync("a", "b")
    try story.foreign("a", "INSERT INTO tag(name,color) VALUES('t1','unsent')")
    try story.migrate("a", "ALTER TABLE secret DROP COLUMN note", isPaused: true)
    let (a, b) = (try story.run.device("a"), try story.run.device("b"))
    let report = try a.sync()
    #expect(report.notices.map(\.code) == [.schemaChanged, .newIdentity])
    #expect(try b.sync().received == 1)
    let later = try a.sync()
    #expect(later.notices.isEmpty)
    #expect(try a.canonical() == b.canonical())
    #expect(try story.rows("b", "SELECT note FROM secret") == [["of a"]])
    #expect(try story.rows("b", "SELECT color FROM tag WHERE name='t1'") == [["unsent"]])
    try story.migrate("a", "ALTER TABLE secret ADD COLUMN note TEXT")
    try story.end("SELECT id,value,note FROM secret", [["s0", "v", "of a"]])
  }

  @Test func rowsThatATableLostWhenItWasMadeAnewComeBack() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign(
      "a", "INSERT INTO secret(id,value) VALUES('s0','lost')",
      "INSERT INTO secret(id,value) VALUES('s1','stays')")
    try story.sync("a", "b")
    try story.foreign(
      "a", "INSERT INTO secret(id,value) VALUES('s2','unsent')", "UPDATE tag SET color='unsent'")
    try story.migrate("a", Self.rebuild("secret", where: "id<>'s0'"))
    #expect(try story.rows("a", "SELECT id FROM secret ORDER BY id") == [["s1"], ["s2"]])
    let (a, b) = (try story.run.device("a"), try story.run.device("b"))
    let report = try a.sync()
    #expect(report.notices.map(\.code) == [.schemaChanged, .newIdentity])
    #expect(try story.rows("a", "SELECT id FROM secret ORDER BY id") == [["s0"], ["s1"], ["s2"]])
    #expect(try b.sync().received == 2)
    #expect(try b.canonical().flatMap(\.change.deletes).isEmpty)
    #expect(try a.sync().notices.isEmpty)
    try story.end(
      "SELECT id,value FROM secret ORDER BY id", [["s0", "lost"], ["s1", "stays"], ["s2", "unsent"]])
  }

  /// What is read again of this device's own is also what it had sealed and not sent to the end.
  @Test(arguments: 3..<14) func rowsThatGoUnseenInTheMiddleOfALargeUploadComeBack(step: Int) throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "INSERT INTO secret(id,value) VALUES('s0','first')")
    try story.sync("a", "b")
    try story.foreign(
      "a", "UPDATE secret SET value='large',note='n'",
      "INSERT INTO photo(hash,data) VALUES(x'00',randomblob(240000)),(x'01',randomblob(240000))")
    try story.stop("a", at: step)
    #expect(try story.run.device("a").store.isAllSealed(), "stopped too early")
    try story.migrate("a", Self.rebuild("secret", where: "id<>'s0'"))
    try story.sync("b", "a")
    try story.write("b", "UPDATE secret SET note='of b'")
    try story.end("SELECT id,value,note FROM secret", [["s0", "large", "of b"]])
  }

  /// What is forgotten until it is read again is in no snapshot, which newcomers would take for all that there is.
  @Test func aSnapshotWaitsForWhatIsReadAgain() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "INSERT INTO secret(id,value) VALUES('s0','v')")
    try story.sync("a", "b")
    try story.foreign("b", "INSERT INTO tag(name,color) VALUES('t1','of b')")
    try story.sync("b", "a")
    try story.migrate("a", Self.rebuild("secret", where: "id<>'s0'"))
    try story.migrate("a", Self.rebuild("tag", where: "name<>'t1'"))
    try story.run.perform(.compact(), on: story.run.device("a"))
    try story.end("SELECT id,value FROM secret", [["s0", "v"]])
  }

  /// A row that nobody else ever had leaves nothing that refers to it.
  @Test func whatReferredToARowThatIsLostForGoodIsRepaired() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign(
      "a", "INSERT INTO guest(id,badge) VALUES('g0','b0')", "INSERT INTO seat(id,guest) VALUES('x0','g0')")
    try story.migrate("a", Self.rebuild("guest", where: "id<>'g0'"))
    try story.end("SELECT id,guest FROM seat", [["x0", .null]])
  }

  @Test func aDroppedTableIsDeletedNowhereElse() throws {
    let story = try Story("a", "b", kind: .adopted)
    try story.foreign("a", "INSERT INTO secret(id,value) VALUES('s0','v')")
    try story.sync("a", "b")
    try story.foreign("a", "UPDATE tag SET color='unsent'")
    try story.migrate("a", "DROP TABLE secret")
    let (a, b) = (try story.run.device("a"), try story.run.device("b"))
    #expect(try a.sync().notices.map(\.code) == [.schemaChanged, .newIdentity])
    #expect(try a.sync().notices.isEmpty)
    #expect(try b.sync().received == 1)
    #expect(try story.rows("b", "SELECT id,value FROM secret") == [["s0", "v"]])
    try story.foreign("b", "UPDATE secret SET value='later'")
    try story.sync("b", "a")
    // Made anew, it shows what the others have, and what is in it travels.
    try story.migrate(
      "a",
      "CREATE TABLE secret(id TEXT NOT NULL PRIMARY KEY, value TEXT, note TEXT);"
        + "INSERT INTO secret(id,value) VALUES('s1','new')")
    try story.end("SELECT id,value FROM secret ORDER BY id", [["s0", "later"], ["s1", "new"]])
  }

  private static func rebuild(_ table: String, where condition: String) -> String {
    let sql =
      Workload.foreignTables.split(separator: ";").first { $0.contains("CREATE TABLE \(table)(") } ?? ""
    return """
      CREATE TABLE fresh\(sql.drop { $0 != "(" }); INSERT INTO fresh SELECT * FROM \(table) WHERE \(condition);
      DROP TABLE \(table); ALTER TABLE fresh RENAME TO \(table)
      """
  }
}

extension AdoptedScenarios {
  /// Two devices adopt copies of one file, each for itself, and attach to one remote.
  @Test(arguments: ["TEXT", "INTEGER"]) func copiesThatAreAdoptedApartDoNotFillTheConflictJournal(key: String)
    throws
  {
    let world = SimulatedWorld(seed: 5)
    let remote = MemoryRemote(seed: 5)
    let folder = try TemporaryFolder()
    let devices = try ["a", "b"].map { name in
      world.advance(1_000)
      let path = folder.path("\(name).db")
      let connection = try Connection.open(path)
      try connection.execute(
        """
        CREATE TABLE song(id \(key) NOT NULL PRIMARY KEY, title TEXT, length REAL);
        INSERT INTO song VALUES(1,'one',1.5),(2,'two',NULL),(3,'three',2)
        """)
      if name == "b" { try connection.execute("UPDATE song SET title='other' WHERE id=3") }
      connection.close()
      let wish = FoundSchema.Wish(name: "com.example.songs", sharesIntegerKeys: true)
      _ = try Adoption.adopt(path, wish, wall: world.environment(of: name) { 0 }.wall)
      let device = try SimulatedDevice(name, in: folder, world, remote, skew: 0, isAdopted: true)
      try device.attach(create: name == "a")
      return device
    }
    defer { for device in devices { device.store.close() } }
    for _ in 0..<2 { for device in devices { _ = try device.sync() } }
    #expect(try devices[0].canonical() == devices[1].canonical())
    let lost = try devices.flatMap { try $0.store.conflicts(limit: 100) }
    // Under a shared key two rows that differ are two things: what is equal in both is lost with the rest.
    #expect(Set(lost.map(\.name.id)) == Set([RecordID([key == "TEXT" ? "3" : 3])].compactMap(\.self)))
    for device in devices { #expect(try device.store.read { try $0.rows("SELECT * FROM song").count } == 3) }
  }
}
