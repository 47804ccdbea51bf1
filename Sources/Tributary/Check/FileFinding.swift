package import TributaryModel

/// One thing about a file on the remote that its owner should know.
package struct FileFinding: Sendable, Hashable {
  /// How bad it is.
  package enum Severity: String, Sendable {
    /// Something is damaged, missing, or not what it was.
    case damage
    /// Something could not be looked at, so nothing is known of it.
    case unread
    /// Nothing to act on.
    case note
  }

  package let severity: Severity
  /// The path on the remote; a folder's for what is about a whole device.
  package let path: String
  /// Whose folder it lies in; nil for what is about the whole remote.
  package let device: DeviceID?
  /// What that device calls itself, if its head told.
  package internal(set) var deviceName: String?
  /// What is wrong.
  package let message: String
  /// What to do about it.
  package let remedy: String

  package init(
    _ severity: Severity, _ path: String, _ device: DeviceID?, _ message: String, remedy: String
  ) {
    self.severity = severity
    self.path = path
    self.device = device
    self.message = message
    self.remedy = remedy
  }
}

/// What a check of a remote looked at.
package struct RemoteCheckCounts: Sendable, Hashable {
  package var devices = 0
  /// Files that were read.
  package var files = 0
  package var bytes = 0
  /// Names on the remote that are none of ours.
  package var ignored = 0
  package var damage = 0
  package var unread = 0
}
