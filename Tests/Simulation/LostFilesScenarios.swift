import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryTesting

@testable import Tributary

/// Files that vanish from the remote, or that cannot be read there.
struct LostFilesScenarios {
  @Test func anOwnLogThatTheRemoteLostComesBackOnceAReaderStaysBehind() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    _ = try b.sync()
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    crew.lose(2...2, of: a)
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try a.sync().notices.map(\.code) == [.uploadedAgain])
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
    #expect(try a.sync().filesWritten == 0)
  }

  @Test(arguments: [0, 100])
  func anOwnLogThatTheRemoteCutOffIsCompletedOnceAReaderStaysBehind(length: Int) throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let whole = try #require(crew.remote.contents[.log(a.device, seq: 1)])
    crew.remote.plant(.log(a.device, seq: 1), Array(whole.prefix(length)))
    #expect(try b.sync().gaps[a.device] != nil)
    #expect(try a.sync().notices.map(\.code) == [.uploadedAgain])
    #expect(crew.remote.contents[.log(a.device, seq: 1)] == whole)
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func aSnapshotThatLostAPartIsReplacedByANewOne() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.load(a, 90)
    _ = try a.sync()
    crew.remote.plant(.snapshot(a.device, seq: 1, part: 1), nil)
    let b = try crew.join("b")
    #expect(try b.sync().gaps[a.device] != nil)
    _ = try a.sync()
    #expect(try b.sync().gaps.isEmpty)
    #expect(try b.canonical() == a.canonical())
  }

  @Test func whatADeviceWroteWhoseDirectoryIsGoneReachesANewOneThroughAReader() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','from a')")
    let b = try crew.join("b")
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l2','from b')")
    for name in crew.remote.contents.keys where name.device == a.device { crew.remote.plant(name, nil) }
    #expect(try b.sync().notices.map(\.code) == [.withheld])
    #expect(try b.sync().notices.isEmpty)
    let c = try crew.join("c")
    #expect(try c.sync().gaps[a.device] != nil)
    _ = try b.sync()
    #expect(try c.sync().gaps.isEmpty)
    #expect(try c.canonical() == b.canonical())
    let files = crew.files(of: b)
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l4','from b')")
    #expect(crew.files(of: b).count == files.count + 1)
    #expect(try c.sync().received == 1)
  }

  @Test(arguments: [true, false])
  func aSetThatIsBegunAnewHoldsWhatOthersWroteInTheOldOne(hasOwnEdits: Bool) throws {
    let crew = try Crew()
    let a = try crew.join("a")
    if hasOwnEdits { try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','from a')") }
    let b = try crew.join("b")
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l2','from b')")
    _ = try a.sync()
    for name in crew.remote.contents.keys { crew.remote.plant(name, nil) }
    try a.attach(create: true)
    _ = try a.sync()
    let c = try crew.join("c")
    for device in [c, a, c] { _ = try device.sync() }
    #expect(try c.sync().gaps.isEmpty)
    #expect(try c.rows() == a.rows())
    // The other device comes along, and nothing is there twice.
    try b.attach(create: false)
    for device in [b, a, c, b] { _ = try device.sync() }
    for device in [b, c] { #expect(try device.canonical() == a.canonical()) }
  }

  @Test(arguments: ["key", "head", "log"])
  func aFileThatIsTooLongStopsOnlyTheDeviceWhoseItIs(kind: String) throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','from a')")
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l2','from b')")
    let name: RemoteName =
      switch kind {
      case "key": .key(a.device, epoch: 1)
      case "head": .head(a.device)
      default: .log(a.device, seq: 1)
      }
    crew.remote.plant(name, [UInt8](repeating: 7, count: name.sizeLimit + 1))
    let c = try crew.join("c")
    let report = try c.sync()
    #expect(report.gaps.keys.map { $0 } == [a.device])
    #expect(try c.rows()["list"]?.contains { $0[1] == .text("from b") } == true)
    // Its owner goes on too, and writes its head over what has its name.
    _ = try a.sync()
    #expect(try a.rows()["list"]?.count == 2)
    if kind == "head" { #expect(try c.sync().gaps.isEmpty) }
  }

  @Test func aPlantedKeyFileKeepsNobodyOut() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','from a')")
    let planted = DeviceID(high: 7, low: 7)
    crew.remote.plant(.key(planted, epoch: 1), [1, 2, 3])
    let b = try crew.join("b")
    #expect(try b.sync().gaps.keys.map { $0 } == [planted])
    #expect(try b.canonical() == a.canonical())
  }

  @Test func keyFilesOfOtherSaltsDoNotHideTheFleets() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    _ = try crew.join("b")
    let real = try KeyFile(parsing: try #require(crew.remote.contents[.key(a.device, epoch: 1)]))
    for number in 0..<8 as Range<UInt8> {
      let device = DeviceID(high: 7, low: UInt64(number))
      var header = real.header
      header.device = device
      header.derivation = try KeyDerivation(
        passes: header.derivation.passes, kibibytes: header.derivation.kibibytes,
        salt: [UInt8](repeating: number, count: 16))
      let key = try Secret([UInt8](repeating: number, count: 32))
      let bytes = try KeyFile.seal(
        header: header, payload: KeyPayload(dataKey: key), kek: key, random: SeededSource(seed: 1))
      crew.remote.plant(.key(device, epoch: 1), bytes)
    }
    _ = try crew.join("c")
  }

  @Test func aSetWhoseKeyFilesCannotBeReadIsNotBegunAnew() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    crew.remote.plant(.key(a.device, epoch: 1), [1, 2, 3])
    let other = try crew.makeDevice("b")
    for create in [true, false] {
      let error = #expect(throws: SyncError.self) { try other.attach(create: create) }
      #expect(error?.code == .unreadable)
    }
  }
}
