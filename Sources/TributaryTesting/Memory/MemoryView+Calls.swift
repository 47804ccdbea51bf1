import Synchronization
import TributaryRemotes

extension MemoryView {
  /// One call: time passes, it may fail, and it is traced.
  func calling<Result: Sendable>(
    _ call: String, _ body: (inout MemoryRemote.State) throws(RemoteError) -> Result
  ) throws -> Result {
    try remote.state.withLock { state in try once(call, &state, body) }
  }

  /// A call that writes: its reply may get lost after it was done.
  func writing<Result: Sendable>(
    _ call: String, _ body: (inout MemoryRemote.State) throws(RemoteError) -> Result
  ) throws -> Result {
    try calling(call) { state throws(RemoteError) in
      let result = try body(&state)
      if state.losesReply(for: viewer) {
        state.met.lostReplies += 1
        throw RemoteError(.retryable, "The reply to \(call) was lost.")
      }
      return result
    }
  }

  private func once<Result>(
    _ call: String, _ state: inout MemoryRemote.State,
    _ body: (inout MemoryRemote.State) throws(RemoteError) -> Result
  ) throws(RemoteError) -> Result {
    state.shelf.time += 1
    do {
      try state.failIfDue(call, for: viewer)
      let result = try body(&state)
      state.note("\(state.shelf.time) \(viewer) \(call)")
      return result
    } catch {
      state.note("\(state.shelf.time) \(viewer) \(call): \(error.code) \(error.message)")
      throw error
    }
  }
}

extension MemoryRemote.State {
  mutating func failIfDue(_ call: String, for viewer: String) throws(RemoteError) {
    guard let error = failure(call, for: viewer) else { return }
    met.failures += 1
    throw error
  }

  private mutating func failure(_ call: String, for viewer: String) -> RemoteError? {
    if case .failure(let code) = next[viewer]?.first {
      next[viewer]?.removeFirst()
      return RemoteError(code, "\(call) failed on purpose.")
    }
    if faults.isUnavailable { return RemoteError(.retryable, "The remote is not available.") }
    let fails = chance.happens(perMille: faults.failuresPerMille)
    return fails ? RemoteError(.retryable, "\(call) failed by chance.") : nil
  }

  mutating func losesReply(for viewer: String) -> Bool {
    if next[viewer]?.first == .lostReply {
      next[viewer]?.removeFirst()
      return true
    }
    return chance.happens(perMille: faults.lostRepliesPerMille)
  }

  mutating func tear(of size: Int, for viewer: String) -> Shelf.Tear? {
    if case .torn(let keeping, let ticks) = next[viewer]?.first {
      next[viewer]?.removeFirst()
      return Shelf.Tear(keeping: keeping, until: ticks.map { shelf.time + $0 })
    }
    guard chance.happens(perMille: faults.tornPerMille) else { return nil }
    let keeping = Int(chance.next() % UInt64(size + 1))
    return Shelf.Tear(keeping: keeping, until: faults.tornTicks.map { shelf.time + $0 })
  }

  func admit(_ size: Int, replacing old: Int) throws(RemoteError) {
    guard let quota = faults.quota, shelf.used - old + size > quota else { return }
    throw RemoteError(.quota, "The remote is full.", remedy: "Free some space there.")
  }

  /// Keeps the last thousand lines or so.
  mutating func note(_ line: String) {
    trace.append(line)
    if trace.count > 2000 { trace.removeFirst(1000) }
  }
}
