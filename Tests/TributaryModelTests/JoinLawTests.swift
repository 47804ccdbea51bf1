import TestSupport
import Testing
import TributaryModel

@Suite struct JoinLaws {
  @Test(arguments: [false, true])
  func joinsCommuteAssociateAndRepeat(isContradictory: Bool) throws {
    try withSeeds(6000) { random in
      let parts = StatePool(&random, count: 2 + random.below(12), isContradictory: isContradictory).parts
      let a = StatePool.state(&random, of: parts)
      let b = StatePool.state(&random, of: parts)
      let c = StatePool.state(&random, of: parts)
      return a.joined(b) == b.joined(a) && a.joined(b).joined(c) == a.joined(b.joined(c))
        && a.joined(a) == a && a.joined(b).joined(b) == a.joined(b)
    }
  }

  @Test(arguments: [false, true])
  func anyOrderAndGroupingOfTheSamePartsGivesOneValue(isContradictory: Bool) throws {
    try withSeeds(6000) { random in
      let parts = StatePool(&random, count: 2 + random.below(10), isContradictory: isContradictory).parts
      let first = StatePool.tree(&random, of: parts)
      return (0..<4).allSatisfy { _ in StatePool.tree(&random, of: parts) == first }
    }
  }

  @Test func aJoinedStateBuiltAgainFromItsPartsIsItself() throws {
    try withSeeds(3000) { random in
      let parts = StatePool(&random, count: 8).parts
      let state = StatePool.tree(&random, of: parts)
      let rebuilt = RecordState(
        born: state.born, deletes: state.deletes.shuffled(using: &random),
        fields: state.fields.shuffled(using: &random))
      return rebuilt == state
    }
  }

  @Test func namesThatDifferInBytesAreTwoFields() {
    let one = RecordState(fields: [Field("caf\u{e9}", register(1, "x"))])
    let other = RecordState(fields: [Field("cafe\u{301}", register(2, "y"))])
    #expect(one.joined(other).fields.count == 2)
    #expect(one.joined(other) == other.joined(one))
    #expect(
      RecordName("caf\u{e9}", RecordID(encoded: [])) != RecordName("cafe\u{301}", RecordID(encoded: [])))
  }

  @Test func theOrderOfEqualStampsIsTheirContent() {
    let a = register(5, "a")
    let b = register(5, "b")
    #expect(a.joined(b).value == .text("b"))
    #expect(b.joined(a).value == .text("b"))
    #expect(a.contradicts(b))
    #expect(!a.contradicts(a))
  }
}

let ann = DeviceID(high: 0, low: 1)
let bob = DeviceID(high: 0, low: 2)

func at(_ moment: UInt64, _ device: DeviceID = ann) -> Stamp { Stamp(Moment(raw: moment), device) }

func register(_ moment: UInt64, _ value: String, life: Stamp? = nil, by device: DeviceID = ann) -> Register {
  Register(stamp: at(moment, device), value: .text(value), life: life)
}
