import Synchronization
import TributaryModel

@testable import Tributary
@testable import TributaryTool

/// A machine on which a watcher runs: its clock goes on only while somebody waits, and its changes come by script.
final class ScriptedWatch: ChangeNotifier, WatchWork, Sendable {
  /// What comes of one sync.
  enum Outcome: Sendable {
    case report(SyncReport)
    case error(ToolError)
    /// The machine is told to stop in the middle of it.
    case interrupted
  }

  private struct State {
    var now: Duration = .zero
    var slept: Duration = .zero
    var events: [(at: Duration, changes: Changes)] = []
    var outcomes: [Outcome] = []
    var writesAtEachSync = false
    var version: Int64 = 0
    var unsent: [WaitingEdits] = []
    var syncs: [Duration] = []
    var waits = 0
    var sleep: (waits: Int, length: Duration)?
    var exhaustion: String?
    var isStopped = false
  }

  private let state = Mutex(State())
  private let end: Duration
  let output = CollectingSink()
  let errors = CollectingSink()
  let method = "script"

  /// - Parameter end: when it is asked to stop.
  init(until end: Duration) { self.end = end }

  /// The seconds at which syncs began.
  var syncs: [Double] { state.withLock { $0.syncs.map { Double($0.wholeMilliseconds) / 1000 } } }

  func at(_ seconds: Double, _ changes: Changes) {
    state.withLock { $0.events.append((.seconds(seconds), changes)) }
  }

  func syncsEnd(_ outcomes: Outcome...) { state.withLock { $0.outcomes += outcomes } }

  func leavesUnsent(_ edits: WaitingEdits...) { state.withLock { $0.unsent += edits } }

  /// Every sync changes the database, and is told of it.
  func writesAtEachSync() { state.withLock { $0.writesAtEachSync = true } }

  func hasNoNotifications(_ reason: String) { state.withLock { $0.exhaustion = reason } }

  /// The machine sleeps, once, at the end of a wait that then lasted so much longer.
  func sleeps(_ seconds: Double, afterWaits waits: Int) {
    state.withLock { $0.sleep = (waits, .seconds(seconds)) }
  }

  func run(isJSON: Bool = false) async throws {
    var context = ToolContext.scripted(output: output, errors: errors)
    context.isInterrupted = { [self] in state.withLock { $0.isStopped || $0.now + $0.slept >= end } }
    let clock = WatchClock(
      now: { [self] in state.withLock { $0.now + $0.slept } }, awake: { [self] in state.withLock { $0.now } },
      wall: { [self] in state.withLock { $0.now + $0.slept + .seconds(1_000_000) } })
    let watcher = Watcher(
      self, self, fallback: { Fallback(self) }, timing: WatchTiming(), clock: clock,
      log: WatchLog(context, isJSON: isJSON, wall: { 1_772_370_202_000 }),
      isInterrupted: context.isInterrupted)
    try await watcher.run()
  }

  // MARK: The watcher's view

  func wait(for place: WatchPlace, atMost time: Duration) throws -> Changes {
    if let reason = state.withLock({ $0.exhaustion }) { throw NotifierExhausted(reason: reason) }
    return next(atMost: time)
  }

  fileprivate func next(atMost time: Duration) -> Changes {
    state.withLock { state in
      state.waits += 1
      if let sleep = state.sleep, sleep.waits == state.waits { state.slept += sleep.length }
      let until = state.now + time
      guard
        let index = state.events.indices.filter({ state.events[$0].at <= until }).min(by: {
          state.events[$0].at < state.events[$1].at
        })
      else {
        state.now = until
        return []
      }
      let event = state.events.remove(at: index)
      state.now = max(state.now, event.at)
      // An edit by somebody else, unless it tells of the sync's own.
      if event.changes.contains(.database), event.at > .zero {
        state.version += state.writesAtEachSync ? 0 : 1
      }
      return event.changes
    }
  }

  func sync() async throws -> SyncOutput {
    let outcome = state.withLock { state -> Outcome in
      state.syncs.append(state.now + state.slept)
      if state.writesAtEachSync {
        state.version += 1
        state.events.append((state.now, .database))
      }
      return state.outcomes.isEmpty ? .report(SyncReport()) : state.outcomes.removeFirst()
    }
    switch outcome {
    case .report(let report): return SyncOutput(report: report)
    case .error(let error): throw error
    case .interrupted:
      state.withLock { $0.isStopped = true }
      throw ToolError.interrupted
    }
  }

  func place() -> WatchPlace { WatchPlace(database: "/a.db", remote: "/remote") }

  func mark() -> [FileMark?] {
    let version = state.withLock { $0.version }
    return [FileMark(device: 1, inode: 1, size: version, seconds: 0, nanoseconds: 0)]
  }

  func unsent() -> WaitingEdits? {
    state.withLock { state in
      // The last one stays.
      if state.unsent.count > 1 { return state.unsent.removeFirst() }
      return state.unsent.first ?? WaitingEdits(writes: 0)
    }
  }
}

/// Takes over where the first has nothing to give.
private final class Fallback: ChangeNotifier {
  let method = "second script"
  private let watch: ScriptedWatch

  init(_ watch: ScriptedWatch) { self.watch = watch }

  func wait(for place: WatchPlace, atMost time: Duration) throws -> Changes { watch.next(atMost: time) }
}
