import Foundation
import Testing
import TributaryModel

@testable import TributaryStore

/// Stores that hand each other their entries in memory: merging and projection without any file format.
struct FleetTests {
  @Test(arguments: 1...120)
  func everyOrderOfReadingEndsInTheSameStateAndTables(seed: UInt64) throws {
    var random = Splitmix(state: seed)
    let fleet = try Fleet(count: 3, seed: seed)
    for _ in 0..<60 {
      let device = fleet.devices[Int.random(in: 0..<3, using: &random)]
      fleet.now += Int64.random(in: 0...3, using: &random)
      if Int.random(in: 0..<4, using: &random) == 0 {
        try device.sync(fleet, &random)
      } else {
        device.edit(&random)
      }
    }
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

/// A small generator whose runs can be repeated.
struct Splitmix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

final class Fleet {
  /// The wall clock of all devices, in milliseconds.
  var now: Int64 = 1_700_000_000_000
  /// Every batch that was published, with its writer.
  var published: [(device: DeviceID, entries: [Entry])] = []
  private(set) var devices: [FleetDevice] = []

  static let schema = Schema(
    "com.example.fleet",
    tables: [
      Table("list", key: "id", columns: [.text("name")]),
      Table(
        "item", key: "id",
        columns: [
          .text("title"), .text("code").orNull.unique, .text("list").references("list", onDelete: .cascade),
          .text("parent").orNull.references("item", onDelete: .setNull), .text("due").orNull,
          .text("zone").orNull,
          .integer("priority").withDefault(0),
        ], groups: [["due", "zone"]]),
      Table("secret", key: "id", columns: [.text("value").orNull, .text("note").orNull], onDelete: .erases),
    ])

  init(count: Int, seed: UInt64) throws {
    for index in 0..<count { devices.append(try FleetDevice(index, seed, clock: { [unowned self] in now })) }
  }
}

final class FleetDevice {
  let id: DeviceID
  let store: StoreCore
  private var read = 0
  private let directory: URL

  init(_ index: Int, _ seed: UInt64, clock: @escaping () -> Int64) throws {
    id = DeviceID(high: UInt64(index + 1), low: seed)
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("fleet-\(UUID())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    store = try StoreCore.open(
      directory.appendingPathComponent("app.db").path, schema: Fleet.schema, wall: clock)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: directory)
  }

  /// One random transaction; one that a constraint refuses leaves nothing.
  func edit(_ random: inout Splitmix) {
    let steps = Int.random(in: 1...3, using: &random)
    let statements = (0..<steps).map { _ in Self.statement(&random) }
    do {
      try store.write { db in for (sql, values) in statements { try db.execute(sql, values) } }
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

  func rows() throws -> [[Row]] {
    try store.read { db in
      try ["list", "item", "secret"].map { try db.rows("SELECT * FROM \($0) ORDER BY id") }
    }
  }

  func checkConstraints() throws {
    let violations = try store.read { try $0.rows("PRAGMA foreign_key_check") }
    #expect(violations.isEmpty)
  }

  private static func statement(_ random: inout Splitmix) -> (String, [Value]) {
    func pick(_ prefix: String, _ count: Int) -> Value {
      .text("\(prefix)\(Int.random(in: 0..<count, using: &random))")
    }
    let (list, item, other, secret) = (pick("l", 3), pick("i", 5), pick("i", 5), pick("s", 2))
    let (word, code) = (pick("w", 50), pick("c", 3))
    switch Int.random(in: 0..<13, using: &random) {
    case 0, 1: return ("INSERT INTO list(id,name) VALUES(?1,?2)", [list, word])
    case 2, 3, 4:
      return ("INSERT INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    case 5: return ("UPDATE item SET code=?2 WHERE id=?1", [item, code])
    case 6: return ("UPDATE item SET parent=?2 WHERE id=?1", [item, other])
    case 7: return ("UPDATE item SET due=?2 WHERE id=?1", [item, word])
    case 8: return ("DELETE FROM list WHERE id=?1", [list])
    case 9: return ("DELETE FROM item WHERE id=?1", [item])
    case 10:
      return (
        "INSERT INTO secret(id,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=?2", [secret, word]
      )
    case 11: return ("DELETE FROM secret WHERE id=?1", [secret])
    default: return ("REPLACE INTO item(id,title,list,code) VALUES(?1,?2,?3,?4)", [item, word, list, code])
    }
  }
}
