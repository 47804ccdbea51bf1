import Foundation
import SQLite
import TestSupport
import Testing
import TributaryModel

#if os(Linux)
  import Glibc
#endif

struct ForeignFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = try appDatabase("CREATE TABLE t(a); INSERT INTO t VALUES (1)", in: folder)
  }

  @Test func aPlainOpenDeletesTheFileThatAJournalNames() throws {
    let victim = folder.path("victim.txt")
    try write(Array("precious".utf8), victim)
    try write(superJournal(naming: victim, pages: 2), path + "-journal")
    let connection = try Connection.open(path)
    try harden(connection, .foreign)
    #expect(try connection.tableNames() == ["t"])
    #expect(access(victim, F_OK) != 0)
  }

  @Test(arguments: [0, 1, 4_096])
  func aJournalThatNamesASuperJournalIsRefused(_ zeroed: Int) throws {
    let victim = folder.path("victim.txt")
    try write(Array("precious".utf8), victim)
    // Without its header SQLite leaves it alone, until a transaction gives it one.
    let journal =
      [UInt8](repeating: 0, count: zeroed) + superJournal(naming: victim, pages: 2).dropFirst(zeroed)
    try write(journal, path + "-journal")
    #expect(refusal { _ = try ForeignFile.check(path) } == .superJournal)
    #expect(refusal { _ = try Connection.openAdopted(path) } == .superJournal)
    #expect(access(victim, F_OK) == 0)
    #expect(access(path + "-journal", F_OK) == 0)
  }

  @Test func aJournalWithoutHeaderBecomesADangerWhenATransactionIsCutOff() throws {
    let victim = folder.path("victim.txt")
    try write(Array("precious".utf8), victim)
    try Connection.open(path).execute(
      "WITH n(i) AS (VALUES (1) UNION ALL SELECT i+1 FROM n WHERE i < 999) INSERT INTO t SELECT zeroblob(900) FROM n"
    )
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    try write(zeros + superJournal(naming: victim, pages: 2), path + "-journal")
    let connection = try Connection.open(path)
    #expect(try connection.tableNames() == ["t"])
    #expect(access(victim, F_OK) == 0)
    // A small cache, so that the transaction reaches the files; then what a crash would leave.
    try connection.execute("PRAGMA cache_size = 5; BEGIN; UPDATE t SET a = randomblob(900)")
    let crashed = folder.path("crashed.db")
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: crashed + suffix)
    }
    try connection.execute("ROLLBACK")
    #expect(refusal { _ = try ForeignFile.check(crashed) } == .superJournal)
    #expect(try Connection.open(crashed).tableNames() == ["t"])
    #expect(access(victim, F_OK) != 0)
  }

  @Test(arguments: [[], [1], journalMagic.dropLast() + [0], journalMagic + [0]] as [[UInt8]])
  func otherJournalsAreLeftToSQLite(_ bytes: [UInt8]) throws {
    try write(bytes, path + "-journal")
    #expect(try Connection.openAdopted(path).tableNames() == ["t"])
  }

  @Test func aDatabaseIsFound() throws {
    let file = try ForeignFile.check(path)
    #expect(file.path.hasSuffix(path.split(separator: "/").suffix(2).joined(separator: "/")))
    #expect(!file.isEmpty && !file.usesWAL)
    try Connection.open(path).execute("PRAGMA journal_mode = WAL")
    #expect(try ForeignFile.check(path).usesWAL)
  }

  @Test func onlyTheFileThatWasCheckedIsOpened() throws {
    let file = try ForeignFile.check(path)
    #expect(try Connection.openAdopted(file).tableNames() == ["t"])
    let other = folder.path("other.db")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(rename(other, path) == 0)
    #expect(refusal { _ = try Connection.openAdopted(file) } == .replaced)
    #expect(symlink("/none", path + "-wal") == 0)
    #expect(refusal { _ = try Connection.openAdopted(file) } == .link)
  }

  @Test func anEmptyFileIsAnEmptyDatabase() throws {
    let empty = folder.path("empty")
    try write([], empty)
    #expect(try ForeignFile.check(empty).isEmpty)
    let connection = try Connection.openAdopted(empty)
    try connection.execute("CREATE TABLE t(a)")
    #expect(try connection.tableNames() == ["t"])
  }

  @Test func aLinkToADatabaseIsFollowedAndTheFilesBesideTheDatabaseAreChecked() throws {
    let other = folder.path("other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let link = other + "/link.db"
    #expect(symlink(path, link) == 0)
    #expect(try ForeignFile.check(link) == ForeignFile.check(path))
    #expect(try Connection.openAdopted(link).tableNames() == ["t"])
    // SQLite looks beside the database and not beside the link.
    try write(superJournal(naming: "/none", pages: 2), link + "-journal")
    _ = try ForeignFile.check(link)
    try write(superJournal(naming: "/none", pages: 2), path + "-journal")
    #expect(refusal { _ = try ForeignFile.check(link) } == .superJournal)
  }

  @Test(arguments: ["-journal", "-wal", "-shm"])
  func linksAndOtherKindsBesideADatabaseAreRefused(_ suffix: String) throws {
    let victim = folder.path("victim.txt")
    try write(Array("precious".utf8), victim)
    #expect(symlink(victim, path + suffix) == 0)
    #expect(refusal { _ = try ForeignFile.check(path) } == .link)
    unlink(path + suffix)
    #expect(link(victim, path + suffix) == 0)
    #expect(refusal { _ = try ForeignFile.check(path) } == .secondName)
    unlink(path + suffix)
    #expect(mkfifo(path + suffix, 0o600) == 0)
    #expect(refusal { _ = try ForeignFile.check(path) } == .notPlain)
    unlink(path + suffix)
    _ = try ForeignFile.check(path)
  }

  @Test func aPlainOpenWritesThroughAJournalWithASecondName() throws {
    let victim = folder.path("victim")
    // With a zero first, SQLite takes it for the rest of a transaction that has ended, and writes over it.
    let precious = [0] + Array("precious".utf8)
    try write(precious, victim)
    #expect(link(victim, path + "-journal") == 0)
    try Connection.open(path).execute("INSERT INTO t VALUES (2)")
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: victim))) != precious)
  }

  @Test func whatIsNoFileOrHasASecondNameIsRefused() throws {
    #expect(refusal { _ = try ForeignFile.check(folder.path) } == .notPlain)
    #expect(refusal { _ = try ForeignFile.check("/dev/null") } == .notPlain)
    #expect(refusal { _ = try ForeignFile.check("/") } == .notPlain)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(refusal { _ = try ForeignFile.check(pipe) } == .notPlain)
    #expect(refusal { _ = try ForeignFile.check(folder.path("none")) } == .missing)
    #expect(refusal { _ = try ForeignFile.check(path + "/none") } == .missing)
    #expect(refusal { _ = try ForeignFile.check("") } == .missing)
    #expect(refusal { _ = try ForeignFile.check(path + "\0x") } == .missing)
    let loop = folder.path("loop")
    #expect(symlink(loop, loop) == 0)
    #expect(refusal { _ = try ForeignFile.check(loop) } == .link)
    #expect(link(path, folder.path("second.db")) == 0)
    #expect(refusal { _ = try ForeignFile.check(path) } == .secondName)
    unlink(folder.path("second.db"))
    chmod(path, 0)
    let locked = withoutRoot { refusal { _ = try ForeignFile.check(path) } }
    #expect(locked == .unreadable)
  }

  @Test func whatIsNoDatabaseIsNamed() throws {
    let text = folder.path("text")
    try write(Array("to be or not to be".utf8), text)
    #expect(refusal { _ = try ForeignFile.check(text) } == .notADatabase)
    try write(Array("SQLite format 3\0".utf8), text)
    #expect(refusal { _ = try ForeignFile.check(text) } == .notADatabase)
    try write((0..<4_096).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }, text)
    let encrypted = #expect(throws: ForeignFileError.self) { try ForeignFile.check(text) }
    #expect(encrypted?.code == .notADatabase)
    #expect(
      encrypted?.description.contains("encrypted. Check the path. An encrypted database must be decrypted")
        == true)
    try write(Array("** This file contains an SQLite 2.1 database **".utf8), text)
    let old = #expect(throws: ForeignFileError.self) { try ForeignFile.check(text) }
    #expect(old?.message.hasSuffix("but one of SQLite 2.") == true)
  }

  @Test func aDatabaseOfALaterSQLiteIsNamed() throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes[19] = 3
    try write(bytes, path)
    #expect(refusal { _ = try ForeignFile.check(path) } == .tooNew)
  }

  @Test func aPathWithALinkIsNotOpenedWhereLinksAreNotFollowed() throws {
    let link = folder.path("link.db")
    #expect(symlink(path, link) == 0)
    #expect(try Connection.open(link).tableNames() == ["t"])
    #expect(code { _ = try Connection.open(link, OpenOptions(followsLinks: false)) }?.primary == .cantOpen)
  }

  #if os(Linux)
    /// Closing a file drops all locks that the process has on it, through whatever handle.
    @Test func checkingDropsNoLockOfAnOpenConnection() throws {
      let connection = try Connection.open(path)
      try connection.execute("BEGIN IMMEDIATE")
      let file = Glibc.open(path, O_RDWR)
      #expect(file >= 0)
      #expect(Self.isReserved(file))
      _ = try ForeignFile.check(path)
      let reader = try Connection.openAdopted(path, onlyReads: true)
      #expect(try reader.tableNames() == ["t"])
      reader.close()
      #expect(Self.isReserved(file))
      try connection.execute("COMMIT")
      #expect(!Self.isReserved(file))
      close(file)
    }

    /// Whether SQLite's lock for a writer is held, asked as another process would (F_OFD_GETLK).
    private static func isReserved(_ file: Int32) -> Bool {
      var lock = flock(
        l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 0x4000_0001, l_len: 1, l_pid: 0)
      return withUnsafeMutablePointer(to: &lock) { fcntl(file, 36, UnsafeMutableRawPointer($0)) } == 0
        && lock.l_type != Int16(F_UNLCK)
    }
  #endif
}
