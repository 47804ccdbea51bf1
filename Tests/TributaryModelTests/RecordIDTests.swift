import TestSupport
import Testing
import TributaryModel

@Suite struct RecordIDs {
  @Test func orderIsSQLitesAndValuesComeBack() throws {
    try withSeeds(4000) { random in
      let shape = (0...random.below(3)).map { _ in random.below(3) }
      let left = shape.map { Self.value(&random, $0) }
      let right = shape.map { Self.value(&random, $0) }
      guard let a = RecordID(left), let b = RecordID(right) else { return false }
      return (a < b) == left.lexicographicallyPrecedes(right) && (a == b) == (left == right)
        && a.values == left && b.values == right
    }
  }

  @Test func aWholeRealIsTheInteger() {
    #expect(RecordID([.real(1.0)]) == RecordID([.integer(1)]))
    #expect(RecordID([.real(-0.0)]) == RecordID([.integer(0)]))
    #expect(RecordID([.real(1.5)])?.values == [.real(1.5)])
  }

  @Test func zeroBytesInsideACompositeKeepTheirOrder() throws {
    let keys: [[Value]] = [
      [.text([]), .integer(9)], [.text([0]), .integer(1)], [.text([0, 0]), .integer(0)],
      [.text([0, 1]), .integer(0)], [.text([1]), .integer(-5)],
    ]
    let ids = try keys.map { try #require(RecordID($0)) }
    #expect(ids == ids.sorted())
    #expect(ids.map(\.values) == keys)
  }

  @Test func nullAndTooLongAreNoIdentity() {
    #expect(RecordID([.null]) == nil)
    #expect(RecordID([]) == nil)
    #expect(RecordID([.blob([UInt8](repeating: 1, count: 511))]) != nil)
    #expect(RecordID([.blob([UInt8](repeating: 1, count: 512))]) == nil)
  }

  @Test func bytesThatThisTypeWouldNotWriteHaveNoValues() {
    for bytes: [UInt8] in [
      [], [0x10], [0x10, 1, 2], [0x99], [0x31, 65], [0x31, 65, 0, 7], [0x31, 65, 0, 1],
      [0x20, 0xbf, 0xf0, 0, 0, 0, 0, 0, 0],
    ] {
      #expect(RecordID(encoded: bytes).values == nil, "\(bytes)")
    }
  }

  private static func value(_ random: inout Splitmix, _ kind: Int) -> Value {
    switch kind {
    case 0: return .integer(random.chance(50) ? Int64(random.below(7)) - 3 : Int64(bitPattern: random.next()))
    case 1: return .text((0..<random.below(4)).map { _ in [0, 1, 65, 255][random.below(4)] })
    default: return .blob((0..<random.below(4)).map { _ in [0, 1, 255][random.below(3)] })
    }
  }
}
