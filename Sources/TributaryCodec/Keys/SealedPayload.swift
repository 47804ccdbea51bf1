internal import CSodium
internal import TributaryModel

/// A slot of a key file: commitment, nonce, sealed payload. See `KeyFile` for the layout.
enum SealedPayload {
  static let nonceSize = 24
  static let tagSize = 16
  static let size = KeyPayload.size + tagSize

  /// Appends a slot; its associated data is all that `output` holds up to the sealed payload.
  static func seal(
    _ plain: Secret, kek: Secret, random: any RandomSource, to output: inout ByteWriter
  ) throws {
    let nonce = random.bytes(nonceSize)
    guard nonce.count == nonceSize, kek.count == 32 else {
      throw CodecError(.parameters, "A nonce has \(nonceSize) bytes and a key-encryption key 32.")
    }
    output.write(bytes: Hash.keyed(kek, .commit).bytes)
    output.write(bytes: nonce)
    output.write(
      bytes: encrypt(plain, associated: output.bytes, nonce: nonce, key: try Hash.deriveKey(kek, .seal)))
  }

  /// Whether the slot at an offset was sealed under this KEK, in constant time.
  static func isCommitted(_ file: [UInt8], at start: Int, to kek: Secret) -> Bool {
    guard kek.count == 32, let commitment = Digest(bytes: file[start..<start + Digest.size]) else {
      return false
    }
    return commitment.matches(Hash.keyed(kek, .commit))
  }

  /// The payload of the slot at an offset.
  static func open(_ file: [UInt8], at start: Int, kek: Secret, device: DeviceID) throws -> Secret {
    guard isCommitted(file, at: start, to: kek) else {
      throw CodecError(.wrongKey, "The key file of device \(device) was sealed by another password or key.")
    }
    let sealed = start + Digest.size + nonceSize
    let nonce = Array(file[(sealed - nonceSize)..<sealed])
    let key = try Hash.deriveKey(kek, .seal)
    return try Secret(count: KeyPayload.size) { output in
      let isAuthentic = decrypt(
        Array(file[sealed..<sealed + size]), associated: Array(file[..<sealed]), nonce: nonce, key: key,
        into: output)
      guard isAuthentic else {
        throw CodecError(
          .authentication,
          "The key is right, but the key file of device \(device) is damaged. Fetch it again.")
      }
    }
  }

  private static func encrypt(
    _ plain: Secret, associated: [UInt8], nonce: [UInt8], key: Secret
  ) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { output, count in
      plain.withBytes { plain in
        key.withBytes { key in
          guard let target = output.baseAddress, let key = key.bytePointer else { return }
          _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
            target, nil, plain.bytePointer, UInt64(plain.count), associated, UInt64(associated.count), nil,
            nonce, key)
          count = size
        }
      }
    }
  }

  private static func decrypt(
    _ sealed: [UInt8], associated: [UInt8], nonce: [UInt8], key: Secret,
    into output: UnsafeMutableRawBufferPointer
  ) -> Bool {
    key.withBytes { key in
      guard let key = key.bytePointer else { return false }
      return crypto_aead_xchacha20poly1305_ietf_decrypt(
        output.bytePointer, nil, nil, sealed, UInt64(sealed.count), associated, UInt64(associated.count),
        nonce,
        key) == 0
    }
  }
}
