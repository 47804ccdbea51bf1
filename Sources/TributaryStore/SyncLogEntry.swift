/// One thing that a sync did, or that stopped it.
public struct SyncLogEntry: Sendable, Hashable {
  /// What kind of thing it was. More may be added; match the ones you know.
  public struct Kind: Hashable, Sendable, CustomStringConvertible {
    /// The kind's name.
    public let description: String

    package init(_ name: String) { description = name }

    /// Records changed here.
    public static let applied = Kind("applied")
    /// Edits of this device were uploaded.
    public static let sent = Kind("sent")
    /// Entries are kept for later.
    public static let held = Kind("held")
    /// Records are kept out of their table by a constraint.
    public static let parked = Kind("parked")
    /// Values lost to a concurrent edit.
    public static let conflict = Kind("conflict")
    /// A peer could not be read to its end.
    public static let gap = Kind("gap")
    /// Something that a person may want to know.
    public static let notice = Kind("notice")
    /// The sync failed.
    public static let error = Kind("error")
  }

  /// Milliseconds since 1970, UTC, by this device's clock.
  public let time: Int64
  /// What kind of thing it was.
  public let kind: Kind
  /// What happened, for a person to read.
  public let message: String

  package init(time: Int64, kind: Kind, message: String) {
    self.time = time
    self.kind = kind
    self.message = message
  }
}
