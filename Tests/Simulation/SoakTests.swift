import Foundation
import Synchronization
import Testing

/// Runs seeds until it is stopped or one fails; only where `TRIBUTARY_SOAK_FROM` says the first seed (`make soak`).
struct SoakTests {
  @Test(.enabled(if: Soak.first != nil)) func noSeedFailsUntilItIsStopped() async throws {
    let soak = Soak(from: Soak.first ?? 1)
    await withTaskGroup { group in
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { group.addTask { soak.work() } }
    }
    soak.say("done")
    let marker = FileManager.default.temporaryDirectory.appendingPathComponent("soaked").path
    #expect(FileManager.default.createFile(atPath: marker, contents: nil))
  }
}

/// Seeds that several threads work on.
private final class Soak: Sendable {
  private struct State {
    var next: UInt64
    var done = 0
    var hasFailed = false
    var said: Date
  }

  static let first = ProcessInfo.processInfo.environment["TRIBUTARY_SOAK_FROM"].flatMap { UInt64($0) }

  private let state: Mutex<State>
  private let began = Date()
  private let seconds =
    ProcessInfo.processInfo.environment["TRIBUTARY_SOAK_SECONDS"].flatMap { Double($0) } ?? 0

  init(from seed: UInt64) { state = Mutex(State(next: seed, said: Date())) }

  func work() {
    while let seed = take() {
      let failure = SimulationTests.failure(ofSeed: seed)
      let isFirst = state.withLock { state in
        state.done += 1
        defer { state.hasFailed = state.hasFailed || failure != nil }
        return !state.hasFailed
      }
      if let failure, isFirst { Issue.record("\(failure)") }
    }
  }

  func say(_ word: String) {
    let (done, next) = state.withLock { ($0.done, $0.next) }
    let line =
      "soak: \(word), \(done) runs in \(Int(-began.timeIntervalSinceNow)) s, seeds up to \(next - 1)\n"
    FileHandle.standardError.write(Data(line.utf8))
  }

  private func take() -> UInt64? {
    let (seed, isDue) = state.withLock { state -> (UInt64?, Bool) in
      let isOver = seconds > 0 && -began.timeIntervalSinceNow >= seconds
      guard !state.hasFailed, !isOver else { return (nil, false) }
      defer { state.next += 1 }
      guard -state.said.timeIntervalSinceNow >= 10 else { return (state.next, false) }
      state.said = Date()
      return (state.next, true)
    }
    if isDue { say("running") }
    return seed
  }
}
