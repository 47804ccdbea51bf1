public import TributaryModel

/// What one sync did. Whatever it passed over is in here.
public struct SyncReport: Sendable {
  /// Entries in the logs that this sync uploaded.
  public internal(set) var sent = 0
  /// Records that changed here.
  public internal(set) var received = 0
  /// Values that lost to a concurrent edit.
  public internal(set) var conflicts = 0
  /// Entries kept for later, all in all.
  public internal(set) var held = 0
  /// Entries that were broken though authentic, and dropped.
  public internal(set) var discarded = 0
  /// Records that a constraint keeps out of their table, all in all.
  public internal(set) var parked = 0
  /// Records shown with a repaired value, all in all.
  public internal(set) var repaired = 0
  /// Peers that could not be read to their end, with the reason.
  public internal(set) var gaps: [DeviceID: String] = [:]
  /// Files written to the remote.
  public internal(set) var filesWritten = 0
  /// Requests to the remote, those that found nothing among them.
  public internal(set) var requests = 0
  /// Bytes of the files that were read.
  public internal(set) var bytesRead = 0
  /// Bytes of the files that were written.
  public internal(set) var bytesWritten = 0
  /// What a person may want to know beside.
  public internal(set) var notices: [SyncNotice] = []
}
