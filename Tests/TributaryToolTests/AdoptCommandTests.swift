import Foundation
import Testing

@testable import TributaryTool

/// Databases of other programs, adopted, joined and copied, from one end to the other.
@Suite(.enabled(if: OtherProgram.arePresent, "needs sqlite3 and python3"))
struct AdoptCommandTests {
  static let shop = """
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name NVARCHAR(120) COLLATE NOCASE UNIQUE);
    CREATE TABLE album(id INTEGER PRIMARY KEY, title TEXT NOT NULL,
      artist INTEGER NOT NULL REFERENCES artist(id) ON DELETE CASCADE,
      price NUMERIC(10,2) DEFAULT 9.5, added TEXT DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE playlist(name TEXT, place INTEGER, album INTEGER REFERENCES album(id),
      PRIMARY KEY(name, place)) WITHOUT ROWID;
    CREATE INDEX album_artist ON album(artist);
    CREATE VIEW cheap AS SELECT * FROM album WHERE price < 5;
    INSERT INTO artist VALUES(1,'Nina'),(2,'Otis'),(3,'Etta');
    INSERT INTO album(id,title,artist) VALUES(1,'Blue',1),(2,'Dock',2),(3,'Last',3);
    INSERT INTO playlist VALUES('all',1,1),('all',2,2);
    """

