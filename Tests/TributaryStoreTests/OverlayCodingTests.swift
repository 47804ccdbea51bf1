import Testing
import TributaryModel

@testable import TributaryStore

struct OverlayCodingTests {
  private let ann = DeviceID(high: 1, low: 1)

  private func at(_ milliseconds: Int64) -> Stamp { Stamp(Moment(milliseconds: milliseconds), ann) }

  private func back(_ overlay: Overlay) throws -> Overlay {
    try OverlayCoding.decode(OverlayCoding.encode(overlay), flags: overlay.flags.rawValue)
  }

  @Test func aCountersTotalsKeepTheLifeThatTheyBelongTo() throws {
    let counter = Counter(
      base: Register(stamp: at(5), value: .integer(1), life: at(2)),
      totals: [.init(device: ann, stamp: at(9), base: at(5), life: at(2), sum: -4)])
    let read = try back(Overlay(mergeables: [3: [.counter(counter)]]))
    #expect(read.mergeables == [3: [.counter(counter)]])
  }

  @Test func marksOfTheFirstMomentAreNotTakenForNone() throws {
    let zero = Moment(raw: 0)
    let set = ElementSet(
      marks: [
        .init(value: .text("a"), device: ann, added: zero, removed: nil),
        .init(value: .text("b"), device: ann, added: nil, removed: zero),
      ], stamp: at(1), schemaVersion: 1)
    #expect(try back(Overlay(mergeables: [1: [.set(set)]])).mergeables == [1: [.set(set)]])
  }

  @Test func oneNameMayHoldEveryKindAtOnce() throws {
    let counter = Counter(base: Register(stamp: at(1), value: .integer(1)), totals: [])
    let set = ElementSet(marks: [], stamp: at(1), schemaVersion: 1)
    let overlay = Overlay(values: [2: .text("x")], mergeables: [2: [.counter(counter), .set(set)]])
    let read = try back(overlay)
    #expect(read.values == overlay.values)
    #expect(read.mergeables == overlay.mergeables)
  }

  @Test func aFieldNumberThatNoTableHasIsDamage() throws {
    #expect(throws: StoreError.self) { try OverlayCoding.decode([1, 0x80, 0x80, 0x04, 0, 0], flags: 0) }
  }
}
