import Foundation
import Testing
import Tributary

/// What can go wrong with an attach, as an app can match it.
struct AttachTests {
  @Test func anAttachThatCannotBeSaysWhy() async throws {
    let place = try Place()
    let store = try await place.open()
    func code(_ folder: String, _ password: String, create: Bool) async throws -> SyncError.Code? {
      try await syncError {
        try await store.attach(
          .folder(place.path(folder)), password: password, deviceName: "x", create: create,
          stateDirectory: place.path("state"))
      }?.code
    }
    #expect(try await code("remote", "short", create: true) == .unfitPassword)
    #expect(try await code("missing", "correct horse", create: true) == .unreachable)
    #expect(try await code("remote", "correct horse", create: false) == .nothingThere)
    let (first, _) = try await place.join("laptop", create: true)
    #expect(try await code("remote", "correct horse", create: true) == .alreadyThere)
    #expect(try await code("remote", "another horse", create: false) == .wrongPassword)
    #expect(try await code("remote", "correct horse", create: false) == nil)
    await first.close()
    await store.close()
  }

  @Test func secretsThatOthersMayWriteAreRefused() async throws {
    let place = try Place()
    let store = try await place.open()
    try FileManager.default.createDirectory(
      atPath: place.path("state-x"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777]
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: place.path("state-x"))
    #expect(try await syncError { try await place.attach(store, as: "x", create: true) }?.code == .secrets)
    await store.close()
  }

  @Test func aLinkLeadsOnlyToThePlaceThatWasAttached() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    func found(_ folder: String) async throws -> Link? {
      try await store.link(
        .folder(place.path(folder)), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    }
    try FileManager.default.createDirectory(atPath: place.path("other"), withIntermediateDirectories: true)
    #expect(try await found("other") == nil)
    #expect(try await found("remote") != nil)
    _ = try await store.attach(
      .folder(place.path("other")), password: "correct horse", deviceName: "laptop", create: true,
      stateDirectory: place.path("state-laptop"))
    #expect(try await syncError { try await link.sync() }?.code == .notAttached)
    #expect(try await found("remote") == nil)
    await store.close()
  }

  @Test func aPlaceThatWasMovedIsKnownByThisDevicesFiles() async throws {
    let place = try Place()
    let (store, link) = try await place.join("laptop", create: true)
    _ = try await link.sync()
    try FileManager.default.moveItem(atPath: place.path("remote"), toPath: place.path("moved"))
    let moved = try await store.link(
      .folder(place.path("moved")), deviceName: "laptop", stateDirectory: place.path("state-laptop"))
    #expect(try await moved?.sync().filesWritten == 0)
    await store.close()
  }

  @Test func aDamagedKeyFileKeepsNobodyFromJoining() async throws {
    let place = try Place()
    let (first, link) = try await place.join("laptop", create: true)
    _ = try await link.sync()
    let stranger = place.path("remote/sync/aaaaaaaaaaaaaaaaaaaaaaaaaa")
    try FileManager.default.createDirectory(atPath: stranger, withIntermediateDirectories: true)
    try Data("TRBK".utf8).write(to: URL(fileURLWithPath: "\(stranger)/key-0000000001.bin"))
    let (second, other) = try await place.join("phone")
    _ = try await other.sync()
    await first.close()
    await second.close()
  }
}
