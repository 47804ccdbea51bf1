import Foundation
import Tributary

/// How costs grow with the number of rows: ten times as many each line.
struct Sweep {
  private let most: Int

  init(_ most: Int) { self.most = most }

  func measure() async throws {
    print(
      "\nµs for each row            first upload   new device   one edit: ms, bytes of log and head   idle ms"
    )
    var count = 1_000
    while count <= most {
      try await line(count)
      count *= 10
    }
  }

  private func line(_ count: Int) async throws {
    let place = try Place()
    defer { place.remove() }
    let (a, b) = (try await place.store("a"), try await place.store("b"))
    let linkA = try await place.attach(a, "a", create: true)
    for work in NewDevice.batches(count) { try await a.each(Work.insert, work.rows) }
    let upload = try await Measure.time { _ = try await linkA.sync() }
    let linkB = try await place.attach(b, "b", create: false)
    let download = try await Measure.time { _ = try await linkB.sync() }
    _ = try await linkA.sync()
    try await a.each("UPDATE item SET n=1 WHERE id=(SELECT max(id) FROM item)", [[]])
    var written = 0
    let edit = try await Measure.time { written = try await linkA.sync().bytesWritten }
    _ = try await linkB.sync()
    let idle = try await Measure.time { _ = try await linkB.sync() }
    await a.close()
    await b.close()
    let rows = Double(count) / 1e6
    print(
      String(
        format: "%9d                  %12.2f %12.2f   %8.2f   %6d %32.2f", count, upload / rows,
        download / rows,
        edit * 1000, written, idle * 1000))
  }
}
