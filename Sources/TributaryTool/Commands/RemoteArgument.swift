import TributaryRemotes

/// The place that `attach` is given.
enum RemoteArgument {
  /// The folder at the path. Looks at nothing but what kind of thing it is.
  static func folder(_ text: String) throws -> FolderRemote {
    guard !isAddress(text) || Machinery.kind(text) == .directory else {
      throw ToolError.usage(
        "\(text) is not a folder, and only folders work as remotes in this version",
        remedy:
          "Give the path of a folder that a file syncing service keeps, of a stick, or of a mounted share.")
    }
    return FolderRemote(path: text)
  }

  /// A folder is never made: the place of a stick that is not plugged in must not look like an empty remote.
  static func checkFolder(_ remote: FolderRemote) throws {
    guard Machinery.kind(remote.path) == .absent else { return try remote.prepare(create: false) }
    throw ToolError(
      .remoteUnavailable, "there is no folder \(remote.path)",
      remedy: "To start there, create it first (mkdir). Else mount what holds it, or check the path.")
  }

  /// Whether the folder is there, and holds a set if one is to be joined.
  static func check(_ remote: FolderRemote, create: Bool) throws {
    try checkFolder(remote)
    guard !create, try remote.list(device: nil).devices.isEmpty else { return }
    throw ToolError(
      .failure, "\(remote.path) holds no devices yet",
      remedy:
        "Check that it is the right folder, and that its files have arrived. If so: --new starts a set there."
    )
  }

  /// "s3://bucket", "gist:name", "user@host:folder".
  private static func isAddress(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":") else { return false }
    let head = text[..<colon]
    return head.count > 1 && !head.contains("/")
  }
}
