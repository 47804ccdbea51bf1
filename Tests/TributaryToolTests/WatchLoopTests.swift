import Testing

@testable import TributaryTool

/// When the watcher syncs, as a value that is told the time.
@Suite struct WatchLoopTests {
  private let timing = WatchTiming()

  /// A loop whose first sync went well at zero.
  private func idle() -> WatchLoop {
    var loop = WatchLoop(timing: timing, at: .zero)
    loop.began(at: .zero)
    loop.succeeded(at: .zero)
    return loop
  }

  @Test func theFirstSyncIsDueAtOnce() {
    #expect(WatchLoop(timing: timing, at: .seconds(7)).due == .seconds(7))
  }

  @Test func aBurstIsSyncedASecondAfterItsLastChange() {
    var loop = idle()
    for tenth in 0...20 { loop.changed(at: .milliseconds(20_000 + 100 * tenth)) }
    #expect(loop.due == .seconds(23))
  }

  @Test func changesWithoutEndAreSyncedTenSecondsAfterTheFirst() {
    var loop = idle()
    for half in 0...40 { loop.changed(at: .milliseconds(20_000 + 500 * half)) }
    #expect(loop.due == .seconds(30))
  }

  @Test func withoutChangesItSyncsEveryFiveMinutes() {
    #expect(idle().due == .seconds(300))
  }

  @Test func whatChangesDuringASyncIsSyncedByTheNext() {
    var loop = idle()
    loop.changed(at: .seconds(20))
    loop.began(at: .seconds(21))
    loop.changed(at: .seconds(22))
    loop.succeeded(at: .seconds(23))
    #expect(loop.due == .seconds(23))
    loop.began(at: .seconds(23))
    loop.succeeded(at: .seconds(24))
    #expect(loop.due == .seconds(324))
  }

  @Test func failuresBackOffToTheIntervalAndASuccessEndsThem() {
    var loop = idle()
    var waits: [Duration] = []
    for _ in 0..<9 {
      let now = loop.due
      loop.began(at: now)
      loop.failed(at: now)
      waits.append(loop.due - now)
    }
    #expect(waits == [5, 10, 20, 40, 80, 160, 300, 300, 300].map { .seconds($0) })
    let now = loop.due
    loop.began(at: now)
    loop.succeeded(at: now)
    #expect(loop.failures == 0 && loop.due - now == .seconds(300))
    for _ in 0..<100 { loop.failed(at: now) }
    #expect(loop.due - now == .seconds(300))
  }

  @Test func changesHurryAFailureToHalfAMinuteAtMost() {
    var loop = idle()
    for _ in 0..<8 {
      loop.began(at: .seconds(1000))
      loop.failed(at: .seconds(1000))
    }
    loop.changed(at: .seconds(1002))
    #expect(loop.due == .seconds(1030))
    loop.changed(at: .seconds(1100))
    #expect(loop.due == .seconds(1012) + .seconds(18))
  }

  @Test func whatReturnsEndsABackOff() {
    var loop = idle()
    for _ in 0..<8 {
      loop.began(at: .seconds(1000))
      loop.failed(at: .seconds(1000))
    }
    loop.returned(at: .seconds(1002))
    #expect(loop.due == .seconds(1003))
  }

  @Test func anotherSyncIsWaitedForWithShorterSteps() {
    var loop = idle()
    var waits: [Duration] = []
    for _ in 0..<5 {
      let now = loop.due
      loop.began(at: now)
      loop.failed(at: now, isBusy: true)
      waits.append(loop.due - now)
    }
    #expect(waits == [5, 10, 20, 30, 30].map { .seconds($0) })
  }

  @Test func aShortIntervalBoundsEveryWait() {
    var timing = timing
    timing.every = .seconds(10)
    var loop = WatchLoop(timing: timing, at: .zero)
    for _ in 0..<5 { loop.failed(at: .zero) }
    #expect(loop.due == .seconds(10))
  }

  @Test func sleepAndASetClockAreSeenOnce() {
    var watch = ClockWatch(wall: .seconds(1_000_000), awake: .seconds(50))
    let readings = [
      (1_000_015, 65),
      // Slewed by a time service.
      (1_000_032, 80), (1_003_000, 82), (1_003_015, 97),
      // Set back.
      (1_000_000, 98),
    ]
    let jumps = readings.map { watch.jumped(wall: .seconds($0.0), awake: .seconds($0.1)) }
    #expect(jumps == [false, false, true, false, true])
  }
}
