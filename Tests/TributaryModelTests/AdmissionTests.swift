import Testing
import TributaryModel

@Suite struct Admissions {
  private let build = Build(
    format: 2, schemaVersion: 3,
    types: [
      "item": RecordType(
        fields: ["title": ValueRule(.text, nonEmpty: true), "n": ValueRule(.integer, range: 0...9)],
        key: [ValueRule(.text)])
    ])

  private func entry(
    _ change: RecordState, type: String = "item", id: RecordID? = RecordID([.text("k")]),
    minReader: UInt32 = 1, isBarrier: Bool = false
  ) -> Entry {
    Entry(
      RecordName(type, id ?? RecordID(encoded: [])), change, minReader: minReader, isBarrier: isBarrier)
  }

  private func title(_ value: Value, at moment: UInt64 = 5, version: UInt32 = 1) -> RecordState {
    RecordState(fields: [Field("title", Register(stamp: at(moment), value: value, schemaVersion: version))])
  }

  private func verdict(_ entry: Entry, wall: Int64 = 1000) -> Verdict {
    Admission.decide(entry, by: build, wall: wall)
  }

  @Test func whatThisBuildKnowsIsApplied() {
    #expect(verdict(entry(title(.text("x")))) == .apply)
    #expect(verdict(entry(RecordState(deletes: [Delete(stamp: at(4))]))) == .apply)
    let unknown = RecordState(fields: [Field("later field", register(5, "any"))])
    #expect(verdict(entry(unknown)) == .apply)
  }

  @Test func aNewerFormatIsHeldAndABarrierStops() {
    #expect(verdict(entry(title(.text("x")), minReader: 3)) == .hold(.format(3)))
    #expect(verdict(entry(title(.text("x")), minReader: 3, isBarrier: true)) == .stop(minReader: 3))
    #expect(verdict(entry(title(.text("x")), minReader: 2, isBarrier: true)) == .apply)
  }

  @Test func unknownTypesVersionsAndFutureStampsAreHeld() {
    #expect(verdict(entry(title(.text("x")), type: "sqlite_master")) == .hold(.unknownType))
    #expect(verdict(entry(title(.text("x"), version: 4))) == .hold(.schemaVersion(4)))
    let future = Moment(milliseconds: 1001 + Clock.tolerance)
    #expect(verdict(entry(title(.text("x"), at: future.raw))) == .hold(.future(future)))
  }

  @Test func aValueThatTheColumnRefusesIsHeld() {
    #expect(
      verdict(entry(title(.text("")))) == .hold(.refused(field: "title", problem: "must not be empty")))
    guard case .hold(.refused(field: "", _)) = verdict(entry(title(.text("x")), id: RecordID([.integer(1)])))
    else {
      Issue.record("a key of another kind must be held")
      return
    }
    guard
      case .hold(.refused(field: "", _)) = verdict(
        entry(title(.text("x")), id: RecordID([.text("a"), .text("b")])))
    else {
      Issue.record("a key of another length must be held")
      return
    }
  }

  @Test func whatIsBrokenIsDiscarded() {
    guard case .discard = verdict(entry(RecordState())) else {
      Issue.record("empty")
      return
    }
    guard case .discard = verdict(entry(title(.text("x")), id: nil)) else {
      Issue.record("no identity")
      return
    }
  }

  @Test func aStampInsideLaterThanTheEditItselfIsDiscarded() {
    let register = Register(stamp: at(5), value: .text("x"), life: at(1 << 60))
    let total = Counter.Total(device: ann, stamp: at(5), base: at(1 << 60), sum: 1)
    let foreign = Counter.Total(device: ann, stamp: at(5, bob), base: at(1), sum: 1)
    for content in [
      Field.Content.register(register), .counter(Counter(base: nil, totals: [total])),
      .counter(Counter(base: nil, totals: [foreign])),
    ] {
      let verdict = verdict(entry(RecordState(fields: [Field("x", content)])))
      guard case .discard = verdict else {
        Issue.record("\(content) was given \(verdict)")
        return
      }
    }
  }

  @Test func aMarkFromTheFutureHoldsItsSet() {
    let future = Moment(milliseconds: 2000 + Clock.tolerance)
    let mark = ElementSet.Mark(value: .null, device: ann, added: nil, removed: future)
    let set = ElementSet(marks: [mark], stamp: at(5), schemaVersion: 1)
    #expect(verdict(entry(RecordState(fields: [Field("x", .set(set))]))) == .hold(.future(future)))
  }
}
