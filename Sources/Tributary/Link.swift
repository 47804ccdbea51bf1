public import TributaryModel
public import TributaryStore

/// A store's connection to its fleet.
///
/// - Syncing: ``sync()``
/// - Watching it: ``status``, ``statuses``
/// - Looking back: ``log(limit:)``, ``conflicts(limit:)``
/// - Leaving: ``detach()``
public struct Link: Sendable {
  private let store: Store
  /// The place that it leads to: a store that was attached elsewhere since is not synced through an old link.
  private let place: String

  init(_ store: Store, to place: String) {
    self.store = store
    self.place = place
  }

  /// Reads what other devices wrote and uploads what is new here.
  ///
  /// - Throws: ``SyncError``: `.busy` when this store is being synced already, `.notAttached` when it was attached
  ///   elsewhere since, `.unreachable`, `.remoteFull` and `.remoteRefused` for the remote's errors; ``StoreError`` when the database fails. Nothing unsent is lost by it: the
  ///   next sync goes on.
  public func sync() async throws -> SyncReport { try await store.sync(place) }

  /// Makes this device forget its keys, and ends its streams of statuses. It can be attached again, as a new device.
  ///
  /// The data stays here and on the remote, and edits that were not sent are kept for the next attach. The other devices
  /// keep what this one wrote; they are not told.
  ///
  /// - Throws: ``SyncError`` with `.busy` while the store is being synced.
  public func detach() async throws { try await store.detach() }

  /// How syncing stands now. It can be asked during a sync.
  public var status: SyncStatus { store.board.status }

  /// How syncing stands, now and after every change: the parts of a sync, its end, and each write of this store.
  ///
  /// Any number of readers may have a stream of their own. Someone who reads slowly gets the newest status. A stream ends
  /// when the store is closed or detached.
  public var statuses: AsyncStream<SyncStatus> { store.board.statuses() }

  /// What syncs of this store did, newest first. The newest 1,000 entries are kept.
  public func log(limit: Int = 100) async throws -> [SyncLogEntry] { try await store.log(limit) }

  /// Values that lost to a concurrent edit, newest first. The newest 1,000 are kept.
  public func conflicts(limit: Int = 100) async throws -> [FieldConflict] { try await store.conflicts(limit) }
}

/// A value that lost to a concurrent edit of the same field, and the one that it lost to.
public struct FieldConflict: Sendable, Hashable {
  /// A value and its edit.
  public struct Version: Sendable, Hashable {
    /// What was written; NULL is a value too.
    public let value: Value
    /// The device that wrote it.
    public let device: DeviceID
    /// When, in milliseconds since 1970, UTC, by that device's clock.
    public let time: Int64
  }

  /// The table of the record.
  public let table: String
  /// The record's key, in the order of the key's columns.
  public let key: [Value]
  /// The column of the value.
  public let column: String
  /// The version that won.
  public let won: Version
  /// The version that lost, which is kept only here.
  public let lost: Version
}

extension FieldConflict {
  fileprivate init(_ conflict: Conflict) {
    self.init(
      table: conflict.name.type, key: conflict.name.id.values ?? [], column: conflict.field,
      won: Version(conflict.won), lost: Version(conflict.lost))
  }
}

extension FieldConflict.Version {
  fileprivate init(_ register: Register) {
    self.init(
      value: register.value, device: register.stamp.device, time: register.stamp.moment.milliseconds)
  }
}

extension Store {
  fileprivate func log(_ limit: Int) throws -> [SyncLogEntry] {
    let core = try opened()
    return try StoreError.explained { try core.syncLog(limit: limit) }
  }

  fileprivate func conflicts(_ limit: Int) throws -> [FieldConflict] {
    let core = try opened()
    return try StoreError.explained { try core.conflicts(limit: limit).map(FieldConflict.init) }
  }
}
