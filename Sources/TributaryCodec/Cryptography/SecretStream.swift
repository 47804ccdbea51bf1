internal import CSodium

/// libsodium's secretstream (XChaCha20-Poly1305), with a header that the caller chooses.
///
/// `crypto_secretstream_init_push` draws its header from the system. `init_pull` makes the very same state from a
/// header and a key, so both directions start there, and sealing repeats exactly under a seeded random source.
///
/// For readers without libsodium. The key is HChaCha20(key, header[0..<16]); the nonce a 32-bit little-endian counter
/// that starts at 1, then header[16..<24]. A chunk's ChaCha20-IETF block 0 gives the Poly1305 key. Poly1305 runs over:
/// the associated data and zeros to a multiple of 16; a 64-byte block of the tag and 63 zeros under block 1 of the
/// key stream; the ciphertext (blocks 2 on); then `count mod 16` zeros, where `count` is the ciphertext's length
/// (not the zeros that would fill the block: a quirk of libsodium that all its versions share); the
/// lengths of the associated data and of 64 plus the ciphertext, 64-bit little-endian. A chunk is the first byte
/// of that block (the encrypted tag), the ciphertext, 16 bytes of Poly1305. Afterwards the first eight bytes of the
/// Poly1305 are XORed into the nonce's last eight, and the counter rises by one; we never rekey between chunks.
struct SecretStream: ~Copyable {
  /// The length of a stream's header.
  static let headerSize = 24
  /// What sealing adds to a chunk: the encrypted tag and the Poly1305.
  static let overhead = 17
  /// The tag of a chunk that others follow.
  static let message: UInt8 = 0
  /// The tag of the last chunk.
  static let final: UInt8 = 3

  private let state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state>

  /// A stream at its first chunk; `header` has 24 bytes and `key` 32.
  init(key: Secret, header: [UInt8]) throws {
    guard header.count == Self.headerSize, key.count == 32 else {
      throw CodecError(.parameters, "A stream's header has 24 bytes and its key 32.")
    }
    state = .allocate(capacity: 1)
    state.initialize(to: .init())
    key.withBytes {
      guard let key = $0.bytePointer else { return }
      _ = crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
    }
  }

  deinit {
    sodium_memzero(state, MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size)
    state.deallocate()
  }

  /// Seals `plain` into `output`, which is `overhead` longer.
  mutating func push(
    _ plain: UnsafeRawBufferPointer, associated: [UInt8], tag: UInt8,
    into output: UnsafeMutableRawBufferPointer
  ) {
    precondition(output.count == plain.count + Self.overhead)
    _ = crypto_secretstream_xchacha20poly1305_push(
      state, output.bytePointer, nil,
      plain.bytePointer, UInt64(plain.count), associated, UInt64(associated.count), tag)
  }

  /// Opens `sealed` into `output`, which is `overhead` shorter; the tag, or nil if it is not authentic.
  mutating func pull(
    _ sealed: UnsafeRawBufferPointer, associated: [UInt8], into output: UnsafeMutableRawBufferPointer
  ) -> UInt8? {
    precondition(sealed.count == output.count + Self.overhead)
    var tag: UInt8 = 0xff
    let result = crypto_secretstream_xchacha20poly1305_pull(
      state, output.bytePointer, nil, &tag,
      sealed.bytePointer, UInt64(sealed.count), associated, UInt64(associated.count))
    return result == 0 ? tag : nil
  }
}
