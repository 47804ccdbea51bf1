import Foundation
import Testing
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting

@testable import Tributary

private let fleet: FixtureFolder = FixtureFolder.version1.folder("fleet")
private let isThere: Bool = fleet.exists

/// A fleet as it stood when format 1 was frozen: later builds take part in it.
@Suite struct GoldenFleet {
  @Test(.enabled(if: isThere)) func aNewDeviceGetsWhatTheFleetHas() throws {
    try FleetCheck(fleet).aNewDeviceGetsWhatTheFleetHas()
  }

  @Test(.enabled(if: isThere)) func anOldDatabaseGoesOn() throws {
    try FleetCheck(fleet).anOldDatabaseGoesOn()
  }

  /// The same with a fleet of this build, so that what makes the fixture is tested before it is needed.
  @Test func aFleetOfThisBuildIsRead() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID())")
    defer { try? FileManager.default.removeItem(at: url) }
    let folder = FixtureFolder(url)
    try folder.write(try FleetFixture.make())
    try FleetCheck(folder).aNewDeviceGetsWhatTheFleetHas()
    try FleetCheck(folder).anOldDatabaseGoesOn()
  }
}

/// A copy of a fleet's files, and devices that take part in it.
private final class FleetCheck {
  private let source: FixtureFolder
  private let url = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-\(UUID())")
  private let about: [String: String]
  private let schema: Schema
  private let clock: FleetClock

  init(_ source: FixtureFolder) throws {
    self.source = source
    about = try JSONDecoder().decode([String: String].self, from: Data(try source.bytes("fleet.json")))
    schema = try Schema(json: try source.bytes("schema.json"))
    clock = FleetClock(try #require(Int64(about["time"] ?? "")))
    try FileManager.default.copyItem(at: source.url, to: url)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  private var remote: FolderRemote { FolderRemote(path: url.appendingPathComponent("remote").path) }

  private func open(_ name: String) throws -> StoreCore {
    let path = url.appendingPathComponent(name).path
    return try StoreCore.open(path, schema: schema, wall: { [clock] in clock.now })
  }

  private func newDevice(_ name: String) throws -> FleetDevice {
    let store = try open(name)
    let secrets = MemorySecretStore()
    let engine = try SyncEngine.attach(
      store, to: remote, password: try Password.normalize(try #require(about["password"])),
      deviceName: name, create: false, vault: Vault(secrets, name: "new"),
      clock.environment(SystemRandom()))
    return FleetDevice(store: store, engine: engine, secrets: secrets)
  }

  /// The device of the old database, whose files now lie elsewhere.
  private func oldDevice() throws -> FleetDevice {
    let name = try #require(about["secretName"])
    var kept = try DeviceSecrets(decoding: try source.bytes("secrets.bin"))
    kept.remoteIdentity = try remote.identity
    kept.marks.location = nil
    let secrets = MemorySecretStore([name: try kept.encoded()])
    let store = try open("app.db")
    let engine = try SyncEngine.resume(
      store, remote, deviceName: try #require(about["deviceName"]), vault: Vault(secrets, name: name),
      clock.environment(SystemRandom()))
    return FleetDevice(store: store, engine: try #require(engine), secrets: secrets)
  }

  func aNewDeviceGetsWhatTheFleetHas() throws {
    let device = try newDevice("new.db")
    defer { device.store.close() }
    let report = try device.engine.sync()
    #expect(report.gaps.isEmpty)
    #expect(try device.export() == (try source.text("export.jsonl")))
  }

  func anOldDatabaseGoesOn() throws {
    let old = try oldDevice()
    defer { old.store.close() }
    #expect(try old.export() == (try source.text("export.jsonl")))
    clock.advance()
    try old.store.write { try $0.execute("UPDATE list SET name = 'edited' WHERE id = 'l0'") }
    let report = try old.engine.sync()
    #expect(report.gaps.isEmpty)
    let new = try newDevice("new.db")
    defer { new.store.close() }
    _ = try new.engine.sync()
    let names = try new.store.read { db in
      try db.rows("SELECT name FROM list WHERE id IN ('l0', 'unsent') ORDER BY id").map { $0["name"] }
    }
    #expect(names == [.text("edited"), .text("not uploaded")])
    clock.advance()
    try new.store.write { try $0.execute("DELETE FROM list WHERE id = 'l1'") }
    _ = try new.engine.sync()
    _ = try old.engine.sync()
    clock.advance(2 * FleetFixture.hour)
    for device in [new, old] {
      _ = try device.engine.sync()
      #expect(try device.store.read { try $0.rows("SELECT * FROM list WHERE id = 'ahead'").count } == 1)
    }
    #expect(try old.export() == (try new.export()))
    #expect(try old.store.read { try $0.rows("SELECT * FROM draft").count } == 1)
  }
}
