import Foundation
import TestSupport
import Testing
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting
import TributaryWire

@testable import Tributary

/// Somebody changes the remote, or a database is copied: what the engine refuses, and that nothing is lost by it.
struct AbuseTests {
  @Test func aLogUnderAnotherNumberIsRefusedAndTheCursorStays() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    let log = try #require(pair.remote.contents[.log(pair.a.device, seq: 1)])
    pair.remote.plant(.log(pair.a.device, seq: 2), log)
    let report = try pair.b.sync()
    #expect(report.received == 1)
    #expect(report.gaps[pair.a.device] != nil)
    #expect(try pair.b.store.cursors()[pair.a.device]?.seq == 1)
  }

  @Test func aLogInAnotherDevicesDirectoryIsRefused() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    let log = try #require(pair.remote.contents[.log(pair.a.device, seq: 1)])
    pair.remote.plant(.log(pair.b.device, seq: 1), log)
    #expect(try pair.a.sync().gaps[pair.b.device] != nil)
  }

  @Test func aLogThatDoesNotFollowTheOneBeforeIsRefused() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    try pair.write("INSERT INTO list(id,name) VALUES('l2','second')")
    let name = RemoteName.log(pair.a.device, seq: 2)
    let sealing = try #require(try pair.a.engine?.sealing())
    let log = try SealedFile.open(
      try #require(pair.remote.contents[name]), at: .log(pair.a.device, 2), dataKey: sealing.dataKey)
    let forked = try SealedFile.seal(
      EncodedBody(log.body), at: .log(pair.a.device, 2), previous: Hash.digest([1]), with: sealing)
    pair.remote.plant(name, forked)
    let report = try pair.b.sync()
    #expect(report.received == 1 && report.gaps[pair.a.device] != nil)
  }

  @Test func aCutLogAppliesNothingUntilItIsWholeAgain() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    let name = RemoteName.log(pair.a.device, seq: 1)
    let log = try #require(pair.remote.contents[name])
    pair.remote.plant(name, Array(log.dropLast(20)))
    let report = try pair.b.sync()
    #expect(report.received == 0 && report.gaps[pair.a.device] != nil)
    pair.remote.plant(name, log)
    #expect(try pair.b.sync().received == 1)
  }

  @Test func aReplacedKeyFileIsNoticedAndThePinStays() throws {
    let pair = try Pair()
    _ = try pair.b.sync()
    try pair.plantKey(epoch: 1, of: pair.a.device)
    try pair.restartB()
    #expect(try pair.b.sync().gaps[pair.a.device]?.contains("replaced") == true)
  }

  @Test func aKeyFileOfAnotherEpochOpensNothing() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    try pair.plantKey(epoch: 2, of: DeviceID(high: 5, low: 5))
    #expect(try pair.b.sync().gaps.values.contains { $0.contains("epoch 2") })
    #expect(try pair.b.rows()["list"]?.count == 1)
  }

  /// What a later build wrote, what nobody can read, and what is only early, held for one log.
  @Test func heldBlocksThatCannotBeReadStandInNobodysWay() throws {
    let pair = try Pair()
    let early = Entry(
      RecordName("list", RecordID([.text("l9")]) ?? RecordID(encoded: [])),
      RecordState(born: Stamp(Moment(milliseconds: 1, counter: 0), pair.a.device)))
    let blocks = [
      try BlockEncoder.encode([WireEntry(early)])[0].raw.bytes,
      RawBlock(layout: 99, minReader: 1, isBarrier: true, content: [0xA0]).bytes,
      RawBlock(minReader: 1, isBarrier: false, content: [0xA1]).bytes,
    ]
    for block in blocks {
      try pair.b.store.engineWrite {
        try pair.b.store.hold(block, of: nil, from: pair.a.device, seq: 1, reason: "needs format 99")
      }
    }
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    _ = try pair.b.sync()
    #expect(try pair.b.rows()["list"]?.count ?? 0 >= 1)
    #expect(try pair.b.store.held().count == 2)
  }

  @Test func aWrongPasswordIsNeverASecondIsland() throws {
    let pair = try Pair()
    let before = pair.remote.contents.keys.count
    let newcomer = try SimulatedDevice("c", in: pair.folder, pair.world, pair.remote, skew: 0)
    #expect(throws: SyncError.self) { try newcomer.attach(create: false, password: "battery staple") }
    #expect(throws: SyncError.self) { try newcomer.attach(create: true) }
    #expect(pair.remote.contents.keys.count == before)
  }

  @Test func aDeviceThatMissesItsOwnDirectoryStopsAndKeepsEverything() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    for name in pair.remote.contents.keys where name.device == pair.a.device { pair.remote.plant(name, nil) }
    try pair.a.store.write { try $0.execute("INSERT INTO list(id,name) VALUES('l2','second')") }
    #expect(throws: SyncError.self) { try pair.a.sync() }
    #expect(try pair.a.rows()["list"]?.count == 2)
  }

  @Test func anOlderCopyOfTheDatabaseGoesOnUnderANewIdAndLosesNothing() throws {
    let pair = try Pair()
    let copy = pair.a.path + ".copy"
    try pair.a.store.read { _ in }
    pair.a.store.close()
    try FileManager.default.copyItem(atPath: pair.a.path, toPath: copy)
    try pair.restartA()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','first')")
    let before = pair.remote.contents
    pair.a.store.close()
    for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: pair.a.path + end) }
    try FileManager.default.moveItem(atPath: copy, toPath: pair.a.path)
    try pair.restartA()
    try pair.a.store.write { try $0.execute("INSERT INTO list(id,name) VALUES('l9','copy')") }
    let old = pair.a.device
    let report = try pair.a.sync()
    #expect(report.notices.map(\.code) == [.newIdentity] && pair.a.device != old)
    #expect(report.sent == 1 && report.received == 1)
    for (name, bytes) in before { #expect(pair.remote.contents[name] == bytes) }
    _ = try pair.b.sync()
    #expect(try pair.b.rows() == pair.a.rows() && pair.a.rows()["list"]?.count == 2)
  }

  @Test func nothingOnTheRemoteCanBeReadWithoutThePassword() throws {
    let pair = try Pair()
    try pair.write("INSERT INTO list(id,name) VALUES('l1','a very recognisable name')")
    for (name, bytes) in pair.remote.contents {
      let text = String(decoding: bytes, as: UTF8.self)
      for secret in ["recognisable", "list", "com.example", "item"] {
        #expect(!text.contains(secret), "\(name.path) shows \(secret)")
      }
    }
  }
}

