import Synchronization
import TestSupport
import Testing
import TributaryModel
import TributaryTesting

@testable import Tributary

/// A device whose clock is wrong.
struct ClockTests {
  private static let hour: Int64 = 3_600_000

  @Test func aClockAheadOfTheRemotesPublishesNothingAndReadsOn() throws {
    let fleet = try ClockFleet(remoteHasClock: true)
    fleet.skew = Self.hour
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l1','ahead')")
    try fleet.edit(fleet.right, "INSERT INTO list(id,name) VALUES('l2','right')")
    _ = try fleet.sync(fleet.right)
    let before = fleet.remote.contents
    let report = try fleet.sync(fleet.wrong)
    #expect(report.received == 1 && report.sent == 0 && report.filesWritten == 0)
    #expect(report.notices.map(\.code) == [.clockAhead])
    #expect(report.notices.first?.message.contains("60 minutes") == true)
    #expect(fleet.remote.contents == before)
  }

  @Test func aRemoteWhoseClockIsWrongStopsNobodyWhoAgreesWithAPeer() throws {
    let fleet = try ClockFleet(remoteHasClock: true)
    fleet.remoteSkew = -Self.hour
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l1','x')")
    let report = try fleet.sync(fleet.wrong)
    #expect(report.sent == 1 && report.notices.isEmpty)
    // Half an hour later no head is near any more, so that nothing but the remote tells the time.
    fleet.world.advance(Self.hour / 2)
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l2','x')")
    #expect(try fleet.sync(fleet.wrong).notices.map(\.code) == [.clockAhead])
  }

  @Test func editsOfAClockThatWasAheadAreStampedAnewInTheirOrder() throws {
    let fleet = try ClockFleet(remoteHasClock: true)
    fleet.skew = Self.hour
    try fleet.edit(fleet.wrong, "INSERT INTO secret(id,value) VALUES('s1','one')")
    try fleet.edit(fleet.wrong, "UPDATE secret SET value='two',note='n' WHERE id='s1'")
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l1','x')")
    try fleet.edit(fleet.wrong, "DELETE FROM list WHERE id='l1'")
    _ = try fleet.sync(fleet.wrong)
    fleet.skew = 0
    try fleet.edit(fleet.wrong, "UPDATE secret SET note='m' WHERE id='s1'")
    let report = try fleet.sync(fleet.wrong)
    #expect(report.notices.map(\.code) == [.stampedAnew] && report.sent == 2)
    let latest = try #require(try fleet.wrong.canonical().flatMap(\.stamps).map(\.moment).max())
    #expect(latest.milliseconds <= fleet.world.now)
    let read = try fleet.sync(fleet.right)
    #expect(read.held == 0 && read.received == 2)
    #expect(try fleet.right.value("SELECT value || note FROM secret") == .text("twom"))
    #expect(try fleet.right.rows() == fleet.wrong.rows())
    #expect(try fleet.right.canonical() == fleet.wrong.canonical())
    // The next edit is later than what was stamped anew, on either device.
    try fleet.edit(fleet.right, "UPDATE secret SET value='three' WHERE id='s1'")
    _ = try fleet.sync(fleet.right)
    _ = try fleet.sync(fleet.wrong)
    #expect(try fleet.wrong.value("SELECT value FROM secret") == .text("three"))
    try fleet.edit(fleet.wrong, "UPDATE secret SET value='four' WHERE id='s1'")
    #expect(try fleet.sync(fleet.wrong).notices.isEmpty)
    _ = try fleet.sync(fleet.right)
    #expect(try fleet.right.value("SELECT value FROM secret") == .text("four"))
  }

  @Test func aRestampedEditStaysLaterThanTheSealedOneItFollows() throws {
    let fleet = try ClockFleet(remoteHasClock: false)
    try fleet.edit(fleet.wrong, "INSERT INTO secret(id,value) VALUES('s1','sealed')")
    _ = try fleet.sync(fleet.wrong)
    fleet.skew = Self.hour
    try fleet.edit(fleet.wrong, "UPDATE secret SET value='ahead' WHERE id='s1'")
    fleet.skew = 0
    #expect(try fleet.sync(fleet.wrong).notices.map(\.code) == [.stampedAnew])
    _ = try fleet.sync(fleet.right)
    #expect(try fleet.right.value("SELECT value FROM secret") == .text("ahead"))
    #expect(try fleet.right.canonical() == fleet.wrong.canonical())
  }

