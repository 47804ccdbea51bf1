import Foundation
import SQLite
import TestSupport
import Testing
import TributaryModel

/// Two connections of one thread on a database whose journal mode is the app's: what the engine relies on.
struct AdoptedJournalTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try appDatabase(
      "CREATE TABLE t(k INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'old')", in: folder)
  }

  private static let rollback: [JournalMode] = [.delete, .truncate, .persist, .memory]

  private func pair(_ mode: JournalMode) throws -> (writer: Connection, reader: Connection) {
    let writer = try Connection.openAdopted(path, busyTimeout: 50)
    #expect(try writer.value("PRAGMA journal_mode = \(mode.rawValue)")?.string == mode.rawValue)
    return (writer, try Connection.openAdopted(path, onlyReads: true, busyTimeout: 50))
  }

  /// Changes far more pages than the cache holds.
  private static let much = """
    PRAGMA cache_size = 10;
    BEGIN IMMEDIATE;
    UPDATE t SET a = 'new';
    INSERT INTO t(a) WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT zeroblob(1000) FROM n
    """

  @Test(arguments: rollback + [.wal])
  func theReaderSeesTheLastCommittedStateWhileTheWriterIsAtWork(_ mode: JournalMode) throws {
    let (writer, reader) = try pair(mode)
    try writer.execute(Self.much)
    #expect(try reader.rows("SELECT a FROM t") == [[.text("old")]])
    #expect(try writer.value("SELECT a FROM t WHERE k = 1") == .text("new"))
    #expect(!reader.isReading)
    try writer.execute("COMMIT")
    #expect(try reader.integer("SELECT count(*) FROM t") == 2_001)
    #expect(try writer.journalMode == mode)
  }

  @Test(arguments: rollback)
  func aWriterThatSpillsLocksTheReaderOut(_ mode: JournalMode) throws {
    let (writer, reader) = try pair(mode)
    try writer.execute("PRAGMA cache_spill = ON")
    try writer.execute(Self.much)
    #expect(code { _ = try reader.rows("SELECT a FROM t") } == .busy)
    try writer.execute("ROLLBACK")
    #expect(try reader.rows("SELECT a FROM t") == [[.text("old")]])
  }

  @Test(arguments: rollback)
  func commitFailsWhileTheReaderReadsAndCanBeTriedAgain(_ mode: JournalMode) throws {
    let (writer, reader) = try pair(mode)
    try writer.execute("BEGIN IMMEDIATE; UPDATE t SET a = 'new'")
    try reader.execute("BEGIN")
    #expect(try reader.value("SELECT a FROM t") == .text("old"))
    #expect(reader.isReading)
    let begin = ContinuousClock.now
    #expect(code { try writer.execute("COMMIT") } == .busy)
    #expect(ContinuousClock.now - begin >= .milliseconds(40))
    #expect(writer.inTransaction)
    // The lock that waits for readers to end lets no new one begin.
    let other = try Connection.openAdopted(path, onlyReads: true, busyTimeout: 0)
    #expect(code { _ = try other.value("SELECT a FROM t") } == .busy)
    try reader.execute("COMMIT")
    try writer.execute("COMMIT")
    #expect(try reader.value("SELECT a FROM t") == .text("new"))
  }

  @Test func inWALTheReaderHindersNoCommit() throws {
    let (writer, reader) = try pair(.wal)
    try reader.execute("BEGIN")
    #expect(try reader.value("SELECT a FROM t") == .text("old"))
    try writer.transaction(.immediate) { try writer.execute("UPDATE t SET a = 'new'") }
    #expect(try reader.value("SELECT a FROM t") == .text("old"))
    try reader.execute("COMMIT")
    #expect(try reader.value("SELECT a FROM t") == .text("new"))
  }

  @Test func aStatementInTheMiddleOfItsRowsIsAReadToo() throws {
    let (writer, reader) = try pair(.delete)
    try writer.execute("INSERT INTO t VALUES (2, 'more')")
    let statement = try reader.prepare("SELECT a FROM t")
    #expect(try statement.step())
    #expect(reader.isReading)
    #expect(code { try writer.execute("UPDATE t SET a = 'new'") } == .busy)
    statement.reset()
    #expect(!reader.isReading)
    try writer.execute("UPDATE t SET a = 'new'")
  }

  /// Leaves what a program leaves that is cut off in the middle of a commit, under another name.
  private func cutOff() throws -> String {
    let writer = try Connection.open(path)
    try writer.execute(Self.much)
    let crashed = folder.path("crashed.db")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix)
    }
    try writer.execute("ROLLBACK")
    return crashed
  }

  @Test func theWriterRollsBackWhatWasCutOff() throws {
    let crashed = try cutOff()
    let writer = try Connection.openAdopted(crashed)
    #expect(try writer.rows("SELECT a FROM t") == [[.text("old")]])
    #expect(access(crashed + "-journal", F_OK) != 0)
  }

  @Test func aReaderRollsBackWhereAReadOnlyConnectionCannot() throws {
    let crashed = try cutOff()
    let readOnly = try Connection.open(crashed, .readOnly)
    let found = code { _ = try readOnly.rows("SELECT a FROM t") }
    // SQLITE_READONLY_ROLLBACK.
    #expect(found?.rawValue == 776)
    let reader = try Connection.openAdopted(crashed, onlyReads: true)
    #expect(try reader.rows("SELECT a FROM t") == [[.text("old")]])
    #expect(code { try reader.execute("UPDATE t SET a = 1") }?.primary == .readOnly)
  }

  @Test(arguments: rollback + [.wal])
  func aProgramWithTheFileToItselfIsBusyAfterTheTimeout(_ mode: JournalMode) throws {
    let other = try Connection.open(path)
    try other.execute(
      "PRAGMA journal_mode = \(mode.rawValue); PRAGMA locking_mode = EXCLUSIVE; UPDATE t SET a = 'x'")
    let writer = try Connection.openAdopted(path, busyTimeout: 50)
    let begin = ContinuousClock.now
    #expect(code { _ = try writer.rows("SELECT a FROM t") } == .busy)
    #expect(ContinuousClock.now - begin >= .milliseconds(40))
    #expect(code { try writer.execute("BEGIN IMMEDIATE") } == .busy)
    other.close()
    #expect(try writer.rows("SELECT a FROM t") == [[.text("x")]])
  }

  @Test(arguments: rollback)
  func aProgramThatHasOnlyReadWithTheFileToItselfLetsNothingBeCommitted(_ mode: JournalMode) throws {
    let other = try Connection.open(path)
    try other.execute("PRAGMA locking_mode = EXCLUSIVE; SELECT a FROM t")
    let (writer, reader) = try pair(mode)
    #expect(try reader.rows("SELECT a FROM t") == [[.text("old")]])
    #expect(code { try writer.transaction(.immediate) { try writer.execute("UPDATE t SET a = 1") } } == .busy)
    #expect(!writer.inTransaction)
  }

  @Test(arguments: [JournalMode.delete, .wal])
  func aFileThatMayNotBeWrittenIsRefusedToTheWriter(_ mode: JournalMode) throws {
    try Connection.open(path).execute("PRAGMA journal_mode = \(mode.rawValue)")
    chmod(path, 0o444)
    chmod(folder.path, 0o777)
    let refused = withoutRoot { refusal { _ = try Connection.openAdopted(path) } }
    #expect(refused == .readOnly)
    let rows = try withoutRoot {
      try Connection.openAdopted(path, onlyReads: true).rows("SELECT a FROM t")
    }
    #expect(rows == [[.text("old")]])
  }

  @Test func inAFolderThatMayNotBeWrittenARollbackJournalFailsAtTheFirstWrite() throws {
    chmod(path, 0o666)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    try withoutRoot {
      let connection = try Connection.openAdopted(path)
      #expect(try connection.rows("SELECT a FROM t") == [[.text("old")]])
      try connection.transaction(.immediate) {}
      #expect(code { try connection.execute("UPDATE t SET a = 1") }?.primary == .readOnly)
    }
  }

  @Test func inAFolderThatMayNotBeWrittenWALFailsAtTheFirstRead() throws {
    try Connection.open(path).execute("PRAGMA journal_mode = WAL")
    chmod(path, 0o666)
    chmod(folder.path, 0o555)
    defer { chmod(folder.path, 0o755) }
    for onlyReads in [false, true] {
      let found = withoutRoot {
        code { _ = try Connection.openAdopted(path, onlyReads: onlyReads).rows("SELECT a FROM t") }
      }
      // Other versions of SQLite say that it cannot open the file.
      #expect([.readOnly, .cantOpen].contains(found?.primary))
    }
  }

  @Test func aMissingFileIsNotMade() throws {
    let none = folder.path("none.db")
    #expect(refusal { _ = try Connection.openAdopted(none) } == .missing)
    #expect(access(none, F_OK) != 0)
  }
}
