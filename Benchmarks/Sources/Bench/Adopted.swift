import Foundation
import Tributary

/// What the triggers of an adopted database cost the programs that write it.
enum Adopted {
  /// Nothing where `TRIBUTARY_TOOL` does not name the tool that adopts.
  static func measure(_ rows: [[Value]], _ place: URL, _ table: inout Results) throws {
    guard let tool = ProcessInfo.processInfo.environment["TRIBUTARY_TOOL"] else { return }
    let paths = ["free.db", "watched.db"].map { place.appendingPathComponent($0).path }
    let (free, watched) = (Plain(paths[0]), Plain(paths[1]))
    defer {
      free.close()
      watched.close()
    }
    try run(tool, ["adopt", paths[1]])
    let edits = rows.map { [$0[0], .integer(($0[3].integer ?? 0) + 1)] }
    let keys = rows.map { [$0[0]] }
    let single = Array(Work.rows(2_000, from: rows.count))
    let phases: [(String, String, [[Value]], Bool)] = [
      ("insert", Bench.insert, rows, false), ("update one column", Bench.update, edits, false),
      ("one-row transactions, insert", Bench.insert, single, true),
      ("delete", "DELETE FROM item WHERE id=?1", keys, false),
    ]
    for (name, sql, rows, isSingle) in phases {
      let plain = time { free.each(sql, rows, oneTransactionEach: isSingle) }
      table.add(
        "adopted: \(name)", "-", time { watched.each(sql, rows, oneTransactionEach: isSingle) } / plain)
    }
  }

  private static func time(_ body: () -> Void) -> Double { ContinuousClock().measure(body) / .seconds(1) }

  private static func run(_ tool: String, _ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
