import TributaryCodec
package import TributaryCustody
package import TributaryModel
package import TributaryRemotes
import TributaryWire

/// Reads every file on a remote once, opens it, and follows the chain of hashes that joins a device's files.
///
/// It writes nothing and holds one file at a time. A device that writes meanwhile is looked at once more.
package final class RemoteCheck {
  let remote: any Remote
  let secrets: DeviceSecrets
  /// The format that this build reads.
  let format: UInt32
  package private(set) var counts = RemoteCheckCounts()
  /// What devices call themselves, as far as their heads open.
  package var names: [DeviceID: String] = [:]
  /// What somebody has read of a device, which must be there still: who, and the log's hash if it is known.
  private(set) var witnesses: [DeviceID: [Witness]] = [:]
  private let onEntries: ([Entry], String) throws -> Void
  private let report: (FileFinding) throws -> Void
  private let step: (RemoteCheckCounts) throws -> Void

  /// Somebody's word that a log was there.
  struct Witness: Hashable {
    /// Who has done what, as in "this device has read".
    let words: String
    let seq: UInt64
    /// 32 bytes, or none.
    let hash: [UInt8]
  }

  /// - Parameters:
  ///   - secrets: this device's; its password keys open the key files.
  ///   - cursors: what this device has read of others, and has sent itself.
  ///   - onEntries: handed the entries of every log and snapshot part that opened, and the file's path.
  ///   - report: told every finding.
  ///   - step: called before each file; what it throws ends the check.
  package init(
    _ remote: any Remote, secrets: DeviceSecrets, cursors: CursorVector, format: UInt32,
    onEntries: @escaping ([Entry], String) throws -> Void = { _, _ in },
    report: @escaping (FileFinding) throws -> Void,
    step: @escaping (RemoteCheckCounts) throws -> Void = { _ in }
  ) {
    self.remote = remote
    self.secrets = secrets
    self.format = format
    self.onEntries = onEntries
    self.report = report
    self.step = step
    for (device, cursor) in cursors {
      let did = device == secrets.deviceID ? "sent" : "read"
      witness(device, Witness(words: "this device has \(did)", seq: cursor.seq, hash: cursor.hash))
    }
  }

  /// Checks every device's folder.
  /// - Throws: what the remote throws when it cannot be reached, and what `report` and `step` throw.
  package func run() throws {
    let listing = try remote.list(device: nil)
    counts.ignored += listing.ignored
    if !listing.complete {
      try find(
        FileFinding(
          .unread, RemoteName.root, nil, "The remote does not show everything that it has.",
          remedy: "Check again later."))
    }
    let known = Set(witnesses.keys).union([secrets.deviceID])
    let devices = listing.devices.sorted()
    counts.devices = devices.count
    // Heads come first: they say what the logs, which only grow, must reach to.
    var folders: [DeviceFolder] = []
    for device in devices { folders.append(try open(device)) }
    for folder in folders { try check(folder) }
    guard listing.complete else { return }
    for device in known.subtracting(devices).sorted() { try find(lost(device)) }
  }

  func find(_ finding: FileFinding) throws {
    if finding.severity == .damage { counts.damage += 1 }
    if finding.severity == .unread { counts.unread += 1 }
    var finding = finding
    finding.deviceName = finding.device.flatMap { names[$0] }
    try report(finding)
  }

  func pass(_ entries: [Entry], _ name: RemoteName) throws { try onEntries(entries, name.path) }

  func ignore(_ count: Int) { counts.ignored += count }

  /// Reads a file; nil, without a finding, if it is not there.
  func read(_ name: RemoteName, _ reader: FileReader) throws -> [UInt8]? {
    try step(counts)
    let bytes = try reader.bytes(name)
    if let bytes {
      counts.files += 1
      counts.bytes += bytes.count
    }
    return bytes
  }

  func witness(_ device: DeviceID, _ witness: Witness) {
    guard witness.seq > 0, !witnesses[device, default: []].contains(witness) else { return }
    witnesses[device, default: []].append(witness)
  }

  private func lost(_ device: DeviceID) -> FileFinding {
    let isOwn = device == secrets.deviceID
    let whose = isOwn ? "This device's" : "The folder of a device that was read before"
    return FileFinding(
      .damage, "\(RemoteName.root)/\(device)", device,
      isOwn ? "\(whose) own folder is not there." : "\(whose) is not there.",
      remedy: "Check that it is the right remote; then restore the folder from a backup.")
  }
}
