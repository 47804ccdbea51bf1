public import TributaryModel
public import TributaryStore

@_exported public import struct TributaryModel.Column
@_exported public import struct TributaryModel.Index
@_exported public import struct TributaryModel.Key
@_exported public import struct TributaryModel.Reference
@_exported public import struct TributaryModel.Schema
@_exported public import struct TributaryModel.Table
@_exported public import enum TributaryModel.Value
@_exported public import class TributaryStore.Database
@_exported public import struct TributaryStore.Row
@_exported public import struct TributaryStore.StoreError
@_exported public import struct TributaryStore.SyncLogEntry

/// An app's database, kept the same on all of a person's devices.
///
/// Every change made through ``write(_:)`` is captured exactly, whatever SQL made it. Calls run one after the other on
/// a queue of the store's own, so that waiting for the disk never blocks Swift's shared threads.
public actor Store {
  private let executor: QueueExecutor
  private(set) var core: StoreCore?
  var attachment: Attachment?
  nonisolated let board = StatusBoard()
  var observers: [Int: Observer] = [:]
  var lastObserver = 0

  /// The queue of the store's own.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private init(_ executor: QueueExecutor) { self.executor = executor }

  deinit {
    for observer in observers.values { observer.finish(nil) }
    board.end()
  }

  /// Opens the database at `path`, creating it if it is missing, and brings it up to the schema.
  ///
  /// - Throws: ``StoreError``: `.schema` when a declared table cannot be synced, with the remedy; `.tooNew` when a newer
  ///   build made the store, `.unknownRows` when a synced table was filled without the engine, `.database` when the file
  ///   cannot be opened.
  public static func open(at path: String, schema: Schema) async throws -> Store {
    let store = Store(QueueExecutor(label: "tributary.store"))
    try await store.start(path, schema)
    return store
  }

  /// Runs `body` in one transaction. An error, thrown by SQLite or by `body`, leaves nothing behind.
  ///
  /// - Throws: ``StoreError``: `.refusedValue` when a value breaks its column's rule, `.constraint` when a row breaks one
  ///   of the database, `.forbiddenStatement` for a statement that does not belong in a transaction of the engine,
  ///   `.locked` when another process writes for too long, `.database` for SQLite's other errors; whatever `body` throws.
  public func write<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws -> T {
    let result = try StoreError.explained { try opened().write(body) }
    refreshObservers()
    refreshPending()
    return result
  }

  /// Runs `body` over the last committed state.
  ///
  /// - Throws: ``StoreError``: `.forbiddenStatement` for a statement that writes, `.database` for SQLite's errors;
  ///   whatever `body` throws.
  public func read<T: Sendable>(_ body: @Sendable (Database) throws -> T) throws -> T {
    try StoreError.explained { try opened().read(body) }
  }

  /// Closes the database, and ends its observations and its streams of statuses. Calls after it throw ``StoreError`` with
  /// `.closed`; closing again does nothing.
  public func close() {
    for observer in observers.values { observer.finish(nil) }
    observers = [:]
    board.end()
    attachment = nil
    core?.close()
    core = nil
  }

  private func start(_ path: String, _ schema: Schema) throws {
    core = try StoreError.explained {
      try StoreCore.open(path, schema: schema, wall: WallClock.milliseconds)
    }
  }

  func opened() throws -> StoreCore {
    guard let core else { throw StoreError(.closed, "The store is closed. Open it again.") }
    return core
  }
}
