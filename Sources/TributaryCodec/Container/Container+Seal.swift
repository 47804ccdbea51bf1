extension Container {
  /// Seals a body under the data key of the header's epoch; the result is the whole file.
  ///
  /// Same header, body, key and random bytes: same file (with one version of zstd).
  ///
  /// - Parameters:
  ///   - header: what to write; its body length is set here.
  ///   - plaintext: at most `plainLimit` bytes of the kind.
  ///   - level: zstd's level.
  ///   - blockEnds: where zstd ends a block; see `Zstd.compress`.
  /// - Throws: `tooLarge` if the body or the file exceeds its kind's limit; split it and seal the parts.
  package static func seal(
    header: ContainerHeader, plaintext: [UInt8], dataKey: Secret, random: any RandomSource, level: Int = 1,
    blockEnds: [Int] = []
  ) throws -> [UInt8] {
    guard plaintext.count <= header.kind.plainLimit else {
      throw tooLarge(plaintext.count, header.kind.plainLimit, header.kind)
    }
    let plain = pad(
      try Zstd.compress(plaintext, level: level, blockEnds: blockEnds), kind: header.kind)
    let length = sealedLength(plain: plain.count)
    guard length <= header.kind.sealedLimit else {
      throw tooLarge(length, header.kind.sealedLimit, header.kind)
    }
    return try seal(plain: plain, header: header, length: length, dataKey: dataKey, random: random)
  }

  /// Seals a plaintext that is framed and padded already.
  static func seal(
    plain: [UInt8], header: ContainerHeader, length: Int, dataKey: Secret, random: any RandomSource
  ) throws -> [UInt8] {
    var header = header
    header.bodyLength = UInt32(length - ContainerHeader.size)
    var file = try header.encode()
    file.reserveCapacity(length)
    let fileKey = try fileKey(dataKey: dataKey, header: file)
    let streamHeader = random.bytes(SecretStream.headerSize)
    file += Hash.keyed(fileKey, .commit).bytes
    file += streamHeader
    let prefixHash = Hash.digest(file).bytes
    var stream = try SecretStream(key: fileKey, header: streamHeader)
    file += [UInt8](repeating: 0, count: length - prefixSize)
    push(plain, into: &file, stream: &stream, prefixHash: prefixHash)
    return file
  }

  private static func push(
    _ plain: [UInt8], into file: inout [UInt8], stream: inout SecretStream, prefixHash: [UInt8]
  ) {
    plain.withUnsafeBytes { source in
      file.withUnsafeMutableBytes { target in
        var (read, written, index) = (0, prefixSize, 0)
        while read < source.count {
          let size = min(chunkSize, source.count - read)
          let isLast = read + size == source.count
          let sealedSize = size + SecretStream.overhead
          stream.push(
            UnsafeRawBufferPointer(rebasing: source[read..<read + size]),
            associated: associatedData(prefixHash: prefixHash, index: index),
            tag: isLast ? SecretStream.final : SecretStream.message,
            into: UnsafeMutableRawBufferPointer(rebasing: target[written..<written + sealedSize]))
          (read, written, index) = (read + size, written + sealedSize, index + 1)
        }
      }
    }
  }

  private static func pad(_ frame: [UInt8], kind: ContainerKind) -> [UInt8] {
    let least = 4 + frame.count
    let sealed = Padding.paddedLength(of: sealedLength(plain: least), kind: kind)
    let length = max(least, plainLength(sealed: sealed))
    var output = ByteWriter(capacity: length)
    output.write(u32: UInt32(frame.count))
    output.write(bytes: frame)
    output.write(zeros: length - least)
    return output.bytes
  }

  private static func tooLarge(_ count: Int, _ limit: Int, _ kind: ContainerKind) -> CodecError {
    CodecError(
      .tooLarge, "A \(kind) would have \(count) bytes, above its limit of \(limit). Split it into several.")
  }
}
