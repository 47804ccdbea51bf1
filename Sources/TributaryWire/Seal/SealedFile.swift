package import TributaryCodec
package import TributaryModel

/// Where a file lies on the remote: what its name says, and so what its header must say.
package struct FilePlace: Hashable, Sendable {
  /// What the file holds.
  package var kind: ContainerKind
  /// The directory's device.
  package var device: DeviceID
  /// The number in the name: a log's, or the log that a snapshot reaches to; a fence's new epoch. Nil for a head, whose
  /// counter no name tells.
  package var seq: UInt64?
  /// A snapshot's part; 0 elsewhere.
  package var part: UInt16

  /// A log's place.
  package static func log(_ device: DeviceID, _ seq: UInt64) -> FilePlace {
    FilePlace(kind: .log, device: device, seq: seq, part: 0)
  }

  /// A snapshot part's place.
  package static func snapshot(_ device: DeviceID, _ seq: UInt64, part: UInt16) -> FilePlace {
    FilePlace(kind: .snapshot, device: device, seq: seq, part: part)
  }

  /// A head's place.
  package static func head(_ device: DeviceID) -> FilePlace {
    FilePlace(kind: .head, device: device, seq: nil, part: 0)
  }

  /// A fence's place.
  package static func fence(_ device: DeviceID, epoch: UInt32) -> FilePlace {
    FilePlace(kind: .fence, device: device, seq: UInt64(epoch), part: 0)
  }
}

/// What a device seals with.
package struct Sealing: Sendable {
  /// The device's data key of the epoch.
  package var dataKey: Secret
  /// Tells two installations with one device id apart.
  package var installNonce: UInt64
  /// The key epoch.
  package var epoch: UInt32
  /// Where the stream headers come from.
  package var random: any RandomSource

  /// A key and what goes with it.
  package init(dataKey: Secret, installNonce: UInt64, epoch: UInt32, random: any RandomSource) {
    self.dataKey = dataKey
    self.installNonce = installNonce
    self.epoch = epoch
    self.random = random
  }
}

/// Bodies into sealed files at their places, and back.
package enum SealedFile {
  /// A file that was opened: authentic, at its place, and not yet parsed.
  package struct Opened: Sendable {
    /// What the header says.
    package var header: ContainerHeader
    /// The body's bytes.
    package var body: [UInt8]
    /// The hash of the sealed bytes: the link to the next file.
    package var hash: Digest
  }

  /// The sealed file of a body.
  ///
  /// - Parameters:
  ///   - counter: a head's rising counter; other kinds take their seq from `place`.
  ///   - previous: a log: the hash of the log before; a snapshot's first part: of the log at its seq, a later part:
  ///     of the part before; zero elsewhere.
  package static func seal(
    _ body: EncodedBody, at place: FilePlace, counter: UInt64 = 0, previous: Digest = .zero,
    with sealing: Sealing
  ) throws -> [UInt8] {
    let header = ContainerHeader(
      kind: place.kind, part: place.part, device: place.device, installNonce: sealing.installNonce,
      seq: place.seq ?? counter, epoch: sealing.epoch, previousHash: previous)
    return try Container.seal(
      header: header, plaintext: body.bytes, dataKey: sealing.dataKey, random: sealing.random,
      blockEnds: body.blockEnds)
  }

  /// Opens a file that lay at `place`.
  ///
  /// - Throws: `wrongKind`, `wrongDevice` or `wrongSeq` for a file of another place; what `Container.open` throws.
  package static func open(_ bytes: [UInt8], at place: FilePlace, dataKey: Secret) throws -> Opened {
    // Before the key is tried, so that a file of another place is told from a damaged one.
    try check(try Container.peekHeader(bytes), at: place)
    let (header, body) = try Container.open(bytes, dataKey: dataKey)
    return Opened(header: header, body: body, hash: Container.fileHash(bytes))
  }

  /// The header of a file at `place`, not yet authentic: which device's key of which epoch opens it.
  package static func peek(_ bytes: [UInt8], at place: FilePlace) throws -> ContainerHeader {
    let header = try Container.peekHeader(bytes)
    try check(header, at: place)
    return header
  }

  /// Fails unless a file follows the one with the hash `expected`.
  package static func checkChain(_ header: ContainerHeader, follows expected: Digest) throws {
    guard header.previousHash == expected else {
      throw WireError(
        .brokenChain,
        "\(header.kind) \(header.seq) of \(header.device) does not follow what was read before it: its device was "
          + "restored, or its files were exchanged. Read it again from its snapshot.")
    }
  }

  private static func check(_ header: ContainerHeader, at place: FilePlace) throws {
    guard header.kind == place.kind, header.part == place.part else {
      throw WireError(
        .wrongKind,
        "A file at the place of \(place.kind) part \(place.part) is \(header.kind) part \(header.part). "
          + "Remove it from the folder.")
    }
    guard header.device == place.device else {
      throw WireError(
        .wrongDevice, "A file of \(header.device) lies in the folder of \(place.device). Remove it.")
    }
    guard place.seq == nil || header.seq == place.seq else {
      throw WireError(
        .wrongSeq, "A file with the number \(place.seq ?? 0) in its name has \(header.seq) inside. Remove it."
      )
    }
  }
}
