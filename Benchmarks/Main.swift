import Foundation

/// The work of the performance targets, as ratios of wall time to plain SQLite doing the same to the same rows in the
/// same process.
///
/// `make bench` runs it. Rounds alternate between the two kinds of id, and the median of each figure is shown with its
/// spread. Environment: `TRIBUTARY_BENCH_ROWS`, `_ROUNDS`, `_PARTS` (of `local sync sizes adopted new sweep`), `_LARGE`
/// (the rows of the new device, and the most of the sweep), and `TRIBUTARY_TOOL` for what adopted databases cost.
@main
struct Bench {
  static func main() async throws {
    let settings = Settings(ProcessInfo.processInfo.environment)
    var table = Results()
    for round in 0..<settings.rounds {
      for ids in Work.IDs.allCases {
        let seed = UInt64(round * 2 + 1)
        let work = Work(settings.rows, ids, seed: seed)
        if settings.has("local") { try await Local(work).measure(&table) }
        if settings.has("sync") { try await Syncing(work).measure(&table) }
        if settings.has("sizes"), ids == .timeOrdered { try await Sizes(work).measure(&table) }
        if settings.has("adopted"), ids == .timeOrdered { try Adopted(work).measure(settings.tool, &table) }
      }
      print("round \(round + 1) of \(settings.rounds) done")
    }
    if settings.has("new") { try await NewDevice(settings.large).measure(&table) }
    table.show("\(settings.rows) rows, median of \(settings.rounds), times plain SQLite")
    if settings.has("sweep") { try await Sweep(settings.large).measure() }
  }
}

/// What the environment asks for.
struct Settings {
  let rows: Int
  let rounds: Int
  let large: Int
  let tool: String?
  private let parts: Set<Substring>

  init(_ environment: [String: String]) {
    func number(_ name: String, _ usual: Int) -> Int { environment[name].flatMap { Int($0) } ?? usual }
    rows = number("TRIBUTARY_BENCH_ROWS", 100_000)
    rounds = number("TRIBUTARY_BENCH_ROUNDS", 5)
    large = number("TRIBUTARY_BENCH_LARGE", 1_000_000)
    tool = environment["TRIBUTARY_TOOL"]
    let all = "local sync sizes adopted new sweep"
    parts = Set((environment["TRIBUTARY_BENCH_PARTS"] ?? all).split(separator: " "))
  }

  func has(_ part: Substring) -> Bool { parts.contains(part) }
}
