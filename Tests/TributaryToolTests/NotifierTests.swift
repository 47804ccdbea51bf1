import Foundation
import SQLite
import Testing

@testable import TributaryTool

/// The live notifiers, on real files. One body runs over the kernel's and over the one that looks by itself.
@Suite struct NotifierTests {
  enum Kind: CaseIterable, Sendable { case system, polling }

  /// Two devices' folders, of which the first is this device's own, and a database.
  private final class Ground {
    let path = FilePlace.resolved(NSTemporaryDirectory()) + "/tributary-notifier-" + UUID().uuidString
    let notifier: any ChangeNotifier
    let place: WatchPlace
    static let own = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
    static let peer = "bbbbbbbbbbbbbbbbbbbbbbbbba"
    static let third = "ccccccccccccccccccccccccca"

    init(_ kind: Kind) throws {
      notifier =
        switch kind {
        case .system: try SystemNotifier(wake: -1)
        case .polling: PollingNotifier(wake: -1, interval: .milliseconds(20))
        }
      place = WatchPlace(database: path + "/a.db", remote: path + "/r/remote", own: Self.own)
      for device in [Self.own, Self.peer] { try makeFolder("r/remote/sync/\(device)") }
      try write("one", "a.db")
      _ = try notifier.wait(for: place, atMost: .zero)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func makeFolder(_ name: String) throws {
      try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }

    /// In its place, as SQLite does.
    func write(_ text: String, _ name: String) throws {
      if !FileManager.default.fileExists(atPath: "\(path)/\(name)") {
        #expect(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil))
      }
      let file = try #require(FileHandle(forWritingAtPath: "\(path)/\(name)"))
      try file.seekToEnd()
      try file.write(contentsOf: Data(text.utf8))
      try file.close()
    }

    func move(_ old: String, _ new: String) throws {
      #expect(rename("\(path)/\(old)", "\(path)/\(new)") == 0)
    }

    /// Everything that is told until it has all of `wanted`; a machine under load gets its time.
    func changes(until wanted: Changes) throws -> Changes {
      var found: Changes = []
      let end = ContinuousClock.now + .seconds(20)
      while !found.isSuperset(of: wanted), ContinuousClock.now < end {
        found.formUnion(try notifier.wait(for: place, atMost: .milliseconds(500)))
      }
      return found
    }

    /// Everything that is told within a short time.
    func changes() throws -> Changes {
      var found: Changes = []
      for _ in 0..<3 { found.formUnion(try notifier.wait(for: place, atMost: .milliseconds(50))) }
      return found
    }
  }

  @Test(arguments: Kind.allCases)
  func aCommitIsToldWhateverTheJournal(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.write("two", "a.db")
    #expect(try ground.changes(until: .database) == .database)
    try ground.write("new", "a.db-wal")
    #expect(try ground.changes(until: .database) == .database)
    try ground.write("more", "a.db-wal")
    #expect(try ground.changes(until: .database) == .database)
    #expect(try ground.changes() == [])
  }

  @Test(arguments: Kind.allCases)
  func aDatabaseThatIsReplacedOrReturnsIsTold(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.write("other", "b.db")
    try ground.move("b.db", "a.db")
    #expect(try ground.changes(until: [.database, .returned]) == [.database, .returned])
    try ground.move("a.db", "c.db")
    _ = try ground.changes()
    try ground.write("x", "c.db")
    #expect(try ground.changes() == [])
    try ground.move("c.db", "a.db")
    #expect(try ground.changes(until: [.database, .returned]) == [.database, .returned])
  }

  @Test(arguments: Kind.allCases)
  func anothersFileIsToldAndItsOwnIsNot(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.write("mine", "r/remote/sync/\(Ground.own)/0000000000000001.log")
    #expect(try ground.changes() == [])
    try ground.write("theirs", "r/remote/sync/\(Ground.peer)/up")
    try ground.move("r/remote/sync/\(Ground.peer)/up", "r/remote/sync/\(Ground.peer)/0000000000000001.log")
    #expect(try ground.changes(until: .remote) == .remote)
    try ground.write("head", "r/remote/sync/\(Ground.peer)/head.bin")
    #expect(try ground.changes(until: .remote).contains(.remote))
  }

  @Test func whatIsOnItsWayToItsNameIsNotTold() throws {
    let ground = try Ground(.system)
    try ground.write("half", "r/remote/sync/\(Ground.peer)/~up-1.tmp")
    try ground.write("half", "r/remote/sync/\(Ground.peer)/.syncthing.x.tmp")
    try ground.write("else", "elsewhere")
    #expect(try ground.changes() == [])
  }

  @Test(arguments: Kind.allCases)
  func aNewDeviceIsWatchedFromItsFirstFileOn(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.makeFolder("r/remote/sync/\(Ground.third)")
    #expect(try ground.changes(until: .remote).contains(.remote))
    _ = try ground.changes()
    try ground.write("first", "r/remote/sync/\(Ground.third)/0000000000000001.log")
    #expect(try ground.changes(until: .remote).contains(.remote))
  }

