import Foundation
import Testing
import TributaryTesting

/// Fleets of whole devices under one seeded scheduler, over a remote that lags, tears, loses replies and fails, and
/// with devices that are stopped at any step.
///
/// `TRIBUTARY_SEEDS=FROM..TO` chooses the seeds. `TRIBUTARY_HISTORY=FILE` writes the history of every run there, as
/// JSON Lines: an object for each step, then one for each device with its final state.
struct SimulationTests {
  @Test(arguments: seeds)
  func everyDeviceEndsTheSameWhateverHappensOnTheWay(seed: UInt64) {
    guard let failure = Self.failure(ofSeed: seed) else { return }
    Issue.record("\(failure)")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func twoRunsOfOneSeedHaveOneHistory(seed: UInt64) throws {
    func history() throws -> String {
      let run = try Scheduler.run(seed: seed)
      try run.settleDown()
      return try run.jsonLines() + run.remote.trace.joined(separator: "\n")
    }
    #expect(try history() == history())
  }

  /// Runs a seed to its end; the report of what failed, or nil.
  static func failure(ofSeed seed: UInt64) -> String? {
    var scheduler = Scheduler(seed: seed)
    do {
      let run = try scheduler.fleet()
      do {
        try scheduler.live(run, steps: 80)
        try run.settleDown()
        try HistoryFile.shared?.append(run.jsonLines())
        return try run.failure()
      } catch {
        return run.report("the run failed: \(error)")
      }
    } catch {
      return "seed \(seed): no fleet could be made: \(error)"
    }
  }

  static let seeds: [UInt64] = {
    let parts = (ProcessInfo.processInfo.environment["TRIBUTARY_SEEDS"] ?? "").split(separator: ".")
    guard parts.count == 2, let from = UInt64(parts[0]), let to = UInt64(parts[1]), from <= to else {
      return Array(1...300)
    }
    return Array(from...to)
  }()
}
