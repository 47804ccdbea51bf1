import Synchronization
import TestSupport
import TributaryCodec
import TributaryModel
import TributaryWire

@testable import Tributary

/// The time and the chance that every device of a run shares.
final class SimulatedWorld: Sendable {
  private struct State {
    var now: Int64 = 1_700_000_000_000
    var random: Splitmix
    var stop: Int?
    var skews: [String: Int64] = [:]
    var acts: [String: @Sendable () throws -> Void] = [:]
  }

  private let state: Mutex<State>

  init(seed: UInt64) { state = Mutex(State(random: Splitmix(seed: seed ^ 0xABCD))) }

  var now: Int64 { state.withLock { $0.now } }
  func advance(_ milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

  /// Lets the device that runs next stop at its nth step; nil lets it run.
  func stop(after steps: Int?) { state.withLock { $0.stop = steps } }

  /// Sets how far a device's clock is off, in milliseconds.
  func setSkew(_ skew: Int64, of name: String) { state.withLock { $0.skews[name] = skew } }

  func skew(of name: String) -> Int64 { state.withLock { $0.skews[name] ?? 0 } }

  /// Does something in the middle of a device's sync, the first time that it reaches a step.
  func act(at step: String, of name: String, _ body: @escaping @Sendable () throws -> Void) {
    state.withLock { $0.acts["\(name): \(step)"] = body }
  }

  /// What the device of that name takes from outside.
  /// - Parameter skew: how far its clock is off, beside what was set.
  func environment(of name: String, skew: @escaping @Sendable () -> Int64) -> SyncEnvironment {
    var environment = SyncEnvironment(
      wall: { self.now + self.skew(of: name) + skew() }, random: SeededRandom(world: self),
      passwordHash: CheapHash(),
      step: { step in
        try self.pass(step)
        try self.state.withLock { $0.acts.removeValue(forKey: "\(name): \(step)") }?()
      })
    // Few records fill many files here, so that runs of logs and parts of snapshots are common.
    environment.sizes = SyncSizes(
      file: FileLimits(sealed: 500 << 10, plain: 7 << 20, entries: 4), firstSnapshot: 300,
      compaction: 6)
    return environment
  }

  fileprivate func bytes(_ count: Int) -> [UInt8] {
    state.withLock { state in (0..<count).map { _ in UInt8(truncatingIfNeeded: state.random.next()) } }
  }

  private func pass(_ name: String) throws {
    let isStop = state.withLock { state in
      guard let left = state.stop else { return false }
      state.stop = left - 1
      return left <= 0
    }
    if isStop { throw Stopped(step: name) }
  }
}

/// A device that was stopped where it stood.
struct Stopped: Error {
  let step: String
}

private struct SeededRandom: RandomSource {
  let world: SimulatedWorld
  func bytes(_ count: Int) -> [UInt8] { world.bytes(count) }
}

/// Key derivation for simulations: its cost would hide everything else.
private struct CheapHash: PasswordHash {
  func derive(password: Secret, salt: [UInt8], passes: Int, kibibytes: Int) throws -> Secret {
    let bytes = password.withBytes { Array($0) }
    return try Secret(Hash.digest(bytes + salt).bytes)
  }
}
