import Synchronization

/// Where the newest status hangs for everyone to read, while a sync keeps the store busy.
final class StatusBoard: Sendable {
  private struct State {
    var status = SyncStatus()
    var readers: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
    var lastReader = 0
    var hasEnded = false
  }

  private let state = Mutex(State())

  var status: SyncStatus { state.withLock { $0.status } }

  /// Changes the status and tells everyone, in the order of the changes.
  func update(_ change: (inout SyncStatus) -> Void) {
    state.withLock { state in
      change(&state.status)
      for reader in state.readers.values { reader.yield(state.status) }
    }
  }

  func show(_ progress: SyncProgress) {
    update { status in
      status.phase = .syncing(progress.phase)
      status.done = progress.done
      status.total = progress.total
    }
  }

  /// A stream that begins with the current status. Someone who reads slowly gets the newest one.
  func statuses() -> AsyncStream<SyncStatus> {
    let (stream, continuation) = AsyncStream<SyncStatus>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state -> Int? in
      continuation.yield(state.status)
      guard !state.hasEnded else { return nil }
      state.lastReader += 1
      state.readers[state.lastReader] = continuation
      return state.lastReader
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    return stream
  }

  /// Lets new streams run again.
  func begin() { state.withLock { $0.hasEnded = false } }

  /// Ends every stream.
  func end() {
    let readers = state.withLock { state in
      defer { state.readers = [:] }
      state.hasEnded = true
      return state.readers
    }
    // Outside the lock: a stream's end calls `remove`.
    for reader in readers.values { reader.finish() }
  }

  private func remove(_ number: Int) { state.withLock { $0.readers[number] = nil } }
}
