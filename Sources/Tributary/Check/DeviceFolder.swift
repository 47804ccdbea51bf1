import TributaryCodec
import TributaryCustody
import TributaryModel
import TributaryRemotes
import TributaryWire

/// One device's folder while it is checked.
struct DeviceFolder {
  let device: DeviceID
  var reader: FileReader
  /// The names that a listing shows, in their order.
  var names: [RemoteName] = []
  /// The bytes of the head when the check began; a device that writes on changes them.
  var headHash: Digest?
  var head: Head?
  /// Key files that are here; their epochs.
  var epochs: [UInt32] = []
  /// Findings wait until it is clear that the device did not write meanwhile.
  var findings: [FileFinding] = []
  /// Files whose key is not here.
  var locked = 0

  var path: String { "\(RemoteName.root)/\(device)" }

  /// The log that the newest snapshot reaches to; logs up to there may be gone.
  var covered: UInt64 { head?.snapshot?.seq ?? 0 }

  mutating func find(_ problem: FileProblem, _ name: RemoteName) {
    findings.append(
      FileFinding(problem.severity, name.path, device, problem.message, remedy: problem.remedy))
  }

  mutating func find(
    _ severity: FileFinding.Severity, _ message: String, remedy: String, at path: String? = nil
  ) {
    findings.append(FileFinding(severity, path ?? self.path, device, message, remedy: remedy))
  }
}

/// Keys and heads.
extension RemoteCheck {
  /// Opens a device's key files and its head.
  func open(_ device: DeviceID) throws -> DeviceFolder {
    var folder = DeviceFolder(device: device, reader: FileReader(remote: remote))
    // The head is read before the names: what it promises must be among them.
    let plain = folder.reader
    let head = try attempt(.head(device), &folder) { try read(.head(device), plain) } ?? nil
    let listing = try remote.list(device: device)
    ignore(listing.ignored)
    folder.names = listing.entries.map(\.name)
    for name in folder.names { if case .key(_, let epoch) = name { folder.epochs.append(epoch) } }
    for epoch in folder.epochs { try openKey(epoch, &folder) }
    if folder.epochs.isEmpty, !folder.names.isEmpty {
      folder.find(
        .damage, "Its key file is missing, so nothing of this device opens.", remedy: FileProblem.restore)
    }
    if let head { try open(head, &folder) }
    return folder
  }

  private func openKey(_ epoch: UInt32, _ folder: inout DeviceFolder) throws {
    let name = RemoteName.key(folder.device, epoch: epoch)
    let device = folder.device
    let keys = try attempt(name, &folder) { () throws -> [UInt32: Secret]? in
      guard let bytes = try read(name, FileReader(remote: remote)) else { return nil }
      return try self.keys(of: KeyFile(parsing: bytes), device, epoch)
    }
    folder.reader.keys.merge((keys ?? nil) ?? [:]) { _, newest in newest }
  }

  private func keys(of file: KeyFile, _ device: DeviceID, _ epoch: UInt32) throws -> [UInt32: Secret] {
    guard file.header.epoch == epoch else {
      throw FileProblem(
        .damage, "It is of epoch \(file.header.epoch) inside.", remedy: FileProblem.restore)
    }
    let pin = secrets.pins[.init(device: device, epoch: epoch)]
    guard pin == nil || pin == file.hash.bytes else {
      throw FileProblem(
        .damage,
        "It is not the file that was read before, which no device does: somebody changed the remote.",
        remedy: "\(FileProblem.restore) Find out who writes to the folder.")
    }
    guard let password = secrets.passwordKeys[epoch] else {
      throw FileProblem(
        .unread, "It is of epoch \(epoch), whose password this device does not have.",
        remedy: "Sync first, or check on a device that has the password.")
    }
    let payload = try file.open(kek: try Secret(password.key), directory: device)
    let earlier = payload.earlierKeys.map { ($0.epoch, $0.dataKey) }
    return Dictionary(earlier + [(epoch, payload.dataKey)]) { _, newest in newest }
  }

  private func open(_ bytes: [UInt8], _ folder: inout DeviceFolder) throws {
    folder.headHash = Container.fileHash(bytes)
    let (device, reader) = (folder.device, folder.reader)
    folder.head = try attempt(.head(device), &folder) {
      try Head(decoding: reader.open(bytes, at: .head(device)).body)
    }
    guard let head = folder.head else { return }
    names[device] = head.deviceName.isEmpty ? nil : head.deviceName
    let who = head.deviceName.isEmpty ? "device \(device)" : "“\(head.deviceName)”"
    for (peer, cursor) in head.cursors where peer != device {
      witness(peer, Witness(words: "\(who) has read", seq: cursor.seq, hash: cursor.hash))
    }
  }

  /// Runs `body`; a problem of the file becomes a finding, and nil the result.
  func attempt<T>(_ name: RemoteName, _ folder: inout DeviceFolder, _ body: () throws -> T) throws -> T? {
    do { return try body() } catch {
      let problem = try FileProblem(explaining: error)
      // One key file that does not open would be told once for every log.
      if problem.isLocked { folder.locked += 1 } else { folder.find(problem, name) }
      return nil
    }
  }
}
