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
  }

  @Test func captureAddsAtMostAQuarterToInsertsAndAThirdToUpdates() throws {
    var plain = Times()
    var captured = Times()
    var compared = Times()
    for _ in 0..<5 {
      try Self.round(&plain, .off)
      try Self.round(&captured, .recording)
      try Self.round(&compared, .recording, comparesAll: true)
    }
    let insert = captured.insert / plain.insert
    let update = captured.update / plain.update
    print("insert \(plain.insert) -> \(captured.insert): \(insert)")
    print("update \(plain.update) -> \(captured.update): \(update)")
    print("update, all columns compared \(compared.update): \(compared.update / plain.update)")
    #expect(insert <= 1.25)
    #expect(update <= 1.35)
  }

  /// Made beforehand, so that little but SQLite's own work is in the times.
  private struct Row {
    var id: [UInt8]
    var title: [UInt8]
  }

  private static let data = (0..<rows).map { Row(id: Array(key($0).utf8), title: Array("title \($0)".utf8)) }

  private static func round(_ best: inout Times, _ mode: Capture.Mode, comparesAll: Bool = false) throws {
    let scene = try Scene(table, comparesAll: comparesAll) { shape in
      for place in shape.fields.indices {
        shape.fields[place].rule = ValueRule([.text, .text, .integer, .real, .integer][place], finite: true)
      }
    }
    if mode == .off { scene.capture.stop() }
    let data = data
    let insert = try scene.writer.prepare("INSERT INTO item VALUES(?, ?, ?, ?, ?, ?)")
    let body = [UInt8](repeating: 98, count: 120)
    best.insert = min(
      best.insert,
      try time(scene, mode) {
        for row in data.indices {
          try data[row].id.withUnsafeBytes { try insert.bindText(1, $0) }
          try data[row].title.withUnsafeBytes { try insert.bindText(2, $0) }
          try body.withUnsafeBytes { try insert.bindText(3, $0) }
          try insert.bindInteger(4, Int64(row))
          try insert.bindReal(5, Double(row) / 2)
          try insert.bindInteger(6, 1_760_000_000)
          try insert.run()
        }
      })
    let update = try scene.writer.prepare("UPDATE item SET n = ? WHERE id = ?")
    best.update = min(
      best.update,
      try time(scene, mode) {
        for row in data.indices {
          try update.bindInteger(1, Int64(row + 7))
          try data[row].id.withUnsafeBytes { try update.bindText(2, $0) }
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

  private static func time(_ scene: Scene, _ mode: Capture.Mode, _ body: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    let log = ChangeLog(scene.writer)
    let start = clock.now
    try scene.writer.execute("BEGIN IMMEDIATE")
    scene.capture.mode = mode
    try body()
    let types = try scene.capture.finish(
      into: log, moment: Moment(milliseconds: 1_760_000_000_000), verifiedBy: scene.verifier)
    #expect(types.isEmpty == (mode == .off))
    try scene.writer.execute("COMMIT")
    let elapsed = clock.now - start
    return Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
  }
}