/// Two devices that have met.
private final class Pair {
  let world: SimulatedWorld
  let remote: MemoryRemote
  let folder: TemporaryFolder
  let a: SimulatedDevice
  let b: SimulatedDevice

  init() throws {
    world = SimulatedWorld(seed: 7)
    remote = MemoryRemote(seed: 7)
    folder = try TemporaryFolder()
    a = try SimulatedDevice("a", in: folder, world, remote, skew: 0)
    b = try SimulatedDevice("b", in: folder, world, remote, skew: 0)
    try a.attach(create: true)
    _ = try a.sync()
    try b.attach(create: false)
  }

  deinit {
    a.store.close()
    b.store.close()
  }

  /// One edit on the first device, uploaded.
  func write(_ sql: String) throws {
    world.advance(10)
    try a.store.write { try $0.execute(sql) }
    _ = try a.sync()
  }

  /// Somebody who knows the password seals a key of their own in a device's name, as that of its first epoch.
  func plantKey(epoch: UInt32, of device: DeviceID) throws {
    let known = try #require(b.engine?.secrets.passwordKeys[1])
    let header = KeyFileHeader(
      device: device, installNonce: 1, epoch: epoch, epochID: try EpochID(checking: known.epochID),
      derivation: try KeyDerivation(
        passes: Int(known.passes), kibibytes: Int(known.memoryKiB), salt: known.salt))
    let forged = try KeyFile.seal(
      header: header, payload: KeyPayload(dataKey: try Secret([UInt8](repeating: 9, count: 32))),
      kek: try Secret(known.key), random: SystemRandom())
    remote.plant(.key(device, epoch: 1), forged)
  }

  func restartA() throws { try a.restart() }
  func restartB() throws { try b.restart() }
}
