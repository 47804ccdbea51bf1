import Testing
import TributaryModel

/// The rules of the merge, by number.
@Suite struct MergeRules {
  @Test func rule1BuildsThatGroupDifferentlyConverge() {
    let grouped = RecordState(fields: [Field("x", register(3, "x3")), Field("y", register(3, "y3"))])
    let alone = RecordState(fields: [Field("y", register(4, "y4", by: bob))])
    let merged = grouped.joined(alone)
    #expect(merged["x"]?.value == .text("x3"))
    #expect(merged["y"]?.value == .text("y4"))
    #expect(alone.joined(grouped) == merged)
  }

  @Test func rule2AFieldMergesByTheKindThatItCarries() {
    func set(_ value: Int64, by device: DeviceID, _ moment: UInt64) -> RecordState {
      let mark = ElementSet.Mark(
        value: .integer(value), device: device, added: Moment(raw: moment), removed: nil)
      let set = ElementSet(marks: [mark], stamp: at(moment, device), schemaVersion: 1)
      return RecordState(fields: [Field("unknown to this build", .set(set))])
    }
    let merged = set(1, by: ann, 3).joined(set(2, by: bob, 4))
    guard case .set(let joined)? = merged["unknown to this build"]?.content else {
      Issue.record("not a set")
      return
    }
    #expect(joined.values == [.integer(1), .integer(2)])
  }

  @Test func rule2KindsUnderOneNameNeverMeet() {
    let register = RecordState(fields: [Field("a", register(5, "five"))])
    let early = Counter(base: .init(stamp: at(3), value: .integer(3)), totals: [])
    let counter = RecordState(fields: [Field("a", .counter(early))])
    let merged = register.joined(counter)
    #expect(merged.fields.count == 2)
    #expect(merged["a"]?.value == .text("five"))
  }

  @Test func rule5SettingACounterVoidsWhatWasAddedBefore() {
    let base = Register(stamp: at(1), value: .integer(10))
    let added = Counter(base: nil, totals: [.init(device: bob, stamp: at(2, bob), base: at(1), sum: 5)])
    let set = Counter(base: .init(stamp: at(3), value: .integer(100)), totals: [])
    let late = Counter(base: nil, totals: [.init(device: bob, stamp: at(4, bob), base: at(3), sum: 1)])
    #expect(Counter(base: base, totals: []).joined(added).value == .integer(15))
    #expect(added.joined(set).value == .integer(100))
    #expect(late.joined(set).joined(added).value == .integer(101))
  }

  @Test func rule5TwoDevicesAddAndTheSumIsBoth() {
    let base = Counter(base: Register(stamp: at(1), value: .integer(0)), totals: [])
    let one = Counter(base: nil, totals: [.init(device: ann, stamp: at(2), base: at(1), sum: 2)])
    let more = Counter(base: nil, totals: [.init(device: ann, stamp: at(5), base: at(1), sum: 3)])
    let two = Counter(base: nil, totals: [.init(device: bob, stamp: at(2, bob), base: at(1), sum: -7)])
    #expect(base.joined(one).joined(more).joined(two).joined(one).value == .integer(-4))
  }

  @Test func rule7AnInsertAfterADeleteEndsTheEarlierFields() {
    let old = RecordState(
      born: at(1), fields: [Field("a", register(2, "old")), Field("b", register(2, "old"))])
    let deleted = RecordState(deletes: [Delete(stamp: at(3, bob))])
    let again = RecordState(
      born: at(5), deletes: [Delete(stamp: at(3, bob))], fields: [Field("a", register(5, "new"))])
    let merged = again.joined(old)
    #expect(merged["a"]?.value == .text("new"))
    #expect(merged["b"] == nil)
    #expect(old.joined(deleted).joined(again) == merged)
    #expect(merged.isVisible())
  }

  @Test func rule7AnEditAfterADeleteRevivesTheWhole() {
    let old = RecordState(born: at(1), fields: [Field("a", register(2, "a")), Field("b", register(2, "b"))])
    let deleted = old.joined(RecordState(deletes: [Delete(stamp: at(3))]))
    #expect(!deleted.isVisible())
    let edited = deleted.joined(RecordState(fields: [Field("a", register(4, "A"))]))
    #expect(edited.isVisible())
    #expect(edited["b"]?.value == .text("b"))
  }

  @Test func rule8ALaterInsertBetweenTwoDeletesFindsTheFirst() {
    let edit = RecordState(fields: [Field("a", register(4, "kept")), Field("b", register(2, "ended"))])
    let deletes = RecordState(deletes: [Delete(stamp: at(3)), Delete(stamp: at(7))])
    let insert = RecordState(born: at(5))
    let merged = deletes.joined(edit).joined(insert)
    #expect(merged["b"] == nil)
    #expect(merged["a"]?.value == .text("kept"))
    #expect(merged.deletes.map(\.stamp) == [at(3), at(7)])
    #expect(insert.joined(edit).joined(deletes) == merged)
  }

  @Test func rule9AnUpdateDiesWithTheInsertThatItNames() {
    let erased = RecordState(born: at(1), deletes: [Delete(stamp: at(5, bob), erases: true)])
    let unaware = RecordState(fields: [Field("secret", register(9, "s", life: at(1)))])
    let merged = erased.joined(unaware)
    #expect(merged["secret"] == nil)
    #expect(!merged.isVisible())
    #expect(unaware.joined(erased) == merged)
  }

  @Test func rule9OnlyAnInsertComesBackAfterAnErasingDelete() {
    let erased = RecordState(born: at(1), deletes: [Delete(stamp: at(5), erases: true)])
    #expect(!erased.joined(RecordState(fields: [Field("a", register(6, "x"))])).isVisible())
    #expect(erased.joined(RecordState(born: at(7))).isVisible())
  }

  @Test func rule9AnEditOfALifeThatADeleteEndsNeverHidesTheNextLife() {
    let edit = RecordState(fields: [Field("a", register(9, "old life", life: at(1)))])
    let insert = RecordState(born: at(6, bob), fields: [Field("a", register(6, "new life", by: bob))])
    let delete = RecordState(deletes: [Delete(stamp: at(5), erases: true)])
    #expect(edit.joined(insert).joined(delete)["a"]?.value == .text("new life"))
    #expect(edit.joined(delete).joined(insert)["a"]?.value == .text("new life"))
  }

  @Test func rule9AdditionsToASetBeforeTheNewInsertAreNotOfItsLife() {
    let mark = ElementSet.Mark(value: .text("x"), device: bob, added: Moment(raw: 8), removed: nil)
    let unaware = RecordState(
      fields: [Field("s", .set(ElementSet(marks: [mark], stamp: at(8, bob), schemaVersion: 1)))])
    let erased = RecordState(born: at(1), deletes: [Delete(stamp: at(5), erases: true)])
    let again = RecordState(born: at(9), deletes: [Delete(stamp: at(5), erases: true)])
    #expect(erased.joined(unaware).joined(again)["s"] == nil)
    #expect(again.joined(unaware) == erased.joined(unaware).joined(again))
  }

  @Test func aCascadedDeleteIsUndoneWithItsCause() throws {
    let parent = RecordName("list", try #require(RecordID([.text("p")])))
    let child = RecordState(born: at(1), deletes: [Delete(stamp: at(4), cause: parent)])
    #expect(!child.isVisible())
    #expect(child.isVisible { $0.cause == parent })
  }
}
