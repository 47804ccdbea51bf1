package import TributaryModel

/// Makes the logs of one push.
package enum LogWriter {
  /// The bodies of a run that together hold `entries`, each within the limits of a file.
  ///
  /// - Parameters:
  ///   - entries: sorted by name.
  ///   - template: what every body says beside its entries; the schema goes into the first alone.
  /// - Throws: `tooLarge` for a value above 16 MiB, and for a record that no cut makes small enough.
  package static func split(
    _ entries: [Entry], template: LogBody = LogBody(), limits: FileLimits = FileLimits()
  ) throws -> [LogBody] {
    var chunker = Chunker(limits)
    var chunks: [[EncodedBlock]] = []
    for entry in entries { chunks += try chunker.add(entry) }
    chunks += try chunker.flush()
    guard chunks.count <= WireLimit.run else {
      throw WireError(
        .tooLarge, "One push needs \(chunks.count) logs, above \(WireLimit.run). Push fewer entries.")
    }
    return chunks.enumerated().map { index, blocks in
      var body = template
      body.blocks = blocks
      body.run = .init(index: UInt32(index), count: UInt32(chunks.count))
      if index > 0 { body.schema = nil }
      return body
    }
  }
}

/// What a run of logs, or a snapshot part, holds for this build.
package struct RunContent: Sendable {
  /// The entries that this build can read, whole.
  package var entries: [Entry] = []
  /// The blocks that it cannot, to be held; or, for a barrier, to stop at.
  package var opaque: [RawBlock] = []

  /// Nothing.
  package init() {}

  /// The blocks of one body; pieces go through `joiner`.
  mutating func add(_ blocks: [EncodedBlock], format: UInt32, _ joiner: inout PieceJoiner) throws {
    var budget = WireBudget()
    for block in blocks {
      switch try BlockDecoder.decode(block.raw, format: format, budget: &budget) {
      case .opaque(let raw): opaque.append(raw)
      case .entries(let rows):
        entries.reserveCapacity(entries.count + rows.count)
        for row in rows {
          if let entry = try joiner.join(row) { entries.append(entry) }
        }
      }
    }
  }
}

/// Reads runs of logs.
package enum RunReader {
  /// What the bodies of one whole run hold, in the order of their seqs.
  ///
  /// - Parameter format: the format that this build reads.
  /// - Throws: `incompleteRun` if a body is missing, out of place, or of another run.
  package static func assemble(_ bodies: [LogBody], format: UInt32) throws -> RunContent {
    for (index, body) in bodies.enumerated()
    where body.run != LogBody.Run(index: UInt32(index), count: UInt32(bodies.count)) {
      throw WireError(
        .incompleteRun,
        "Log \(body.run.index) of \(body.run.count) stands at place \(index) of \(bodies.count). Read the run again."
      )
    }
    var content = RunContent()
    var joiner = PieceJoiner()
    for body in bodies { try content.add(body.blocks, format: format, &joiner) }
    try joiner.finish()
    return content
  }

  /// What the blocks that were held of one run, or of one snapshot, say to a later build; in the order in which
  /// they were held, pieces and all.
  package static func reread(_ blocks: [RawBlock], format: UInt32) throws -> RunContent {
    var content = RunContent()
    var joiner = PieceJoiner()
    for block in blocks { try content.add([EncodedBlock(block)], format: format, &joiner) }
    try joiner.finish()
    return content
  }
}
