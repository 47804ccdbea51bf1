public import TributaryStore

extension Store {
  /// Asks `query` at once and again after every write through this store and every sync of it.
  ///
  /// Someone who reads slowly gets the newest value and misses those between. The stream ends when the store is closed.
  /// Writes by other stores on the same file are seen with this store's next write or sync.
  ///
  /// - Returns: a stream that throws what `query` throws, and then ends.
  public nonisolated func observe<T: Sendable>(_ query: @escaping @Sendable (Database) throws -> T)
    -> AsyncThrowingStream<T, any Error>
  {
    observe(query) { _, _ in false }
  }

  /// Asks `query` at once and again after every write through this store and every sync of it, and yields what it
  /// answers whenever that has changed.
  ///
  /// Someone who reads slowly gets the newest value and misses those between. The stream ends when the store is closed.
  /// Writes by other stores on the same file are seen with this store's next write or sync.
  ///
  /// - Returns: a stream that throws what `query` throws, and then ends.
  public nonisolated func observe<T: Sendable & Equatable>(
    _ query: @escaping @Sendable (Database) throws -> T
  ) -> AsyncThrowingStream<T, any Error> {
    observe(query) { $0 == $1 }
  }

  private nonisolated func observe<T: Sendable>(
    _ query: @escaping @Sendable (Database) throws -> T, isSame: @escaping @Sendable (T, T) -> Bool
  ) -> AsyncThrowingStream<T, any Error> {
    let (stream, continuation) = AsyncThrowingStream<T, any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let observer = Observer(continuation, query, isSame: isSame)
    Task {
      let number = await add(observer)
      // Set once there is something to remove; a stream that ended before is dropped at the next refresh.
      continuation.onTermination = { [weak self] _ in
        Task { [weak self] in await self?.removeObserver(number) }
      }
    }
    return stream
  }

  private func add(_ observer: Observer) -> Int {
    lastObserver += 1
    do {
      if observer.refresh(try opened()) { observers[lastObserver] = observer }
    } catch {
      observer.finish(error)
    }
    return lastObserver
  }

  private func removeObserver(_ number: Int) { observers[number] = nil }

  /// Tells the observations of a commit.
  func refreshObservers() {
    guard !observers.isEmpty, let core = try? opened() else { return }
    observers = observers.filter { $0.value.refresh(core) }
  }
}