  @Test func editsAfterOneThatWasSealedInTheFutureWaitUntilTheClockGetsThere() throws {
    let fleet = try ClockFleet(remoteHasClock: false)
    fleet.skew = Self.hour
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l1','sealed ahead')")
    #expect(try fleet.sync(fleet.wrong).sent == 1)
    #expect(try fleet.sync(fleet.right).held == 1)
    fleet.skew = 0
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l2','after')")
    let report = try fleet.sync(fleet.wrong)
    #expect(report.sent == 0 && report.notices.map(\.code) == [.clockAhead])
    fleet.world.advance(Self.hour)
    #expect(try fleet.sync(fleet.wrong).sent == 1)
    _ = try fleet.sync(fleet.right)
    #expect(try fleet.right.rows() == fleet.wrong.rows() && fleet.right.rows()["list"]?.count == 2)
  }

  @Test func aClockWithinTheToleranceIsNoReasonToWait() throws {
    let fleet = try ClockFleet(remoteHasClock: true)
    fleet.skew = Clock.tolerance - 1_000
    try fleet.edit(fleet.wrong, "INSERT INTO list(id,name) VALUES('l1','early')")
    #expect(try fleet.sync(fleet.wrong).sent == 1)
    // The reader is pulled forward, which is no wrong clock of its own.
    #expect(try fleet.sync(fleet.right).received == 1)
    try fleet.edit(fleet.right, "UPDATE list SET name='later' WHERE id='l1'")
    let report = try fleet.sync(fleet.right)
    #expect(report.sent == 1 && report.notices.isEmpty)
    _ = try fleet.sync(fleet.wrong)
    #expect(try fleet.wrong.value("SELECT name FROM list") == .text("later"))
  }

  @Test func anEditStampedAnewIsStoppedAndGoesOn() throws {
    for step in 0..<8 {
      let fleet = try ClockFleet(remoteHasClock: true)
      fleet.skew = Self.hour
      try fleet.edit(fleet.wrong, "INSERT INTO secret(id,value) VALUES('s1','one')")
      fleet.skew = 0
      fleet.world.stop(after: step)
      do { _ = try fleet.sync(fleet.wrong) } catch is Stopped { try fleet.wrong.restart() }
      fleet.world.stop(after: nil)
      _ = try fleet.sync(fleet.wrong)
      _ = try fleet.sync(fleet.right)
      #expect(try fleet.right.value("SELECT value FROM secret") == .text("one"), "stopped at step \(step)")
      #expect(try fleet.right.canonical() == fleet.wrong.canonical())
    }
  }
}

/// Two devices, one of them with a clock that is set wrong.
private final class ClockFleet {
  let world = SimulatedWorld(seed: 5)
  let remote = MemoryRemote(seed: 5)
  let wrong: SimulatedDevice
  let right: SimulatedDevice
  var remoteSkew: Int64 = 0
  private let offset = Offset()
  private let remoteHasClock: Bool
  private let folder: TemporaryFolder

  private final class Offset: Sendable {
    let value = Mutex<Int64>(0)
  }

  init(remoteHasClock: Bool) throws {
    self.remoteHasClock = remoteHasClock
    folder = try TemporaryFolder()
    let offset = offset
    wrong = try SimulatedDevice("wrong", in: folder, world, remote, skew: offset.value.withLock { $0 })
    right = try SimulatedDevice("right", in: folder, world, remote, skew: 0)
    try wrong.attach(create: true)
    _ = try sync(wrong)
    try right.attach(create: false)
    _ = try sync(right)
  }

  deinit {
    wrong.store.close()
    right.store.close()
  }

  /// How far the wrong clock is ahead.
  var skew: Int64 {
    get { offset.value.withLock { $0 } }
    set { offset.value.withLock { $0 = newValue } }
  }

  func edit(_ device: SimulatedDevice, _ sql: String) throws {
    world.advance(10)
    try device.store.write { try $0.execute(sql) }
  }

  func sync(_ device: SimulatedDevice) throws -> SyncReport {
    world.advance(10)
    remote.clock = remoteHasClock ? world.now + remoteSkew : nil
    return try device.sync()
  }
}
