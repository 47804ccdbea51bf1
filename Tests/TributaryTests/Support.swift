import Foundation
import Tributary

/// A directory that goes with the test.
final class Place: Sendable {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("store-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("remote"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Removes what the folder with this name holds.
  func empty(_ name: String) throws {
    for file in try FileManager.default.contentsOfDirectory(atPath: path(name)) {
      try FileManager.default.removeItem(atPath: "\(path(name))/\(file)")
    }
  }

  func open(_ name: String = "app.db") async throws -> Store {
    try await Store.open(at: URL(fileURLWithPath: path(name)), schema: StoreTests.schema)
  }

  /// Attaches the store and says how many records it had to send.
  func sent(by store: Store) async throws -> Int {
    let link = try await store.attach(
      .folder(path("remote")), password: "correct horse", deviceName: "test", create: true,
      stateDirectory: path("state"))
    return try await link.sync().sent
  }
}

/// The error that `body` throws, if it is the store's.
func storeError<T>(_ body: () async throws -> T) async throws -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch let error as StoreError {
    return error
  }
}
