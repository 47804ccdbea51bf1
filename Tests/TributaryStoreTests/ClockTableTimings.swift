import Glibc
import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

@Suite struct ClockTableTimings {
  @Test(.enabled(if: getenv("TRIBUTARY_TIMINGS") != nil))
  func oneHundredThousandRecords() throws {
    try withClockStore { path in
      let connection = try clockStore(path)
      let table = ClockTable(connection)
      var random = Splitmix(seed: 6)
      let ids = (0..<100_000).map { random.ulid(UInt64($0)) }
      let same = random.bytes(14)
      func time(_ name: String, _ count: Int, _ body: () throws -> Void) throws {
        let clock = ContinuousClock()
        let duration = try clock.measure { try connection.transaction { try body() } }
        print("clocks: \(name):", duration / count, "a record")
      }
      let shared: [ClockChange] = ids.map { ($0, same) }
      let distinct: [ClockChange] = ids.map { ($0, random.bytes(14)) }
      let sparse = ids.enumerated().filter { $0.offset % 500 == 0 }.map(\.element)
      try time("bulk write, shared", ids.count) { try table.write(type: 1, shared) }
      try time("bulk write, distinct", ids.count) { try table.write(type: 2, distinct) }
      try time("rewrite, distinct", ids.count) { try table.write(type: 1, distinct) }
      try time("read all", ids.count) { _ = try table.read(type: 2, ids: ids) }
      try time("read 1 in 500", sparse.count) { _ = try table.read(type: 2, ids: sparse) }
      try time("write 1 in 500", sparse.count) { try table.write(type: 2, sparse.map { ($0, same) }) }
      try time("one by one", 10_000) {
        for change in distinct.prefix(10_000) { try table.write(type: 3, [change]) }
      }
      try time("remove 19 in 20", ids.count * 19 / 20) {
        try table.write(type: 1, ids.enumerated().filter { $0.offset % 20 != 0 }.map { ($0.element, nil) })
      }
      try time("count", ids.count) { _ = try table.count(type: 2) }
    }
  }
}
