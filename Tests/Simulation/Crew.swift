import TestSupport
import TributaryModel
import TributaryRemotes
import TributaryStore
import TributaryTesting

@testable import Tributary

/// Whole devices around one remote that does as it is told, for scenarios.
final class Crew {
  let world = SimulatedWorld(seed: 11)
  let remote = MemoryRemote(seed: 11)
  private let folder: TemporaryFolder
  private var devices: [SimulatedDevice] = []

  init() throws {
    folder = try TemporaryFolder()
  }

  deinit {
    for device in devices { device.store.close() }
  }

  /// A device that is attached; the first one starts the set.
  func join(_ name: String, schema: Schema = Workload.schema) throws -> SimulatedDevice {
    let isFirst = devices.isEmpty
    let device = try makeDevice(name, schema: schema)
    try device.attach(create: isFirst)
    return device
  }

  /// A device that is not attached yet.
  func makeDevice(_ name: String, schema: Schema = Workload.schema) throws -> SimulatedDevice {
    let device = try SimulatedDevice(name, in: folder, world, remote, skew: 0, schema: schema)
    devices.append(device)
    return device
  }

  /// The same device in another process, with the same database and secrets.
  func process(of device: SimulatedDevice) throws -> SimulatedDevice {
    let other = try SimulatedDevice(
      device.name, in: folder, world, remote, skew: 0, secrets: device.secrets)
    try other.resume()
    devices.append(other)
    return other
  }

  /// One edit.
  func edit(_ device: SimulatedDevice, _ sql: String) throws {
    world.advance(10)
    try device.store.write { try $0.execute(sql) }
  }

  /// One edit that is uploaded.
  func send(_ device: SimulatedDevice, _ sql: String) throws {
    try edit(device, sql)
    _ = try device.sync()
  }

  /// So many lists in one transaction.
  func load(_ device: SimulatedDevice, _ count: Int) throws {
    world.advance(10)
    try device.store.write { db in
      for number in 0..<count {
        // Ids that share no beginning, so that they weigh what they have.
        let id = "\(UInt64(number) &* 0x9E37_79B9_7F4A_7C15)-\(String(repeating: "x", count: 24))"
        try db.execute("INSERT INTO list(id,name) VALUES(?1,?2)", [.text(id), .text("n\(number)")])
      }
    }
  }

  /// The names of a device's files.
  func files(of device: SimulatedDevice) -> [String] {
    remote.contents.keys.filter { $0.device == device.device }.map(\.fileName).sorted()
  }

  /// Removes a device's logs, and says which.
  func lose(_ logs: ClosedRange<UInt64>, of device: SimulatedDevice) {
    for seq in logs { remote.plant(.log(device.device, seq: seq), nil) }
  }
}
