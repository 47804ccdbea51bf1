/// Where a sync is, for a progress bar.
public struct SyncProgress: Sendable, Hashable {
  /// What the sync is doing.
  public enum Phase: Sendable {
    /// Looking at the remote, before anything is read.
    case checking
    /// Reading and merging what peers wrote.
    case reading
    /// Sealing what is new here.
    case sealing
    /// Uploading sealed files.
    case uploading
  }

  /// What the sync is doing.
  public var phase: Phase
  /// Files that this phase has finished.
  public var done: Int
  /// Files that this phase has to do, as far as is known; nil while it is not.
  public var total: Int?

  package init(_ phase: Phase, done: Int = 0, total: Int? = nil) {
    self.phase = phase
    self.done = done
    self.total = total
  }
}
