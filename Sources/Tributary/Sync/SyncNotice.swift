public import TributaryModel

/// Something that a sync noticed and a person may want to know. The sync went on.
public struct SyncNotice: Sendable, Hashable {
  /// Which kind of notice. More may be added; match the ones you know.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The code's name.
    public let description: String

    init(_ name: String) { description = name }

    /// The database is a copy or was restored, so this device goes on under a new id.
    public static let newIdentity = Code("newIdentity")
    /// A peer's files on the remote are older than what was read before.
    public static let wentBack = Code("wentBack")
    /// Others have read logs of a peer that this device does not find.
    public static let withheld = Code("withheld")
    /// Files of this device were gone from the remote and were uploaded again.
    public static let uploadedAgain = Code("uploadedAgain")
    /// This device's clock runs ahead: its edits wait until it is right.
    public static let clockAhead = Code("clockAhead")
    /// Edits had stamps from the future and were stamped anew.
    public static let stampedAnew = Code("stampedAnew")
    /// Another program removed the guards of a table, and may have changed its rows unseen.
    public static let bypassed = Code("bypassed")
    /// The app of an adopted database changed its tables.
    public static let schemaChanged = Code("schemaChanged")
    /// A peer's chain of logs is broken; it was read again from a snapshot.
    public static let brokenChain = Code("brokenChain")
  }

  /// What kind of notice this is.
  public let code: Code
  /// The peer that it is about; nil when it is this device.
  public let device: DeviceID?
  /// What was noticed, and what to do if anything, for a person to read.
  public let message: String

  init(_ code: Code, _ device: DeviceID? = nil, _ message: String) {
    self.code = code
    self.device = device
    self.message = message
  }
}
