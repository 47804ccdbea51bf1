import Foundation
import SQLite
import Synchronization
import TestSupport
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting
import TributaryWire

@testable import Tributary

/// One device of a fleet around a folder.
struct FleetDevice {
  static let deviceName = "Golden"

  let store: StoreCore
  let engine: SyncEngine
  let secrets: MemorySecretStore

  /// Everything that this device has merged, one record a line.
  func export() throws -> String {
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all.sorted { $0.name < $1.name }.map { Plain.entry($0).line + "\n" }.joined()
  }
}

/// The time that the devices of a fleet share.
final class FleetClock: Sendable {
  private let time: Mutex<Int64>

  init(_ time: Int64 = noon) { self.time = Mutex(time) }

  var now: Int64 { time.withLock { $0 } }
  func advance(_ milliseconds: Int64 = 10) { time.withLock { $0 += milliseconds } }

  func environment(_ random: any RandomSource) -> SyncEnvironment {
    var environment = SyncEnvironment(wall: { self.now }, random: random, passwordHash: Argon2id())
    environment.sizes = SyncSizes(file: FileLimits(entries: 12), firstSnapshot: 100)
    return environment
  }
}

/// Makes the files of `fleet`: the remote of three devices, and what one of them has on its own disk.
struct FleetFixture {
  static let schema = schema(more: [])

  /// A later one, whose new column the others keep without knowing it.
  private static let laterSchema = schema(more: [.text("color").orNull])

  private static func schema(more: [Column]) -> Schema {
    let columns: [Column] = [
      .text("title"), .text("code").orNull.unique, .text("list").references("list", onDelete: .cascade),
      .text("parent").orNull.references("item", onDelete: .setNull), .text("due").orNull,
      .text("zone").orNull, .integer("priority").withDefault(0), .real("weight").orNull,
      .blob("image").orNull,
    ]
    return Schema(
      "com.example.fleet",
      tables: [
        Table("list", key: "id", columns: [.text("name")]),
        Table("item", key: "id", columns: columns + more, groups: [["due", "zone"]]),
        Table(
          "secret", key: "id", columns: [.text("value").orNull, .text("note").orNull], onDelete: .erases),
        Table("draft", key: "id", columns: [.text("text")], scope: .local),
      ])
  }

  static let hour: Int64 = 3_600_000

  private let root: URL
  private let clock = FleetClock()
  private let remote: FolderRemote

  private init(_ root: URL) throws {
    self.root = root
    let folder = root.appendingPathComponent("remote")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    remote = FolderRemote(path: folder.path)
  }

  static func make() throws -> [String: [UInt8]] {
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-\(UUID())")
    defer { try? FileManager.default.removeItem(at: root) }
    return try FleetFixture(root).files()
  }

  private func files() throws -> [String: [UInt8]] {
    let first = try open("first")
    try fill(first)
    let ann = try attach(first, seed: 11, create: true)
    _ = try ann.engine.sync()
    let bob = try attach(try open("second"), seed: 12)
    try quarrel(ann, bob)
    let third = try open("third", Self.laterSchema)
    try write(third, "INSERT INTO list(id, name) VALUES('of the third', 'before it was attached')")
    let cid = try attach(third, seed: 13)
    _ = try cid.engine.sync()
    try write(cid.store, "UPDATE item SET title = 'by the third', weight = -0.5 WHERE id = 'i5'")
    try write(cid.store, "UPDATE item SET color = 'red' WHERE id = 'i9'")
    try write(cid.store, "DELETE FROM list WHERE id = 'l2'")
    for _ in 0..<3 { for device in [cid, ann, bob] { _ = try device.engine.sync() } }
    let export = try bob.export()
    guard try ann.export() == export, try cid.export() == export else {
      throw StoreError(.damaged, "The devices of the fleet do not agree.")
    }
    guard try FixtureFolder(root).paths().filter({ $0.hasSuffix(".snap") }).count >= 3 else {
      throw StoreError(.damaged, "The first upload was not a snapshot of several parts.")
    }
    // An edit from an hour ahead, which the others hold until then.
    clock.advance(Self.hour)
    try write(cid.store, "INSERT INTO list(id, name) VALUES('ahead', 'of its time')")
    _ = try cid.engine.sync()
    clock.advance(-Self.hour)
    _ = try bob.engine.sync()
    guard try bob.store.held().count == 1, try bob.export() == export else {
      throw StoreError(.damaged, "The edit from the future is not held.")
    }
    // An edit that is still in the change log when the database is closed.
    try write(bob.store, "INSERT INTO list(id, name) VALUES('unsent', 'not uploaded')")
    try write(bob.store, "INSERT INTO draft(id, text) VALUES('d', 'stays here')")
    for device in [ann, bob, cid] { device.store.close() }
    return try collect(bob, export)
  }

