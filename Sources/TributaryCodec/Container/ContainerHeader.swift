package import TributaryModel

/// The first 80 bytes of every sealed file, readable without a key but bound to it. Integers are big-endian.
///
///     offset  bytes
///      0       3    magic "TRB"
///      3       1    version, 1
///      4       1    kind: 1 head, 2 log, 3 snapshot, 4 fence
///      5       1    flags, 0
///      6       2    part: 0, or a snapshot's part from 0 on
///      8      16    device that wrote it
///     24       8    install nonce
///     32       8    seq, below 2^53: a log's number; a head's counter; the log a snapshot reaches to
///     40       4    key epoch
///     44       4    body length: the file's bytes after these 80
///     48      32    previous hash: BLAKE2b-256 of the whole sealed file before it in the chain, or zeros
package struct ContainerHeader: Hashable, Sendable {
  /// The number of bytes of a header.
  package static let size = 80
  /// The format version that this build writes, and the only one that it reads.
  package static let version: UInt8 = 1
  /// Sequence numbers stay below this, so that any language reads them.
  package static let seqLimit: UInt64 = 1 << 53

  static let magic: [UInt8] = Array("TRB".utf8)

  /// What the file holds.
  package var kind: ContainerKind
  /// A snapshot's part; 0 elsewhere.
  package var part: UInt16
  /// The device that wrote it.
  package var device: DeviceID
  /// Tells two installations with one device id apart.
  package var installNonce: UInt64
  /// Its number among the device's files of this kind.
  package var seq: UInt64
  /// The epoch of the data key.
  package var epoch: UInt32
  /// The file's bytes after the header. Sealing sets it.
  package var bodyLength: UInt32
  /// The hash of the file before it in the chain.
  package var previousHash: Digest

  /// A header; sealing sets the body length.
  package init(
    kind: ContainerKind, part: UInt16 = 0, device: DeviceID, installNonce: UInt64, seq: UInt64, epoch: UInt32,
    bodyLength: UInt32 = 0, previousHash: Digest = .zero
  ) {
    self.kind = kind
    self.part = part
    self.device = device
    self.installNonce = installNonce
    self.seq = seq
    self.epoch = epoch
    self.bodyLength = bodyLength
    self.previousHash = previousHash
  }

  /// The 80 bytes; a seq at or above the limit is refused.
  package func encode() throws(CodecError) -> [UInt8] {
    try Self.check(seq: seq)
    var output = ByteWriter(capacity: Self.size)
    output.write(bytes: Self.magic)
    output.write(u8: Self.version)
    output.write(u8: kind.rawValue)
    output.write(u8: 0)
    output.write(u16: part)
    output.write(bytes: device.bytes)
    output.write(u64: installNonce)
    output.write(u64: seq)
    output.write(u32: epoch)
    output.write(u32: bodyLength)
    output.write(bytes: previousHash.bytes)
    return output.bytes
  }

  /// The header at the start of `bytes`, checked for form only: nothing in it is authentic yet.
  package static func decode(_ bytes: [UInt8]) throws(CodecError) -> ContainerHeader {
    var input = ByteReader(bytes)
    guard try input.readBytes(3) == magic else {
      throw CodecError(.badMagic, "The file is not one of Tributary's. Remove it from the folder.")
    }
    let version = try input.readU8()
    guard version == Self.version else {
      throw CodecError(
        .unsupportedVersion,
        "The file has format version \(version); this build reads \(Self.version). Update it.")
    }
    return try decodeFields(&input)
  }

  private static func decodeFields(_ input: inout ByteReader) throws(CodecError) -> ContainerHeader {
    let kindByte = try input.readU8()
    guard let kind = ContainerKind(rawValue: kindByte) else {
      throw CodecError(.malformed, "The header names an unknown kind, \(kindByte). Fetch the file again.")
    }
    guard try input.readU8() == 0 else {
      throw CodecError(.malformed, "The header sets flags that version 1 lacks. Fetch the file again.")
    }
    let part = try input.readU16()
    guard let device = DeviceID(bytes: try input.readBytes(16)) else {
      throw CodecError(.malformed, "The header's device id is cut.")
    }
    let installNonce = try input.readU64()
    let seq = try input.readU64()
    try check(seq: seq)
    let epoch = try input.readU32()
    let bodyLength = try input.readU32()
    let previousHash = Digest(bytes: try input.readBytes(Digest.size)) ?? .zero
    return ContainerHeader(
      kind: kind, part: part, device: device, installNonce: installNonce, seq: seq, epoch: epoch,
      bodyLength: bodyLength, previousHash: previousHash)
  }

  private static func check(seq: UInt64) throws(CodecError) {
    guard seq < seqLimit else {
      throw CodecError(.tooLarge, "Sequence number \(seq) is not below 2^53.")
    }
  }
}
