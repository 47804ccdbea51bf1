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

  /// Attaches the store with a folder for its secrets that is named for the device.
  func attach(_ store: Store, as device: String, create: Bool) async throws -> Link {
    try await store.attach(
      .folder(path("remote")), password: "correct horse", deviceName: device, create: create,
      stateDirectory: path("state-\(device)"))
  }

  /// A store on a file named for the device, and its link.
  func join(_ device: String, create: Bool = false, schema: Schema = StoreTests.schema) async throws
    -> (store: Store, link: Link)
  {
    let store = try await Store.open(at: path("\(device).db"), schema: schema)
    return (store, try await attach(store, as: device, create: create))
  }

  /// Attaches the store and says how many records it had to send.
  func sent(by store: Store) async throws -> Int {
    let link = try await store.attach(
      .folder(path("remote")), password: "correct horse", deviceName: "test", create: true,
      stateDirectory: path("state"))
    return try await link.sync().sent
  }
}

/// Lets the wall clock go on, so that what follows is stamped later than what another device did before.
func passTime() async throws { try await Task.sleep(for: .milliseconds(5)) }

/// The error that `body` throws, if it is the store's.
func storeError<T>(_ body: () async throws -> T) async throws -> StoreError? {
  do {
    _ = try await body()
    return nil
  } catch let error as StoreError {
    return error
  }
}

/// The error that `body` throws, if it is the sync's.
func syncError<T>(_ body: () async throws -> T) async throws -> SyncError? {
  do {
    _ = try await body()
    return nil
  } catch let error as SyncError {
    return error
  }
}
