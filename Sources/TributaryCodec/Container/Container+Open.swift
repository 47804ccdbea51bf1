extension Container {
  /// Opens a whole file: its header, now authentic, and its body.
  ///
  /// - Parameters:
  ///   - dataKey: the writer's data key of the header's epoch.
  ///   - limit: the most bytes of body, if fewer than the kind's own limit.
  /// - Throws: `commitment` if the file was sealed under another key; `authentication` if it was altered;
  ///   `truncated` or `trailingBytes` if its last chunk is not its end; the codes of `peekHeader` and `Zstd`.
  package static func open(
    _ bytes: [UInt8], dataKey: Secret, limit: Int = .max
  ) throws -> (header: ContainerHeader, body: [UInt8]) {
    let header = try peekHeader(bytes)
    let fileKey = try fileKey(dataKey: dataKey, header: Array(bytes[..<ContainerHeader.size]))
    guard
      let commitment = Digest(bytes: bytes[ContainerHeader.size..<ContainerHeader.size + Digest.size]),
      commitment.matches(Hash.keyed(fileKey, .commit))
    else {
      throw CodecError(
        .commitment,
        "A \(header.kind) of device \(header.device) does not open: it is damaged, or was sealed under another key."
      )
    }
    let plain = try pull(bytes, fileKey: fileKey)
    return (header, try unframe(plain, limit: min(limit, header.kind.plainLimit)))
  }

  private static func pull(_ bytes: [UInt8], fileKey: Secret) throws -> [UInt8] {
    let streamHeader = Array(bytes[(prefixSize - SecretStream.headerSize)..<prefixSize])
    let prefixHash = bytes.withUnsafeBytes {
      Hash.digest(UnsafeRawBufferPointer(rebasing: $0[..<prefixSize])).bytes
    }
    var stream = try SecretStream(key: fileKey, header: streamHeader)
    let sealedChunk = chunkSize + SecretStream.overhead
    let (full, rest) = (bytes.count - prefixSize).quotientAndRemainder(dividingBy: sealedChunk)
    guard rest == 0 || rest > SecretStream.overhead else {
      throw CodecError(.malformed, "The file's last chunk holds no byte. Fetch it again.")
    }
    let chunks = full + (rest > 0 ? 1 : 0)
    var plain = [UInt8](
      repeating: 0, count: bytes.count - prefixSize - chunks * SecretStream.overhead)
    for index in 0..<chunks {
      let start = prefixSize + index * sealedChunk
      let end = min(start + sealedChunk, bytes.count)
      let target = index * chunkSize..<index * chunkSize + (end - start - SecretStream.overhead)
      let tag = plain.withUnsafeMutableBytes { plain in
        bytes.withUnsafeBytes {
          stream.pull(
            UnsafeRawBufferPointer(rebasing: $0[start..<end]),
            associated: associatedData(prefixHash: prefixHash, index: index),
            into: UnsafeMutableRawBufferPointer(rebasing: plain[target]))
        }
      }
      try check(tag: tag, index: index, isLast: index == chunks - 1)
    }
    return plain
  }

  /// libsodium opens a stream without its end, and one that goes on after it; we do neither.
  private static func check(tag: UInt8?, index: Int, isLast: Bool) throws {
    switch (tag, isLast) {
    case (nil, _):
      throw CodecError(.authentication, "Chunk \(index) is damaged or forged. Fetch the file again.")
    case (SecretStream.final, true), (SecretStream.message, false): return
    case (SecretStream.message, true):
      throw CodecError(.truncated, "The file lacks its last chunk. Fetch it again.")
    case (SecretStream.final, false):
      throw CodecError(.trailingBytes, "Chunks follow the file's last. Fetch it again.")
    default:
      throw CodecError(.malformed, "Chunk \(index) has a tag that the format lacks. Fetch the file again.")
    }
  }

  private static func unframe(_ plain: [UInt8], limit: Int) throws -> [UInt8] {
    var input = ByteReader(plain)
    let length = try input.readU32()
    guard length <= UInt32(input.remaining) else {
      throw CodecError(.truncated, "The frame claims \(length) bytes, \(input.remaining) are there.")
    }
    let frame = try input.readBytes(Int(length))
    let padding = try input.advance(input.remaining)
    guard plain[padding].allSatisfy({ $0 == 0 }) else {
      throw CodecError(.trailingBytes, "The padding holds something else than zeros. Discard the file.")
    }
    return try Zstd.decompress(frame, limit: limit)
  }
}
