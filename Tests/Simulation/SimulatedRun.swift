import TestSupport
import TributaryModel
import TributaryTesting

@testable import Tributary

/// Devices, their world and their remote, with the history of what was done to them.
final class SimulatedRun {
  let seed: UInt64
  let world: SimulatedWorld
  let remote: MemoryRemote
  private(set) var devices: [SimulatedDevice] = []
  var history = History()
  var edits = EditLog()
  /// How the devices come by their databases.
  let kind: FleetKind
  /// What programs did to adopted databases that the engine has not taken over yet, by the device's name.
  var foreignEdits: [String: ForeignEdits] = [:]
  /// Copies of databases that were put away, by the device's name.
  var backups: [String: Backup] = [:]
  let folder: TemporaryFolder

  /// Devices of these names that have met over a remote without faults.
  /// - Parameter skew: how far a device's clock is off, in milliseconds.
  init(
    seed: UInt64, _ names: [String], _ kind: FleetKind = .declared, skew: (String) -> Int64 = { _ in 0 }
  ) throws {
    self.seed = seed
    self.kind = kind
    world = SimulatedWorld(seed: seed)
    remote = MemoryRemote(seed: seed)
    folder = try TemporaryFolder()
    for name in names { try join(name, skew: skew(name)) }
    for device in devices { _ = try device.sync() }
  }

  deinit {
    for device in devices { device.store.close() }
  }

  func device(_ name: String) throws -> SimulatedDevice {
    guard let device = devices.first(where: { $0.name == name }) else {
      throw Stopped(step: "no device is called \(name)")
    }
    return device
  }

  /// A new device joins, or makes the set if it is the first.
  @discardableResult
  func join(_ name: String, skew: Int64 = 0) throws -> SimulatedDevice {
    // A new device needs a head of another's to compare the schema's name.
    remote.settle()
    world.setSkew(skew, of: name)
    let isAdopted = kind != .declared
    if isAdopted { try makeAdopted(name) }
    let device = try SimulatedDevice(name, in: folder, world, remote, skew: 0, isAdopted: isAdopted)
    try device.attach(create: devices.isEmpty)
    devices.append(device)
    if isAdopted { try adopted(device) }
    return device
  }

  /// The tables, as the checks know them.
  var schema: Schema { devices[0].schema }

  /// Takes a copy of a device into the fleet.
  func add(_ device: SimulatedDevice) { devices.append(device) }

  /// All faults end, every clock is right and has passed every stamp; everyone syncs until everything has reached
  /// everyone.
  func settleDown() throws {
    remote.faults = Faults()
    remote.settle()
    let ahead = devices.map { world.skew(of: $0.name) }.max() ?? 0
    world.advance(max(ahead, 0) + Self.longestJump + Clock.tolerance)
    for device in devices { world.setSkew(0, of: device.name) }
    for device in devices { try perform(.restart, on: device) }
    try migrateAll()
    for _ in 0..<3 {
      for device in devices { try perform(.sync(), on: device) }
    }
  }

  /// No clock is ever further off than this, in milliseconds.
  static let longestJump: Int64 = 6 * 3_600_000

  /// Runs every check. The report of a failure has the problems of the first that failed, the names of the others, the
  /// seed, the command that replays it, and the trace.
  func failure() throws -> String? {
    var failed: [(name: String, problems: [String])] = []
    for check in Check.all {
      let problems = try check.problems(self)
      if !problems.isEmpty { failed.append((check.name, problems)) }
    }
    guard let first = failed.first else { return nil }
    let others = failed.dropFirst().map { "\n  also failed: \($0.name)" }.joined()
    let lines = first.problems.prefix(12).map { "\n  " + $0.prefix(400) }.joined()
    return report("\(first.name) does not hold:\(others)\(lines)")
  }

  func report(_ problem: String) -> String {
    """
    seed \(seed): \(problem)
    replay: TRIBUTARY_SEEDS=\(seed)..\(seed) swift test --filter Simulation
    \(history.trace)
    """
  }

  /// The history as JSON Lines, with the state of every device at the end.
  func jsonLines() throws -> String {
    var history = history
    for device in devices {
      history.append(
        History.Final(
          device: device.name, id: "\(device.device)", state: try device.canonical().map(\.line),
          rows: try device.rows().mapValues { $0.map { $0.map(\.literal) } }))
    }
    return try history.jsonLines()
  }
}
