import Synchronization
import TributaryStore

/// One running observation: a query that is asked again after every commit.
struct Observer: Sendable {
  /// Asks the query and yields what it answers; false when nobody listens any more.
  let refresh: @Sendable (StoreCore) -> Bool
  /// Ends the stream.
  let finish: @Sendable ((any Error)?) -> Void

  /// - Parameter isSame: whether the second value need not be yielded after the first.
  init<T: Sendable>(
    _ continuation: AsyncThrowingStream<T, any Error>.Continuation,
    _ query: @escaping @Sendable (Database) throws -> T, isSame: @escaping @Sendable (T, T) -> Bool
  ) {
    let last = LastValue<T>()
    finish = { continuation.finish(throwing: $0) }
    refresh = { core in
      do {
        let value = try core.read(query)
        guard last.replace(value, unless: isSame) else { return true }
        if case .terminated = continuation.yield(value) { return false }
        return true
      } catch {
        continuation.finish(throwing: error)
        return false
      }
    }
  }
}

/// What an observation yielded last. The lock is there for the compiler's sake: only the store's queue comes here.
private final class LastValue<T: Sendable>: Sendable {
  private let value = Mutex<T?>(nil)

  func replace(_ new: T, unless isSame: @Sendable (T, T) -> Bool) -> Bool {
    value.withLock { value in
      if let old = value, isSame(old, new) { return false }
      value = new
      return true
    }
  }
}
