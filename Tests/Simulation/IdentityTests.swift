import Foundation
import TestSupport
import Testing
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryTesting
import TributaryWire

@testable import Tributary

/// A database that is copied, moved, restored or shared goes on as one device each, and loses and repeats nothing.
struct IdentityTests {
  @Test(arguments: [true, false])
  func aCopyAndItsOriginalBothGoOn(copyIsFirst: Bool) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','sent')")
    try fleet.sync(fleet.a)
    let id = fleet.a.device
    let copy = try fleet.copy(fleet.a, as: "copy")
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','original')")
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l3','copy')")
    for device in copyIsFirst ? [copy, fleet.a] : [fleet.a, copy] {
      let report = try fleet.sync(device)
      #expect(report.sent == 1)
      #expect(report.notices.map(\.code) == (device === copy ? [.newIdentity] : []))
    }
    #expect(fleet.a.device == id && copy.device != id)
    try fleet.expectSame([fleet.a, fleet.b, copy])
    #expect(try copy.rows()["list"]?.count == 3)
  }

  @Test func whatTheOriginalSentIsNotSentAgainByItsCopy() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','unsent')")
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','unsent')")
    let copy = try fleet.copy(fleet.a, as: "copy")
    try fleet.edit(copy, "UPDATE secret SET note='mine' WHERE id='s1'")
    #expect(try fleet.sync(fleet.a).sent == 2)
    let report = try fleet.sync(copy)
    #expect(report.sent == 1)
    try fleet.expectSame([copy, fleet.a, fleet.b])
    #expect(try fleet.b.value("SELECT note FROM secret") == .text("mine"))
  }

  @Test func aRestoredDatabaseReadsItsEarlierLifeAndSendsOnlyWhatIsNew() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','unsent when saved')")
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','first')")
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.edit(fleet.a, "UPDATE secret SET value='second' WHERE id='s1'")
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','after')")
    try fleet.sync(fleet.a)
    try fleet.edit(fleet.a, "DELETE FROM list WHERE id='l1'")
    try fleet.sync(fleet.a)
    let id = fleet.a.device
    try fleet.restore(fleet.a, from: saved)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l3','now')")
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.map(\.code) == [.newIdentity] && fleet.a.device != id)
    #expect(report.sent == 1)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.value("SELECT group_concat(id) FROM list") == .text("l2,l3"))
    #expect(try fleet.b.value("SELECT value FROM secret") == .text("second"))
  }

  @Test func aRestoredDatabaseIsNoticedByCompactionToo() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','sent')")
    try fleet.sync(fleet.a)
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.edit(fleet.b, "INSERT INTO list(id,name) VALUES('l2','read')")
    try fleet.sync(fleet.b)
    // It seals nothing, so that only its head tells the later state from the saved one.
    try fleet.sync(fleet.a)
    let id = fleet.a.device
    try fleet.restore(fleet.a, from: saved)
    try fleet.a.compact()
    #expect(fleet.a.device != id)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.value("SELECT group_concat(id) FROM list") == .text("l1,l2"))
  }

  @Test func aRestoredDatabaseSendsWhatItsEarlierLifeNeverDid() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','first')")
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.freeze(fleet.a)
    try fleet.restore(fleet.a, from: saved)
    try fleet.edit(fleet.a, "UPDATE secret SET value='now' WHERE id='s1'")
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.map(\.code) == [.newIdentity] && report.sent == 1)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.value("SELECT value FROM secret") == .text("now"))
  }

  @Test(arguments: [true, false])
  func sealedLogsOfACopyReachTheFleetOnce(originalSendsThem: Bool) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','sealed')")
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','sealed')")
    try fleet.freeze(fleet.a)
    let copy = try fleet.copy(fleet.a, as: "copy")
    if originalSendsThem { try fleet.sync(fleet.a) }
    let report = try fleet.sync(copy)
    #expect(report.notices.map(\.code) == [.newIdentity] && report.sent == 0)
    #expect((fleet.remote.contents[.log(copy.device, seq: 1)] == nil) == originalSendsThem)
    #expect(try fleet.sync(fleet.b).received == 2)
    try fleet.expectSame([copy, fleet.a, fleet.b])
  }

  @Test func aMovedFileKeepsItsId() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','moved')")
    fleet.a.store.close()
    let path = fleet.folder.path("moved.db")
    try FileManager.default.moveItem(atPath: fleet.a.path, toPath: path)
    let moved = try SimulatedDevice(
      "moved", in: fleet.folder, fleet.world, fleet.remote, skew: 0, secrets: fleet.a.secrets)
    defer { moved.store.close() }
    try moved.restart()
    let report = try fleet.sync(moved)
    #expect(moved.device == fleet.a.device && report.notices.isEmpty && report.sent == 1)
    try fleet.expectSame([moved, fleet.b])
  }

  @Test(arguments: [true, false])
  func aCopyOnAnotherMachineIsAttachedAndSendsWhatIsItsOwn(originalIsFirst: Bool) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','unsent')")
    let copy = try fleet.copy(fleet.a, as: "copy", secrets: MemorySecretStore(), isElsewhere: true)
    #expect(copy.engine == nil)
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l2','copy')")
    if originalIsFirst { try fleet.sync(fleet.a) }
    try copy.attach(create: false)
    #expect(try fleet.sync(copy).sent == (originalIsFirst ? 1 : 2))
    try fleet.expectSame([copy, fleet.a, fleet.b])
    #expect(try fleet.b.rows()["list"]?.count == 2)
  }

  @Test func attachingACopyLeavesItsOriginalAlone() throws {
    let fleet = try IdentityFleet()
    let id = fleet.a.device
    let copy = try fleet.copy(fleet.a, as: "copy")
    try copy.attach(create: false)
    try fleet.a.restart()
    #expect(fleet.a.device == id && copy.device != id)
    try fleet.edit(copy, "INSERT INTO list(id,name) VALUES('l1','copy')")
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','original')")
    try fleet.expectSame([fleet.a, copy, fleet.b])
  }

  @Test func aNewIdKeepsItsSnapshotsThoughItsFormerOneHadSome() throws {
    let fleet = try IdentityFleet()
    func send(_ device: SimulatedDevice, _ number: Int) throws {
      try fleet.edit(device, "INSERT INTO list(id,name) VALUES('\(device.name)\(number)','x')")
      try fleet.sync(device)
    }
    for number in 0..<13 { try send(fleet.a, number) }
    let copy = try fleet.copy(fleet.a, as: "copy")
    var snapshots: Set<UInt64> = []
    for number in 0..<13 {
      try send(copy, number)
      guard let last = try copy.engine?.snapshotNote(.snapshot) else { continue }
      snapshots.insert(last.seq)
      #expect(fleet.remote.contents[.snapshot(copy.device, seq: last.seq, part: 0)] != nil, "\(last.seq)")
    }
    #expect(snapshots.count == 2)
  }

  @Test func attachingToAnotherRemoteSendsWhatTheFormerIdWrote() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','sent elsewhere')")
    try fleet.sync(fleet.a)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','unsent')")
    let other = try IdentityFleet(seed: 12)
    let path = try fleet.save(fleet.a, as: "saved")
    try FileManager.default.copyItem(
      atPath: path, toPath: other.folder.path("moved.db"))
    let moved = try SimulatedDevice("moved", in: other.folder, other.world, other.remote, skew: 0)
    defer { moved.store.close() }
    try moved.attach(create: false)
    try other.expectSame([moved, other.a, other.b])
    #expect(try other.b.rows()["list"]?.count == 2)
  }

  @Test func whatAClockThatWasAheadDatedAndAnEarlierLifeSentIsNotSentAgain() throws {
    let fleet = try IdentityFleet()
    fleet.world.setSkew(3_600_000, of: "a")
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','from the future')")
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.sync(fleet.a)
    try fleet.restore(fleet.a, from: saved)
    fleet.world.setSkew(0, of: "a")
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.first?.code == .newIdentity && report.sent == 0, "\(report)")
    #expect(
      try fleet.a.canonical().first?.change.born?.moment.milliseconds ?? 0 > fleet.world.now + 3_000_000)
    fleet.world.advance(7_200_000)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.rows()["list"]?.count == 1)
  }

  @Test func anEmptiedRemoteGetsWhatEveryEarlierIdWrote() throws {
    let fleet = try IdentityFleet()
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','under the first id')")
    try fleet.sync(fleet.a)
    try fleet.restore(fleet.a, from: saved)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','under the second')")
    #expect(try fleet.sync(fleet.a).notices.map(\.code) == [.newIdentity])
    for name in fleet.remote.contents.keys { fleet.remote.plant(name, nil) }
    try fleet.a.attach(create: true)
    _ = try fleet.a.sync()
    let fresh = try SimulatedDevice("fresh", in: fleet.folder, fleet.world, fleet.remote, skew: 0)
    defer { fresh.store.close() }
    try fresh.attach(create: false)
    for device in [fresh, fleet.a, fresh] { _ = try device.sync() }
    #expect(try fresh.rows()["list"]?.count == 2)
    #expect(try fresh.canonical() == fleet.a.canonical())
    #expect(try fresh.sync().gaps.isEmpty && fleet.a.sync().gaps.isEmpty)
  }

  @Test func nothingIsSentWhileTheFormerDirectoryCannotBeReadToItsEnd() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','unsent')")
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.sync(fleet.a)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','later')")
    try fleet.sync(fleet.a)
    let name = RemoteName.log(fleet.a.device, seq: 2)
    let log = try #require(fleet.remote.contents[name])
    fleet.remote.plant(name, Array(log.dropLast(5)))
    let old = fleet.a.device
    try fleet.restore(fleet.a, from: saved)
    let report = try fleet.a.sync()
    #expect(report.gaps[old] != nil && report.filesWritten == 0)
    #expect(try fleet.a.sync().filesWritten == 0)
    fleet.remote.plant(name, log)
    #expect(try fleet.sync(fleet.a).sent == 0)
    try fleet.expectSame([fleet.a, fleet.b])
  }

  /// Four records fill a file here, so that one push is a run of logs.
  @Test(arguments: [true, false])
  func aRunThatTheEarlierLifeLeftHalfUploadedBlocksNobody(isFrozenInTheCopy: Bool) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l0','first')")
    try fleet.sync(fleet.a)
    for number in 1...6 {
      try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l\(number)','x')")
    }
    let before = try fleet.save(fleet.a, as: "before")
    try fleet.freeze(fleet.a)
    let frozen = try fleet.save(fleet.a, as: "frozen")
    let run = try fleet.a.store.unsentNames()
    #expect(run.count == 2)
    for steps in 0..<20 where fleet.remote.contents[.log(fleet.a.device, seq: 2)] == nil {
      _ = try fleet.stop(fleet.a, after: steps)
    }
    #expect(fleet.remote.contents[.log(fleet.a.device, seq: 3)] == nil)
    try fleet.restore(fleet.a, from: isFrozenInTheCopy ? frozen : before)
    // A foreign head makes the frozen one a new device too.
    if isFrozenInTheCopy { try fleet.plantForeignHead(of: fleet.a) }
    let old = fleet.a.device
    _ = try fleet.a.sync()
    #expect(fleet.a.device != old)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.rows()["list"]?.count == 7)
  }

  @Test(arguments: 0..<24)
  func aChangeOfIdThatIsStoppedAtAnyStepGoesOn(step: Int) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','sent')")
    try fleet.sync(fleet.a)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','sealed')")
    try fleet.freeze(fleet.a)
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','unsent')")
    let saved = try fleet.save(fleet.a, as: "saved")
    try fleet.sync(fleet.a)
    try fleet.restore(fleet.a, from: saved)
    try fleet.edit(fleet.a, "UPDATE secret SET note='now' WHERE id='s1'")
    let old = fleet.a.device
    // Stopped twice: the second time in the midst of what the first left.
    _ = try fleet.stop(fleet.a, after: step)
    _ = try fleet.stop(fleet.a, after: step / 2)
    try fleet.sync(fleet.a)
    #expect(fleet.a.device != old)
    try fleet.expectSame([fleet.a, fleet.b], "stopped at step \(step)")
    #expect(try fleet.b.rows()["list"]?.count == 2)
    #expect(try fleet.b.value("SELECT value || note FROM secret") == .text("unsentnow"))
    // The former id and the new one wrote, and no third.
    #expect(Set(fleet.remote.contents.keys.map(\.device)).count == 3)
  }
}
