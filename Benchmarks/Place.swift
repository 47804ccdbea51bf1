import Foundation
import Tributary

/// A folder that a measurement works in, and what is made there.
final class Place {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID())")

  init() throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("remote"), withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  var remote: String { path("remote") }

  func store(_ name: String) async throws -> Store {
    try await Store.open(at: path(name + ".db"), schema: Work.schema)
  }

  func attach(_ store: Store, _ name: String, create: Bool) async throws -> Link {
    try await store.attach(
      .folder(remote), password: "correct horse", deviceName: name, create: create,
      stateDirectory: path(name))
  }
}

extension Store {
  /// Runs one statement over all rows in one transaction.
  func each(_ sql: String, _ rows: [[Value]]) throws {
    try write { db in for row in rows { try db.execute(sql, row) } }
  }
}

/// The same, each row in a transaction of its own.
func one(_ store: Store, _ sql: String, _ rows: [[Value]]) async throws {
  for row in rows { try await store.write { db in try db.execute(sql, row) } }
}
