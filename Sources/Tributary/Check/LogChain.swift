import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryWire

/// What is known of a device's chain of logs while it is followed.
struct LogChain {
  /// The last log that was looked at, and its hash if it could be read.
  var last: (seq: UInt64, hash: Digest?)?
  /// Hashes that somebody else will ask for, by seq.
  var hashes: [UInt64: Digest] = [:]
  /// Where the chain begins, and the hash that its first log names as the one before.
  var first: (seq: UInt64, previous: Digest)?
  /// The place in a run of logs that apply together, after the last log.
  var run: LogBody.Run?
  /// Seqs whose hash is to be kept.
  let wanted: Set<UInt64>
}

extension RemoteCheck {
  /// Follows the logs in order, from the first that is listed to the last.
  func followLogs(_ folder: inout DeviceFolder) throws -> LogChain {
    let seqs = folder.names.compactMap { name -> UInt64? in
      if case .log(_, let seq) = name { seq } else { nil }
    }
    var wanted = Set((witnesses[folder.device] ?? []).map(\.seq))
    for name in folder.names { if case .snapshot(_, let seq, _) = name { wanted.insert(seq) } }
    if let last = folder.head?.lastLog { wanted.insert(last.seq) }
    var chain = LogChain(wanted: wanted)
    let (reader, covered) = (folder.reader, folder.head == nil ? .max : folder.covered)
    for seq in seqs.sorted() {
      let name = RemoteName.log(folder.device, seq: seq)
      noteGap(before: seq, chain, &folder)
      let opened = try attempt(name, &folder) { try openLog(name, seq, reader, covered, &chain) }
      if opened == nil { chain.run = nil }
      chain.last = (seq, opened ?? nil)
    }
    return chain
  }

  /// Opens one log; its hash, also when something in it is wrong that has nothing to do with the chain.
  private func openLog(
    _ name: RemoteName, _ seq: UInt64, _ reader: FileReader, _ covered: UInt64, _ chain: inout LogChain
  ) throws -> Digest {
    guard let bytes = try read(name, reader) else {
      throw FileProblem(.unread, "It was there, and is gone.", remedy: "Check again.")
    }
    let opened = try reader.open(bytes, at: .log(name.device, seq))
    if chain.wanted.contains(seq) { chain.hashes[seq] = opened.hash }
    if chain.first == nil { chain.first = (seq, opened.header.previousHash) }
    if seq == 1 { try SealedFile.checkChain(opened.header, follows: .zero) }
    if let last = chain.last, last.seq + 1 == seq, let hash = last.hash {
      try SealedFile.checkChain(opened.header, follows: hash)
    }
    let body = try LogBody(decoding: opened.body)
    try checkRun(body.run, &chain)
    if body.isSnapshot, covered < seq {
      throw FileProblem(
        .damage, "It stands for a snapshot, and the head names none that reaches so far.",
        remedy: FileProblem.restore)
    }
    let entries = try BlockContent.entries(body.blocks, format: format)
    try LogRules.check(entries, by: name.device, isRepublished: body.isRepublished)
    try pass(entries, name)
    return opened.hash
  }

  private func checkRun(_ run: LogBody.Run, _ chain: inout LogChain) throws {
    let before = chain.run
    chain.run = run
    if let before, before.index + 1 < before.count {
      if run.index == before.index + 1, run.count == before.count { return }
    } else if run.index == 0 || before == nil {
      return
    }
    throw FileProblem(
      .damage, "It is part \(run.index + 1) of \(run.count) of a change, and does not follow the log before.",
      remedy: FileProblem.restore)
  }

  private func noteGap(before seq: UInt64, _ chain: LogChain, _ folder: inout DeviceFolder) {
    let expected = (chain.last?.seq ?? 0) + 1
    guard seq > expected, seq - 1 > folder.covered else { return }
    let first = max(expected, folder.covered + 1)
    folder.find(
      .damage, Self.missing(first, seq - 1) + ", and no snapshot covers them.",
      remedy: "\(FileProblem.restore) Devices that have not read them stop there.")
  }

  static func missing(_ first: UInt64, _ last: UInt64) -> String {
    first == last ? "Log \(first) is missing" : "Logs \(first) to \(last) are missing"
  }
}

extension RemoteCheck {
  /// Sets the chain beside what the device's own head and everybody's cursors say.
  func compare(_ chain: LogChain, _ folder: inout DeviceFolder) {
    let reach = max(chain.last?.seq ?? 0, folder.covered)
    if let last = folder.head?.lastLog {
      if last.seq > reach {
        folder.find(
          .damage, Self.missing(reach + 1, last.seq) + ", though the head has them.",
          remedy: FileProblem.restore)
      } else if let hash = chain.hashes[last.seq], hash != last.hash {
        folder.find(
          .damage, "Log \(last.seq) is not the one that the head names.", remedy: FileProblem.restore)
      }
    }
    let known = max(reach, folder.head?.lastLog?.seq ?? 0)
    for witness in witnesses[folder.device] ?? [] {
      if witness.seq > known {
        folder.find(
          .damage,
          "\(Self.capitalized(witness.words)) log \(witness.seq), and only \(reach) are here: the folder went back.",
          remedy: FileProblem.restore)
      } else if let hash = chain.hashes[witness.seq], !witness.hash.isEmpty, hash.bytes != witness.hash {
        folder.find(
          .damage,
          "Log \(witness.seq) is not the one that \(witness.words): the device was copied, or its files exchanged.",
          remedy: FileProblem.restore)
      }
    }
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
