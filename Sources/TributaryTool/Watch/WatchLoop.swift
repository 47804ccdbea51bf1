/// How long the watcher waits for what.
struct WatchTiming: Sendable, Equatable {
  /// After the last change, before it is synced: a burst of edits is one sync.
  var quiet: Duration = .seconds(1)
  /// After the first change, though more keep coming.
  var longest: Duration = .seconds(10)
  /// Between two syncs without any change, in case that one was not noticed.
  var every: Duration = .seconds(300)
  /// After the first failure; doubled with each further one, up to `every`.
  var firstRetry: Duration = .seconds(5)
  /// Between two tries at least, where changes keep coming and every try fails.
  var retryOnChange: Duration = .seconds(30)
  /// The most that a wait for another sync grows to.
  var longestBusy: Duration = .seconds(30)
}

/// Decides when to sync next. It knows no clock and does nothing by itself: it is told what happens, and when.
///
/// Moments are durations since any fixed one, on a clock that goes on while the machine sleeps.
struct WatchLoop: Sendable, Equatable {
  let timing: WatchTiming
  /// When a sync is due if nothing changes.
  private var idleDue: Duration
  /// The first and the latest change that no sync has begun after.
  private var change: (first: Duration, latest: Duration)?
  /// Failures since the last success.
  private(set) var failures = 0
  private var begun: Duration

  /// The first sync is due at once.
  init(timing: WatchTiming, at now: Duration) {
    self.timing = timing
    idleDue = now
    begun = now
  }

  /// When the next sync is due.
  var due: Duration {
    guard let change else { return idleDue }
    let settled = min(change.latest + timing.quiet, change.first + timing.longest)
    let earliest = failures > 0 ? max(settled, begun + timing.retryOnChange) : settled
    return min(idleDue, earliest)
  }

  /// Something changed that a sync may have to carry.
  mutating func changed(at now: Duration) {
    change = (change?.first ?? now, now)
  }

  /// What may have been missing is there, or the machine has woken up: a back-off has lost its reason.
  mutating func returned(at now: Duration) {
    idleDue = min(idleDue, now + timing.quiet)
  }

  /// A sync begins, which sees all that has changed up to now.
  mutating func began(at now: Duration) {
    begun = now
    change = nil
  }

  mutating func succeeded(at now: Duration) {
    failures = 0
    idleDue = now + timing.every
  }

  /// - Parameter isBusy: whether it only met another sync of the same database.
  mutating func failed(at now: Duration, isBusy: Bool = false) {
    let longest = isBusy ? min(timing.longestBusy, timing.every) : timing.every
    // Beyond ten doublings it is the longest wait in any case.
    idleDue = now + min(longest, timing.firstRetry * (1 << min(failures, 10)))
    failures += 1
  }

  static func == (left: WatchLoop, right: WatchLoop) -> Bool {
    left.timing == right.timing && left.due == right.due && left.failures == right.failures
  }
}

/// Notices that the machine slept, or that its clock was set: the wall clock and one that stops in sleep drift apart.
struct ClockWatch: Sendable {
  static let tolerance: Duration = .seconds(5)

  private var difference: Duration

  /// - Parameters:
  ///   - wall: time since 1970.
  ///   - awake: time on a clock that stops while the machine sleeps.
  init(wall: Duration, awake: Duration) { difference = wall - awake }

  /// Whether they have drifted apart since the last call.
  mutating func jumped(wall: Duration, awake: Duration) -> Bool {
    let now = wall - awake
    guard abs(now, difference) > Self.tolerance else { return false }
    difference = now
    return true
  }

  private func abs(_ one: Duration, _ other: Duration) -> Duration { one > other ? one - other : other - one }
}