  private func fill(_ store: StoreCore) throws {
    try store.write { db in
      for number in 0..<10 {
        try db.execute(
          "INSERT INTO list(id, name) VALUES(?1, ?2)", [.text("l\(number)"), .text("List \(number)")])
        for item in [number * 2, number * 2 + 1] {
          try db.execute(
            "INSERT INTO item(id, title, list, code, priority, image) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
            [
              .text("i\(item)"), .text("Item \(item)"), .text("l\(number)"), .text("c\(item)"),
              .integer(Int64(item)), .blob([UInt8(item)]),
            ])
        }
      }
    }
    try write(store, "INSERT INTO secret(id, value, note) VALUES('s1', 'hidden', 'n'), ('s2', 'kept', 'n')")
  }

  /// Edits, deletes and a conflict.
  private func quarrel(_ ann: FleetDevice, _ bob: FleetDevice) throws {
    _ = try bob.engine.sync()
    try write(ann.store, "UPDATE item SET title = 'by the first', due = 'today' WHERE id = 'i1'")
    try write(ann.store, "DELETE FROM list WHERE id = 'l3'")
    try write(ann.store, "DELETE FROM secret WHERE id = 's1'")
    try write(bob.store, "UPDATE item SET title = 'by the second', zone = 'west' WHERE id = 'i1'")
    try write(bob.store, "UPDATE item SET title = 'revived' WHERE id = 'i6'")
    try write(bob.store, "UPDATE secret SET note = 'too late' WHERE id = 's1'")
    try write(bob.store, "UPDATE item SET parent = 'i8' WHERE id = 'i9'")
    _ = try ann.engine.sync()
    _ = try bob.engine.sync()
    _ = try ann.engine.sync()
    try write(ann.store, "DELETE FROM item WHERE id = 'i8'")
    try write(ann.store, "INSERT INTO secret(id, value) VALUES('s1', 'anew')")
    try write(bob.store, "INSERT INTO item(id, title, list, code) VALUES('new', 'New', 'l4', NULL)")
    _ = try bob.engine.sync()
    _ = try ann.engine.sync()
  }

  private func open(_ name: String, _ schema: Schema = schema) throws -> StoreCore {
    let path = root.appendingPathComponent("\(name).db").path
    // Small pages make a small fixture.
    let connection = try Connection.open(path)
    try connection.execute("PRAGMA page_size=1024; VACUUM")
    connection.close()
    return try StoreCore.open(path, schema: schema, wall: { [clock] in clock.now })
  }

  private func write(_ store: StoreCore, _ sql: String) throws {
    clock.advance()
    try store.write { try $0.execute(sql) }
  }

  private func attach(_ store: StoreCore, seed: UInt64, create: Bool = false) throws -> FleetDevice {
    let secrets = MemorySecretStore()
    let engine = try SyncEngine.attach(
      store, to: remote, password: try Password.normalize(WireFixture.password),
      deviceName: FleetDevice.deviceName, create: create, vault: Vault(secrets, name: "golden"),
      clock.environment(SeededSource(seed: seed)))
    return FleetDevice(store: store, engine: engine, secrets: secrets)
  }

  private func collect(_ device: FleetDevice, _ export: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    let folder = FixtureFolder(root)
    for path in try folder.paths(under: "remote/") { files[path] = try folder.bytes(path) }
    guard let secret = device.secrets.contents.first, device.secrets.contents.count == 1,
      try folder.paths(under: "second.db") == ["second.db"]
    else { throw StoreError(.damaged, "The database or its secrets are not in one file.") }
    files["app.db"] = try folder.bytes("second.db")
    files["secrets.bin"] = secret.value
    files["fleet.json"] = Array(
      Plain.object([
        ("password", .text(WireFixture.password)), ("secretName", .text(secret.key)),
        ("deviceName", .text(FleetDevice.deviceName)), ("time", .text("\(clock.now)")),
      ]).file.utf8)
    files["schema.json"] = Array(Self.schema.json.utf8)
    files["export.jsonl"] = Array(export.utf8)
    return files
  }
}