  @Test func adoptedJoinedAndCopiedDevicesEndTheSame() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.shop)
    try await place.send("one")
    try await place.join("two")
    try await place.join("three")
    try place.copy("one", to: "four")
    try place.make("one", "UPDATE artist SET name='Nina S.' WHERE id=1; REPLACE INTO artist VALUES(9,'otis')")
    let python = try place.python(
      "two",
      """
      db.execute("UPDATE album SET title='Kind of' WHERE id=1")
      db.execute("INSERT INTO album(id,title,artist) VALUES(7,?,1)",('At \\0 last',))
      db.commit()
      """)
    #expect(python.code == 0, "\(python)")
    try place.make(
      "three",
      "PRAGMA foreign_keys=ON; DELETE FROM artist WHERE id=3; UPDATE playlist SET place=5 WHERE place=2")
    try place.make("four", "INSERT INTO playlist VALUES('copy',1,2)")
    // On a machine that has no keys for it, the copy asks to be attached.
    #expect(await place.run("four", "sync").code == .notAttached)
    #expect(await place.run("four", "attach", place.remote, "--device", "four").code == .success)
    for _ in 0..<2 { _ = await place.sync("one", "two", "three", "four") }
    let exports = try await place.exports("one", "two", "three", "four")
    #expect(Set(exports).count == 1)
    for text in ["Nina S.", "Kind of", "copy"] { #expect(exports[0].contains(text)) }
    #expect(await place.areSound("one", "two", "three", "four"))
    #expect(
      try place.sqlite("four", "SELECT hex(title) FROM album WHERE id=7").output == "41742000206C617374\n")
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TRIBUTARY_CHINOOK"] != nil, "needs TRIBUTARY_CHINOOK=PATH"))
  func aDatabaseThatNobodyHereMadeIsTheSameEverywhere() async throws {
    let place = try Place()
    defer { place.remove() }
    let chinook = ProcessInfo.processInfo.environment["TRIBUTARY_CHINOOK"] ?? ""
    try Data(contentsOf: URL(fileURLWithPath: chinook)).write(
      to: URL(fileURLWithPath: place.database("one")))
    try await place.adopt("one")
    try await place.send("one")
    try await place.join("two")
    try await place.join("three")
    try place.copy("one", to: "four")
    try place.make(
      "one",
      "UPDATE Track SET UnitPrice=UnitPrice+1 WHERE AlbumId<20; DELETE FROM PlaylistTrack WHERE PlaylistId=5")
    try place.python(
      "two",
      """
      db.execute("UPDATE Artist SET Name=upper(Name) WHERE ArtistId%3=0")
      db.execute("INSERT INTO Genre VALUES(99,'New')")
      db.commit()
      """)
    try place.make(
      "three",
      "UPDATE Track SET GenreId=2 WHERE AlbumId<5; UPDATE Artist SET Name='AC–DC' WHERE ArtistId=3")
    #expect(await place.run("four", "attach", place.remote, "--device", "four").code == .success)
    try place.make("four", "INSERT INTO Playlist VALUES(50,'copy')")
    for _ in 0..<2 { _ = await place.sync("one", "two", "three", "four") }
    let exports = try await place.exports("one", "two", "three", "four")
    #expect(Set(exports).count == 1)
    #expect(await place.areSound("one", "two", "three", "four"))
  }

  @Test func adoptSaysFirstWhatItWillDoAndRefusesWithTheRemedy() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.make(
      "one",
      Self.shop
        + """
        CREATE TABLE loose(a); CREATE TABLE part(id TEXT PRIMARY KEY, s, d);
        CREATE UNIQUE INDEX live ON part(s) WHERE d IS NULL;
        """)
    let before = try Data(contentsOf: URL(fileURLWithPath: place.database("one")))
    let run = await place.run("one", "adopt")
    #expect(run.code == .failure)
    for text in ["loose", "has no primary key", "--shared-integer-keys", "“live”", "the view “cheap”"] {
      #expect(run.output.contains(text), "\(text): \(run)")
    }
    let chosen = await place.run(
      "one", "adopt", "--table", "artist", "--table", "album", "--shared-integer-keys", "--dry-run")
    #expect(chosen.code == .success && !chosen.output.contains("loose"), "\(chosen)")
    let child = await place.run("one", "adopt", "--table", "album", "--shared-integer-keys")
    #expect(child.code == .failure && child.output.contains("refers to “artist”"), "\(child)")
    let json = await place.run("one", "adopt", "--json")
    #expect(json.code == .failure && json.output.contains("\"adoption\":\"refused\""), "\(json)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.database("one"))) == before)
  }

  @Test func undoRemovesEveryTrace() async throws {
    let place = try Place()
    defer { place.remove() }
    try place.make("one", Self.shop)
    let schema = try place.sqlite("one", ".schema").output
    try await place.adopt("one")
    try await place.send("one")
    try place.make("one", "DELETE FROM album WHERE id=2")
    let undo = await place.run("one", "adopt", "--undo")
    #expect(undo.code == .success, "\(undo)")
    #expect(try place.sqlite("one", ".schema").output == schema)
    #expect(try place.sqlite("one", "SELECT count(*) FROM album; PRAGMA integrity_check").output == "2\nok\n")
    #expect(await place.run("one", "sync").code == .notAttached)
    // It can be adopted and attached anew.
    try await place.adopt("one", isFirst: false)
    try await place.send("one")
  }

  @Test func joinSaysWhatADescriptionCannotCarry() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt(
      "one",
      Self.shop
        + """
        CREATE TABLE c(id TEXT PRIMARY KEY, n CHECK(n>0));
        CREATE TRIGGER watch AFTER DELETE ON c BEGIN SELECT 1; END;
        """)
    try await place.send("one")
    let joined = await place.run("two", "join", place.remote)
    #expect(joined.code == .success)
    for text in ["the checks of “c”", "the trigger “watch”", "the view “cheap”"] {
      #expect(joined.output.contains(text), "\(text): \(joined)")
    }
    let schema = try place.sqlite("two", ".schema").output
    for text in [
      "DEFAULT 9.5", "DEFAULT CURRENT_TIMESTAMP", "NUMERIC(10,2)", "ON DELETE CASCADE", "WITHOUT ROWID",
      "album_artist",
    ] {
      #expect(schema.contains(text), "\(text)")
    }
    #expect(try place.sqlite("two", "SELECT count(*) FROM artist WHERE name='OTIS'").output == "1\n")
    #expect(await place.run("two", "join", place.remote).code == .failure)
    let wrong = await place.run("three", "join", place.remote, password: "wrong password")
    #expect(wrong.code == .wrongPassword)
    #expect(!FileManager.default.fileExists(atPath: place.database("three")))
  }

  /// An index may compare otherwise than its columns do, and what is unique by it is unique on every device.
  @Test func aUniqueIndexComparesAlikeEverywhere() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt(
      "one",
      """
      CREATE TABLE person(id TEXT, mail TEXT, note TEXT, PRIMARY KEY(id COLLATE NOCASE));
      CREATE UNIQUE INDEX person_mail ON person(mail COLLATE NOCASE);
      INSERT INTO person VALUES('a','ann@example.com','of one')
      """)
    try await place.send("one")
    try await place.join("two")
    for sql in [
      "INSERT INTO person VALUES('b','ANN@example.com','')", "INSERT INTO person VALUES('A','else','')",
    ] { #expect(try place.sqlite("two", sql).code != 0, "\(sql)") }
    try place.make("one", "INSERT INTO person VALUES('b','bob@example.com','of one')")
    try place.make("two", "INSERT INTO person VALUES('c','BOB@example.com','of two')")
    _ = await place.sync("one", "two", "one", "two")
    #expect(await place.areSound("one", "two"))
    let shown = "SELECT * FROM person ORDER BY id"
    #expect(try place.sqlite("one", shown).output == place.sqlite("two", shown).output)
  }

  @Test func theAppChangesItsTables() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.shop)
    try await place.send("one")
    try await place.join("two")
    #expect(try place.sqlite("one", "ALTER TABLE album DROP COLUMN added").code != 0)
    try place.make(
      "one",
      """
      ALTER TABLE album ADD COLUMN stars INTEGER DEFAULT 3; UPDATE album SET stars=5 WHERE id=1;
      DROP TABLE playlist; VACUUM
      """)
    let sync = await place.run("one", "sync")
    #expect(sync.output.contains("“stars”") && sync.output.contains("“playlist” is gone"), "\(sync)")
    #expect(await place.run("one", "adopt", "--pause").code == .success)
    let paused = await place.run("one", "sync")
    #expect(paused.code == .failure && paused.errors.contains("--resume"), "\(paused)")
    try place.make("one", "ALTER TABLE album DROP COLUMN added; UPDATE album SET title='paused' WHERE id=2")
    let resumed = await place.run("one", "adopt", "--resume")
    #expect(resumed.code == .success && resumed.output.contains("“added”"), "\(resumed)")
    _ = await place.sync("one", "two", "one", "two")
    // What went away there is still here.
    #expect(
      try place.sqlite("two", "SELECT count(*) FROM playlist; SELECT count(added) FROM album").output
        == "2\n3\n")
    #expect(try place.sqlite("two", "SELECT title FROM album WHERE id=2").output == "paused\n")
    try place.make("two", "ALTER TABLE album ADD COLUMN stars INTEGER DEFAULT 3")
    _ = await place.sync("two")
    #expect(try place.sqlite("two", "SELECT group_concat(stars) FROM album").output == "5,3,3\n")
  }

  @Test func checkFindsAndMendsWhatTheTriggersMissed() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.shop)
    try await place.send("one")
    try await place.join("two")
    // A program that takes the triggers away and puts them back just as they were leaves no other trace.
    try place.python(
      "one",
      """
      triggers=db.execute("SELECT name,sql FROM sqlite_master WHERE name LIKE 'tributary_adopt%'").fetchall()
      for name,sql in triggers: db.execute('DROP TRIGGER '+name)
      db.execute("UPDATE album SET title='unseen' WHERE id=1")
      db.execute("DELETE FROM playlist WHERE place=2")
      for name,sql in triggers: db.execute(sql)
      db.commit()
      """)
    let check = await place.run("one", "check")
    #expect(check.code == .damage && check.output.contains("title changed while nothing watched"), "\(check)")
    let repair = await place.run("one", "check", "--repair")
    #expect(repair.code == .success, "\(repair)")
    _ = await place.sync("one", "two", "one")
    #expect(try place.sqlite("two", "SELECT title FROM album WHERE id=1").output == "unseen\n")
    // What went unseen is not deleted, and comes back.
    #expect(try place.sqlite("one", "SELECT count(*) FROM playlist").output == "2\n")
    #expect(await place.areSound("one", "two"))
  }

  @Test func anAdoptedDatabaseIsDetachedAndAttachedAgain() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.shop)
    try await place.send("one")
    try await place.join("two")
    let detach = await place.run("one", "detach")
    #expect(detach.code == .success && detach.output.contains("Edits are noted on"), "\(detach)")
    try place.make("one", "UPDATE album SET title='meanwhile' WHERE id=1")
    let attach = await place.run("one", "attach", place.remote, "--device", "one")
    #expect(attach.code == .success, "\(attach)")
    _ = await place.sync("one", "two")
    #expect(try place.sqlite("two", "SELECT title FROM album WHERE id=1").output == "meanwhile\n")
  }

  @Test func undoPutsBackWhatAReferenceKeptOut() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.shop)
    try await place.send("one")
    try place.make("one", "DELETE FROM artist WHERE id=2")
    let sync = await place.run("one", "sync")
    #expect(sync.code == .held && sync.output.contains("1 parked"), "\(sync)")
    #expect(try place.sqlite("one", "SELECT count(*) FROM album").output == "2\n")
    #expect(await place.run("one", "adopt", "--undo").code == .success)
    #expect(try place.sqlite("one", "SELECT group_concat(title) FROM album").output == "Blue,Dock,Last\n")
  }

  @Test func everyNameAndValueArrivesAsItIs() async throws {
    let place = try Place()
    defer { place.remove() }
    let made = try place.python("one", Self.oddities)
    try #require(made.code == 0, "\(made)")
    try await place.adopt("one")
    try await place.send("one")
    try await place.join("two")
    let one = try place.python("one", Self.dump).output
    let two = try place.python("two", Self.dump).output
    #expect(one.count > 1_000 && one == two, "\(one)\n\(two)")
    let edited = try place.python(
      "two",
      """
      db.execute("UPDATE wide SET c299=c299||'!' WHERE k=1")
      db.execute("UPDATE folded SET k='KEY'")
      db.commit()
      """)
    #expect(edited.code == 0, "\(edited)")
    _ = await place.sync("two", "one")
    let shown = try place.sqlite("one", "SELECT c299 FROM wide WHERE k=1; SELECT k FROM folded").output
    #expect(shown == "last!\nKEY\n")
    #expect(try place.sqlite("one", "SELECT count(*) FROM words('one')").output == "1\n")
    #expect(await place.areSound("one", "two"))
  }

  private static let oddities = #"""
    import sqlite3
    T='"sel\'ect ""a"" [b] \U0001F3B7"'
    db.executescript('CREATE TABLE '+T+'("k\u00e9 y" BLOB PRIMARY KEY, "order" , "group by" TEXT, n NUMERIC, r REAL, i INTEGER)')
    db.execute('CREATE TABLE folded(k TEXT COLLATE NOCASE PRIMARY KEY, v)')
    db.execute('CREATE TABLE wide(k PRIMARY KEY, '+','.join('c%d'%i for i in range(300))+')')
    db.execute('CREATE VIRTUAL TABLE words USING fts5(v)')
    db.execute('CREATE TRIGGER words_in AFTER INSERT ON folded BEGIN INSERT INTO words(rowid,v) VALUES(new.rowid,new.v); END')
    db.execute('CREATE TRIGGER words_out AFTER DELETE ON folded BEGIN DELETE FROM words WHERE rowid=old.rowid; END')
    values=[2**53+1,-2**63,-0.0,float('inf'),float('-inf'),1.5,'','text','a\0b',b'',b'\0\xff',None,'\U0001F3B7',1.0,1]
    for n,v in enumerate(values):
      db.execute('INSERT INTO '+T+' VALUES(?,?,?,?,?,?)',(bytes([n]),v,v,v,v,v))
    db.execute('INSERT INTO '+T+'("k\u00e9 y","order") VALUES(?,CAST(? AS TEXT))',(b'bad',b'\xff\xfe'))
    db.execute("INSERT INTO folded VALUES('Key','one')")
    db.execute("INSERT INTO wide(k,c0,c299) VALUES(1,'first','last'),('t','x',2),(2.5,NULL,3)")
    db.commit()
    """#

  private static let dump = #"""
    db.text_factory=bytes
    for t in ('"sel\'ect ""a"" [b] \U0001F3B7"','folded','wide'):
      for row in db.execute('SELECT * FROM '+t+' ORDER BY 1'): print([(type(v).__name__,v) for v in row])
    """#
}
