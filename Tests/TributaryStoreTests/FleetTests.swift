import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Stores that hand each other their entries in memory: merging and projection without any file format.
struct FleetTests {
  @Test(arguments: 1...120)
  func everyOrderOfReadingEndsInTheSameStateAndTables(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let fleet = try Fleet(count: 3, seed: seed)
    for _ in 0..<60 { _ = try fleet.act(&random) }
    for _ in 0..<3 { for device in fleet.devices { try device.sync(fleet, &random) } }
    let expected = try fleet.devices[0].canonical()
    for device in fleet.devices.dropFirst() {
      #expect(try device.canonical() == expected, "seed \(seed), device \(device.id)")
      #expect(try device.rows() == fleet.devices[0].rows(), "seed \(seed), device \(device.id)")
    }
    for device in fleet.devices {
      #expect(try device.store.unsentEdits(of: device.id).isEmpty, "seed \(seed)")
      try device.checkConstraints()
    }
  }
}

final class Fleet {
  /// The wall clock of all devices, in milliseconds.
  var now: Int64 = 1_700_000_000_000
  /// Every batch that was published, with its writer.
  var published: [(device: DeviceID, entries: [Entry])] = []
  private(set) var devices: [FleetDevice] = []

  init(count: Int, seed: UInt64) throws {
    for index in 0..<count { devices.append(try FleetDevice(index, seed, clock: { [unowned self] in now })) }
  }

  /// Time passes, and some device edits or syncs. Returns it.
  func act(_ random: inout Splitmix) throws -> FleetDevice {
    let device = devices[Int.random(in: 0..<devices.count, using: &random)]
    now += Int64.random(in: 0...3, using: &random)
    if Int.random(in: 0..<4, using: &random) == 0 {
      try device.sync(self, &random)
    } else {
      device.edit(&random)
    }
    return device
  }
}

final class FleetDevice {
  let id: DeviceID
  let store: StoreCore
  private var read = 0
  private let directory: TemporaryFolder

  init(_ index: Int, _ seed: UInt64, clock: @escaping () -> Int64) throws {
    id = DeviceID(high: UInt64(index + 1), low: seed)
    directory = try TemporaryFolder()
    store = try Workload.open(directory.path("app.db"), wall: clock)
  }

  deinit {
    store.close()
  }

  /// One random transaction; one that a constraint refuses leaves nothing.
  func edit(_ random: inout Splitmix) {
    let statements = Workload.transaction(&random)
    do {
      try store.write { db in for statement in statements { try db.execute(statement.sql, statement.values) }
      }
    } catch {}
  }

  /// Reads what others published, then publishes what is new here.
  func sync(_ fleet: Fleet, _ random: inout Splitmix) throws {
    try store.settle(as: id)
    var batches = fleet.published[read...].filter { $0.device != id }
    read = fleet.published.count
    batches.shuffle(using: &random)
    for batch in batches {
      _ = try store.engineWrite { try store.apply(batch.entries) { _, _ in true } }
    }
    let entries = try store.unsentEdits(of: id)
    if !entries.isEmpty { fleet.published.append((id, entries)) }
    try store.engineWrite { try store.markSealed() }
  }

  func canonical() throws -> [Entry] {
    try store.settle(as: id)
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }

  func rows() throws -> [String: [[Value]]] { try Workload.rows(store) }

  func checkConstraints() throws {
    let violations = try store.read { try $0.rows("PRAGMA foreign_key_check") }
    #expect(violations.isEmpty)
  }
}
