/// Where a fleet keeps its files: a value that an app chooses and the engine opens.
public struct RemoteLocation: Sendable, CustomStringConvertible {
  /// What a person may read about the place. Holds no credentials.
  public let description: String
  /// Makes the remote. Does no I/O.
  package let open: @Sendable () -> any Remote

  package init(_ description: String, open: @escaping @Sendable () -> any Remote) {
    self.description = description
    self.open = open
  }

  /// A folder that other software keeps the same everywhere, or that is carried around: iCloud Drive, Dropbox,
  /// Syncthing, a network share, a USB stick. The folder must exist.
  public static func folder(_ path: String) -> RemoteLocation {
    RemoteLocation("folder \(path)") { FolderRemote(path: path) }
  }
}