  @Test(arguments: Kind.allCases)
  func aFolderThatGoesIsToldWhenItIsBack(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.move("r", "away")
    _ = try ground.changes()
    try ground.write("x", "away/remote/sync/\(Ground.peer)/head.bin")
    #expect(try ground.changes() == [])
    try ground.move("away", "r")
    #expect(try ground.changes(until: [.remote, .returned]).isSuperset(of: [.remote, .returned]))
    #expect(try ground.changes() == [])
    try ground.write("y", "r/remote/sync/\(Ground.peer)/head.bin")
    #expect(try ground.changes(until: .remote).contains(.remote))
  }

  @Test func aFolderIsSeenToReturnWhileTheWaitGoesOn() throws {
    let ground = try Ground(.system)
    try ground.move("r", "away")
    _ = try ground.changes()
    let (old, new) = ("\(ground.path)/away", "\(ground.path)/r")
    Thread.detachNewThread {
      usleep(300_000)
      rename(old, new)
    }
    // One wait, at whose beginning it is still away.
    #expect(try ground.notifier.wait(for: ground.place, atMost: .seconds(60)) == .returned)
    #expect(try ground.changes().isSuperset(of: [.remote, .returned]))
  }

  @Test(arguments: Kind.allCases)
  func aLinkThatIsTurnedElsewhereIsFollowed(kind: Kind) throws {
    let ground = try Ground(kind)
    try ground.makeFolder("other/sync/\(Ground.peer)")
    try ground.move("r/remote", "r/old")
    try FileManager.default.createSymbolicLink(
      atPath: "\(ground.path)/r/remote", withDestinationPath: "../other")
    #expect(try ground.changes(until: .returned).contains(.returned))
    _ = try ground.changes()
    try ground.write("x", "other/sync/\(Ground.peer)/head.bin")
    #expect(try ground.changes(until: .remote).contains(.remote))
  }

  #if os(Linux)
    @Test func aFullQueueIsToldAsLost() throws {
      let text = try String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8)
      let most = try #require(Int(text.trimmingCharacters(in: .whitespacesAndNewlines)))
      try #require(most <= 100_000, "the queue is too long for this test")
      let ground = try Ground(.system)
      // Each is two events at least, and none is like the one before.
      for _ in 0...(most / 2) {
        for name in ["a.db-wal", "a.db-journal"] {
          let file = open("\(ground.path)/\(name)", O_WRONLY | O_CREAT, 0o600)
          close(file)
          unlink("\(ground.path)/\(name)")
        }
      }
      #expect(try ground.changes(until: .lost).contains(.lost))
    }
  #endif

  @Test func aWaitEndsWhenAskedToStop() throws {
    let pipe = try TestPipe()
    defer { close(pipe.reader) }
    close(pipe.writer)
    let start = ContinuousClock.now
    let place = WatchPlace(database: "/nowhere/a.db", remote: "/nowhere/remote")
    for notifier in [try SystemNotifier(wake: pipe.reader), PollingNotifier(wake: pipe.reader)]
      as [any ChangeNotifier]
    {
      _ = try notifier.wait(for: place, atMost: .zero)
      #expect(try notifier.wait(for: place, atMost: .seconds(60)) == [])
    }
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  @Test func readingADatabaseLeavesItsMark() throws {
    let ground = try Ground(.system)
    let path = ground.path + "/w.db"
    let writer = try Connection.open(path)
    try writer.execute("PRAGMA journal_mode=WAL; CREATE TABLE t(a)")
    writer.close()
    let mark = FileMark.ofDatabase(path)
    let reader = try Connection.open(path, .readOnly)
    _ = try reader.rows("SELECT * FROM t")
    #expect(FileMark.ofDatabase(path) == mark)
    reader.close()
    #expect(FileMark.ofDatabase(path) == mark)
    let again = try Connection.open(path)
    try again.execute("INSERT INTO t VALUES(1)")
    #expect(FileMark.ofDatabase(path) != mark)
    again.close()
    #expect(FileMark.ofDatabase(path) != mark)
  }

  @Test func pathsAreResolvedThoughTheirEndsAreMissing() throws {
    let ground = try Ground(.polling)
    #expect(FilePlace.resolved(ground.path + "/gone/a.db") == ground.path + "/gone/a.db")
    #expect(FilePlace.resolved(ground.path + "/r/../a.db") == ground.path + "/a.db")
    #expect(FilePlace.resolved("a.db") == FilePlace.joined(FileManager.default.currentDirectoryPath, "a.db"))
    #expect(FilePlace.folder(of: "/a") == "/" && FilePlace.folder(of: "/a/b//") == "/a")
    #expect(FilePlace.folder(of: "a") == "." && FilePlace.name("/a/b/") == "b")
  }
}
