/// What stopped a sync or an attach: a code to act on, and a message that says what happened and what to do.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// Which kind of error. More may be added; match the ones you know.
  public struct Code: Hashable, Sendable {
    let name: String

    /// The remote holds no devices; a new set must be asked for.
    public static let nothingThere = Code(name: "nothingThere")
    /// A new set was asked for where one is already.
    public static let alreadyThere = Code(name: "alreadyThere")
    /// The password opens none of the key files.
    public static let wrongPassword = Code(name: "wrongPassword")
    /// The remote holds another app's data.
    public static let otherSchema = Code(name: "otherSchema")
    /// This device's own directory is not where it left it.
    public static let ownDirectoryMissing = Code(name: "ownDirectoryMissing")
    /// A file of this device on the remote has other bytes than it wrote.
    public static let twin = Code(name: "twin")
    /// What was uploaded could not be read back.
    public static let notStored = Code(name: "notStored")
    /// The store is not attached to a remote.
    public static let notAttached = Code(name: "notAttached")
    /// Another sync of this store is running, in this process or another.
    public static let busy = Code(name: "busy")
    /// The password cannot be one, for example because it is too short.
    public static let unfitPassword = Code(name: "unfitPassword")
    /// The remote does not answer, or is not there; the same sync may go well later.
    public static let unreachable = Code(name: "unreachable")
    /// The remote has no room left. What others wrote was read.
    public static let remoteFull = Code(name: "remoteFull")
    /// The remote refuses this device or its request; trying again does not help.
    public static let remoteRefused = Code(name: "remoteRefused")
    /// This device's secrets cannot be read or written.
    public static let secrets = Code(name: "secrets")
    /// A file on the remote or in this device's keeping is not what it should be.
    public static let unreadable = Code(name: "unreadable")
  }

  /// What kind of error this is, to act on.
  public let code: Code
  /// What happened, where, and what to do, for a person to read.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
