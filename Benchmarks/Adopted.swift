import Foundation
import Tributary

/// What the triggers of an adopted database cost the programs that write it.
struct Adopted {
  private let work: Work

  init(_ work: Work) { self.work = work }

  /// Nothing where no tool is given that adopts.
  func measure(_ tool: String?, _ table: inout Results) throws {
    guard let tool else { return }
    let place = try Place()
    defer { place.remove() }
    let (free, watched) = (Plain(place.path("free.db")), Plain(place.path("watched.db")))
    defer {
      free.close()
      watched.close()
    }
    try run(tool, ["adopt", watched.path])
    let phases: [(String, String, [[Value]], Bool)] = [
      ("insert", Work.insert, work.rows, false), ("update one column", Work.update, work.edits(1), false),
      ("one-row transactions, insert", Work.insert, work.single, true),
      ("delete", "DELETE FROM item WHERE id=?1", work.rows.map { [$0[0]] }, false),
    ]
    for (name, sql, rows, isSingle) in phases {
      let plain = Measure.seconds { free.each(sql, rows, oneTransactionEach: isSingle) }
      let ours = Measure.seconds { watched.each(sql, rows, oneTransactionEach: isSingle) }
      table.add("adopted: \(name)", "-", ours / plain)
    }
  }

  private func run(_ tool: String, _ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
