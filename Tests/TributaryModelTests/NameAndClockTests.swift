import TestSupport
import Testing
import TributaryModel

@Suite struct DeviceNames {
  @Test func textAndBytesComeBack() throws {
    try withSeeds(2000) { random in
      let id = DeviceID(high: random.next(), low: random.next())
      return DeviceID(id.description) == id && DeviceID(bytes: id.bytes) == id
        && id.description.utf8.count == 26
    }
  }

  @Test func orderOfTextIsOrderOfBytes() {
    #expect(DeviceID(high: 1, low: 0) < DeviceID(high: 1, low: 1))
    #expect(DeviceID(high: 0, low: .max) < DeviceID(high: 1, low: 0))
  }

  @Test func onlyOneSpellingIsTaken() {
    let good = DeviceID(high: 0x0123_4567_89ab_cdef, low: 0xfedc_ba98_7654_3210).description
    #expect(DeviceID(good) != nil)
    for bad in [
      "", String(good.dropLast()), good + "a", good.uppercased(), "0" + good.dropFirst(),
      good.dropLast() + "b", "1" + good.dropFirst(), " " + good.dropFirst(), "é" + good.dropFirst(2),
    ] {
      #expect(DeviceID(bad) == nil, "\(bad)")
    }
    #expect(DeviceID(bytes: [UInt8](repeating: 0, count: 15)) == nil)
    #expect(DeviceID(bytes: [UInt8](repeating: 0, count: 17)) == nil)
  }
}

@Suite struct Clocks {
  @Test func theNextMomentFollowsTheWallAndEverythingSeen() {
    let seen = Moment(milliseconds: 1000, counter: 7)
    #expect(Clock.next(after: seen, wall: 2000) == Moment(milliseconds: 2000))
    #expect(Clock.next(after: seen, wall: 500) == Moment(milliseconds: 1000, counter: 8))
    #expect(Clock.next(after: seen, wall: 1000) == Moment(milliseconds: 1000, counter: 8))
  }

  @Test func aFullCounterRunsIntoTheNextMillisecond() {
    let full = Moment(milliseconds: 1000, counter: .max)
    #expect(full.next == Moment(milliseconds: 1001))
    #expect(Moment(raw: .max).next == Moment(raw: .max))
  }

  @Test func fiveMinutesAheadAreTakenAndMoreIsFuture() {
    #expect(!Clock.isFuture(Moment(milliseconds: 1000 + Clock.tolerance, counter: 9), wall: 1000))
    #expect(Clock.isFuture(Moment(milliseconds: 1001 + Clock.tolerance), wall: 1000))
    #expect(!Clock.isFuture(Moment(raw: .max), wall: .max))
  }
}
