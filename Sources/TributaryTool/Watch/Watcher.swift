/// The time, as the watcher sees it.
struct WatchClock: Sendable {
  /// A clock that goes on while the machine sleeps.
  var now: @Sendable () -> Duration
  /// A clock that stops while the machine sleeps.
  var awake: @Sendable () -> Duration
  /// Time since 1970.
  var wall: @Sendable () -> Duration

  static var live: WatchClock {
    let (start, awake) = (ContinuousClock.now, SuspendingClock.now)
    return WatchClock(
      now: { ContinuousClock.now - start }, awake: { SuspendingClock.now - awake },
      wall: { .milliseconds(Machinery.wallClock()) })
  }
}

/// Syncs whenever something has changed, until it is asked to stop.
///
/// When to sync is ``WatchLoop``'s to say; this only carries it out and tells what came of it.
final class Watcher {
  /// The longest single wait: a clock that jumped, or a disk mounted over a folder, is seen after it.
  static let slice: Duration = .seconds(15)

  private let work: any WatchWork
  private var notifier: any ChangeNotifier
  private let fallback: () -> any ChangeNotifier
  private let clock: WatchClock
  private let log: WatchLog
  private let isInterrupted: () -> Bool
  private var loop: WatchLoop
  private var clocks: ClockWatch
  /// The database after the last sync: what it looks like then is the sync's own doing.
  private var mark: [FileMark?] = []
  private var unsent: WaitingEdits?

  /// - Parameter fallback: makes the notifier that takes over when the system's is exhausted.
  init(
    _ work: any WatchWork, _ notifier: any ChangeNotifier, fallback: @escaping () -> any ChangeNotifier,
    timing: WatchTiming, clock: WatchClock, log: WatchLog, isInterrupted: @escaping () -> Bool
  ) {
    self.work = work
    self.notifier = notifier
    self.fallback = fallback
    self.clock = clock
    self.log = log
    self.isInterrupted = isInterrupted
    loop = WatchLoop(timing: timing, at: clock.now())
    clocks = ClockWatch(wall: clock.wall(), awake: clock.awake())
  }

  /// - Throws: only if what it tells does not arrive.
  func run() async throws {
    try log.begins(work.place(), by: notifier.method)
    // Watched from before the first sync, so that nothing is missed between.
    _ = try changes(atMost: .zero)
    while !isInterrupted() {
      if clocks.jumped(wall: clock.wall(), awake: clock.awake()) { loop.returned(at: clock.now()) }
      let rest = loop.due - clock.now()
      if rest <= .zero {
        try await sync()
      } else {
        take(try changes(atMost: min(rest, Self.slice)))
      }
    }
    try log.ends()
  }

  private func changes(atMost time: Duration) throws -> Changes {
    do {
      return try notifier.wait(for: work.place(), atMost: time)
    } catch let error as NotifierExhausted {
      notifier = fallback()
      try log.fallsBack(error, to: notifier.method)
      return .lost
    }
  }

  private func take(_ changes: Changes) {
    let now = clock.now()
    if changes.contains(.returned) { loop.returned(at: now) }
    // A sync's own writes are told as well.
    let isEdited = changes.contains(.database) && work.mark() != mark
    if isEdited || !changes.isDisjoint(with: [.remote, .lost]) { loop.changed(at: now) }
  }

  private func sync() async throws {
    loop.began(at: clock.now())
    do {
      let output = try await work.sync()
      loop.succeeded(at: clock.now())
      try log.synced(output)
      lookForLateEdits()
    } catch let error as WatchLog.Failure {
      throw error.cause
    } catch {
      let error = ToolError(explaining: error)
      // Between two steps of it: the end, not a failure.
      if error.exitCode == .interrupted, isInterrupted() { return }
      loop.failed(at: clock.now(), isBusy: error.exitCode == .busy)
      try log.failed(error, at: clock.now())
    }
    mark = work.mark()
  }

  /// An edit that came too late for the sync and too early for the mark. What waits for a better clock stays the same,
  /// and is left to wait.
  private func lookForLateEdits() {
    let left = work.unsent()
    if let left, left.writes > 0, left != unsent { loop.changed(at: clock.now()) }
    unsent = left
  }
}
