import Foundation
import Testing

@testable import TributaryTool

/// Adopted files that are locked, read-only, cut off, missing or in use.
@Suite(.enabled(if: OtherProgram.arePresent, "needs sqlite3 and python3"))
struct AdoptedFileTests {
  private static let note =
    "CREATE TABLE note(id TEXT PRIMARY KEY, text); INSERT INTO note VALUES('a','one');"

  @Test func aTransactionThatWasCutOffIsUndoneFirst() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.note)
    let run = try place.python(
      "one",
      """
      db.execute('PRAGMA cache_size=5');db.execute('BEGIN')
      for i in range(3000): db.execute("INSERT INTO note VALUES(?,?)",(str(i),'x'*200))
      os.kill(os.getpid(),signal.SIGKILL)
      """)
    #expect(run.code == nil)
    #expect(FileManager.default.fileExists(atPath: place.database("one") + "-journal"))
    let status = await place.run("one", "status")
    #expect(status.code == .success, "\(status)")
    let sync = await place.run("one", "sync")
    #expect(sync.output.hasPrefix("Sent 1, "), "\(sync)")
    #expect(await place.areSound("one"))
  }

  @Test func aLockedDatabaseIsBusyAndLosesNothing() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", Self.note)
    let script = """
      import sqlite3,sys,time
      db=sqlite3.connect(sys.argv[1],isolation_level=None);db.execute('BEGIN EXCLUSIVE')
      open(sys.argv[1]+'.held','w').close();time.sleep(60)
      """
    let holder = try RunningProcess(OtherProgram.python, ["-c", script, place.database("one")])
    while !FileManager.default.fileExists(atPath: place.database("one") + ".held") { usleep(10_000) }
    let sync = await place.run("one", "sync")
    #expect(sync.code == .busy && sync.errors.contains("another program"), "\(sync)")
    holder.signal(SIGKILL)
    _ = holder.finish()
    try await place.send("one")
  }

  @Test func aReadOnlyOrMissingDatabaseIsSaidSo() async throws {
    let place = try Place()
    defer { place.remove() }
    let missing = await place.run("one", "adopt")
    #expect(missing.code == .failure && missing.errors.contains("no database"))
    try place.put(Array("no database at all, just text".utf8), as: "two")
    let text = await place.run("two", "adopt")
    #expect(text.code == .failure && text.errors.contains("not a SQLite database"), "\(text)")
    guard getuid() != 0 else { return }
    try await place.adopt("one", Self.note)
    #expect(chmod(place.database("one"), 0o400) == 0)
    let sync = await place.run("one", "sync")
    #expect(sync.code == .failure && sync.errors.contains("cannot be written"), "\(sync)")
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
  func everyJournalModeStaysAsItIs(mode: String) async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", "PRAGMA journal_mode=\(mode);" + Self.note)
    try await place.send("one")
    try await place.join("two")
    try place.make("two", "UPDATE note SET text='two'; INSERT INTO note VALUES('b','more')")
    _ = await place.sync("two", "one")
    let expected = "two,more\n\(mode == "WAL" ? "wal" : "delete")\n"
    #expect(
      try place.sqlite("one", "SELECT group_concat(text) FROM note; PRAGMA journal_mode").output == expected)
  }

  @Test func programsGoOnWritingDuringASync() async throws {
    let place = try Place()
    defer { place.remove() }
    try await place.adopt("one", "PRAGMA journal_mode=WAL;" + Self.note)
    try await place.send("one")
    try await place.join("two")
    let script = """
      import sqlite3,sys
      db=sqlite3.connect(sys.argv[1],timeout=60)
      for i in range(400):
        db.execute("REPLACE INTO note VALUES(?,?)",(str(i%150),str(i)));db.commit()
      """
    let writer = try RunningProcess(OtherProgram.python, ["-c", script, place.database("one")])
    while writer.isRunning { _ = await place.sync("one", "two") }
    #expect(writer.finish().code == 0)
    _ = await place.sync("one", "two", "one")
    let rows = "SELECT id||text FROM note ORDER BY 1"
    let (one, two) = (try place.sqlite("one", rows).output, try place.sqlite("two", rows).output)
    #expect(one == two)
    #expect(try place.sqlite("two", "SELECT count(*) FROM note").output == "151\n")
    #expect(await place.areSound("one", "two"))
  }

  @Test func anAddressOfAFolderIsTaken() throws {
    #expect(try RemoteArgument.filePath("file:///tmp/a%20b/%C3%A9") == "/tmp/a b/é")
    #expect(try RemoteArgument.filePath("FILE://localhost/x") == "/x")
    #expect(try RemoteArgument.filePath("/plain") == nil)
    for bad in ["file://host/x", "file://x", "file:///%00", "file:///%ff", "file:///%4"] {
      #expect(throws: ToolError.self) { try RemoteArgument.filePath(bad) }
    }
  }
}
