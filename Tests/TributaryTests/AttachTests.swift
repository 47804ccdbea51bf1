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
}
