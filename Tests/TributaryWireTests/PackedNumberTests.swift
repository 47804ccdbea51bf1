import TestSupport
import Testing
import TributaryModel
import TributaryWire

@Suite struct PackedColumns {
  private func roundTrip(_ values: [Value]) throws -> Bool {
    let entries = values.enumerated().map { number, value in
      Entry(
        RecordName("item", RecordID([.integer(Int64(number))]) ?? id("x")),
        RecordState(fields: [Field("v", Register(stamp: at(5), value: value))]))
    }
    return try decoded(try encoded(entries)).entries == entries
  }

  @Test func integersComeBack() throws {
    try withSeeds(200) { random in
      let shift = random.below(64)
      let base = Int64(bitPattern: random.next())
      var last = base
      let values = (0..<8 + random.below(40)).map { _ -> Value in
        last &+= Int64(random.below(9))
        return .integer(random.chance(50) ? base &+ Int64(bitPattern: random.next() >> UInt64(shift)) : last)
      }
      return try roundTrip(values)
    }
    #expect(try roundTrip([Int64.min, .max, 0, -1, 1, .min, .max, .max].map { .integer($0) }))
    #expect(try roundTrip([Value](repeating: .integer(7), count: 9)))
  }

  @Test func realsComeBackToTheBit() throws {
    try withSeeds(200) { random in
      let power = [1.0, 10, 100, 1000, 10_000, 100_000, 3][random.below(7)]
      let values = (0..<8 + random.below(40)).map { _ in Value.real(Double(random.below(1 << 30)) / power) }
      return try roundTrip(values)
    }
    #expect(
      try roundTrip(
        [-0.0, 0.0, .infinity, -.infinity, .leastNonzeroMagnitude, 1e300, 9e15, -1.5].map { .real($0) }))
    #expect(try roundTrip([-1.5, 2.25, 3, 4, -0.01, 6, 7, 8].map { .real($0) }))
  }

  @Test func mixedColumnsComeBack() throws {
    #expect(try roundTrip([Value](repeating: .integer(1), count: 9) + [.real(1)]))
    #expect(try roundTrip([Value](repeating: .real(1), count: 9) + [.null]))
  }
}
