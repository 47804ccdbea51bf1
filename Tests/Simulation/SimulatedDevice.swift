import Foundation
import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting

@testable import Tributary

/// A whole device: a real store on a real file, its own secrets, a skewed clock, and its own view of the remote.
final class SimulatedDevice {
  let name: String
  private(set) var store: StoreCore
  private(set) var engine: SyncEngine?
  let path: String
  let secrets: MemorySecretStore
  private let world: SimulatedWorld
  private let remote: MemoryRemote
  private let vault: Vault
  private let environment: SyncEnvironment
  private let schema: Schema

  /// - Parameters:
  ///   - skew: how far the device's clock is off.
  ///   - secrets: those of the machine; a copied database finds its original's there.
  ///   - isElsewhere: on another machine, where no other device's file is found.
  init(
    _ name: String, in folder: URL, _ world: SimulatedWorld, _ remote: MemoryRemote,
    skew: @escaping @autoclosure @Sendable () -> Int64, secrets: MemorySecretStore = MemorySecretStore(),
    isElsewhere: Bool = false,
    schema: Schema = Workload.schema
  ) throws {
    self.name = name
    self.secrets = secrets
    self.schema = schema
    self.world = world
    self.remote = remote
    path = folder.appendingPathComponent("\(name).db").path
    vault = Vault(secrets, name: "store")
    var environment = world.environment(skew: skew)
    let own = path
    if isElsewhere {
      environment.locate = { $0.hasSuffix(own) ? DatabaseLocation.find($0) : nil }
    }
    self.environment = environment
    store = try Self.open(path, schema, environment)
  }

  /// This device's name in the fleet, once it is attached.
  var device: DeviceID { engine?.device ?? DeviceID(high: 0, low: 0) }

  func attach(create: Bool, password: String = "correct horse") throws {
    engine = try SyncEngine.attach(
      store, to: remote.view(for: name), password: try Secret(Array(password.utf8)), deviceName: name,
      create: create, vault: vault, environment)
  }

  func sync() throws -> SyncReport {
    guard let engine else { throw Stopped(step: "not attached") }
    return try engine.sync()
  }

  /// The process ends and starts again: only files and secrets remain.
  func restart() throws {
    store.close()
    store = try Self.open(path, schema, environment)
    engine = try SyncEngine.resume(
      store, remote.view(for: name), deviceName: name, vault: vault, environment)
  }

  /// One random transaction. One that a constraint refuses must leave nothing behind.
  func edit(_ random: inout Splitmix) -> String {
    let statements = (0..<Int.random(in: 1...3, using: &random)).map { _ in Workload.statement(&random) }
    do {
      try store.write { db in for (sql, values) in statements { try db.execute(sql, values) } }
      return "\(statements)"
    } catch {
      return "refused"
    }
  }

  /// The whole merged state.
  func canonical() throws -> [Entry] {
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }

  /// Every row of every synced table.
  func rows() throws -> [[Row]] {
    try store.read { db in try Workload.tables.map { try db.rows("SELECT * FROM \($0) ORDER BY id") } }
  }

  func brokenReferences() throws -> Int { try store.read { try $0.rows("PRAGMA foreign_key_check").count } }

  private static func open(_ path: String, _ schema: Schema, _ environment: SyncEnvironment) throws
    -> StoreCore
  {
    try StoreCore.open(path, schema: schema, wall: environment.wall)
  }
}

extension SimulatedDevice {
  /// Writes a snapshot up to this device's last log.
  func compact() throws {
    var report = SyncReport()
    try engine?.compact(&report)
  }
}
