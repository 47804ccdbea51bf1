public import TributaryModel

@_exported public import struct TributaryModel.DeviceID

/// How syncing stands: what a status line or a settings page shows.
public struct SyncStatus: Sendable {
  /// What the store is doing.
  public enum Phase: Sendable, Hashable {
    /// Nothing; the last sync, if there was one, went well.
    case idle
    /// A sync, and this part of it.
    case syncing(SyncProgress.Phase)
    /// Nothing; the last sync ended with `lastError`.
    case failed
  }

  /// Why a sync failed.
  public struct Failure: Sendable, Hashable {
    /// The code, when the error is a ``SyncError``.
    public internal(set) var code: SyncError.Code?
    /// What happened and what to do, for a person to read.
    public internal(set) var message: String
  }

  /// What the store is doing.
  public internal(set) var phase = Phase.idle
  /// Files that this phase has finished.
  public internal(set) var done = 0
  /// Files that this phase has to do; nil while that is not known.
  public internal(set) var total: Int?
  /// What is still to be uploaded: local transactions, and sealed files that did not arrive yet.
  public internal(set) var pending = 0
  /// Entries kept for later, all in all.
  public internal(set) var held = 0
  /// Why the last sync failed; nil if it did not.
  public internal(set) var lastError: Failure?
  /// When the last sync that went well ended, in milliseconds since 1970; nil before the first.
  public internal(set) var lastSync: Int64?
  /// What that sync did; nil if another process, or an earlier run of the app, made it.
  public internal(set) var lastReport: SyncReport?
  /// The other devices that this one knows of, in the order of their ids.
  public internal(set) var peers: [PeerStatus] = []
}

/// How far another device was read.
public struct PeerStatus: Sendable, Hashable {
  /// The device's id, which names its directory on the remote.
  public let device: DeviceID
  /// What people call the device; nil while that is not known.
  public internal(set) var name: String?
  /// When it last said anything, in milliseconds since 1970 by its clock; nil while that is not known.
  public internal(set) var lastSeen: Int64?
  /// How many of its logs were read.
  public internal(set) var logsRead: UInt64
  /// How many logs it has written as far as it says; nil while that is not known.
  public internal(set) var logsWritten: UInt64?
  /// Its entries that are kept for later.
  public internal(set) var held: Int
  /// Why the last sync could not read it to its end; nil if it could.
  public internal(set) var gap: String?
}
