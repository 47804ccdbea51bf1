import TestSupport
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
  private let remote: MemoryRemote
  private let environment: SyncEnvironment
  /// What the app declares, or what is known of the tables of an adopted database.
  private(set) var schema: Schema
  /// Whether the database is another program's, which was adopted.
  let isAdopted: Bool

  /// - Parameters:
  ///   - skew: how far the device's clock is off, beside what the world says of it.
  ///   - secrets: those of the machine; a copied database finds its original's there.
  ///   - isElsewhere: on another machine, where no other device's file is found.
  ///   - isAdopted: whether the file is there already and is adopted.
  init(
    _ name: String, in folder: TemporaryFolder, _ world: SimulatedWorld, _ remote: MemoryRemote,
    skew: @escaping @autoclosure @Sendable () -> Int64, secrets: MemorySecretStore = MemorySecretStore(),
    isElsewhere: Bool = false, schema: Schema = Workload.schema, isAdopted: Bool = false
  ) throws {
    self.name = name
    self.isAdopted = isAdopted
    self.secrets = secrets
    self.schema = schema
    self.remote = remote
    path = folder.path("\(name).db")
    var environment = world.environment(of: name, skew: skew)
    let own = path
    if isElsewhere {
      environment.locate = { $0.hasSuffix(own) ? DatabaseLocation.find($0) : nil }
    }
    self.environment = environment
    guard isAdopted else {
      store = try Workload.open(path, schema: schema, wall: environment.wall)
      return
    }
    store = try StoreCore.openAdopted(path, wall: environment.wall)
    self.schema = Workload.adopted(store.schema)
  }

  /// This device's name in the fleet, once it is attached.
  var device: DeviceID { engine?.device ?? DeviceID(high: 0, low: 0) }

  func attach(create: Bool, password: String = "correct horse") throws {
    engine = try SyncEngine.attach(
      store, to: remote.view(for: name), password: try Secret(Array(password.utf8)), deviceName: name,
      create: create, vault: try vault, environment)
  }

  func sync() throws -> SyncReport {
    guard let engine else { throw Stopped(step: "not attached") }
    return try engine.sync()
  }

  /// The process ends and starts again: only files and secrets remain.
  func restart() throws {
    store.close()
    try start()
  }

  /// The app is replaced by a build with another schema.
  func update(to schema: Schema) throws {
    store.close()
    self.schema = schema
    try start()
  }

  /// The process starts over the files that are there.
  ///
  /// - Parameter isResumed: whether the triggers of an adopted database were away on purpose.
  func start(isResumed: Bool = false) throws {
    if isAdopted {
      store = try StoreCore.openAdopted(path, isResumed ? .resuming : .atTables, wall: environment.wall)
      schema = Workload.adopted(store.schema)
    } else {
      store = try Workload.open(path, schema: schema, wall: environment.wall)
    }
    try resume()
  }

  /// Milliseconds since 1970, by the device's clock.
  func wall() -> Int64 { environment.wall() }

  /// One transaction of the app. One that a constraint refuses must leave nothing behind.
  func write(_ statements: [Statement]) throws {
    try store.write { db in for statement in statements { try db.execute(statement.sql, statement.values) } }
  }

  /// The whole merged state.
  func canonical() throws -> [Entry] {
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }

  /// Every row of every synced table.
  func rows() throws -> [String: [[Value]]] { try Workload.rows(store, schema) }

  /// Where the secrets are: a database remembers which of them are its own.
  private var vault: Vault {
    get throws { Vault(secrets, name: try store.note(.store)?.string ?? "store") }
  }

  /// The engine of a store that was attached before, here or where it was copied from.
  func resume() throws {
    engine = try SyncEngine.resume(
      store, remote.view(for: name), deviceName: name, vault: try vault, environment)
  }
}

extension SimulatedDevice {
  /// Writes a snapshot up to this device's last log.
  func compact() throws {
    var report = SyncReport()
    try engine?.compact(&report)
  }
}
