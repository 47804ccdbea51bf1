import Foundation
import TestSupport
import TributaryModel
import TributaryTesting

/// Draws what happens in a run, from the seed alone.
struct Scheduler {
  private var random: Splitmix
  private let seed: UInt64

  init(seed: UInt64) {
    self.seed = seed
    random = Splitmix(seed: seed)
  }

  /// A whole run up to the checks.
  static func run(seed: UInt64, steps: Int = 80) throws -> SimulatedRun {
    var scheduler = Scheduler(seed: seed)
    let run = try scheduler.fleet()
    try scheduler.live(run, steps: steps)
    return run
  }

  mutating func fleet() throws -> SimulatedRun {
    let names = (0..<Int.random(in: 2...4, using: &random)).map { "device\($0)" }
    var skews: [String: Int64] = [:]
    for name in names { skews[name] = Int64.random(in: -2_000...2_000, using: &random) }
    let run = try SimulatedRun(seed: seed, names, kind) { skews[$0] ?? 0 }
    run.remote.faults = faults()
    return run
  }

  /// Every third fleet is of adopted databases.
  private var kind: FleetKind {
    guard seed % 3 == 0 else { return .declared }
    return seed % 2 == 0 ? .adopted : .adoptedApart
  }

  mutating func live(_ run: SimulatedRun, steps: Int) throws {
    for number in 0..<steps {
      run.world.advance(Int64.random(in: 0...5, using: &random))
      run.remote.tick(Int.random(in: 0...2, using: &random))
      let device = run.devices[Int.random(in: 0..<run.devices.count, using: &random)]
      let operation =
        device.isAdopted ? adoptedOperation(run, device, number) : operation(run, device, number)
      try run.perform(operation, on: device)
    }
  }

  private mutating func operation(
    _ run: SimulatedRun, _ device: SimulatedDevice, _ number: Int, from first: Int = 0
  ) -> Operation {
    switch Int.random(in: first..<100, using: &random) {
    case 0..<55: return .edit(statements())
    case 55..<79: return .sync()
    case 80..<90: return .sync(stopAfter: Int.random(in: 0..<12, using: &random))
    case 91..<94: return .jump(jump())
    case 94: return .restart
    case 79: return .compact()
    case 90: return .compact(stopAfter: Int.random(in: 0..<12, using: &random))
    case 95, 96: return .weather(faults())
    case 97: return .backup
    case 98: return .restore
    case 99 where run.devices.count < 6: return .copy(as: "copy\(number)")
    default: return .sync()
    }
  }

  /// Most edits are another program's.
  private mutating func adoptedOperation(
    _ run: SimulatedRun, _ device: SimulatedDevice, _ number: Int
  ) -> Operation {
    switch Int.random(in: 0..<110, using: &random) {
    case 0..<8: return .edit(statements())
    case 8..<50: return .foreign(foreignStatements(device), habits())
    case 50..<54: return .unwatched(statements(), habits(), .paused)
    case 100..<103: return .unwatched(statements(), habits(), .dropped(Int.random(in: 1...3, using: &random)))
    case 103..<110: return .migrate(migration())
    default: return operation(run, device, number, from: 55)
    }
  }

  private mutating func foreignStatements(_ device: SimulatedDevice) -> [Statement] {
    let extra = device.extraColumns.map { number in
      Statement(
        "UPDATE item SET extra\(number)=?1 WHERE id=?2",
        [.text("e\(random.below(50))"), .text("i\(random.below(5))")])
    }
    return statements() + (random.chance(30) ? extra : [])
  }

  private mutating func habits() -> ForeignApp.Habits {
    ForeignApp.Habits(
      foreignKeys: random.chance(60), recursiveTriggers: random.chance(40), rollsBack: random.chance(8))
  }

  private mutating func migration() -> Migration {
    switch random.below(10) {
    case 0, 1: .addColumn(random.below(2))
    case 2, 3, 4: .rebuild(random.chance(50) ? "item" : "guest")
    case 5: .rebuild("list")
    case 6: .rebuildChanged
    case 7: .vacuum
    case 8: .rename
    default: .journal(["DELETE", "WAL", "TRUNCATE"][random.below(3)])
    }
  }

  /// Now and then a transaction that takes more than one file.
  private mutating func statements() -> [Statement] {
    guard Int.random(in: 0..<200, using: &random) == 0 else { return Workload.transaction(&random) }
    return (0..<3 as Range<UInt8>).map { number in
      let data = (0..<30_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
      return Statement(
        "REPLACE INTO photo(hash,data) VALUES(?1,?2)", [.blob([0, number, 255]), .blob(data)])
    }
  }

  /// A little, within what others tolerate, or hours.
  private mutating func jump() -> Int64 {
    let most: [Int64] = [2_000, 4 * 60_000, 3 * 3_600_000]
    let limit = most[Int.random(in: 0..<3, using: &random)]
    return Int64.random(in: -limit...limit, using: &random)
  }

  private mutating func faults() -> Faults {
    var faults = Faults()
    // A sync takes ten calls or so, each of them a tick: the longest lags last for several syncs.
    let lags = [0, 8, 60, 200]
    faults.deliveryLag = lags[Int.random(in: 0..<4, using: &random)]
    faults.headLag = lags[Int.random(in: 0..<4, using: &random)]
    faults.listingLag = lags[Int.random(in: 0..<4, using: &random)]
    faults.tornTicks = lags[Int.random(in: 1..<4, using: &random)]
    faults.lostRepliesPerMille = Int.random(in: 0...80, using: &random)
    faults.failuresPerMille = Int.random(in: 0...80, using: &random)
    faults.tornPerMille = Int.random(in: 0...80, using: &random)
    faults.isUnavailable = Int.random(in: 0..<20, using: &random) == 0
    return faults
  }
}
