import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// What is written straight into the tables is what the projector would have written.
struct DirectWriterTests {
  @Test(arguments: 1...60)
  func writingDirectlyEndsAsWorkingOutDoes(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let fleet = try Fleet(count: 3, seed: seed)
    for _ in 0..<80 { _ = try fleet.act(&random) }
    for device in fleet.devices { try device.sync(fleet, &random) }
    let (direct, worked) = (try Receiver(), try Receiver())
    for batch in fleet.published {
      let conflicts = try direct.apply(batch.entries)
      // Two entries of one record have to be worked out, and joining one twice changes nothing.
      #expect(try conflicts == worked.apply(batch.entries + batch.entries), "seed \(seed)")
    }
    #expect(try direct.canonical() == worked.canonical(), "seed \(seed)")
    #expect(try Workload.rows(direct.store) == Workload.rows(worked.store), "seed \(seed)")
    #expect(try direct.store.repairs() == worked.store.repairs(), "seed \(seed)")
  }
}

/// A store that only reads.
private final class Receiver {
  let store: StoreCore
  private let directory: TemporaryFolder

  init() throws {
    directory = try TemporaryFolder()
    store = try Workload.open(directory.path("app.db"), wall: { 1_800_000_000_000 })
  }

  deinit { store.close() }

  /// Merges entries of which some were made without knowledge of what is there; returns the conflicts.
  func apply(_ entries: [Entry]) throws -> Set<Conflict> {
    let report = try store.engineWrite {
      try store.apply(entries) { ($0.moment.raw ^ $1.moment.raw) >> 16 & 1 == 0 }
    }
    return Set(report.conflicts)
  }

  func canonical() throws -> [Entry] {
    var all: [Entry] = []
    try store.everything { all += $0 }
    return all
  }
}
