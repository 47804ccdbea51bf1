package import TributaryModel

extension FolderRemote {
  package func list(device: DeviceID?) throws -> Listing {
    guard let device else { return try devices() }
    return try explaining("list the files of", "\(path)/\(RemoteName.root)/\(device)") {
      let listing = try inFolder(of: device, create: false) { try files(of: device, in: $0) }
      return listing ?? Listing()
    }
  }

  private func devices() throws -> Listing {
    try explaining("list the devices in", path) {
      let listing = try inSync(create: false) { directory in
        var listing = Listing()
        for name in try files.names(in: directory, limit: Listing.entryLimit).sorted() {
          if Self.isTemporary(name) { continue }
          guard let device = DeviceID(name), try statusIfThere(name, in: directory)?.kind == .directory else {
            listing.ignored += 1
            continue
          }
          listing.devices.append(device)
        }
        return listing
      }
      let found = listing ?? Listing()
      guard found.devices.count <= Listing.deviceLimit else { throw tooMany(found.devices.count) }
      return found
    }
  }

  private func files(of device: DeviceID, in directory: Int32) throws -> Listing {
    var found: [RemoteName: Listing.Entry] = [:]
    var ignored = 0
    for text in try files.names(in: directory, limit: Listing.entryLimit) where !Self.isTemporary(text) {
      if let name = Self.stubbed(text).flatMap({ RemoteName(device: device, fileName: $0) }) {
        // The file itself, if it is there as well, says more than its stub.
        if found[name] == nil { found[name] = Listing.Entry(name: name, size: nil, state: .notDownloaded) }
        continue
      }
      guard let name = RemoteName(device: device, fileName: text) else {
        ignored += 1
        continue
      }
      guard let status = try statusIfThere(text, in: directory) else { continue }
      guard status.kind == .file else {
        ignored += 1
        continue
      }
      found[name] = entry(name, status)
    }
    let entries = found.values.sorted { $0.name.fileName < $1.name.fileName }
    return Listing(entries: entries, devices: [device], ignored: ignored)
  }

  private func entry(_ name: RemoteName, _ status: FileStatus) -> Listing.Entry {
    if isDataless(status) { return Listing.Entry(name: name, size: nil, state: .notDownloaded) }
    return Listing.Entry(name: name, size: Int(status.size), state: .present)
  }

  /// `x` of `.x.icloud`.
  private static func stubbed(_ name: String) -> String? {
    guard name.hasPrefix("."), name.hasSuffix(".icloud"), name.utf8.count > 8 else { return nil }
    return String(name.dropFirst().dropLast(7))
  }

  private func tooMany(_ count: Int) -> RemoteError {
    RemoteError(
      .tooLarge, "\(path) holds the folders of \(count) devices; at most \(Listing.deviceLimit) are read.",
      remedy: "Remove the folders of devices that are gone for good.")
  }
}
