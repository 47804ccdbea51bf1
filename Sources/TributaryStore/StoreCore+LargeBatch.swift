import SQLite
import TributaryModel

extension StoreCore {
  /// Runs `body`, which writes so many rows, with what makes writing many faster: a larger cache, and no look at triggers
  /// where the app has none.
  func largeBatch(_ rows: Int, _ body: () throws -> Void) throws {
    guard rows >= 512 else { return try body() }
    let pages = try writer.integer("PRAGMA cache_size") ?? -2_000
    try writer.execute("PRAGMA cache_size=-16384")
    defer { try? writer.execute("PRAGMA cache_size=\(pages)") }
    guard try !hasTriggersOfTheApp() else { return try body() }
    try writer.setTriggers(isOn: false)
    defer { try? writer.setTriggers(isOn: true) }
    try body()
  }

  private func hasTriggersOfTheApp() throws -> Bool {
    let names = try writer.rows("SELECT name FROM sqlite_master WHERE type='trigger'").compactMap {
      $0[0].string
    }
    return names.contains {
      !$0.hasPrefix(GuardFunction.name + "_") && !$0.hasPrefix(AdoptionTriggers.prefix)
    }
  }
}
