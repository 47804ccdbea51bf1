import Foundation
import Testing
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryTesting
import TributaryWire

@testable import Tributary

/// What the remote shows of this device's own directory: twins are told from a remote that lags or loses files.
struct TwinTests {
  /// A machine copied with its secrets: nothing here tells the two apart.
  @Test func twinsPartAtTheFirstFileThatBothWrite() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l0','before')")
    try fleet.sync(fleet.a)
    let twin = try fleet.copy(
      fleet.a, as: "twin", secrets: MemorySecretStore(fleet.a.secrets.contents), isElsewhere: true)
    try fleet.edit(fleet.a, "INSERT INTO secret(id,value) VALUES('s1','original')")
    try fleet.edit(twin, "INSERT INTO secret(id,value) VALUES('s2','twin')")
    try fleet.uploadWithoutHead(fleet.a)
    #expect(twin.device == fleet.a.device)
    let report = try fleet.sync(twin)
    #expect(report.notices.map(\.code) == [.newIdentity] && twin.device != fleet.a.device)
    try fleet.expectSame([fleet.a, twin, fleet.b])
    #expect(try fleet.b.rows()["secret"]?.count == 2)
  }

  @Test func aLogOfATwinIsReadThoughThisDeviceHasNothingToSend() throws {
    let fleet = try IdentityFleet()
    let twin = try fleet.copy(
      fleet.a, as: "twin", secrets: MemorySecretStore(fleet.a.secrets.contents), isElsewhere: true)
    try fleet.edit(twin, "INSERT INTO secret(id,value) VALUES('s1','twin')")
    try fleet.uploadWithoutHead(twin)
    // The log is found only through those who have read it.
    #expect(try fleet.sync(fleet.a).notices == [])
    try fleet.sync(fleet.b)
    #expect(try fleet.sync(fleet.a).notices.map(\.code) == [.newIdentity])
    #expect(try fleet.a.value("SELECT value FROM secret") == .text("twin"))
    try fleet.expectSame([fleet.a, twin, fleet.b])
  }

  @Test(arguments: [true, false])
  func aHeadOfAnotherInstallationMakesANewId(hasSameNonce: Bool) throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','first')")
    try fleet.sync(fleet.a)
    let old = fleet.a.device
    try fleet.plantForeignHead(of: fleet.a, hasSameNonce: hasSameNonce)
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','second')")
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.map(\.code) == [.newIdentity] && report.sent == 1 && fleet.a.device != old)
    try fleet.expectSame([fleet.a, fleet.b])
  }

  @Test func aTwinThatWritesWhileThisDeviceSyncsIsSeenBeforeAnythingIsPublished() throws {
    let fleet = try IdentityFleet()
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','first')")
    try fleet.sync(fleet.a)
    let old = fleet.a.device
    let head = try fleet.foreignHead(of: fleet.a)
    let before = fleet.remote.contents.keys.filter { $0.device == old }.count
    fleet.world.act(at: "commit seal", of: "a") { [remote = fleet.remote] in
      remote.plant(.head(old), head)
    }
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l2','second')")
    #expect(try fleet.sync(fleet.a).notices.map(\.code) == [.newIdentity])
    #expect(fleet.remote.contents.keys.filter { $0.device == old }.count == before)
    try fleet.expectSame([fleet.a, fleet.b])
    #expect(try fleet.b.rows()["list"]?.count == 2)
  }

  /// A compaction of a device that has read something since its last head would put a head over the twin's.
  @Test func aTwinsHeadIsNotWrittenOverByACompaction() throws {
    let fleet = try IdentityFleet()
    let twin = try fleet.copy(
      fleet.a, as: "twin", secrets: MemorySecretStore(fleet.a.secrets.contents), isElsewhere: true)
    let old = fleet.a.device
    try fleet.edit(fleet.b, "INSERT INTO list(id,name) VALUES('l1','read')")
    try fleet.sync(fleet.b)
    #expect(try fleet.stop(fleet.a, at: "head"))
    try fleet.edit(twin, "INSERT INTO secret(id,value) VALUES('s1','twin')")
    try fleet.sync(twin)
    let head = fleet.remote.contents[.head(old)]
    try fleet.a.compact()
    #expect(fleet.remote.contents[.head(old)] == head && fleet.a.device != old && twin.device == old)
    try fleet.expectSame([fleet.a, twin, fleet.b])
  }

  @Test(arguments: ["older", "absent", "torn"])
  func anOwnHeadThatTheRemoteSetBackIsWrittenAgainUnderTheSameId(fault: String) throws {
    let fleet = try IdentityFleet()
    let old = try #require(fleet.remote.contents[.head(fleet.a.device)])
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','first')")
    try fleet.sync(fleet.a)
    let id = fleet.a.device
    let new = try #require(fleet.remote.contents[.head(id)])
    let planted = ["older": old, "torn": Array(new.dropLast(9))][fault]
    fleet.remote.plant(.head(id), planted)
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.isEmpty && fleet.a.device == id && report.filesWritten == 1)
    let opened = try SealedFile.open(
      try #require(fleet.remote.contents[.head(id)]), at: .head(id),
      dataKey: try #require(try fleet.a.engine?.ownKey()))
    #expect(try Head(decoding: opened.body).lastLog?.seq == 1)
    try fleet.expectSame([fleet.a, fleet.b])
  }

  @Test func ownFilesThatTheRemoteLostComeBackWithEqualBytes() throws {
    let fleet = try IdentityFleet()
    for name in ["l1", "l2", "l3"] {
      try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('\(name)','x')")
      try fleet.sync(fleet.a)
    }
    let id = fleet.a.device
    let before = fleet.remote.contents
    for name in [RemoteName.log(id, seq: 1), .log(id, seq: 3), .key(id, epoch: 1), .head(id)] {
      fleet.remote.plant(name, nil)
    }
    let report = try fleet.sync(fleet.a)
    #expect(report.notices.map(\.code) == [.uploadedAgain] && fleet.a.device == id)
    for (name, bytes) in before where !name.isReplaceable {
      #expect(fleet.remote.contents[name] == bytes, "\(name.path)")
    }
    try fleet.expectSame([fleet.a, fleet.b])
  }

  @Test func anUploadThatBrokeOffIsFinishedAndIsNoTwin() throws {
    let fleet = try IdentityFleet()
    let id = fleet.a.device
    try fleet.edit(fleet.a, "INSERT INTO list(id,name) VALUES('l1','x')")
    try fleet.freeze(fleet.a)
    let frozen = try #require(try fleet.a.store.outboxFile(RemoteName.log(id, seq: 1).path))
    fleet.remote.plant(.log(id, seq: 1), Array(frozen.bytes.dropLast(50)))
    _ = try fleet.a.sync()
    #expect(fleet.a.device == id)
    #expect(fleet.remote.contents[.log(id, seq: 1)] == frozen.bytes)
    try fleet.expectSame([fleet.a, fleet.b])
  }
}
