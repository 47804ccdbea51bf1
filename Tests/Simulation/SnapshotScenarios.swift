import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting
import TributaryWire

@testable import Tributary

/// Snapshots: the first upload of many records, new devices, and gaps that a snapshot ends.
struct SnapshotScenarios {
  @Test func aFirstUploadOfManyRecordsGoesAsASnapshotInParts() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 90)
    let report = try a.sync()
    #expect(report.sent == 90)
    let parts = crew.files(of: a).filter { $0.hasSuffix(".snap") }
    #expect(parts.count >= 2, "\(crew.files(of: a))")
    #expect(crew.files(of: a).filter { $0.hasSuffix(".log") }.count == 1)
    let b = try crew.join("b")
    let bootstrap = try b.sync()
    #expect(bootstrap.received == 90)
    #expect(bootstrap.gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    try crew.send(a, "UPDATE list SET name='later' WHERE name='n7'")
    #expect(try b.sync().received == 1)
    #expect(try b.canonical() == a.canonical())
    #expect(try a.sync().filesWritten == 0)
  }

  @Test func aPeerThatWasThereBeforeTheFirstUploadReadsTheSnapshotToo() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    _ = try a.sync()
    let b = try crew.join("b")
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l1','mine')")
    try crew.load(a, 80)
    _ = try a.sync()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    #expect(try b.rows()["list"]?.count == 81)
  }

  @Test func aLostLogStopsThatPeerUntilALaterSnapshotCoversIt() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let b = try crew.join("b")
    _ = try b.sync()
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l3','three')")
    crew.lose(2...2, of: a)
    #expect(try b.sync().gaps[a.device]?.contains("log 2") == true)
    #expect(try b.rows()["list"]?.count == 1)
    try a.compact()
    let report = try b.sync()
    #expect(report.gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l4','four')")
    #expect(try b.sync().received == 1)
  }

  @Test func manyLogsEndInASnapshotAndTheLatestTwoStay() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    for number in 0..<40 { try crew.send(a, "INSERT INTO list(id,name) VALUES('l\(number)','x')") }
    let snapshots = Set(crew.files(of: a).filter { $0.hasSuffix(".snap") }.map { $0.prefix(25) })
    #expect(snapshots == ["snapshot-0000000000000030", "snapshot-0000000000000036"])
    // A device that comes late starts from the last one.
    crew.lose(1...36, of: a)
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aDamagedLogIsBridgedLikeALostOne() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    crew.remote.plant(.log(a.device, seq: 1), [UInt8](repeating: 7, count: 500))
    #expect(try b.sync().gaps[a.device] != nil)
    try a.compact()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aDirectoryThatCannotBeReadOnIsReadThroughAnotherPeersSnapshot() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let b = try crew.join("b")
    _ = try b.sync()
    let c = try crew.join("c")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    try crew.send(c, "INSERT INTO list(id,name) VALUES('l3','three')")
    crew.lose(2...2, of: a)
    #expect(try b.sync().gaps[a.device] != nil)
    try c.compact()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == c.canonical())
  }

  @Test func aPartOfAnotherSnapshotChangesNothing() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 80)
    _ = try a.sync()
    let name = RemoteName.snapshot(a.device, seq: 1, part: 0)
    let good = try #require(crew.remote.contents[name])
    let engine = try #require(a.engine)
    let forged = try SealedFile.seal(
      try SnapshotPart().encode(), at: .snapshot(a.device, 1, part: 0), with: try engine.sealing())
    crew.remote.plant(name, forged)
    let b = try crew.join("b")
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try b.canonical().isEmpty)
    crew.remote.plant(name, good)
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aSnapshotThatTheHeadDoesNotNameIsRefused() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 80)
    _ = try a.sync()
    let engine = try #require(a.engine)
    // The same parts, sealed anew by somebody with the keys: whole and well chained, but not those of the head.
    var previous: Digest?
    for name in crew.remote.contents.keys.sorted() where name.fileName.hasSuffix(".snap") {
      guard case .snapshot(let device, let seq, let part) = name else { continue }
      let place = FilePlace.snapshot(device, seq, part: part)
      let opened = try SealedFile.open(
        try #require(crew.remote.contents[name]), at: place, dataKey: try engine.ownKey())
      let forged = try SealedFile.seal(
        EncodedBody(opened.body), at: place, previous: previous ?? opened.header.previousHash,
        with: try engine.sealing())
      crew.remote.plant(name, forged)
      previous = Container.fileHash(forged)
    }
    let b = try crew.join("b")
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try b.canonical().isEmpty)
  }

  @Test func aFirstUploadThatIsStoppedAtAnyStepGoesOn() throws {
    for stop in 0..<60 {
      let crew = try Crew()
      let a = try crew.join("a")
      try crew.load(a, 80)
      crew.world.stop(after: stop)
      let isStopped = (try? a.sync()) == nil
      crew.world.stop(after: nil)
      try a.restart()
      try crew.edit(a, "INSERT INTO list(id,name) VALUES('l1','meanwhile')")
      _ = try a.sync()
      let b = try crew.join("b")
      #expect(try b.sync().gaps.isEmpty, "stopped after \(stop)")
      #expect(try b.rows()["list"]?.count == 81, "stopped after \(stop)")
      #expect(try b.canonical() == a.canonical(), "stopped after \(stop)")
      if !isStopped { return }
    }
    Issue.record("the upload has more steps than were tried")
  }

  @Test func aBootstrapThatIsStoppedAtAnyStepGoesOn() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 80)
    _ = try a.sync()
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','more')")
    for stop in 0..<60 {
      let b = try crew.join("b\(stop)")
      crew.world.stop(after: stop)
      let isStopped = (try? b.sync()) == nil
      crew.world.stop(after: nil)
      try b.restart()
      _ = try b.sync()
      #expect(try b.canonical() == a.canonical(), "stopped after \(stop)")
      if !isStopped { return }
    }
    Issue.record("the bootstrap has more steps than were tried")
  }

  @Test func aSnapshotFromTheFutureWaits() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let hour: Int64 = 3_600_000
    crew.world.advance(hour)
    try crew.load(a, 80)
    _ = try a.sync()
    crew.world.advance(-hour)
    let b = try crew.join("b")
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try b.canonical().isEmpty)
    crew.world.advance(hour)
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func whatAnOlderBuildHoldsTravelsInItsSnapshot() throws {
    let crew = try Crew()
    let newer = Schema(
      Workload.schema.name,
      tables: Workload.schema.tables + [Table("label", key: "id", columns: [.text("word")])])
    let a = try crew.join("a", schema: newer)
    let old = try crew.join("old")
    try crew.send(a, "INSERT INTO label(id,word) VALUES('t1','kept')")
    #expect(try old.sync().held == 1)
    try crew.send(old, "INSERT INTO list(id,name) VALUES('l1','old')")
    try old.compact()
    crew.lose(1...1, of: a)
    let fresh = try crew.join("fresh", schema: newer)
    _ = try fresh.sync()
    let words = try fresh.store.read { try $0.rows("SELECT word FROM label").map { $0["word"] } }
    #expect(words == [.text("kept")])
    #expect(try fresh.sync().held == 0)
  }

  @Test func aSnapshotTellsWhatItsWriterHadNotReadYet() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let b = try crew.join("b")
    _ = try b.sync()
    try crew.edit(b, "UPDATE list SET name='from b'")
    try crew.send(a, "UPDATE list SET name='from a'")
    crew.lose(2...2, of: a)
    try a.compact()
    // The edit of b was never read by a: it is overruled, and b is told.
    #expect(try b.sync().conflicts == 1)
    #expect(try b.rows()["list"]?.first?[1] == .text("from a"))
  }
}
