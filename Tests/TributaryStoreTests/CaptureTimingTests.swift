import Foundation
import SQLite
import Testing
import TributaryModel

@testable import TributaryStore

/// What capture adds to a write: run with `TRIBUTARY_TIMING=1 swift test -c release --filter CaptureTiming`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["TRIBUTARY_TIMING"] != nil), .serialized)
struct CaptureTimingTests {
  private static let rows = 100_000
  private static let table = """
    CREATE TABLE item(id TEXT PRIMARY KEY NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, n INTEGER NOT NULL,
      r REAL NOT NULL, updated INTEGER NOT NULL)
    """

  private struct Times {
    var insert = Double.infinity
    var update = Double.infinity
    var finish = 0.0
  }

  @Test func captureAddsAtMostAQuarterToInsertsAndAThirdToUpdates() throws {
    var plain = Times()
    var captured = Times()
    for _ in 0..<5 {
      try Self.round(&plain, captures: false)
      try Self.round(&captured, captures: true)
    }
    let insert = captured.insert / plain.insert
    let update = captured.update / plain.update
    print("insert \(plain.insert) -> \(captured.insert): \(insert)")
    print("update \(plain.update) -> \(captured.update): \(update)")
    #expect(insert <= 1.25)
    #expect(update <= 1.35)
  }

  private static func round(_ best: inout Times, captures: Bool) throws {
    let scene = try Scene(table) { shape in
      for place in shape.fields.indices {
        shape.fields[place].rule = ValueRule([.text, .text, .integer, .real, .integer][place], finite: true)
      }
    }
    if !captures { scene.capture.stop() }
    let insert = try scene.writer.prepare("INSERT INTO item VALUES(?, ?, ?, ?, ?, ?)")
    let body = [UInt8](repeating: 98, count: 120)
    best.insert = min(
      best.insert,
      try time(scene, captures) {
        for row in 0..<rows {
          try insert.bind(1, .text(key(row)))
          try insert.bind(2, .text("title \(row)"))
          try insert.bind(3, .text(body))
          try insert.bind(4, .integer(Int64(row)))
          try insert.bind(5, .real(Double(row) / 2))
          try insert.bind(6, .integer(1_760_000_000))
          try insert.run()
        }
      })
    let update = try scene.writer.prepare("UPDATE item SET n = ? WHERE id = ?")
    best.update = min(
      best.update,
      try time(scene, captures) {
        for row in 0..<rows {
          try update.bind(1, .integer(Int64(row + 7)))
          try update.bind(2, .text(key(row)))
          try update.run()
        }
      })
  }

  /// As random as a UUID, in the order of the rows' making.
  private static func key(_ row: Int) -> String {
    var random = SplitMix(state: UInt64(row))
    let digits = String(random.next(), radix: 16) + String(random.next(), radix: 16)
    return "018f" + String(row + 1_000_000, radix: 16) + "-" + digits.prefix(24)
  }

  private static func time(_ scene: Scene, _ captures: Bool, _ body: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    let log = ChangeLog(scene.writer)
    let start = clock.now
    try scene.writer.execute("BEGIN IMMEDIATE")
    scene.capture.mode = captures ? .recording : .off
    try body()
    if captures {
      guard case .exact(let changes) = scene.capture.finish() else { return .infinity }
      #expect(changes.count == rows)
      try log.append(changes, moment: Moment(milliseconds: 1_760_000_000_000))
    }
    try scene.writer.execute("COMMIT")
    let elapsed = clock.now - start
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  }
}
