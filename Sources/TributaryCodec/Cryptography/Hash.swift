internal import CSodium

/// BLAKE2b-256 (RFC 7693, 32 bytes of output), plain and keyed.
///
/// The keyed form is the H(key, label, data) of the format. Its input is framed as
///
///     1 byte   the label's length
///     n bytes  the label in ASCII
///     rest     the data
///
/// and hashed under the key, so that no two pairs of label and data give the same input. The key has 16 to 64 bytes.
package enum Hash {
  /// What a keyed hash is for. Labels are part of the format.
  package struct Label: Hashable, Sendable {
    let bytes: [UInt8]

    /// A label of at most 255 ASCII characters.
    package init(_ text: StaticString) {
      bytes = text.withUTF8Buffer { Array($0.prefix(255)) }
    }

    /// A container's key, from the data key and the header.
    package static let file = Label("file")
    /// The public promise of which key opens a file; no data.
    package static let commit = Label("commit")
    /// The key that seals a key file's slot; no data.
    package static let seal = Label("seal")
    /// The key-encryption key of a recovery slot, from the recovery key and the slot's salt.
    package static let recovery = Label("recovery")
    /// The checksum of a recovery key.
    package static let checksum = Label("checksum")
  }

  /// The plain hash.
  package static func digest(_ bytes: [UInt8]) -> Digest {
    bytes.withUnsafeBytes { digest($0) }
  }

  /// The plain hash of a buffer.
  package static func digest(_ buffer: UnsafeRawBufferPointer) -> Digest {
    run(buffer, key: UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// H(key, label, data), for values that may be published.
  package static func keyed(_ key: Secret, _ label: Label, _ data: [UInt8] = []) -> Digest {
    let input = frame(label, data)
    return input.withUnsafeBytes { input in key.withBytes { run(input, key: $0) } }
  }

  /// H(key, label, data) as a key, which never leaves guarded memory.
  package static func deriveKey(_ key: Secret, _ label: Label, _ data: [UInt8] = []) throws -> Secret {
    let input = frame(label, data)
    return try Secret(count: Digest.size) { output in
      input.withUnsafeBytes { input in key.withBytes { run(input, key: $0, into: output) } }
    }
  }

  private static func frame(_ label: Label, _ data: [UInt8]) -> [UInt8] {
    var input = ByteWriter(capacity: 1 + label.bytes.count + data.count)
    input.write(u8: UInt8(label.bytes.count))
    input.write(bytes: label.bytes)
    input.write(bytes: data)
    return input.bytes
  }

  private static func run(_ input: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer) -> Digest {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { run(input, key: key, into: $0) }
    return Digest(
      words: (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian))
  }

  private static func run(
    _ input: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) {
    guard let target = output.bytePointer else { return }
    let result = crypto_generichash(
      target, output.count, input.bytePointer, UInt64(input.count), key.bytePointer, key.count)
    // It fails only for lengths that no caller can pass, since a key has its length from one of ours.
    precondition(result == 0, "A hash key of \(key.count) bytes is outside 16...64.")
  }
}
