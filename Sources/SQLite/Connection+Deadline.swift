extension Connection {
  /// Runs `body`, whose statements fail with `interrupt` once it has taken longer than `duration`. Waiting for locks
  /// is not stopped, and nor is a single call of a function. It takes the place of the progress handler, and leaves
  /// none.
  package func limited<T>(to duration: Duration, _ body: () throws -> T) throws -> T {
    let deadline = Deadline(ContinuousClock.now + duration)
    setProgressHandler(
      every: 1_000,
      { context in
        guard let context else { return 0 }
        return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().isOver ? 1 : 0
      }, Unmanaged.passUnretained(deadline).toOpaque())
    return try withExtendedLifetime(deadline) {
      defer { setProgressHandler(every: 0, nil, nil) }
      return try body()
    }
  }
}

/// Asked by SQLite, which takes only a pointer.
private final class Deadline {
  private let end: ContinuousClock.Instant

  init(_ end: ContinuousClock.Instant) { self.end = end }

  var isOver: Bool { ContinuousClock.now >= end }
}
