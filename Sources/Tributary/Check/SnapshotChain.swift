import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

extension RemoteCheck {
  /// Opens every part of every snapshot that is listed, in order.
  func followSnapshots(_ logs: LogChain, _ folder: inout DeviceFolder) throws {
    var parts: [UInt64: [UInt16]] = [:]
    for name in folder.names {
      if case .snapshot(_, let seq, let part) = name { parts[seq, default: []].append(part) }
    }
    let named = folder.head?.snapshot
    for (seq, parts) in parts.sorted(by: { $0.key < $1.key }) {
      let end = try follow(seq, parts.sorted(), logs, &folder)
      if let named, named.seq == seq { compare(named, parts.count, end, &folder) }
    }
    guard let named, parts[named.seq] == nil else { return }
    folder.find(
      .damage, "The snapshot up to log \(named.seq), which the head names, is missing.",
      remedy: "\(FileProblem.restore) Devices that join cannot read this one before.")
  }

  /// The hash of the last part, if all of them follow each other.
  private func follow(
    _ seq: UInt64, _ parts: [UInt16], _ logs: LogChain, _ folder: inout DeviceFolder
  ) throws -> Digest? {
    var previous = logs.hashes[seq]
    if previous == nil, let first = logs.first, first.seq == seq + 1 { previous = first.previous }
    var isWhole = true
    let reader = folder.reader
    for (index, part) in parts.enumerated() {
      let name = RemoteName.snapshot(folder.device, seq: seq, part: part)
      if Int(part) != index, isWhole {
        isWhole = false
        folder.find(
          .damage, "Part \(index) of the snapshot up to log \(seq) is missing.", remedy: FileProblem.restore)
      }
      let before = isWhole ? previous : nil
      previous = try attempt(name, &folder) { try openPart(name, part, seq, before, reader) }
      isWhole = isWhole && previous != nil
    }
    return isWhole ? previous : nil
  }

  private func openPart(
    _ name: RemoteName, _ part: UInt16, _ seq: UInt64, _ previous: Digest?, _ reader: FileReader
  ) throws -> Digest {
    guard let bytes = try read(name, reader) else {
      throw FileProblem(.unread, "It was there, and is gone.", remedy: "Check again.")
    }
    let opened = try reader.open(bytes, at: .snapshot(name.device, seq, part: part))
    if let previous { try SealedFile.checkChain(opened.header, follows: previous) }
    let content = try SnapshotPart(decoding: opened.body)
    try pass(try BlockContent.entries(content.blocks, format: format), name)
    return opened.hash
  }

  private func compare(_ named: Head.Snapshot, _ count: Int, _ end: Digest?, _ folder: inout DeviceFolder) {
    if count != Int(named.parts) {
      folder.find(
        .damage, "The snapshot up to log \(named.seq) has \(count) parts, and the head names \(named.parts).",
        remedy: FileProblem.restore)
    } else if let end, end != named.hash {
      folder.find(
        .damage, "The snapshot up to log \(named.seq) is not the one that the head names.",
        remedy: FileProblem.restore)
    }
  }
}

extension RemoteCheck {
  /// Checks a folder whose keys and head are open, and tells what was found.
  func check(_ opened: DeviceFolder) throws {
    var folder = opened
    try follow(&folder)
    // Whoever writes meanwhile leaves a picture of two moments; the second look shows one.
    if folder.findings.contains(where: { $0.severity != .note }), try hasMoved(folder) {
      folder = try open(folder.device)
      try follow(&folder)
      if try hasMoved(folder) {
        folder.findings = [
          FileFinding(
            .unread, folder.path, folder.device, "It was written to while it was checked.",
            remedy: "Check again when that device is at rest.")
        ]
      }
    }
    for finding in folder.findings { try find(finding) }
  }

  private func follow(_ folder: inout DeviceFolder) throws {
    let logs = try followLogs(&folder)
    compare(logs, &folder)
    try followSnapshots(logs, &folder)
    try openFences(&folder)
    if folder.locked > 0 {
      folder.find(
        .unread, "\(folder.locked) of its files are sealed under a key that is not here.",
        remedy: "Look at what is said of its key file first.")
    }
    let isSilent = folder.headHash == nil && folder.head == nil
    if isSilent, logs.last != nil {
      folder.find(
        .note, "It has logs and no head yet: its first sync has not ended.",
        remedy: "Nothing, if that device is still at it.")
    }
  }

  private func hasMoved(_ folder: DeviceFolder) throws -> Bool {
    guard case .bytes(let bytes, _) = try remote.read(.head(folder.device)) else {
      return folder.headHash != nil
    }
    return Container.fileHash(bytes) != folder.headHash
  }

  private func openFences(_ folder: inout DeviceFolder) throws {
    for name in folder.names {
      guard case .fence(let device, let epoch) = name else { continue }
      let reader = folder.reader
      _ = try attempt(name, &folder) {
        guard let bytes = try read(name, reader) else { return }
        let fence = try Fence(decoding: reader.open(bytes, at: .fence(device, epoch: epoch)).body)
        guard fence.epoch == epoch else {
          throw FileProblem(.damage, "It is of epoch \(fence.epoch) inside.", remedy: FileProblem.restore)
        }
      }
    }
  }
}
