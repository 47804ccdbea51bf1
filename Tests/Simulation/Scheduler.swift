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
    let run = try SimulatedRun(seed: seed, names) { skews[$0] ?? 0 }
    run.remote.faults = faults()
    return run
  }

  mutating func live(_ run: SimulatedRun, steps: Int) throws {
    for number in 0..<steps {
      run.world.advance(Int64.random(in: 0...5, using: &random))
      run.remote.tick(Int.random(in: 0...2, using: &random))
      let device = run.devices[Int.random(in: 0..<run.devices.count, using: &random)]
      try run.perform(operation(run, device, number), on: device)
    }
  }

  private mutating func operation(_ run: SimulatedRun, _ device: SimulatedDevice, _ number: Int) -> Operation
  {
    switch Int.random(in: 0..<100, using: &random) {
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
