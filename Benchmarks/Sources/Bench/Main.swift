import Foundation
import Tributary

/// The work of the performance targets, as ratios of wall time to plain SQLite in the same process.
///
/// `make bench` runs it; `TRIBUTARY_BENCH_ROWS` and `TRIBUTARY_BENCH_ROUNDS` change its size. Both sides bind their
/// values the same way. Rounds alternate, and the median is shown.
@main
struct Bench {
  static let schema = Schema(
    "com.example.bench",
    tables: [
      Table(
        "item", key: "id",
        columns: [
          .text("title").orNull, .text("body").orNull, .integer("n").orNull, .real("r").orNull,
          .integer("updated").orNull,
        ])
    ])

  static let insert = "INSERT INTO item(id,title,body,n,r,updated) VALUES(?1,?2,?3,?4,?5,?6)"
  static let update = "UPDATE item SET n=?2 WHERE id=?1"
  static let upsert =
    insert
    + " ON CONFLICT(id) DO UPDATE SET title=excluded.title,body=excluded.body,n=excluded.n,r=excluded.r,"
    + "updated=excluded.updated"

  static func main() async throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["TRIBUTARY_BENCH_ROWS"].flatMap(Int.init) ?? 100_000
    let rounds = environment["TRIBUTARY_BENCH_ROUNDS"].flatMap(Int.init) ?? 3
    var table = Results()
    for _ in 0..<rounds { try await round(count, &table) }
    print("\(count) rows, median of \(rounds), times plain SQLite")
    table.show()
  }

  private static func round(_ count: Int, _ table: inout Results) async throws {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID())")
    try FileManager.default.createDirectory(
      at: place.appendingPathComponent("remote"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    func path(_ name: String) -> String { place.appendingPathComponent(name).path }
    let rows = Work.rows(count)
    let edits = rows.map { [$0[0], .integer(($0[3].integer ?? 0) + 1)] }
    let single = Array(Work.rows(2_000, from: count))
    let plain = Plain(path("plain.db"))
    let store = try await Store.open(at: path("store.db"), schema: schema)
    let link = try await store.attach(
      .folder(path("remote")), password: "correct horse", deviceName: "a", create: true,
      stateDirectory: path("a"))

    let a = time { plain.each(insert, rows) }
    table.add("a  insert", "1.10 (1.25)", try await timed { try await each(store, insert, rows) } / a)
    let b = time { plain.each(update, edits) }
    table.add(
      "b  update one column", "1.25 (1.35)", try await timed { try await each(store, update, edits) } / b)
    let c = time { plain.each(insert, single, oneTransactionEach: true) }
    table.add(
      "c  one-row transactions, insert", "1.40", try await timed { try await one(store, insert, single) } / c)
    let singleEdits = single.map { [$0[0], Value.integer(7)] }
    let d = time { plain.each(update, singleEdits, oneTransactionEach: true) }
    table.add(
      "c  one-row transactions, update", "1.45",
      try await timed { try await one(store, update, singleEdits) } / d)

    _ = try await link.sync()
    let other = try await Store.open(at: path("other.db"), schema: schema)
    let reader = try await other.attach(
      .folder(path("remote")), password: "correct horse", deviceName: "b", create: false,
      stateDirectory: path("b"))
    let fresh = Plain(path("fresh.db"))
    let e = time { fresh.each(upsert, rows) }
    table.add(
      "e  a whole first sync of the rows", "1.0 (apply)", try await timed { _ = try await reader.sync() } / e)
    table.add("   a sync with nothing to do, ms", "-", try await timed { _ = try await link.sync() } * 1000)
    await other.close()
    await store.close()
    plain.close()
    fresh.close()
    table.add("file size", "1.05", try size(path("store.db")) / size(path("plain.db")))
    try Adopted.measure(rows, place, &table)
    table.add("wire bytes for each row", "64", try folderSize(path("remote")) / Double(count))
  }

  private static func each(_ store: Store, _ sql: String, _ rows: [[Value]]) async throws {
    try await store.write { db in for row in rows { try db.execute(sql, row) } }
  }

  private static func one(_ store: Store, _ sql: String, _ rows: [[Value]]) async throws {
    for row in rows { try await store.write { db in try db.execute(sql, row) } }
  }

  private static func time(_ body: () -> Void) -> Double {
    let clock = ContinuousClock()
    return clock.measure(body) / .seconds(1)
  }

  private static func timed(_ body: () async throws -> Void) async throws -> Double {
    let clock = ContinuousClock()
    return try await clock.measure(body) / .seconds(1)
  }

  private static func size(_ path: String) throws -> Double {
    (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
  }

  private static func folderSize(_ path: String) throws -> Double {
    try FileManager.default.subpathsOfDirectory(atPath: path).reduce(0) { sum, name in
      name.hasSuffix(".log") || name.hasSuffix(".snap") ? sum + (try size("\(path)/\(name)")) : sum
    }
  }
}

/// The rows: 26-character time-ordered ids, a title of 20 and a body of 100 characters, three numbers.
enum Work {
  static func rows(_ count: Int, from first: Int = 0) -> [[Value]] {
    var random = SystemRandomNumberGenerator()
    return (first..<first + count).map { index in
      [
        .text("01HF\(String(1_000_000_000 + index, radix: 32).uppercased())" + word(15, &random)),
        .text(word(20, &random)), .text(words(100, &random)), .integer(Int64(index) * 7),
        .real(Double(index) / 3),
        .integer(1_700_000_000_000 + Int64(index)),
      ]
    }
  }

  private static func word(_ length: Int, _ random: inout SystemRandomNumberGenerator) -> String {
    String((0..<length).map { _ in "abcdefghijklmnopqrstuvwxyz".randomElement(using: &random) ?? "a" })
  }

  private static let vocabulary = (0..<500).map { index in "w\(String(index * 7919, radix: 26))" }

  private static func words(_ length: Int, _ random: inout SystemRandomNumberGenerator) -> String {
    var text = ""
    while text.count < length { text += (vocabulary.randomElement(using: &random) ?? "w") + " " }
    return String(text.prefix(length))
  }
}

/// Figures by phase, in the order in which they came.
struct Results {
  private var phases: [(name: String, target: String, values: [Double])] = []

  mutating func add(_ name: String, _ target: String, _ value: Double) {
    if let index = phases.firstIndex(where: { $0.name == name }) { return phases[index].values.append(value) }
    phases.append((name, target, [value]))
  }

  func show() {
    for phase in phases {
      let sorted = phase.values.sorted()
      let line = phase.name.padding(toLength: 36, withPad: " ", startingAt: 0)
      let figures = [sorted[sorted.count / 2], sorted.first ?? 0, sorted.last ?? 0].map {
        String(format: "%7.2f", $0)
      }
      print("\(line)\(figures[0])   from \(figures[1]) to \(figures[2])   target \(phase.target)")
    }
  }
}
