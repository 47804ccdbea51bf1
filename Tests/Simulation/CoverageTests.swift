import Testing
import TributaryTesting

/// That the simulation is not a fair-weather one: what it claims to do to a fleet really happens to it.
struct CoverageTests {
  @Test func everyFaultAndEveryOutcomeIsMetInAFewRuns() throws {
    var met: [FaultCounts] = []
    var steps: [History.Step] = []
    for seed in 1...16 as ClosedRange<UInt64> {
      let run = try Scheduler.run(seed: seed)
      try run.settleDown()
      met.append(run.remote.met)
      steps += run.history.steps
    }
    for (name, count) in Self.counts {
      #expect(met.reduce(0) { $0 + $1[keyPath: count] } > 0, "no run met \(name)")
    }
    for step in Self.steps {
      #expect(steps.contains { $0.outcome.hasPrefix("stopped at \(step)") }, "no run stopped at \(step)")
    }
    for name in Self.foreign {
      let found = steps.contains { $0.operation.hasPrefix(name) && $0.outcome == "committed" }
      #expect(found, "no run had a committed \(name)")
    }
    #expect(steps.contains { $0.outcome == "refused" }, "no transaction was refused")
    #expect(steps.contains { $0.edits.count > 4 }, "no transaction was long")
    #expect(steps.contains { ($0.held ?? 0) > 0 }, "nothing was ever held")
    #expect(steps.contains { !($0.gaps ?? [:]).isEmpty }, "no peer ever had a gap")
  }

  /// The engine deletes no file yet, so ``FaultCounts/unseenDeletions`` is met in the remote's own tests only.
  private static let counts: [(String, any KeyPath<FaultCounts, Int> & Sendable)] = [
    ("lost replies", \.lostReplies), ("failures", \.failures), ("stale reads", \.staleReads),
    ("repeated publications", \.repeatedPublications), ("late arrivals", \.lateArrivals),
    ("files that overtake others", \.overtaken), ("torn reads", \.tornReads),
    ("late listings", \.lateListings),
  ]

  /// What befalls adopted databases.
  private static let foreign = [
    "foreign edit (with keys)", "foreign edit (without keys, recursive)", "unwatched edit", "migrate: add",
    "migrate: rebuild", "migrate: vacuum", "migrate: journal",
  ]

  private static let steps = [
    "settle", "apply", "commit", "seal", "commit seal", "publish", "read back",
  ]
}
