import TributaryRemotes

/// The place that `attach` is given.
enum RemoteArgument {
  /// The folder at the path, or at a `file://` address. Looks at nothing but what kind of thing it is.
  static func folder(_ text: String) throws -> FolderRemote {
    if let path = try filePath(text) { return FolderRemote(path: path) }
    guard !isAddress(text) || Machinery.kind(text) == .directory else {
      throw ToolError.usage(
        "\(text) is not a folder, and only folders work as remotes in this version",
        remedy:
          "Give the path of a folder that a file syncing service keeps, of a stick, or of a mounted share.")
    }
    return FolderRemote(path: text)
  }

  /// The path of a `file://` address, for this machine; nil for anything else.
  static func filePath(_ text: String) throws -> String? {
    let scheme = "file://"
    guard text.lowercased().hasPrefix(scheme) else { return nil }
    let rest = text.dropFirst(scheme.count)
    guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash].lowercased()),
      let path = decoded(rest[slash...]), !path.utf8.contains(0)
    else {
      throw ToolError.usage(
        "\(text) is not the address of a folder on this machine",
        remedy: "Write file:///path, or the path alone.")
    }
    return path
  }

  /// With `%20` and the like as the bytes that they stand for; nil where that is no text.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
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
