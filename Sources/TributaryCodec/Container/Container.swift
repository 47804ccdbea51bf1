/// Sealed files: heads, logs, snapshot parts and fences. H is `Hash.keyed`; integers are big-endian.
///
///     offset  bytes
///       0      80   header: see ContainerHeader
///      80      32   commitment: H(FK, "commit")
///     112      24   secretstream header, random
///     136      ...  chunks: see SecretStream
///
/// DK is the device's data key of the header's epoch, and FK = H(DK, "file", header) the file's own key.
///
/// The plaintext is cut into chunks of 65,536 bytes, each 17 bytes longer once sealed. All but the last are full
/// and have tag 0 (MESSAGE); the last has 1 to 65,536 bytes and tag 3 (FINAL), and ends the file. The associated data
/// of a chunk is BLAKE2b-256 of the file's first 136 bytes and the chunk's index from 0, 4 bytes.
///
/// The plaintext is
///
///     4 bytes  the length of the frame
///     n bytes  one zstd frame that states its content size: see Zstd
///     rest     zeros, as many as Padding wants
///
/// A reader checks in this order: the file's length and form, the header, the commitment, every chunk with its
/// tag, the frame's length, the zeros, the frame. Nothing is parsed before FINAL.
package enum Container {
  /// The bytes of plaintext in a full chunk.
  static let chunkSize = 64 << 10
  /// The bytes before the first chunk.
  static let prefixSize = ContainerHeader.size + Digest.size + SecretStream.headerSize

  /// The hash of a whole sealed file, for the chain.
  package static func fileHash(_ bytes: [UInt8]) -> Digest { Hash.digest(bytes) }

  /// The header of a sealed file, checked for its form and against the file's length; nothing in it is authentic yet.
  package static func peekHeader(_ bytes: [UInt8]) throws(CodecError) -> ContainerHeader {
    let header = try ContainerHeader.decode(bytes)
    guard bytes.count <= header.kind.sealedLimit else {
      throw CodecError(
        .tooLarge, "The file has \(bytes.count) bytes, a \(header.kind) at most \(header.kind.sealedLimit).")
    }
    let expected = ContainerHeader.size + Int(header.bodyLength)
    guard bytes.count >= expected else {
      throw CodecError(
        .truncated, "The file has \(bytes.count) bytes of \(expected). Wait until it has arrived whole.")
    }
    guard bytes.count == expected else {
      throw CodecError(
        .trailingBytes, "\(bytes.count - expected) bytes follow the file's end. Fetch it again.")
    }
    guard bytes.count > prefixSize + SecretStream.overhead else {
      throw CodecError(.truncated, "A file of \(bytes.count) bytes is too short for a chunk. Fetch it again.")
    }
    return header
  }

  /// The sealed length of `plain` bytes of plaintext.
  static func sealedLength(plain: Int) -> Int {
    let chunks = (plain + chunkSize - 1) / chunkSize
    return prefixSize + plain + chunks * SecretStream.overhead
  }

  /// The least plaintext whose file has at least `sealed` bytes.
  static func plainLength(sealed: Int) -> Int {
    let (full, rest) = (sealed - prefixSize).quotientAndRemainder(
      dividingBy: chunkSize + SecretStream.overhead)
    if rest == 0 { return full * chunkSize }
    return full * chunkSize + max(1, rest - SecretStream.overhead)
  }

  static func associatedData(prefixHash: [UInt8], index: Int) -> [UInt8] {
    var output = ByteWriter(capacity: Digest.size + 4)
    output.write(bytes: prefixHash)
    output.write(u32: UInt32(truncatingIfNeeded: index))
    return output.bytes
  }

  static func fileKey(dataKey: Secret, header: [UInt8]) throws -> Secret {
    guard dataKey.count == 32 else {
      throw CodecError(.parameters, "A data key has 32 bytes, not \(dataKey.count).")
    }
    return try Hash.deriveKey(dataKey, .file, header)
  }
}
