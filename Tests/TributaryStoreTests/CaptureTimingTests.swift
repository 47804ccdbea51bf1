import Foundation
import Glibc
import SQLite
import TestSupport
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
    var insert: [Double] = []
    var update: [Double] = []
  }

  @Test func captureAddsAtMostAQuarterToInsertsAndAThirdToUpdates() throws {
    var plain = Times()
    var captured = Times()
    var compared = Times()
    for _ in 0..<9 {
      try Self.round(&plain, .off)
      try Self.round(&captured, .recording)
      try Self.round(&compared, .recording, comparesAll: true)
    }
    let insert = Self.ratio(captured.insert, plain.insert)
    let update = Self.ratio(captured.update, plain.update)
    print("insert \(insert), update \(update)")
    print("all columns compared: update \(Self.ratio(compared.update, plain.update))")
    print("plain, processor seconds: insert \(plain.insert), update \(plain.update)")
    #expect(insert <= 1.25)
    #expect(update <= 1.35)
  }

  /// Of the fastest rounds.
  private static func ratio(_ times: [Double], _ plain: [Double]) -> Double {
    (times.min() ?? .infinity) / (plain.min() ?? 0)
  }

  /// Made beforehand, so that little but SQLite's own work is in the times.
  private struct Row {
    var id: [UInt8]
    var title: [UInt8]
    var body: [UInt8]
  }

  /// Identities of 26 characters, 10 of time and 16 of chance, in the order of their making.
  private static let data: [Row] = {
    var random = SplitMix(state: 1)
    let letters = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    return (0..<rows).map { row in
      let time = UInt64(1_760_000_000_000 + row * 3)
      let head = (0..<10).reversed().map { (place: Int) -> UInt8 in
        letters[Int(time >> UInt64(place * 5) & 31)]
      }
      let text = { (count: Int) -> [UInt8] in (0..<count).map { _ in letters[Int(random.next() & 31)] } }
      return Row(id: head + text(16), title: text(20), body: text(100))
    }
  }()

  private static func round(_ best: inout Times, _ mode: Capture.Mode, comparesAll: Bool = false) throws {
    let scene = try Scene(table, comparesAll: comparesAll) { shape in
      for place in shape.fields.indices {
        shape.fields[place].rule = ValueRule([.text, .text, .integer, .real, .integer][place], finite: true)
      }
    }
    if mode == .off { scene.capture.stop() }
    let data = data
    let insert = try scene.writer.prepare("INSERT INTO item VALUES(?, ?, ?, ?, ?, ?)")
    let fill = {
      for row in data.indices {
        try data[row].id.withUnsafeBytes { try insert.bindText(1, $0) }
        try data[row].title.withUnsafeBytes { try insert.bindText(2, $0) }
        try data[row].body.withUnsafeBytes { try insert.bindText(3, $0) }
        try insert.bindInteger(4, Int64(row))
        try insert.bindReal(5, Double(row) / 2)
        try insert.bindInteger(6, 1_760_000_000)
        try insert.run()
      }
    }
    // Once for nothing: buffers stay over transactions, and only the first grows them.
    try scene.writer.execute("BEGIN")
    scene.capture.mode = mode
    try fill()
    try scene.writer.execute("ROLLBACK")
    scene.capture.reset()
    best.insert.append(try time(scene, mode, fill))
    let update = try scene.writer.prepare("UPDATE item SET n = ? WHERE id = ?")
    best.update.append(
      try time(scene, mode) {
        for row in data.indices {
          try update.bindInteger(1, Int64(row + 7))
          try data[row].id.withUnsafeBytes { try update.bindText(2, $0) }
          try update.run()
        }
      })
  }

  private static func time(_ scene: Scene, _ mode: Capture.Mode, _ body: () throws -> Void) throws -> Double {
    let log = ChangeLog(scene.writer)
    let start = processorSeconds()
    try scene.writer.execute("BEGIN IMMEDIATE")
    scene.capture.mode = mode
    try body()
    let types = try scene.capture.finish(
      into: log, moment: Moment(milliseconds: 1_760_000_000_000), after: log.lastSeq,
      verifiedBy: scene.verifier)
    #expect(types.isEmpty == (mode == .off))
    try scene.writer.execute("COMMIT")
    return processorSeconds() - start
  }

  /// Of this thread, since others may use the machine as well.
  private static func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
